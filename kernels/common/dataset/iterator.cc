// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/iterator.h"

#include <utility>

#include "absl/cleanup/cleanup.h"
#include "core/threads/blocking_threads.h"

namespace sluice::kernels {
namespace {

absl::Status NotBegun(absl::string_view what, absl::string_view before) {
  return FailedPrecondition(what,
                            "() failed because the iterator has not been initialized. Ensure that "
                            "you have run the initializer operation for this iterator before ",
                            before, ".");
}

}  // namespace

std::shared_ptr<DataSetRun> DataSetRun::Create(RefPtr<const DataSet> set, std::string iterator) {
  return {new DataSetRun(std::move(set), std::move(iterator)),
          [](DataSetRun* run) { RunBlocking([run] { delete run; }); }};
}

bool DataSetRun::ServeAtOnce(CancelToken& step, ElementAnswer& answer) {
  if (!serving_.TryLock()) return false;
  bool free = !unread_ && stage_ != nullptr && !step.cancelled() && stage_->Ready();
  if (free) {
    absl::MutexLock lock(&mu_);
    free = !served_;
  }
  std::optional<NextElement> next;
  if (free) next = Make();
  serving_.Unlock();
  if (!free) return false;
  pause_.EndRequest(step.cancelled());
  answer(*std::move(next));
  return true;
}

void DataSetRun::Next(CancelToken& step, ElementAnswer answer) {
  pause_.BeginRequest();
  if (ServeAtOnce(step, answer)) return;
  std::shared_ptr<ElementRequest> request = ElementRequest::Make(
      step, [&step, self = shared_from_this(), answer = std::move(answer)](auto next) mutable {
        self->pause_.EndRequest(step.cancelled());
        answer(std::move(next));
      });
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
  SLUICE_RETURN_IF_ERROR(BeginStages());
  const TickClock::User clock;
  Element element;
  SLUICE_ASSIGN(const bool more, stage_->Next(element));
  if (!more) return std::optional<Element>();
  return std::optional<Element>(std::move(element));
}

absl::Status DataSetRun::BeginStages() {
  Running running{&state_, {}};
  running.record = &record_;
  SLUICE_RETURN_IF_ERROR(running.Check());
  if (stage_ != nullptr) return absl::OkStatus();
  SLUICE_ASSIGN(stage_, set_->Begin(running));
  return absl::OkStatus();
}

PipelineReport DataSetRun::Report() const {
  PipelineReport report;
  report.iterator = iterator_;
  report.age_us = absl::ToInt64Microseconds(absl::Now() - begun_);
  record_.ReportInputs(/*reader=*/-1, report.stages);
  return report;
}

absl::Status DataSetRun::SaveOrRestore(SavedState& state) {
  pause_.BeginRequest();
  const absl::Cleanup ended = [this] { pause_.EndRequest(/*cancelled=*/false); };
  absl::MutexLock serving(&serving_);
  SLUICE_RETURN_IF_ERROR(BeginStages());
  bool unread = unread_.has_value();
  absl::StatusOr<bool> more = false;
  Element element;
  if (unread && unread_->ok()) {
    more = (*unread_)->has_value();
    if (*more) element = ***unread_;
  } else if (unread) {
    more = unread_->status();
  }
  SLUICE_RETURN_IF_ERROR(state.Fields("Iterator", unread, more, element));
  if (state.restoring() && unread) {
    if (more.ok() && *more) SLUICE_RETURN_IF_ERROR(set_->spec().AcceptsTypes(element));
    if (more.ok())
      unread_ = NextElement(*more ? std::optional<Element>(std::move(element)) : std::nullopt);
    else
      unread_ = NextElement(more.status());
  }
  return stage_->SaveOrRestore(state);
}

Iterator::~Iterator() {
  if (run_ != nullptr) run_->Cancel(Cancelled("the iterator was deleted"));
}

absl::Status Iterator::Begin(RefPtr<const DataSet> set) {
  SLUICE_RETURN_IF_ERROR(spec_.Accepts(set->spec()));
  Replace(DataSetRun::Create(std::move(set), name_));
  return absl::OkStatus();
}

void Iterator::Replace(std::shared_ptr<DataSetRun> run) {
  {
    absl::MutexLock lock(&mu_);
    run_.swap(run);
  }
  if (run != nullptr) run->Cancel(Cancelled("the iterator was initialized again"));
}

absl::Status Iterator::Save(SavedState& state, bool with_functions) {
  const std::shared_ptr<DataSetRun> current = run();
  if (current == nullptr) return NotBegun("Save", "saving it");
  SLUICE_RETURN_IF_ERROR(current->SaveOrRestore(state));
  if (!with_functions || !current->functions_have_state()) return absl::OkStatus();
  return FailedPrecondition(
      "a function of the data set has state (random numbers, for example), which cannot be saved");
}

absl::Status Iterator::Restore(SavedState& state) {
  const std::shared_ptr<DataSetRun> current = run();
  if (current == nullptr) return NotBegun("Restore", "restoring it");
  auto restored = DataSetRun::Create(current->set(), name_);
  SLUICE_RETURN_IF_ERROR(restored->SaveOrRestore(state));
  Replace(std::move(restored));
  return absl::OkStatus();
}

void Iterator::Next(CancelToken& step, ElementAnswer answer) {
  const std::shared_ptr<DataSetRun> current = run();
  if (current == nullptr) {
    return answer(NotBegun("GetNext", "getting the next element"));
  }
  current->Next(step, std::move(answer));
}

}  // namespace sluice::kernels
