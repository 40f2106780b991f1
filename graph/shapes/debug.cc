// SPDX-License-Identifier: Apache-2.0
// Shapes of assertions, printed messages and the ops of TensorFlow's debugger.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

constexpr ShapeRule kRules[] = {
    {"Assert", NoOutputs},
    {"CheckNumerics", Unchanged},
    {"CheckNumericsV2", Unchanged},
    {"Copy", Unchanged},
    {"CopyHost", Unchanged},
    {"DebugIdentity", Unchanged},
    {"DebugNanCount", [](ShapeContext& c) { return c.Set(0, {1}); }},
    {"DebugNumericSummary", VectorOfUnknownSize},
    {"Print", Unchanged},
    {"PrintV2", NoOutputs},
    {"Timestamp", AllScalars},
};

}  // namespace

absl::Span<const ShapeRule> DebugRules() { return kRules; }

}  // namespace sluice::graph
