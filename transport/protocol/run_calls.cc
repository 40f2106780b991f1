// SPDX-License-Identifier: Apache-2.0
#include "transport/protocol/run_calls.h"

#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"

namespace sluice::transport {

struct RunCalls::State {
  struct Waiting {
    CancelToken* token = nullptr;
    int64_t token_id = 0;
    Reply<RunGraphResult> done;

    void Tell(absl::StatusOr<RunGraphResult> result) {
      if (token_id != 0) token->Deregister(token_id);
      done(std::move(result));
    }
  };

  explicit State(Cancel cancel) : cancel(std::move(cancel)) {}

  // Returns false if the caller already has the answer.
  bool Take(uint64_t call, Waiting* taken) {
    absl::MutexLock lock(&mu);
    auto it = waiting.find(call);
    if (it == waiting.end()) return false;
    *taken = std::move(it->second);
    waiting.erase(it);
    return true;
  }

  void Cancelled(uint64_t call, const absl::Status& why) {
    Waiting taken;
    if (!Take(call, &taken)) return;
    bool tells = false;
    {
      absl::MutexLock lock(&mu);
      tells = !closed;
      telling += tells;
    }
    if (tells) {
      cancel(call);
      absl::MutexLock lock(&mu);
      --telling;
    }
    taken.token_id = 0;  // the token has fired
    taken.Tell(MarkDerived(absl::CancelledError(why.message())));
  }

  const Cancel cancel;
  mutable absl::Mutex mu;
  bool closed ABSL_GUARDED_BY(mu) = false;
  int telling ABSL_GUARDED_BY(mu) = 0;  // running calls of `cancel`
  uint64_t last ABSL_GUARDED_BY(mu) = 0;
  absl::flat_hash_map<uint64_t, Waiting> waiting ABSL_GUARDED_BY(mu);
};

RunCalls::RunCalls(Cancel cancel) : state_(std::make_shared<State>(std::move(cancel))) {}

RunCalls::~RunCalls() = default;

uint64_t RunCalls::Begin(CancelToken* token, Reply<RunGraphResult> done) {
  uint64_t call = 0;
  {
    absl::MutexLock lock(&state_->mu);
    call = ++state_->last;
  }
  State::Waiting waiting{token, 0, std::move(done)};
  if (token != nullptr) {
    waiting.token_id =
        token->Register([weak = std::weak_ptr<State>(state_), call](const absl::Status& why) {
          if (auto state = weak.lock()) state->Cancelled(call, why);
        });
  }
  {
    // The token may be destroyed after the callback, so it is not used after this.
    absl::MutexLock lock(&state_->mu);
    if (token == nullptr || !token->cancelled()) {
      state_->waiting[call] = std::move(waiting);
      return call;
    }
  }
  waiting.Tell(MarkDerived(absl::CancelledError(token->status().message())));
  return call;
}

bool RunCalls::Waits(uint64_t call) const {
  absl::MutexLock lock(&state_->mu);
  return state_->waiting.contains(call);
}

bool RunCalls::empty() const {
  absl::MutexLock lock(&state_->mu);
  return state_->waiting.empty();
}

void RunCalls::Answered(uint64_t call, const absl::Status& status) {
  State::Waiting taken;
  if (!state_->Take(call, &taken)) return;
  if (status.ok())
    taken.Tell(RunGraphResult());
  else
    taken.Tell(status);
}

void RunCalls::Break(const absl::Status& status) {
  absl::flat_hash_map<uint64_t, State::Waiting> all;
  {
    absl::MutexLock lock(&state_->mu);
    all.swap(state_->waiting);
  }
  for (auto& [call, taken] : all) taken.Tell(status);
}

void RunCalls::Close(const absl::Status& status) {
  {
    absl::MutexLock lock(&state_->mu);
    state_->closed = true;
    state_->mu.Await(absl::Condition(
        +[](int* telling) { return *telling == 0; }, &state_->telling));
  }
  Break(status);
}

}  // namespace sluice::transport
