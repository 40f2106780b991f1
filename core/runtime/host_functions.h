// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_RUNTIME_HOST_FUNCTIONS_H_
#define SLUICE_CORE_RUNTIME_HOST_FUNCTIONS_H_

#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "core/tensor/tensor.h"

namespace sluice {

// HostFunctions are functions in the language of the program that this process runs. The kernels of
// PyFunc call them. The process of sluice-server has none.
//
// Owner:    the extension module of that language; never destroyed.
// Threads:  Start from any.
class HostFunctions {
 public:
  using Done = absl::AnyInvocable<void(absl::StatusOr<std::vector<Tensor>>)>;
  struct Call {
    std::string name;
    std::vector<Tensor> args;
    std::vector<DType> results;
    Done done;  // called once, on a thread of the functions, with as many tensors of these dtypes
  };

  virtual ~HostFunctions() = default;
  // Does not wait for the function, which may block, or run a step itself.
  virtual void Start(Call call) = 0;
};

// The functions of this process; null if it has none.
HostFunctions* ThisProcessHostFunctions();
void SetHostFunctions(HostFunctions* functions);

}  // namespace sluice

#endif  // SLUICE_CORE_RUNTIME_HOST_FUNCTIONS_H_
