// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_MASTER_RUN_STEP_H_
#define SLUICE_MASTER_RUN_STEP_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_set.h"
#include "absl/synchronization/mutex.h"
#include "core/threads/timer.h"
#include "master/compiled_graph.h"
#include "master/user_lines.h"
#include "transport/master_api.h"

namespace sluice::master {

// Numbers a master's steps, and knows the oldest live one.
//
// Threads:  any.
class StepNumbers {
 public:
  explicit StepNumbers(uint64_t master) : master_(master) {}
  transport::StepId Begin(uint64_t* oldest_live);
  void End(const transport::StepId& step);
  void AwaitEnds();  // waits for all steps that began

 private:
  const uint64_t master_;
  absl::Mutex mu_;
  uint64_t next_ ABSL_GUARDED_BY(mu_) = 1;
  absl::btree_set<uint64_t> live_ ABSL_GUARDED_BY(mu_);
};

struct StepArgs {
  std::shared_ptr<const CompiledGraph> graph;
  std::string session;
  std::string own_task;                    // the task whose partition has feeds and fetches
  bool name_task_in_errors = true;         // "From /job:ps/replica:0/task:0:\n"
  std::vector<Tensor> feeds;               // in the signature's order
  std::shared_ptr<Rendezvous> client;      // for a partial run: feeds and fetches use it instead
  std::shared_ptr<const UserLines> lines;  // named in errors; null: none are known
  transport::RunOptions options;
  bool costs = false;  // the answer has the cost of each node
  absl::Time deadline = absl::InfiniteFuture();
  CancelToken* caller = nullptr;                // the client's call; outlives `done`
  std::shared_ptr<CancelToken> session_cancel;  // fires when the session closes
  StepNumbers* numbers;                         // these outlive the step
  Timer* timer;
  // Runs once nothing of the step is left anywhere; may come after `done` when the deadline passed
  // first.
  absl::AnyInvocable<void()> ended;
};

// INVALID_ARGUMENT when `value` cannot be the signature's feed i: its dtype, or a resource handle.
absl::Status CheckFeed(const CompiledGraph& graph, size_t i, const Tensor& value);

// Runs every partition at once and waits; the first error that is not an echo cancels the rest.
// Answers when all have ended, or up to 200 ms after the deadline, naming the tasks that have not.
void RunStep(StepArgs args, transport::Reply<transport::RunStepResult> done);

}  // namespace sluice::master

#endif  // SLUICE_MASTER_RUN_STEP_H_
