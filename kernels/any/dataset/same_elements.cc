// SPDX-License-Identifier: Apache-2.0
// Data sets with the elements of their input: options and hints, without errors.
#include <algorithm>

#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/one_input.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// Options and hints that change no element. Rewriting and tuning have nothing to do here, and the
// threads of a data set are the process's.
struct Same {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SetDataSet(ctx, std::move(input));
    return absl::OkStatus();
  }
};

// OptimizeDataset. Of TensorFlow's rewrites, one changes the elements: that of shuffle and repeat.
class Optimized final : public DataSet {
 public:
  explicit Optimized(Input input) : DataSet(input->spec()), input_(std::move(input)) {}
  int64_t Cardinality() const override { return input_->Cardinality(); }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    Running rewritten = running;
    rewritten.rewrites.shuffle_and_repeat = true;
    return input_->Begin(rewritten);
  }

 private:
  const Input input_;
};

struct OptimizeDataset {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    const auto names = ctx.input(1).flat<std::string>();
    if (std::find(names.begin(), names.end(), "shuffle_and_repeat_fusion") != names.end())
      input = MakeRefCounted<Optimized>(std::move(input));
    SetDataSet(ctx, std::move(input));
    return absl::OkStatus();
  }
};

// IgnoreErrorsDataset: without the elements that were errors. It has no state.
class IgnoreErrors final : public Stage {
 public:
  IgnoreErrors(std::unique_ptr<Stage> input, const Running& running)
      : input_(std::move(input)), running_(running) {}
  absl::StatusOr<bool> Next(Element& element) override {
    for (;;) {
      SLUICE_RETURN_IF_ERROR(running_.Check());
      const absl::StatusOr<bool> more = input_->Next(element);
      if (more.ok()) return more;
    }
  }
  absl::Status SaveOrRestore(SavedState& state) override { return input_->SaveOrRestore(state); }

 private:
  const std::unique_ptr<Stage> input_;
  const Running running_;
};

struct IgnoreErrorsDataset {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    ElementSpec spec = input->spec();
    SetDataSet(ctx, MakeRefCounted<OneInput<IgnoreErrors>>(std::move(spec), std::move(input)));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSameElements(KernelRegistry& kernels) {
  kernels.Add<OptimizeDataset>("OptimizeDataset", kCpu, {}, kCheap);
  for (auto op : {"ModelDataset", "OptionsDataset", "NonSerializableDataset",
                  "ExperimentalNonSerializableDataset", "RewriteDataset"})
    kernels.Add<Same>(op, kCpu, {}, kCheap);
  for (auto op : {"IgnoreErrorsDataset", "ExperimentalIgnoreErrorsDataset"})
    kernels.Add<IgnoreErrorsDataset>(op, kCpu);
}

}  // namespace sluice::kernels
