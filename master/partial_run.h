// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_MASTER_PARTIAL_RUN_H_
#define SLUICE_MASTER_PARTIAL_RUN_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/runtime/local_rendezvous.h"
#include "core/threads/timer.h"
#include "master/compiled_graph.h"
#include "transport/master_api.h"

namespace sluice::master {

// One step whose feeds and fetches come in several calls.
//
// from     when                                   to       does
// set up   the first call                         running  starts the step; hands over its feeds
// running  a call                                 running  hands over its feeds, waits for its
//                                                          fetches
// running  a call that uses up feeds and fetches  last     answers when the step has ended too
// any      the step fails, a call is cancelled    failed   cancels the step; gives the error to the
//          or its deadline passes                          pending calls, or to the next call
//
// Owner:    Session, until the last call has its answer or the error; calls and the step share it.
// Threads:  any.
class PartialRun : public std::enable_shared_from_this<PartialRun> {
 public:
  using Reply = transport::Reply<transport::RunStepResult>;
  // Starts the step. Its feeds and fetches go over `client`; `cancel` ends it.
  using Start =
      std::function<void(std::shared_ptr<const CompiledGraph> graph,
                         std::shared_ptr<Rendezvous> client, CancelToken* cancel, Reply ended)>;
  // `timer` outlives this.
  PartialRun(std::shared_ptr<const CompiledGraph> graph, Timer* timer);

  struct Request {
    std::vector<transport::NamedTensor> feeds;
    std::vector<std::string> fetches;
    absl::Time deadline = absl::InfiniteFuture();
    CancelToken* caller = nullptr;  // outlives `done`
  };
  // INVALID_ARGUMENT, without any change: a feed or fetch that was not set up or was already used,
  // a value of another dtype, or a fetch that depends on feeds not given yet. Returns true if no
  // further call is allowed: the owner drops it.
  bool Run(Request request, const Start& start, Reply done);

 private:
  struct Call;
  absl::Status Check(const Request& request, std::vector<size_t>& feeds,
                     std::vector<size_t>& fetches) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Follow(const std::shared_ptr<Call>& call, const Request& request);
  void Fetched(const std::shared_ptr<Call>& call, size_t position, const std::string& name,
               absl::StatusOr<Parcel> parcel);
  void Ended(const absl::Status& status);
  void Answer(const std::shared_ptr<Call>& call, absl::Status status);

  const std::shared_ptr<const CompiledGraph> graph_;
  Timer* const timer_;
  const std::shared_ptr<LocalRendezvous> client_ = std::make_shared<LocalRendezvous>();
  CancelToken cancel_;

  absl::Mutex mu_;
  bool started_ ABSL_GUARDED_BY(mu_) = false;
  bool ended_ ABSL_GUARDED_BY(mu_) = false;
  absl::Status status_ ABSL_GUARDED_BY(mu_);  // of the step, after its end
  std::vector<bool> fed_ ABSL_GUARDED_BY(mu_), fetched_ ABSL_GUARDED_BY(mu_);
  std::vector<std::shared_ptr<Call>> calls_ ABSL_GUARDED_BY(mu_);  // not answered yet
};

}  // namespace sluice::master

#endif  // SLUICE_MASTER_PARTIAL_RUN_H_
