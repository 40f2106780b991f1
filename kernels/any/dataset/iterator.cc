// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/dataset/iterator.h"

#include <atomic>
#include <utility>

#include "core/threads/blocking_threads.h"

namespace sluice::kernels {

struct DataSetRun::Request {
  explicit Request(Answer to) : answer(std::move(to)) {}
  // False if another call was first.
  bool Take() { return !taken.exchange(true); }

  Answer answer;
  std::atomic<bool> taken{false};
  CancelToken* step = nullptr;
  int64_t cancellation = 0;
};

void DataSetRun::Next(CancelToken& step, Answer answer) {
  auto request = std::make_shared<Request>(std::move(answer));
  request->step = &step;
  {
    // Taken from the line only when `cancellation` is known.
    absl::MutexLock lock(&mu_);
    request->cancellation = step.Register([request](const absl::Status& why) {
      if (request->Take()) request->answer(why);
    });
    if (request->cancellation != 0) {
      requests_.push_back(request);
      if (std::exchange(served_, true)) return;
      RunBlocking([self = shared_from_this()] { self->Serve(); });
      return;
    }
  }
  request->answer(step.status());
}

void DataSetRun::Serve() {
  absl::MutexLock serving(&serving_);
  for (;;) {
    std::shared_ptr<Request> request;
    {
      absl::MutexLock lock(&mu_);
      if (requests_.empty()) {
        served_ = false;
        return;
      }
      request = std::move(requests_.front());
      requests_.pop_front();
    }
    if (request->taken.load()) continue;
    if (!unread_) unread_ = Make();
    if (!request->Take()) continue;
    request->step->Deregister(request->cancellation);
    request->answer(std::exchange(unread_, std::nullopt).value());
  }
}

absl::StatusOr<std::optional<Element>> DataSetRun::Make() {
  const Running running{&state_, {}};
  SLUICE_RETURN_IF_ERROR(running.Check());
  if (stage_ == nullptr) {
    SLUICE_ASSIGN(stage_, set_->Begin(running));
  }
  Element element;
  SLUICE_ASSIGN(const bool more, stage_->Next(element));
  if (!more) return std::optional<Element>();
  SLUICE_RETURN_IF_ERROR(set_->spec().AcceptsElement(element));
  return std::optional<Element>(std::move(element));
}

Iterator::~Iterator() {
  if (run_ != nullptr) run_->Cancel(Cancelled("the iterator was deleted"));
}

absl::Status Iterator::Begin(RefPtr<const DataSet> set) {
  SLUICE_RETURN_IF_ERROR(spec_.Accepts(set->spec()));
  auto run = std::make_shared<DataSetRun>(std::move(set));
  {
    absl::MutexLock lock(&mu_);
    run_.swap(run);
  }
  if (run != nullptr) run->Cancel(Cancelled("the iterator was initialized again"));
  return absl::OkStatus();
}

void Iterator::Next(CancelToken& step, DataSetRun::Answer answer) {
  std::shared_ptr<DataSetRun> run;
  {
    absl::MutexLock lock(&mu_);
    run = run_;
  }
  if (run == nullptr) {
    return answer(FailedPrecondition(
        "GetNext() failed because the iterator has not been initialized. Ensure that you have run "
        "the initializer operation for this iterator before getting the next element."));
  }
  run->Next(step, std::move(answer));
}

}  // namespace sluice::kernels
