// SPDX-License-Identifier: Apache-2.0
// Data sets for trials of a pipeline: slow inputs, assertions about the input.
#include "absl/synchronization/notification.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// SleepDataset: each element some time after it is asked for. It has no state of its own.
class Slow final : public DataSet {
 public:
  Slow(ElementSpec spec, Input input, absl::Duration pause)
      : DataSet(std::move(spec)), input_(std::move(input)), pause_(pause) {}
  int64_t Cardinality() const override { return input_->Cardinality(); }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    return std::make_unique<Run>(std::move(input), pause_, running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(std::unique_ptr<Stage> input, absl::Duration pause, const Running& running)
        : input_(std::move(input)),
          pause_(pause),
          running_(running),
          ended_(std::make_shared<absl::Notification>()),
          registered_(
              running.cancel().Register([ended = ended_](const auto&) { ended->Notify(); })) {}
    ~Run() override {
      if (registered_ != 0) running_.cancel().Deregister(registered_);
    }
    absl::StatusOr<bool> Next(Element& element) override {
      if (registered_ != 0) ended_->WaitForNotificationWithTimeout(pause_);
      SLUICE_RETURN_IF_ERROR(running_.Check());
      return input_->Next(element);
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
      return state.Fields("Sleep");
    }

   private:
    const std::unique_ptr<Stage> input_;
    const absl::Duration pause_;
    const Running running_;
    const std::shared_ptr<absl::Notification> ended_;  // the run is to end
    const int64_t registered_;                         // 0: it has ended
  };
  const Input input_;
  const absl::Duration pause_;
};

struct SleepDataset {
  ElementSpec spec;
  static absl::StatusOr<SleepDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return SleepDataset{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const int64_t pause, ScalarInput<int64_t>(ctx, 1, "sleep_microseconds"));
    if (pause < 0) return InvalidArgument("`sleep_microseconds` must be >= 0");
    SetDataSet(ctx, MakeRefCounted<Slow>(spec, std::move(input), absl::Microseconds(pause)));
    return absl::OkStatus();
  }
};

// AssertCardinalityDataset: an error unless the input has so many elements. State: how many it gave.
class Counted final : public DataSet {
 public:
  Counted(ElementSpec spec, Input input, int64_t count)
      : DataSet(std::move(spec)), input_(std::move(input)), count_(count) {}
  int64_t Cardinality() const override { return count_; }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    return std::make_unique<Run>(std::move(input), count_);
  }

 private:
  class Run final : public Stage {
   public:
    Run(std::unique_ptr<Stage> input, int64_t count) : input_(std::move(input)), count_(count) {}
    absl::StatusOr<bool> Next(Element& element) override {
      SLUICE_ASSIGN(const bool more, input_->Next(element));
      if (more) ++given_;
      if (!more && given_ != count_) return Differs("only ");
      if (more && count_ != kInfinite && given_ > count_) return Differs("at least ");
      return more;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
      return state.Fields("AssertCardinality", given_);
    }

   private:
    static std::string Elements(int64_t count) {
      if (count == kInfinite) return "an infinite number of elements";
      return Cat(count, count == 1 ? " element" : " elements");
    }
    absl::Status Differs(absl::string_view how) const {
      return FailedPrecondition("Input dataset was expected to contain ", Elements(count_),
                                " but contained ", how, Elements(given_), ".");
    }

    const std::unique_ptr<Stage> input_;
    const int64_t count_;
    int64_t given_ = 0;
  };
  const Input input_;
  const int64_t count_;
};

struct AssertCardinalityDataset {
  ElementSpec spec;
  static absl::StatusOr<AssertCardinalityDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return AssertCardinalityDataset{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const int64_t count, ScalarInput<int64_t>(ctx, 1, "cardinality"));
    SetDataSet(ctx, MakeRefCounted<Counted>(spec, std::move(input), count));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterTrials(KernelRegistry& kernels) {
  for (auto op : {"SleepDataset", "ExperimentalSleepDataset"}) kernels.Add<SleepDataset>(op, kCpu);
  kernels.Add<AssertCardinalityDataset>("AssertCardinalityDataset", kCpu);
}

}  // namespace sluice::kernels
