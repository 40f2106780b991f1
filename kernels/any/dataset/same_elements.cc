// SPDX-License-Identifier: Apache-2.0
// Data sets with the elements of their input: hints, without errors.
#include "core/op/producer_version.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/one_input.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// Hints that change no element.
struct Same {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SetDataSet(ctx, std::move(input));
    return absl::OkStatus();
  }
};

// IgnoreErrorsDataset: without the elements that were errors. It has no state. An error that repeats
// is passed on; TensorFlow ignores it without end.
class IgnoreErrors final : public Stage {
 public:
  IgnoreErrors(std::unique_ptr<Stage> input, const Running& running)
      : input_(std::move(input)), running_(running) {}
  absl::StatusOr<bool> Next(Element& element) override {
    for (;;) {
      SLUICE_RETURN_IF_ERROR(running_.Check());
      const absl::StatusOr<bool> more = input_->Next(element);
      if (more.ok() || Repeats(more.status())) return more;
    }
  }
  absl::Status SaveOrRestore(SavedState& state) override { return input_->SaveOrRestore(state); }

 private:
  const std::unique_ptr<Stage> input_;
  const Running running_;
};

struct IgnoreErrorsDataset {
  bool keeps_count;  // 1.15 states the input's cardinality

  static absl::StatusOr<IgnoreErrorsDataset> Create(const NodeSpec& node) {
    return IgnoreErrorsDataset{IsFrom1x(node)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    ElementSpec spec = input->spec();
    SetDataSet(ctx, MakeRefCounted<OneInput<IgnoreErrors>>(std::move(spec), std::move(input),
                                                           keeps_count));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSameElements(KernelRegistry& kernels) {
  for (auto op : {"NonSerializableDataset", "ExperimentalNonSerializableDataset", "RewriteDataset"})
    kernels.Add<Same>(op, kCpu, {}, kCheap);
  for (auto op : {"IgnoreErrorsDataset", "ExperimentalIgnoreErrorsDataset"})
    kernels.Add<IgnoreErrorsDataset>(op, kCpu);
}

}  // namespace sluice::kernels
