// SPDX-License-Identifier: Apache-2.0
// Data sets with some of their input's elements: at random, or by a flag in the element.
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/one_input.h"
#include "kernels/common/dataset/seeds.h"
#include "kernels/common/random/distributions.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// SamplingDataset: each element with probability `rate`. State: how many numbers were drawn.
class Sampling final : public DataSet {
 public:
  Sampling(ElementSpec spec, Input input, float rate, const Seeds& seeds)
      : DataSet(std::move(spec)), input_(std::move(input)), rate_(rate), seeds_(seeds) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    return std::make_unique<Run>(std::move(input), rate_, seeds_, running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(std::unique_ptr<Stage> input, float rate, const Seeds& seeds, const Running& running)
        : input_(std::move(input)), rate_(rate), words_(seeds.Words()), running_(running) {}
    absl::StatusOr<bool> Next(Element& element) override {
      for (;;) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        SLUICE_ASSIGN(const bool more, input_->Next(element));
        if (!more || UniformFloat(words_.Next()) < rate_) return more;
      }
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
      return kernels::SaveOrRestore(state, words_);
    }

   private:
    const std::unique_ptr<Stage> input_;
    const float rate_;
    PhiloxWords words_;
    const Running running_;
  };
  const Input input_;
  const float rate_;
  const Seeds seeds_;
};

struct SamplingDataset {
  ElementSpec spec;
  static absl::StatusOr<SamplingDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return SamplingDataset{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const float rate, ScalarInput<float>(ctx, 1, "rate"));
    SLUICE_ASSIGN(const Seeds seeds, SeedInputs(ctx, 2));
    SetDataSet(ctx, MakeRefCounted<Sampling>(spec, std::move(input), rate, seeds));
    return absl::OkStatus();
  }
};

// FilterByLastComponentDataset: the elements whose last component is true, without it. It has no
// state of its own.
class Flagged final : public Stage {
 public:
  Flagged(std::unique_ptr<Stage> input, const Running& running)
      : input_(std::move(input)), running_(running) {}
  absl::StatusOr<bool> Next(Element& element) override {
    for (;;) {
      SLUICE_RETURN_IF_ERROR(running_.Check());
      SLUICE_ASSIGN(const bool more, input_->Next(element));
      if (!more) return false;
      const Tensor flag = std::move(element.back());
      element.pop_back();
      if (flag.dtype() != kBool || flag.num_elements() != 1) {
        return InvalidArgument("the last component of an element must be a scalar bool, got a ",
                               flag.dtype(), " of shape ", flag.shape());
      }
      if (flag.flat<bool>()[0]) return true;
    }
  }
  absl::Status SaveOrRestore(SavedState& state) override {
    SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
    return state.Fields("FilterByLastComponent");
  }

 private:
  const std::unique_ptr<Stage> input_;
  const Running running_;
};

struct FilterByLastComponentDataset {
  ElementSpec spec;
  static absl::StatusOr<FilterByLastComponentDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return FilterByLastComponentDataset{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    const std::vector<DType>& types = input->spec().types;
    if (types.size() != spec.types.size() + 1 || types.back() != kBool) {
      return InvalidArgument(
          "the input must have the components of the data set and a bool as its last one");
    }
    SetDataSet(ctx, MakeRefCounted<OneInput<Flagged>>(spec, std::move(input)));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSampling(KernelRegistry& kernels) {
  kernels.Add<SamplingDataset>("SamplingDataset", kCpu);
  kernels.Add<FilterByLastComponentDataset>("FilterByLastComponentDataset", kCpu);
}

}  // namespace sluice::kernels
