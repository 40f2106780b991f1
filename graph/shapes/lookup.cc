// SPDX-License-Identifier: Apache-2.0
// Shapes of hash tables.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

constexpr ShapeRule kRules[] = {
    {"HashTableV2", AllScalars},
    {"MutableHashTableV2", AllScalars},
};

}  // namespace

absl::Span<const ShapeRule> LookupRules() { return kRules; }

}  // namespace sluice::graph
