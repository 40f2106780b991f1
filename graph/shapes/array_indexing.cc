// SPDX-License-Identifier: Apache-2.0
// Shapes of slices, gathers and scatters.
#include "graph/shapes/rules.h"
#include "graph/shapes/strided_slice.h"

namespace sluice::graph {
namespace {

absl::Status SliceShape(ShapeContext& c) {  // input, begin, size
  const PartialShape& input = c.inputs[0];
  int64_t rank = input.rank_known() ? input.rank() : -1;
  for (int i : {1, 2}) {
    SLUICE_ASSIGN(PartialShape spec, c.OfRank(i, 1));
    SLUICE_ASSIGN(rank, MergedSize(rank, spec.dim(0)));
  }
  if (rank < 0 || rank > kMaxRank) return absl::OkStatus();
  Shape::Dims dims(rank, -1);
  for (int i = 0; i < rank; ++i) {
    const auto begin = c.Int(1, i), size = c.Int(2, i);
    const int64_t whole = input.rank_known() ? input.dim(i) : -1;
    if (size && *size >= 0) {
      dims[i] = *size;  // a branch that is never taken may request more than there is
    } else if (size && *size < -1) {
      return InvalidArgument("Expected size[", i, "] >= -1, but got ", *size);
    } else if (size && *size == -1 && begin && whole >= 0) {
      if (*begin < 0 || *begin > whole)
        return InvalidArgument("Expected begin[", i, "] in [0, ", whole, "], but got ", *begin);
      dims[i] = whole - *begin;
    }
  }
  return c.Set(0, dims);
}

absl::Status StridedSliceShape(ShapeContext& c) {
  SLUICE_ASSIGN(auto slice, ReadStridedSlice(c));
  if (slice) c.outputs[0] = slice->shape;
  return absl::OkStatus();
}

absl::Status StridedSliceGradShape(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], c.StatedBy(0));
  return absl::OkStatus();
}

absl::Status GatherShape(ShapeContext& c) {  // params, indices
  SLUICE_ASSIGN(PartialShape params, c.OfRankAtLeast(0, 1));
  if (!params.rank_known()) return absl::OkStatus();
  SLUICE_ASSIGN(c.outputs[0], Concatenated(c.inputs[1], SubShape(params, 1, params.rank())));
  return absl::OkStatus();
}

absl::Status GatherV2Shape(ShapeContext& c) {  // params, indices, axis; batch_dims
  SLUICE_ASSIGN(PartialShape params, c.OfRankAtLeast(0, 1));
  const PartialShape& indices = c.inputs[1];
  if (!params.rank_known() || !indices.rank_known()) return absl::OkStatus();
  int64_t batch = GetAttrOr<int64_t>(c.node.attrs, "batch_dims", 0);
  if (batch < -indices.rank() || batch > indices.rank())
    return InvalidArgument("batch_dims ", batch, " is out of range");
  if (batch < 0) batch += indices.rank();
  if (batch >= params.rank())
    return InvalidArgument("batch_dims ", batch, " must be less than the rank of params, ",
                           params.rank());
  const auto axis = c.Int(2);
  const int64_t rank = params.rank() + indices.rank() - 1 - batch;
  if (!axis) {
    if (rank >= 0 && rank <= kMaxRank)
      c.outputs[0] = PartialShape::UnknownOfRank(static_cast<int>(rank));
    return absl::OkStatus();
  }
  SLUICE_ASSIGN(int at, FrontAxis(*axis, params.rank()));
  if (at < batch)
    return InvalidArgument("batch_dims ", batch, " must not be greater than axis ", at);
  Shape::Dims dims(params.dims().begin(), params.dims().begin() + at);
  dims.insert(dims.end(), indices.dims().begin() + batch, indices.dims().end());
  dims.insert(dims.end(), params.dims().begin() + at + 1, params.dims().end());
  return c.Set(0, dims);
}
absl::Status GatherNdShape(ShapeContext& c) { return GatherNdOf(c, c.inputs[0]); }

// `updates` go to the slices of `output` that `indices` select. Outer dimensions are those of
// indices, inner ones those of a slice.
absl::Status CheckScatter(const PartialShape& output, const PartialShape& indices,
                          const PartialShape& updates) {
  if (!indices.rank_known() || !updates.rank_known()) return absl::OkStatus();
  const int outer = indices.rank() - 1;
  SLUICE_RETURN_IF_ERROR(CheckPrefix(SubShape(indices, 0, outer), updates));
  const int64_t depth = indices.dims().back();
  if (depth < 0 || !output.rank_known()) return absl::OkStatus();
  if (depth > output.rank())
    return InvalidArgument("indices of ", depth, " numbers are too long for shape ", output);
  const PartialShape slice = SubShape(output, static_cast<int>(depth), output.rank());
  if (slice.MergeWith(SubShape(updates, outer, updates.rank())).ok()) return absl::OkStatus();
  return InvalidArgument("updates of shape ", updates, " must end with the shape of a slice, ",
                         slice);
}

absl::Status ScatterNdShape(ShapeContext& c) {  // indices, updates, shape
  SLUICE_ASSIGN(const PartialShape indices, c.OfRankAtLeast(0, 1));
  SLUICE_ASSIGN(c.outputs[0], c.StatedBy(2));
  if (ElementCount(c.outputs[0]) == 0 &&
      (ElementCount(indices) > 0 || ElementCount(c.inputs[1]) > 0)) {
    return InvalidArgument("Indices and updates specified for empty output shape");
  }
  return CheckScatter(c.outputs[0], indices, c.inputs[1]);
}

absl::Status TensorScatterShape(ShapeContext& c) {  // tensor, indices, updates
  SLUICE_ASSIGN(c.outputs[0], c.OfRankAtLeast(0, 1));
  SLUICE_ASSIGN(const PartialShape indices, c.OfRankAtLeast(1, 1));
  return CheckScatter(c.outputs[0], indices, c.inputs[2]);
}

constexpr ShapeRule kRules[] = {
    {"Gather", GatherShape},
    {"GatherNd", GatherNdShape},
    {"GatherV2", GatherV2Shape},
    {"InplaceAdd", Unchanged},
    {"InplaceUpdate", Unchanged},
    {"ScatterNd", ScatterNdShape},
    {"ScatterNdNonAliasingAdd", TensorScatterShape},
    {"Slice", SliceShape},
    {"StridedSlice", StridedSliceShape},
    {"StridedSliceGrad", StridedSliceGradShape},
    {"TensorScatterAdd", TensorScatterShape},
    {"TensorScatterMax", TensorScatterShape},
    {"TensorScatterMin", TensorScatterShape},
    {"TensorScatterSub", TensorScatterShape},
    {"TensorScatterUpdate", TensorScatterShape},
};

}  // namespace

absl::Span<const ShapeRule> ArrayIndexingRules() { return kRules; }

}  // namespace sluice::graph
