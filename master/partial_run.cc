// SPDX-License-Identifier: Apache-2.0
#include "master/partial_run.h"

#include <algorithm>

#include "master/run_step.h"

namespace sluice::master {

using transport::RunStepResult;

struct PartialRun::Call {
  Reply done;
  std::vector<Tensor> values;  // by position in the call's fetches
  size_t missing = 0;          // number of missing values
  bool waits_for_end = false;  // for the last call, or one that failed
  absl::Status failure;
  CancelToken* caller = nullptr;
  int64_t caller_id = 0;
  int64_t timer_id = 0;
};

PartialRun::PartialRun(std::shared_ptr<const CompiledGraph> graph, Timer* timer)
    : graph_(std::move(graph)),
      timer_(timer),
      fed_(graph_->signature.feeds.size(), false),
      fetched_(graph_->signature.fetches.size(), false) {}

absl::Status PartialRun::Check(const Request& request, std::vector<size_t>& feeds,
                               std::vector<size_t>& fetches) const {
  const graph::Signature& signature = graph_->signature;
  std::vector<bool> fed = fed_, fetched = fetched_;
  for (const transport::NamedTensor& feed : request.feeds) {
    auto it = std::find(signature.feeds.begin(), signature.feeds.end(), feed.name);
    if (it == signature.feeds.end()) {
      return InvalidArgument("The feed ", feed.name, " was not specified in partial_run_setup.");
    }
    const size_t i = static_cast<size_t>(it - signature.feeds.begin());
    if (fed[i]) return InvalidArgument("The feed ", feed.name, " has already been fed.");
    SLUICE_RETURN_IF_ERROR(CheckFeed(*graph_, i, feed.tensor));
    fed[i] = true;
    feeds.push_back(i);
  }
  for (const std::string& fetch : request.fetches) {
    auto it = std::find(signature.fetches.begin(), signature.fetches.end(), fetch);
    if (it == signature.fetches.end())
      return InvalidArgument("The fetch ", fetch, " was not specified in partial_run_setup.");
    const size_t i = static_cast<size_t>(it - signature.fetches.begin());
    if (fetched[i]) return InvalidArgument("The fetch ", fetch, " has already been fetched.");
    for (int need : graph_->fetch_needs[i]) {
      if (!fed[need]) {
        return InvalidArgument("Fetch ", signature.feeds[need],
                               " can't be computed from the feeds that have been fed so far. ",
                               fetch, " needs it.");
      }
    }
    fetched[i] = true;
    fetches.push_back(i);
  }
  return absl::OkStatus();
}

bool PartialRun::Run(Request request, const Start& start, Reply done) {
  std::vector<size_t> feeds, fetches;
  auto call = std::make_shared<Call>();
  absl::Status refused;
  bool first = false, over = false;
  {
    absl::MutexLock lock(&mu_);
    over = ended_ && !status_.ok();
    refused = over ? status_ : Check(request, feeds, fetches);
    if (refused.ok()) {
      for (size_t i : feeds) fed_[i] = true;
      for (size_t i : fetches) fetched_[i] = true;
      over = std::find(fed_.begin(), fed_.end(), false) == fed_.end() &&
             std::find(fetched_.begin(), fetched_.end(), false) == fetched_.end();
      call->done = std::move(done);
      call->values.resize(fetches.size());
      call->missing = fetches.size();
      call->waits_for_end = over;
      calls_.push_back(call);
      first = !started_;
      started_ = true;
    }
  }
  if (!refused.ok()) {
    done(std::move(refused));
    return over;
  }
  Follow(call, request);
  if (first) {
    start(graph_, client_, &cancel_,
          [self = shared_from_this()](absl::StatusOr<RunStepResult> result) {
            self->Ended(result.status());
          });
  }
  for (size_t k = 0; k < feeds.size(); ++k) {
    // Refused once the step has failed; Ended reports the error.
    (void)client_->Send(transport::FeedKey(feeds[k]), Rendezvous::kLocal,
                        Parcel{std::move(request.feeds[k].tensor), false});
  }
  for (size_t k = 0; k < fetches.size(); ++k) {
    client_->Recv(
        transport::FetchKey(fetches[k]), Rendezvous::kLocal,
        [self = shared_from_this(), call, k, name = request.fetches[k]](
            absl::StatusOr<Parcel> parcel) { self->Fetched(call, k, name, std::move(parcel)); });
  }
  if (fetches.empty()) Answer(call, absl::OkStatus());
  return over;
}

// The call ends with its caller or at its deadline, and the step ends with it.
void PartialRun::Follow(const std::shared_ptr<Call>& call, const Request& request) {
  const auto give_up = [self = weak_from_this(),
                        call = std::weak_ptr<Call>(call)](const absl::Status& why) {
    auto run = self.lock();
    auto held = call.lock();
    if (run == nullptr || held == nullptr) return;
    run->cancel_.Cancel(why);
    {
      absl::MutexLock lock(&run->mu_);
      held->failure = why;
      held->waits_for_end = false;
      held->missing = 0;
    }
    run->Answer(held, why);
  };
  // The token may be destroyed once the call is answered, so it is not used after the timer is set.
  if (request.caller != nullptr) {
    const int64_t id = request.caller->Register(give_up);
    if (id == 0) return give_up(request.caller->status());
    absl::MutexLock lock(&mu_);
    call->caller = request.caller;
    call->caller_id = id;
  }
  if (request.deadline == absl::InfiniteFuture()) return;
  const int64_t id = timer_->At(request.deadline, [give_up] {
    give_up(DeadlineExceeded("Operation timed out: the partial run did not get so far"));
  });
  absl::MutexLock lock(&mu_);
  call->timer_id = id;
}

void PartialRun::Fetched(const std::shared_ptr<Call>& call, size_t position,
                         const std::string& name, absl::StatusOr<Parcel> parcel) {
  absl::Status failure;
  {
    absl::MutexLock lock(&mu_);
    if (!parcel.ok()) {
      call->waits_for_end = true;  // the step's own error has more detail than this derived one
    } else if (parcel->dead) {
      failure = InvalidArgument("The tensor returned for ", name, " was not valid.");
      call->failure = failure;
      call->waits_for_end = true;
    } else {
      call->values[position] = std::move(parcel->tensor);
    }
    if (call->missing > 0) --call->missing;
  }
  if (!failure.ok()) cancel_.Cancel(failure);
  Answer(call, absl::OkStatus());
}

void PartialRun::Ended(const absl::Status& status) {
  std::vector<std::shared_ptr<Call>> calls;
  {
    absl::MutexLock lock(&mu_);
    ended_ = true;
    status_ = status;
    calls = calls_;
  }
  // A successful step has sent every fetch; pending calls get theirs from `client_`.
  if (!status.ok()) client_->Abort(MarkDerived(status));
  for (const auto& call : calls) Answer(call, status);
}

// Answers a call that has all its fetches; with `status` if that is not OK.
void PartialRun::Answer(const std::shared_ptr<Call>& call, absl::Status status) {
  absl::StatusOr<RunStepResult> result = RunStepResult();
  int64_t timer = 0, caller = 0;
  {
    absl::MutexLock lock(&mu_);
    auto it = std::find(calls_.begin(), calls_.end(), call);
    if (it == calls_.end()) return;
    if (status.ok() && (call->missing > 0 || (call->waits_for_end && !ended_))) return;
    calls_.erase(it);
    timer = call->timer_id;
    caller = call->caller_id;
    if (status.ok()) status = status_;
    if (!call->failure.ok()) status = call->failure;
    if (status.ok())
      result->fetches = std::move(call->values);
    else
      result = std::move(status);
  }
  if (timer != 0) timer_->Forget(timer);
  if (caller != 0) call->caller->Deregister(caller);
  auto done = std::move(call->done);
  done(std::move(result));
}

}  // namespace sluice::master
