// SPDX-License-Identifier: Apache-2.0
// Shapes of string ops.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// Scalars are joined to every element.
absl::Status StringJoinShape(ShapeContext& c) {
  PartialShape shape = Shape{};
  for (const PartialShape& input : c.inputs) {
    if (!input.rank_known()) shape = PartialShape();
    if (input.rank() <= 0) continue;
    if (shape.rank() > 0 && !shape.CompatibleWith(input)) {
      return InvalidArgument("inputs have shapes ", shape, " and ", input,
                             "; they must be equal, or scalars");
    }
    if (shape.rank_known()) shape = input;
  }
  c.outputs[0] = std::move(shape);
  return absl::OkStatus();
}

// Input 0 gives the output's shape; the inputs after it are scalars.
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

// Input 0 with one more dimension, whose size depends on the bytes.
absl::Status DecodeRaw(ShapeContext& c) {
  if (!c.inputs[0].rank_known()) return absl::OkStatus();
  Shape::Dims dims(c.inputs[0].dims().begin(), c.inputs[0].dims().end());
  dims.push_back(-1);
  return c.Set(0, dims);
}

absl::Status DecodePaddedRaw(ShapeContext& c) {  // input_bytes, fixed_length
  SLUICE_RETURN_IF_ERROR(c.OfRank(1, 0).status());
  const auto length = c.Int(1);
  if (!c.inputs[0].rank_known()) return absl::OkStatus();
  Shape::Dims dims(c.inputs[0].dims().begin(), c.inputs[0].dims().end());
  if (length && *length < 0) {
    return InvalidArgument("fixed_length must be non-negative but is ", *length);
  }
  SLUICE_ASSIGN(const DType dtype, c.Get<DType>("out_type"));
  const auto size = static_cast<int64_t>(SizeOf(dtype));
  if (length && *length % size != 0) {
    return InvalidArgument("fixed_length (", *length, ") must be evenly divisible by ", size);
  }
  dims.push_back(length ? *length / size : -1);
  return c.Set(0, dims);
}

absl::Status NGrams(ShapeContext& c) {  // data, data_splits
  SLUICE_RETURN_IF_ERROR(c.OfRank(0, 1).status());
  SLUICE_RETURN_IF_ERROR(c.OfRank(1, 1).status());
  c.outputs[0] = PartialShape{-1};
  c.outputs[1] = c.inputs[1];
  return absl::OkStatus();
}

absl::Status UnicodeDecode(ShapeContext& c) {  // row_splits, char_values(, char_to_byte_starts)
  for (PartialShape& output : c.outputs) output = PartialShape{-1};
  return c.Set(0, {SizeSum(ElementCount(c.inputs[0]), 1)});
}

absl::Status UnicodeEncode(ShapeContext& c) {  // input_values, input_splits
  SLUICE_RETURN_IF_ERROR(c.OfRank(0, 1).status());
  SLUICE_ASSIGN(const PartialShape splits, c.OfRank(1, 1));
  if (splits.dim(0) == 0) return InvalidArgument("input_splits must not be empty");
  return c.Set(0, {splits.dim(0) < 0 ? -1 : splits.dim(0) - 1});
}

constexpr ShapeRule kRules[] = {
    {"AsString", Unchanged},
    {"DecodeBase64", Unchanged},
    {"DecodePaddedRaw", DecodePaddedRaw},
    {"DecodeRaw", DecodeRaw},
    {"EncodeBase64", Unchanged},
    {"Fact", NothingKnown},
    {"ReduceJoin", ReduceJoin},
    {"RegexFullMatch", WithScalars},
    {"RegexReplace", WithScalars},
    {"StaticRegexFullMatch", Unchanged},
    {"StaticRegexReplace", Unchanged},
    {"ReinterpretStringToFloat", Unchanged},
    {"StringFormat", AllScalars},
    {"StringJoin", StringJoinShape},
    {"StringLength", Unchanged},
    {"StringLower", Unchanged},
    {"StringNGrams", NGrams},
    {"StringSplit", Split},
    {"StringSplitV2", Split},
    {"StringStrip", Unchanged},
    {"StringToHashBucket", Unchanged},
    {"StringToHashBucketFast", Unchanged},
    {"StringToHashBucketStrong", Unchanged},
    {"StringToNumber", Unchanged},
    {"StringUpper", Unchanged},
    {"Substr", Substr},
    {"UnicodeDecode", UnicodeDecode},
    {"UnicodeDecodeWithOffsets", UnicodeDecode},
    {"UnicodeEncode", UnicodeEncode},
    {"UnicodeScript", Unchanged},
    {"UnicodeTranscode", Unchanged},
    {"UnsortedSegmentJoin", UnsortedSegmentShape},
};

}  // namespace

absl::Span<const ShapeRule> StringsRules() { return kRules; }

}  // namespace sluice::graph
