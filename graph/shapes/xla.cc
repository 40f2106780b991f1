// SPDX-License-Identifier: Apache-2.0
// Shapes of the results of computations that TensorFlow compiles.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

constexpr ShapeRule kRules[] = {
    {"XlaClusterOutput", Unchanged},
};

}  // namespace

absl::Span<const ShapeRule> XlaRules() { return kRules; }

}  // namespace sluice::graph
