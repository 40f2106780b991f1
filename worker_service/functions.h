// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_FUNCTIONS_H_
#define SLUICE_WORKER_SERVICE_FUNCTIONS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/op/op_registry.h"
#include "core/runtime/device.h"
#include "core/runtime/function_caller.h"
#include "core/runtime/kernel_registry.h"
#include "graph/functions.h"
#include "worker_service/task_options.h"

namespace sluice::worker {

// The environment in which function bodies are compiled and run. All pointers outlive them.
struct FunctionSite {
  std::string task;
  std::vector<Device*> devices;
  std::vector<DeviceName> device_names;   // by device, with the session's names
  std::vector<ResourceStore*> resources;  // by device
  const KernelRegistry* kernels = nullptr;
  const OpRegistry* ops = nullptr;
  WorkQueue* pool = nullptr;  // inter-op
  TaskRules rules;
  std::shared_ptr<const graph::FunctionLibrary> library;
  int32_t producer_version = 0;                               // of the graph
  std::vector<std::shared_ptr<ResourceStore>> own_resources;  // kept, if the session has its own
  std::shared_ptr<const void> use;  // of the worker's parts; the worker waits for its end
};

// The functions that the kernels of one graph call. A function is compiled at its first call. Its
// calls, conditionals and loops are lowered, and its nodes are placed only on devices of this task.
//
// Owner:    an Executable, or the Function whose body's kernels make the calls. It owns the
//           compiled functions, and a Function owns the Functions of its own body, so there is no
//           cycle.
// Threads:  any; the mutex is held while a function is compiled.
class Functions final : public FunctionCaller {
 public:
  explicit Functions(std::shared_ptr<const FunctionSite> site);
  ~Functions() override;
  absl::StatusOr<std::shared_ptr<const Function>> Find(const FunctionRef& function,
                                                       absl::string_view device) override;
  std::shared_ptr<const proto::FunctionDefLibrary> definitions() const override;
  absl::StatusOr<std::shared_ptr<const Function>> Compile(const proto::GraphDef& def,
                                                          absl::string_view device) override;

 private:
  // A device of this task.
  absl::StatusOr<DeviceName> DeviceOf(absl::string_view function, absl::string_view device) const;
  struct Entry {
    FunctionRef function;
    DeviceName device;
    std::shared_ptr<const Function> made;
  };
  const std::shared_ptr<const FunctionSite> site_;
  absl::Mutex mu_;
  absl::flat_hash_map<std::string, std::vector<Entry>> made_ ABSL_GUARDED_BY(mu_);  // by name
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_FUNCTIONS_H_
