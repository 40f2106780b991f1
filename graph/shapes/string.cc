// Shapes of string ops.
#include <algorithm>

#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// Scalars behind input 0, whose shape the output has.
absl::Status WithScalars(ShapeContext& c) {
  for (int i = 1; i < c.num_inputs(); ++i) SLUICE_RETURN_IF_ERROR(c.OfRank(i, 0).status());
  return Unchanged(c);
}

absl::Status Split(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(c.OfRank(0, 1).status());
  SLUICE_RETURN_IF_ERROR(c.OfRank(1, 0).status());
  c.outputs[0] = PartialShape{-1, 2};
  c.outputs[1] = PartialShape{-1};
  c.outputs[2] = PartialShape{2};
  return absl::OkStatus();
}

absl::Status ReduceJoin(ShapeContext& c) {
  const PartialShape& input = c.inputs[0];
  SLUICE_ASSIGN(const bool keep, c.Get<bool>("keep_dims"));
  if (!input.rank_known()) return absl::OkStatus();
  if (c.ints[1] == nullptr) {
    if (keep) c.outputs[0] = PartialShape::UnknownOfRank(input.rank());
    return absl::OkStatus();
  }
  if (c.ints[1]->empty()) return Unchanged(c);
  std::vector<bool> reduced(input.rank(), false);
  for (const int64_t axis : *c.ints[1]) {
    if (axis == kUnknownInt) return absl::OkStatus();
    SLUICE_ASSIGN(const int front, FrontAxis(axis, input.rank()));
    reduced[front] = true;
  }
  Shape::Dims dims;
  for (int d = 0; d < input.rank(); ++d) {
    if (!reduced[d]) dims.push_back(input.dim(d));
    if (reduced[d] && keep) dims.push_back(1);
  }
  return c.Set(0, dims);
}

absl::Status Substr(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape part, c.inputs[1].MergeWith(c.inputs[2]));
  SLUICE_ASSIGN(c.outputs[0], BroadcastShapes(c.inputs[0], part));
  return absl::OkStatus();
}

constexpr ShapeRule kRules[] = {
    {"AsString", Unchanged},
    {"DecodeBase64", Unchanged},
    {"EncodeBase64", Unchanged},
    {"ReduceJoin", ReduceJoin},
    {"RegexFullMatch", WithScalars},
    {"RegexReplace", WithScalars},
    {"StaticRegexFullMatch", Unchanged},
    {"StaticRegexReplace", Unchanged},
    {"StringFormat", AllScalars},
    {"StringLength", Unchanged},
    {"StringLower", Unchanged},
    {"StringSplit", Split},
    {"StringSplitV2", Split},
    {"StringStrip", Unchanged},
    {"StringToHashBucket", Unchanged},
    {"StringToHashBucketFast", Unchanged},
    {"StringToHashBucketStrong", Unchanged},
    {"StringUpper", Unchanged},
    {"Substr", Substr},
    {"UnicodeScript", Unchanged},
};

}  // namespace

absl::Span<const ShapeRule> StringRules() { return kRules; }

}  // namespace sluice::graph
