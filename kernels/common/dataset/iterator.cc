// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/iterator.h"

#include <utility>

#include "core/threads/blocking_threads.h"

namespace sluice::kernels {

std::shared_ptr<DataSetRun> DataSetRun::Create(RefPtr<const DataSet> set) {
  return {new DataSetRun(std::move(set)),
          [](DataSetRun* run) { RunBlocking([run] { delete run; }); }};
}

void DataSetRun::Next(CancelToken& step, ElementAnswer answer) {
  std::shared_ptr<ElementRequest> request = ElementRequest::Make(step, std::move(answer));
  if (request == nullptr) return;
  absl::MutexLock lock(&mu_);
  requests_.push_back(std::move(request));
  if (std::exchange(served_, true)) return;
  RunBlocking([self = shared_from_this()] { self->Serve(); });
}

void DataSetRun::Serve() {
  absl::MutexLock serving(&serving_);
  for (;;) {
    std::shared_ptr<ElementRequest> request;
    {
      absl::MutexLock lock(&mu_);
      if (requests_.empty()) {
        served_ = false;
        return;
      }
      request = std::move(requests_.front());
      requests_.pop_front();
    }
    if (request->answered()) continue;
    if (!unread_) unread_ = Make();
    if (!request->Take()) continue;
    request->Answer(std::exchange(unread_, std::nullopt).value());
  }
}

NextElement DataSetRun::Make() {
  const Running running{&state_, {}};
  SLUICE_RETURN_IF_ERROR(running.Check());
  if (stage_ == nullptr) {
    SLUICE_ASSIGN(stage_, set_->Begin(running));
  }
  Element element;
  SLUICE_ASSIGN(const bool more, stage_->Next(element));
  if (!more) return std::optional<Element>();
  return std::optional<Element>(std::move(element));
}

Iterator::~Iterator() {
  if (run_ != nullptr) run_->Cancel(Cancelled("the iterator was deleted"));
}

absl::Status Iterator::Begin(RefPtr<const DataSet> set) {
  SLUICE_RETURN_IF_ERROR(spec_.Accepts(set->spec()));
  auto run = DataSetRun::Create(std::move(set));
  {
    absl::MutexLock lock(&mu_);
    run_.swap(run);
  }
  if (run != nullptr) run->Cancel(Cancelled("the iterator was initialized again"));
  return absl::OkStatus();
}

void Iterator::Next(CancelToken& step, ElementAnswer answer) {
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
