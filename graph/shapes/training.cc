// Shapes of optimizer updates: the variable, its slots and its gradient have one shape, which the
// update returns.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// The first inputs are the variable and its slots, as many as are references.
absl::Status ApplyShape(ShapeContext& c) {
  PartialShape shape;
  for (int i = 0; i < c.num_inputs() && IsRef(c.node.input_types[i]); ++i) {
    SLUICE_ASSIGN(shape, shape.MergeWith(c.inputs[i]));
  }
  if (!c.outputs.empty()) c.outputs[0] = std::move(shape);
  return absl::OkStatus();
}

constexpr ShapeRule kRules[] = {
    {"ApplyAdaMax", ApplyShape},
    {"ApplyAdadelta", ApplyShape},
    {"ApplyAdagrad", ApplyShape},
    {"ApplyAdagradDA", ApplyShape},
    {"ApplyAdagradV2", ApplyShape},
    {"ApplyAdam", ApplyShape},
    {"ApplyAddSign", ApplyShape},
    {"ApplyCenteredRMSProp", ApplyShape},
    {"ApplyFtrl", ApplyShape},
    {"ApplyFtrlV2", ApplyShape},
    {"ApplyGradientDescent", ApplyShape},
    {"ApplyMomentum", ApplyShape},
    {"ApplyPowerSign", ApplyShape},
    {"ApplyProximalAdagrad", ApplyShape},
    {"ApplyProximalGradientDescent", ApplyShape},
    {"ApplyRMSProp", ApplyShape},
    {"SparseApplyAdadelta", ApplyShape},
    {"SparseApplyAdagrad", ApplyShape},
    {"SparseApplyAdagradDA", ApplyShape},
    {"SparseApplyAdagradV2", ApplyShape},
    {"SparseApplyCenteredRMSProp", ApplyShape},
    {"SparseApplyFtrl", ApplyShape},
    {"SparseApplyFtrlV2", ApplyShape},
    {"SparseApplyMomentum", ApplyShape},
    {"SparseApplyProximalAdagrad", ApplyShape},
    {"SparseApplyProximalGradientDescent", ApplyShape},
    {"SparseApplyRMSProp", ApplyShape},
};

}  // namespace

absl::Span<const ShapeRule> TrainingRules() { return kRules; }

}  // namespace sluice::graph
