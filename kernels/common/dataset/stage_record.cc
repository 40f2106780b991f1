// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/stage_record.h"

#include <utility>

#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/stage_pause.h"

namespace sluice::kernels {
namespace {

class RecordedStage final : public Stage {
 public:
  RecordedStage(std::unique_ptr<Stage> stage, StageRecord* record)
      : stage_(std::move(stage)), record_(record) {
    record_->Add(&counts_);
  }
  ~RecordedStage() override {
    stage_.reset();
    record_->Remove(&counts_);
  }
  absl::StatusOr<bool> Next(Element& element) override {
    if (record_->pause() != nullptr) record_->pause()->Pass();
    counts_.waited.BeginAlone();
    absl::StatusOr<bool> more = stage_->Next(element);
    counts_.waited.EndAlone();
    // Nothing else changes it, so that no atomic addition is needed.
    if (more.ok() && *more)
      counts_.elements.store(counts_.elements.load(std::memory_order_relaxed) + 1,
                             std::memory_order_relaxed);
    return more;
  }
  bool Ready() const override { return stage_->Ready(); }
  absl::Status SaveOrRestore(SavedState& state) override { return stage_->SaveOrRestore(state); }

 private:
  std::unique_ptr<Stage> stage_;
  StageRecord* const record_;
  StageCounts counts_;
};

}  // namespace

StageRecord* StageRecord::Input(const std::string& node, const std::string& op) {
  absl::MutexLock lock(&mu_);
  for (const auto& input : inputs_) {
    if (input->node_ == node && input->op_ == op) return input.get();
  }
  return inputs_.emplace_back(std::make_unique<StageRecord>(node, op, pause_)).get();
}

void StageRecord::Add(const StageCounts* counts) {
  absl::MutexLock lock(&mu_);
  counts_.insert(counts);
}

void StageRecord::Remove(const StageCounts* counts) {
  absl::MutexLock lock(&mu_);
  counts_.erase(counts);
  elements_ += counts->elements.load(std::memory_order_relaxed);
  waited_us_ += counts->waited.Micros();
}

StageReport StageRecord::Report(int64_t reader) const {
  StageReport report;
  report.node = node_;
  report.op = op_;
  report.reader = reader;
  report.lines = lines_.load(std::memory_order_relaxed);
  report.workers = workers_.load(std::memory_order_relaxed);
  report.reading_us = reading.Micros();
  report.making_us = making.Micros();
  report.no_room_us = no_room.Micros();
  absl::MutexLock lock(&mu_);
  report.elements = elements_;
  report.waited_us = waited_us_;
  for (const StageCounts* counts : counts_) {
    report.elements += counts->elements.load(std::memory_order_relaxed);
    report.waited_us += counts->waited.Micros();
  }
  return report;
}

void StageRecord::ReportInputs(int64_t reader, std::vector<StageReport>& reports) const {
  std::vector<const StageRecord*> inputs;
  {
    absl::MutexLock lock(&mu_);
    for (const auto& input : inputs_) inputs.push_back(input.get());
  }
  for (const StageRecord* input : inputs) {
    const auto index = static_cast<int64_t>(reports.size());
    reports.push_back(input->Report(reader));
    input->ReportInputs(index, reports);
  }
}

std::unique_ptr<Stage> Recorded(std::unique_ptr<Stage> stage, StageRecord* record) {
  return std::make_unique<RecordedStage>(std::move(stage), record);
}

}  // namespace sluice::kernels
