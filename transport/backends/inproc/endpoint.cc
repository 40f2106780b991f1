// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/inproc/endpoint.h"

#include <vector>

#include "absl/time/clock.h"
#include "transport/time_budget.h"

namespace sluice::transport {

// --- Caller ---

void Caller::TellAnswer(const std::shared_ptr<Caller>& self, uint64_t call,
                        const absl::Status& answer) {
  absl::MutexLock lock(&self->mu_);
  if (self->sink_ == nullptr) return;
  self->loop_->Run([self, call, answer] { self->calls_.Answered(call, answer); });
}

void Caller::TellGone(const std::shared_ptr<Caller>& self) {
  absl::MutexLock lock(&self->mu_);
  if (self->sink_ == nullptr) return;
  self->loop_->Run([self] {
    self->calls_.Break(self->Gone());
    absl::MutexLock lock(&self->mu_);
    if (self->sink_ != nullptr) self->sink_->Broken(self->peer_, self->Gone());
  });
}

void Caller::HangUp() {
  {
    absl::MutexLock lock(&mu_);
    sink_ = nullptr;
  }
  calls_.Close(Unavailable("the channel to ", peer_, " is closed"));
}

// --- Endpoint ---

void Endpoint::Open(TensorSink* sink) {
  absl::MutexLock lock(&mu_);
  Post([self = shared_from_this(), sink] { self->sink_ = sink; });
}

bool Endpoint::Enter(const std::string& from, const Path& path,
                     const std::shared_ptr<Caller>& caller) {
  absl::MutexLock lock(&mu_);
  callers_[caller.get()] = caller;
  return Post([self = shared_from_this(), from, path] {
    if (self->sink_ == nullptr) return;
    if (const auto old = self->sink_->returns().Exchange(from, path)) old->Replaced();
  });
}

bool Endpoint::Deliver(const std::string& from, const ParcelId& id, Parcel parcel) {
  absl::MutexLock lock(&mu_);
  return Post([self = shared_from_this(), from, id, parcel = std::move(parcel)]() mutable {
    if (self->sink_ != nullptr) self->sink_->Deliver(from, id, std::move(parcel));
  });
}

bool Endpoint::Run(const std::shared_ptr<Caller>& caller, uint64_t call, RunGraph request,
                   absl::Time deadline) {
  const RunKey key{caller.get(), call};
  auto token = std::make_shared<CancelToken>();
  absl::MutexLock lock(&mu_);
  if (!closed_) runs_[key] = token;
  return Post([self = shared_from_this(), caller, key, token, request = std::move(request),
               deadline]() mutable {
    // If the call was cancelled meanwhile, nobody waits for it.
    if (self->sink_ == nullptr || !caller->calls().Waits(key.second)) {
      self->TakeRun(key);
      return;
    }
    CallOptions options;
    options.cancel = token.get();
    if (deadline != absl::InfiniteFuture())
      options.deadline = absl::Now() + TimeBudgetFor(deadline - absl::Now());
    self->sink_->Run(std::move(request), options,
                     [self, caller, key, token](const absl::StatusOr<RunGraphResult>& result) {
                       if (self->TakeRun(key) != nullptr)
                         Caller::TellAnswer(caller, key.second, result.status());
                     });
  });
}

std::shared_ptr<CancelToken> Endpoint::TakeRun(const RunKey& key) {
  absl::MutexLock lock(&mu_);
  auto node = runs_.extract(key);
  return node.empty() ? nullptr : std::move(node.mapped());
}

void Endpoint::CancelRun(const Caller* caller, uint64_t call) {
  if (const auto token = TakeRun({caller, call}); token != nullptr)
    token->Cancel(absl::CancelledError("the master cancelled the step"));
}

void Endpoint::Leave(const std::string& from, const Path& path, const Caller* caller) {
  std::vector<std::shared_ptr<CancelToken>> cancelled;
  {
    absl::MutexLock lock(&mu_);
    callers_.erase(caller);
    absl::erase_if(runs_, [&](const auto& run) {
      if (run.first.first == caller) cancelled.push_back(run.second);
      return run.first.first == caller;
    });
    Post([self = shared_from_this(), from, path] {
      if (self->sink_ == nullptr || !self->sink_->returns().Remove(from, path.get())) return;
      self->sink_->Broken(from, Unavailable("task ", from, " in this process: its channel ended"));
    });
  }
  for (const auto& token : cancelled)
    token->Cancel(absl::CancelledError("the channel of the step's master ended"));
}

void Endpoint::Close() {
  absl::flat_hash_map<const Caller*, std::shared_ptr<Caller>> callers;
  Runs runs;
  {
    absl::MutexLock lock(&mu_);
    Post([self = shared_from_this()] {
      self->sink_ = nullptr;
      absl::MutexLock lock(&self->mu_);
      self->quiet_ = true;
    });
    closed_ = true;
    callers.swap(callers_);
    runs.swap(runs_);
  }
  for (const auto& [key, caller] : callers) Caller::TellGone(caller);
  for (const auto& [key, token] : runs)
    token->Cancel(absl::CancelledError("this task is stopping"));
  absl::MutexLock lock(&mu_);
  mu_.Await(absl::Condition(&quiet_));
}

}  // namespace sluice::transport
