// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_RUNTIME_FUNCTION_CALLER_H_
#define SLUICE_CORE_RUNTIME_FUNCTION_CALLER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/op/attr.h"
#include "core/status.h"
#include "core/tensor/resource.h"
#include "core/tensor/tensor.h"
#include "core/threads/cancel.h"

namespace sluice {

class Collectives;
class WorkQueue;
namespace proto {
class FunctionDefLibrary;
class GraphDef;
}  // namespace proto

// A Function is a body of the graph's library, compiled for a device, that kernels call at run
// time. It has its own stateful kernels, shared by all calls. It may be kept longer than its step
// and session (an iterator keeps the functions of its data set).
//
// Threads:  any number of calls at once.
class Function {
 public:
  struct Call {
    std::vector<Tensor> args;
    uint64_t step_id = 0;
    CancelToken* cancel = nullptr;  // ends the call; outlives it. May be null
    // The store of the body's TensorArrays and stacks; outlives the call. If null, the call has its
    // own.
    ResourceStore* step_resources = nullptr;
    Collectives* collectives = nullptr;  // the step's; outlives the call. Null: it has none
    WorkQueue* pool = nullptr;  // for parts of kernels; outlives the call. Null: the device's
  };
  using Results = absl::AnyInvocable<void(absl::StatusOr<std::vector<Tensor>>)>;

  virtual ~Function() = default;
  // `done` runs once, perhaps before Start returns, on the thread that ended the call. The Function
  // stays alive until then.
  virtual void Start(Call call, Results done) const = 0;
  virtual const std::vector<DType>& arg_types() const = 0;
  virtual const std::vector<DType>& result_types() const = 0;
  // The same body with stateful kernels of its own, in their first state; null if it has none.
  virtual absl::StatusOr<std::shared_ptr<const Function>> Fresh() const {
    return std::shared_ptr<const Function>();
  }
};

// A FunctionCaller finds functions for the kernels of one registered graph.
//
// Owner:    the graph's Executable, or a Function for the calls in its body. A kernel that calls a
//           function after its own step keeps the Function.
// Threads:  any.
class FunctionCaller {
 public:
  virtual ~FunctionCaller() = default;
  // The function for a device of this task (a full or partial name; empty: the task's CPU),
  // compiled once per attributes and device. Blocks while it is compiled. NOT_FOUND if the graph
  // has no such function, UNIMPLEMENTED if it would run on another task.
  virtual absl::StatusOr<std::shared_ptr<const Function>> Find(const FunctionRef& function,
                                                               absl::string_view device) = 0;
  // The functions that Find can find; null if it cannot say.
  virtual std::shared_ptr<const proto::FunctionDefLibrary> definitions() const { return nullptr; }
  // A function of a graph of its own: its arguments are the _Arg nodes, its results the _Retval
  // nodes, both by their attribute `index`. Blocks while it is compiled. INVALID_ARGUMENT if the
  // graph is damaged.
  virtual absl::StatusOr<std::shared_ptr<const Function>> Compile(const proto::GraphDef&,
                                                                  absl::string_view) {
    return Unimplemented("this runtime compiles no graphs");
  }
};

}  // namespace sluice

#endif  // SLUICE_CORE_RUNTIME_FUNCTION_CALLER_H_
