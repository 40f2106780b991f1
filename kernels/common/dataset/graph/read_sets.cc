// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/graph/read_sets.h"

#include <utility>

#include "core/tensor/variant.h"
#include "kernels/common/dataset/held_elements.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// A stage, and the data set that it refers to.
class Reading final : public Stage {
 public:
  Reading(Input set, std::unique_ptr<Stage> stage)
      : set_(std::move(set)), stage_(std::move(stage)) {}
  absl::StatusOr<bool> Next(Element& element) override { return stage_->Next(element); }
  bool Ready() const override { return stage_->Ready(); }
  absl::Status SaveOrRestore(SavedState& state) override { return stage_->SaveOrRestore(state); }

 private:
  const Input set_;  // outlives the stage
  const std::unique_ptr<Stage> stage_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Stage>> BeginReading(const CapturedFunction& reader,
                                                    std::vector<Input> sets,
                                                    const ElementSpec& spec,
                                                    const Running& running) {
  std::vector<Element> elements;
  for (Input& set : sets) elements.push_back({Tensor::Scalar<Variant>(Variant(std::move(set)))});
  const ElementSpec of_sets{{kVariant}, {PartialShape(Shape{})}};
  Input joined = MakeRefCounted<HeldElements>(of_sets, std::move(elements));
  SLUICE_ASSIGN(const StageFunction function, StageFunction::Create(reader, running));
  SLUICE_ASSIGN(const Element results,
                function.Call({Tensor::Scalar<Variant>(Variant(std::move(joined)))}));
  SLUICE_ASSIGN(Input read, DataSetOf(results));
  SLUICE_RETURN_IF_ERROR(spec.Accepts(read->spec()));
  SLUICE_ASSIGN(auto stage, read->Begin(running));
  return std::make_unique<Reading>(std::move(read), std::move(stage));
}

}  // namespace sluice::kernels
