// SPDX-License-Identifier: Apache-2.0
#include "graph/shapes/rules.h"

#include <algorithm>

namespace sluice::graph {

ShapeContext::ShapeContext(const Node& n, int producer)
    : node(n),
      producer_version(producer),
      inputs(n.num_inputs()),
      constants(n.num_inputs()),
      ints(n.num_inputs()),
      held(n.num_inputs()),
      outputs(n.num_outputs()),
      outputs_hold(n.num_outputs()) {}

absl::StatusOr<PartialShape> ShapeContext::OfRank(int i, int rank) const {
  if (!inputs[i].rank_known()) return PartialShape::UnknownOfRank(rank);
  if (inputs[i].rank() == rank) return inputs[i];
  return InvalidArgument("input ", i, " must have rank ", rank, ", but its shape is ", inputs[i]);
}

absl::StatusOr<PartialShape> ShapeContext::OfRankAtLeast(int i, int rank) const {
  if (!inputs[i].rank_known() || inputs[i].rank() >= rank) return inputs[i];
  return InvalidArgument("input ", i, " must have rank at least ", rank, ", but its shape is ",
                         inputs[i]);
}

absl::StatusOr<PartialShape> ShapeContext::StatedBy(int i) const {
  if (ints[i] != nullptr) {
    if (inputs[i].rank() == 0) {  // a scalar -1 means that the rank is unknown, too
      const int64_t value = (*ints[i])[0];
      if (value == kUnknownInt || value == -1) return PartialShape();
      return InvalidArgument("input ", i, " must be a vector of sizes, but it is a scalar");
    }
    Shape::Dims dims = *ints[i];
    std::replace(dims.begin(), dims.end(), kUnknownInt, int64_t{-1});
    return PartialShape::Create(dims);
  }
  if (inputs[i].rank() != 1 || inputs[i].dim(0) < 0) return PartialShape();
  if (inputs[i].dim(0) > kMaxRank)
    return InvalidArgument("input ", i, " states a shape of rank ", inputs[i].dim(0));
  return PartialShape::UnknownOfRank(static_cast<int>(inputs[i].dim(0)));
}

std::optional<int64_t> ShapeContext::Int(int i, int element) const {
  if (ints[i] == nullptr || element >= static_cast<int>(ints[i]->size())) return std::nullopt;
  const int64_t value = (*ints[i])[element];
  return value == kUnknownInt ? std::nullopt : std::optional<int64_t>(value);
}

absl::Status ShapeContext::Set(int output, absl::Span<const int64_t> dims) {
  SLUICE_ASSIGN(outputs[output], PartialShape::Create(dims));
  return absl::OkStatus();
}

absl::Status Unchanged(ShapeContext& c) {
  for (PartialShape& output : c.outputs) output = c.inputs[0];
  if (!c.outputs.empty()) c.outputs_hold[0] = c.held[0];
  return absl::OkStatus();
}

absl::Status EachUnchanged(ShapeContext& c) {
  for (size_t i = 0; i < c.outputs.size() && i < c.inputs.size(); ++i) {
    c.outputs[i] = c.inputs[i];
    c.outputs_hold[i] = c.held[i];
  }
  return absl::OkStatus();
}

absl::Status AllScalars(ShapeContext& c) {
  for (PartialShape& output : c.outputs) output = Shape{};
  return absl::OkStatus();
}

absl::Status NoOutputs(ShapeContext&) { return absl::OkStatus(); }
absl::Status NothingKnown(ShapeContext&) { return absl::OkStatus(); }

absl::Status Broadcast(ShapeContext& c) {
  auto shape = BroadcastShapes(c.inputs[0], c.inputs[1]);
  if (!shape.ok() && GetAttrOr(c.node.attrs, "incompatible_shape_error", true))
    return shape.status();
  if (shape.ok()) c.outputs[0] = *std::move(shape);
  return absl::OkStatus();
}

absl::Status LikeSecond(ShapeContext& c) {
  c.outputs[0] = c.inputs[1];
  return absl::OkStatus();
}

absl::Status MergedInputs(ShapeContext& c) {
  PartialShape merged;
  for (const PartialShape& input : c.inputs) {
    SLUICE_ASSIGN(merged, merged.MergeWith(input));
  }
  for (PartialShape& output : c.outputs) output = merged;
  return absl::OkStatus();
}

absl::StatusOr<PartialShape> BroadcastShapes(const PartialShape& a, const PartialShape& b) {
  if (!a.rank_known() || !b.rank_known()) return PartialShape();
  const int rank = std::max(a.rank(), b.rank());
  Shape::Dims dims(rank);
  for (int i = 0; i < rank; ++i) {
    const int ia = i - (rank - a.rank()), ib = i - (rank - b.rank());
    const int64_t da = ia < 0 ? 1 : a.dim(ia), db = ib < 0 ? 1 : b.dim(ib);
    if (da == 1 || db == 1) {
      dims[i] = da == 1 ? db : da;
    } else if (da < 0 || db < 0) {
      dims[i] = std::max(da, db);  // the other size is this one, or 1
    } else if (da == db) {
      dims[i] = da;
    } else {
      return InvalidArgument("Incompatible shapes: ", a, " vs. ", b);
    }
  }
  return PartialShape::Create(dims);
}

absl::StatusOr<PartialShape> Concatenated(const PartialShape& a, const PartialShape& b) {
  if (!a.rank_known() || !b.rank_known()) return PartialShape();
  Shape::Dims dims(a.dims().begin(), a.dims().end());
  dims.insert(dims.end(), b.dims().begin(), b.dims().end());
  return PartialShape::Create(dims);
}

PartialShape Common(const PartialShape& a, const PartialShape& b) {
  if (!a.rank_known() || a.rank() != b.rank()) return PartialShape();
  Shape::Dims dims(a.dims().begin(), a.dims().end());
  for (int i = 0; i < a.rank(); ++i) {
    if (dims[i] != b.dim(i)) dims[i] = -1;
  }
  auto common = PartialShape::Create(dims);
  return common.ok() ? *std::move(common) : PartialShape();
}

PartialShape SubShape(const PartialShape& shape, int begin, int end) {
  auto part = PartialShape::Create(shape.dims().subspan(begin, std::max(0, end - begin)));
  return part.ok() ? *std::move(part) : PartialShape();
}

absl::Status CheckPrefix(const PartialShape& prefix, const PartialShape& shape) {
  if (!prefix.rank_known() || !shape.rank_known()) return absl::OkStatus();
  if (prefix.rank() <= shape.rank() && prefix.MergeWith(SubShape(shape, 0, prefix.rank())).ok())
    return absl::OkStatus();
  return InvalidArgument("shape ", shape, " must start with ", prefix);
}

absl::StatusOr<int> FrontAxis(int64_t axis, int rank) {
  if (axis < -rank || axis >= rank)
    return InvalidArgument("axis ", axis, " is not in [", -rank, ", ", rank, ")");
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

absl::StatusOr<int64_t> MergedSize(int64_t a, int64_t b) {
  if (a >= 0 && b >= 0 && a != b)
    return InvalidArgument("sizes ", a, " and ", b, " differ where they must be equal");
  return std::max(a, b);
}

int64_t SizeProduct(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  int64_t product;
  return a < 0 || b < 0 || !MulFits(a, b, &product) ? -1 : product;
}

int64_t SizeSum(int64_t a, int64_t b) {
  int64_t sum;
  return a < 0 || b < 0 || !AddFits(a, b, &sum) ? -1 : sum;
}

int64_t ElementCount(const PartialShape& shape) {
  const auto known = shape.fully_known() ? shape.ToShape() : absl::StatusOr<Shape>();
  return known.ok() ? known->num_elements() : -1;
}

absl::Status VectorOfUnknownSize(ShapeContext& c) {
  for (PartialShape& output : c.outputs) output = PartialShape{-1};
  return absl::OkStatus();
}

absl::Status Segments(ShapeContext& c, int64_t count, int id_rank) {
  const PartialShape& data = c.inputs[0];
  if (!data.rank_known() || id_rank < 0 || data.rank() < id_rank) return absl::OkStatus();
  SLUICE_ASSIGN(c.outputs[0],
                Concatenated(PartialShape{count}, SubShape(data, id_rank, data.rank())));
  return absl::OkStatus();
}

absl::Status SegmentShape(ShapeContext& c) { return Segments(c, -1, 1); }

absl::Status UnsortedSegmentShape(ShapeContext& c) {  // data, segment_ids, num_segments
  SLUICE_RETURN_IF_ERROR(CheckPrefix(c.inputs[1], c.inputs[0]));
  const auto count = c.Int(2);
  if (count && *count < 0)
    return InvalidArgument("Input num_segments == ", *count, " must not be negative.");
  return Segments(c, count.value_or(-1), c.inputs[1].rank());
}

absl::Status GatherNdOf(ShapeContext& c, const PartialShape& params) {
  SLUICE_ASSIGN(PartialShape indices, c.OfRankAtLeast(1, 1));
  if (!params.rank_known() || !indices.rank_known() || indices.dims().back() < 0)
    return absl::OkStatus();
  const int64_t depth = indices.dims().back();
  if (depth > params.rank())
    return InvalidArgument("indices.shape[-1] must be <= params.rank: ", depth, " vs. ",
                           params.rank());
  SLUICE_ASSIGN(c.outputs[0],
                Concatenated(SubShape(indices, 0, indices.rank() - 1),
                             SubShape(params, static_cast<int>(depth), params.rank())));
  return absl::OkStatus();
}

}  // namespace sluice::graph
