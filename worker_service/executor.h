// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_EXECUTOR_H_
#define SLUICE_WORKER_SERVICE_EXECUTOR_H_

#include <memory>

#include "absl/functional/any_invocable.h"
#include "absl/types/span.h"
#include "core/runtime/kernel_context.h"
#include "core/threads/thread_pool.h"
#include "worker_service/executable.h"

namespace sluice::worker {

// Called for every node that ran, if a step is traced.
class StepTrace {
 public:
  struct NodeRun {
    int64_t start_ns, end_ns;  // absl::GetCurrentTimeNanos()
    absl::Span<const Slot> outputs;
    absl::Span<const void* const> inputs;  // addresses of the inputs' bytes
    size_t temporary_bytes;                // 0 for a kernel that ends on another thread
  };
  virtual ~StepTrace() = default;
  virtual void NodeRan(const ExecNode& node, const std::string& name, const std::string& op,
                       int device, const NodeRun& run) = 0;
};

struct ExecuteArgs {
  std::shared_ptr<const Executable> executable;
  absl::Span<const StepContext> contexts;  // by device index; outlive `done`
  WorkQueue* pool = nullptr;               // inter-op
  CancelToken* cancel = nullptr;           // its status ends the step
  StepTrace* trace = nullptr;
  // Called once, by the thread that saw the first error, so that the step can wake its waiters.
  absl::AnyInvocable<void(const absl::Status&)> on_error;
  // Called once, when the run has ended completely, with the first error that is not derived from
  // another.
  absl::AnyInvocable<void(absl::Status)> done;
};

// Runs an executable once. Nodes run as their inputs arrive: cheap ones on the thread that made
// them ready, from a local list and without recursion; others on the pool. Errors name node, op and
// device. `done` may run before Execute returns.
void Execute(ExecuteArgs args);

// The memory of an execution. The Executable keeps it between steps.
//
// Owner:    the execution while it runs; otherwise the Executable.
class ExecutionScratch {
 public:
  virtual ~ExecutionScratch() = default;
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_EXECUTOR_H_
