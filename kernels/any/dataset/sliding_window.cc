// SPDX-License-Identifier: Apache-2.0
// SlidingWindowDataset: windows of elements as batches.
#include <algorithm>
#include <deque>

#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/batches.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

struct SlidingOptions {
  int64_t size = 1, shift = 1, stride = 1;  // elements
  bool drop_remainder = true;
  int64_t span() const { return (size - 1) * stride + 1; }
};

// The batch of every `stride`th element, `size` of them; the next begins `shift` elements later.
// State: the elements from the window's first on.
class SlidingWindows final : public DataSet {
 public:
  SlidingWindows(ElementSpec spec, Input input, const SlidingOptions& options)
      : DataSet(std::move(spec)), input_(std::move(input)), options_(options) {}
  int64_t Cardinality() const override {
    const int64_t n = input_->Cardinality();
    if (n < 0) return n;
    if (!options_.drop_remainder) return n / options_.shift + (n % options_.shift == 0 ? 0 : 1);
    return n < options_.span() ? 0 : (n - options_.span()) / options_.shift + 1;
  }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    return std::make_unique<Run>(options_, std::move(input), running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(const SlidingOptions& options, std::unique_ptr<Stage> input, const Running& running)
        : options_(options), input_(std::move(input)), running_(running) {}
    absl::StatusOr<bool> Next(Element& element) override {
      const int64_t span = options_.span();
      while (!ended_ && static_cast<int64_t>(held_.size()) < span) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        Element next;
        SLUICE_ASSIGN(const bool more, input_->Next(next));
        if (more)
          held_.push_back(std::move(next));
        else
          ended_ = true;
      }
      const auto count = static_cast<int64_t>(held_.size());
      if (count == 0 || (options_.drop_remainder && count < span)) return false;
      std::vector<Element> rows;
      for (int64_t i = 0; i < count; i += options_.stride)
        rows.push_back(held_[static_cast<size_t>(i)]);
      const int64_t gone = std::min(count, options_.shift);
      held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(gone));
      for (int64_t left_out = gone; left_out < options_.shift && !ended_; ++left_out) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        const absl::StatusOr<bool> more = input_->Next(element);
        if (more.ok() && !*more) ended_ = true;  // errors of elements in no window are passed over
      }
      SLUICE_ASSIGN(element, BatchOf(rows, nullptr));
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
      return state.Fields("SlidingWindow", held_, ended_);
    }

   private:
    const SlidingOptions& options_;
    const std::unique_ptr<Stage> input_;
    const Running running_;
    std::deque<Element> held_;
    bool ended_ = false;
  };
  const Input input_;
  const SlidingOptions options_;
};

struct SlidingWindowDataset {
  static constexpr int64_t kMostHeld = int64_t{1} << 31;
  ElementSpec spec;
  bool drop_remainder;

  static absl::StatusOr<SlidingWindowDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return SlidingWindowDataset{std::move(spec),
                                GetAttrOr<bool>(node.attrs, "drop_remainder", true)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SlidingOptions options;
    options.drop_remainder = drop_remainder;
    SLUICE_ASSIGN(options.size, ScalarInput<int64_t>(ctx, 1, "window_size"));
    SLUICE_ASSIGN(options.shift, ScalarInput<int64_t>(ctx, 2, "window_shift"));
    SLUICE_ASSIGN(options.stride, ScalarInput<int64_t>(ctx, 3, "window_stride"));
    if (options.size <= 0) return InvalidArgument("Window size must be greater than zero.");
    if (options.shift <= 0) return InvalidArgument("Window shift must be greater than zero.");
    if (options.stride <= 0) return InvalidArgument("window_stride must be greater than zero.");
    if (options.size > kMostHeld / options.stride) {
      return InvalidArgument("a window of ", options.size, " elements with stride ", options.stride,
                             " is larger than ", kMostHeld);
    }
    SetDataSet(ctx, MakeRefCounted<SlidingWindows>(spec, std::move(input), options));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSlidingWindows(KernelRegistry& kernels) {
  for (auto op : {"SlidingWindowDataset", "ExperimentalSlidingWindowDataset"})
    kernels.Add<SlidingWindowDataset>(op, kCpu);
}

}  // namespace sluice::kernels
