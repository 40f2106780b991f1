// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/dataset/stats/measured_stage.h"

#include <utility>

#include "absl/time/clock.h"
#include "kernels/common/dataset/stats_sink.h"

namespace sluice::kernels {
namespace {

// As TensorFlow counts: a string has a head of 8 bytes.
uint64_t BytesOf(const Element& element) {
  constexpr size_t kHead = 8;
  uint64_t bytes = 0;
  for (const Tensor& part : element) {
    if (part.dtype() == kString) {
      for (const std::string& text : part.flat<std::string>()) bytes += kHead + text.size();
    } else {
      bytes += part.bytes();
    }
  }
  return bytes;
}

class Measuring final : public Stage {
 public:
  Measuring(std::unique_ptr<Stage> input, Measure measure, std::string name, StatsSink* stats)
      : input_(std::move(input)), measure_(measure), name_(std::move(name)), stats_(stats) {}

  absl::StatusOr<bool> Next(Element& element) override {
    const bool bytes = measure_ == Measure::kBytes;
    const absl::Time begin = absl::Now();
    absl::StatusOr<bool> more = input_->Next(element);
    if (bytes ? more.ok() && *more : !more.ok() || *more) {
      const double value = bytes ? static_cast<double>(BytesOf(element))
                                 : absl::ToDoubleMicroseconds(absl::Now() - begin);
      stats_->Add(name_, value, given_);
    }
    if (more.ok() && *more) ++given_;
    return more;
  }
  bool Ready() const override { return input_->Ready(); }
  absl::Status SaveOrRestore(SavedState& state) override { return input_->SaveOrRestore(state); }

 private:
  const std::unique_ptr<Stage> input_;
  const Measure measure_;
  const std::string name_;
  StatsSink* const stats_;
  int64_t given_ = 0;
};

}  // namespace

std::unique_ptr<Stage> MeasuredStage(std::unique_ptr<Stage> stage, Measure measure,
                                     std::string name, StatsSink* stats) {
  return std::make_unique<Measuring>(std::move(stage), measure, std::move(name), stats);
}

}  // namespace sluice::kernels
