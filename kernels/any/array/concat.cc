// SPDX-License-Identifier: Apache-2.0
// Joining and splitting along an axis: Concat, ConcatV2, Pack, Unpack, Split, SplitV.
#include "core/op/producer_version.h"
#include "kernels/any/array/register.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"

namespace sluice::kernels {
namespace {

// The axis comes first (Concat) or last (ConcatV2).
struct Concat {
  int axis_input, begin, end;
  bool as_in_1x;
  const Primitives* on = nullptr;

  static absl::StatusOr<Concat> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(NodeSpec::Range axis,
                  node.InputRange(node.op == "Concat" ? "concat_dim" : "axis"));
    SLUICE_ASSIGN(NodeSpec::Range values, node.InputRange("values"));
    return Concat{axis.begin, values.begin, values.end, IsFrom1x(node)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& first = ctx.input(begin);
    if (!IsScalarLike(ctx.input(axis_input), as_in_1x)) {
      return InvalidArgument(axis_input == 0 ? "concat_dim" : "axis",
                             " tensor should be a scalar integer, but got shape ",
                             ctx.input(axis_input).shape());
    }
    SLUICE_ASSIGN(int64_t dim, IntScalar(ctx.input(axis_input)));
    int axis;
    if (!NormalizeAxis(dim, first.rank(), &axis)) {
      return InvalidArgument("ConcatOp : Expected concatenating dimensions in the range [",
                             -first.rank(), ", ", first.rank(), "), but got ", dim);
    }
    int64_t total = 0;
    for (int i = begin; i < end; ++i)
      SLUICE_RETURN_IF_ERROR(Fits(first, ctx.input(i), i - begin, axis, &total));
    Shape::Dims sizes(first.shape().dims().begin(), first.shape().dims().end());
    sizes[axis] = total;
    SLUICE_ASSIGN(Shape shape, Shape::Create(sizes));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    const AxisView view(shape, axis);
    absl::InlinedVector<JoinedPart, 8> parts;
    for (int i = begin; i < end; ++i)
      parts.push_back({ctx.input(i).raw(), ctx.input(i).dim(axis) * view.inner});
    return on->Join(ctx, out->dtype(), parts, view.outer, out->raw());
  }

 private:
  static absl::Status Fits(const Tensor& first, const Tensor& next, int i, int axis,
                           int64_t* total) {
    if (next.rank() != first.rank()) {
      return InvalidArgument("ConcatOp : Ranks of all input tensors should match: shape[0] = ",
                             first.shape(), " vs. shape[", i, "] = ", next.shape());
    }
    for (int d = 0; d < first.rank(); ++d) {
      if (d != axis && next.dim(d) != first.dim(d)) {
        return InvalidArgument("ConcatOp : Dimensions of inputs should match: shape[0] = ",
                               first.shape(), " vs. shape[", i, "] = ", next.shape());
      }
    }
    if (!AddFits(*total, next.dim(axis), total))
      return InvalidArgument("ConcatOp : concatenated size overflows");
    return absl::OkStatus();
  }
};

struct Pack {
  int64_t axis;
  const Primitives* on = nullptr;

  static absl::StatusOr<Pack> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(int64_t axis, node.Get<int64_t>("axis"));
    return Pack{axis};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Shape first = ctx.input(0).shape();
    const int count = ctx.num_inputs(), rank = first.rank() + 1;
    int at;
    if (!NormalizeAxis(axis, rank, &at))
      return InvalidArgument("axis = ", axis, " not in [", -rank, ", ", rank, ")");
    for (int i = 1; i < count; ++i) {
      if (!(ctx.input(i).shape() == first)) {
        return InvalidArgument("Shapes of all inputs must match: values[0].shape = ", first,
                               " != values[", i, "].shape = ", ctx.input(i).shape());
      }
    }
    Shape::Dims sizes(first.dims().begin(), first.dims().end());
    sizes.insert(sizes.begin() + at, count);
    SLUICE_ASSIGN(Shape shape, Shape::Create(sizes));
    if (count == 1) {
      SLUICE_ASSIGN(Tensor out, ctx.input(0).Reshaped(shape));
      ctx.SetOutput(0, std::move(out));
      return absl::OkStatus();
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const AxisView view(shape, at);
    absl::InlinedVector<JoinedPart, 8> parts;
    for (int i = 0; i < count; ++i) parts.push_back({ctx.input(i).raw(), view.inner});
    return on->Join(ctx, out->dtype(), parts, view.outer, out->raw());
  }
};

// Output `i` is [begin, begin + size) of the value's axis, in the given shape. Rows of the first
// axis with aligned memory are shared, not copied, unless a reference variable may still write
// them.
absl::Status SetPiece(KernelContext& ctx, const Primitives& on, const Tensor& value, int axis,
                      int64_t begin, int64_t size, const Shape& shape, int i) {
  const AxisView view(value.shape(), axis);
  const size_t element = ElementSize(value.dtype());
  const int64_t offset = begin * view.inner;
  if (shape.num_elements() > 0 && axis == 0 && IsPlain(value.dtype()) && !value.buffer()->guard() &&
      (static_cast<size_t>(offset) * element) % kAlignment == 0) {
    SLUICE_ASSIGN(Tensor rows, value.Rows(begin, begin + size).Reshaped(shape));
    ctx.SetOutput(i, std::move(rows));
    return absl::OkStatus();
  }
  SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(i, shape));
  if (shape.num_elements() == 0) return absl::OkStatus();
  const CopyDims dims{{view.outer, view.size * view.inner, size * view.inner},
                      {size * view.inner, 1, 1}};
  return on.StridedCopy(ctx, value.dtype(), dims, At(value.raw(), offset, element), out->raw());
}

struct Unpack {
  int64_t axis;
  const Primitives* on = nullptr;

  static absl::StatusOr<Unpack> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(int64_t axis, node.Get<int64_t>("axis"));
    return Unpack{axis};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor value = ctx.input(0);
    int at;
    if (!NormalizeAxis(axis, value.rank(), &at)) {
      return InvalidArgument("axis = ", axis, " not in [", -value.rank(), ", ", value.rank(), ")");
    }
    if (value.dim(at) != ctx.num_outputs()) {
      return InvalidArgument("Input shape axis ", at, " must equal ", ctx.num_outputs(),
                             ", got shape ", value.shape());
    }
    Shape shape = value.shape();
    shape.RemoveDim(at);
    for (int i = 0; i < ctx.num_outputs(); ++i)
      SLUICE_RETURN_IF_ERROR(SetPiece(ctx, *on, value, at, i, 1, shape, i));
    return absl::OkStatus();
  }
};

absl::StatusOr<int> SplitAxis(const Tensor& dim, const Tensor& value) {
  if (dim.num_elements() != 1)
    return InvalidArgument("split_dim_tensor must have exactly one element.");
  SLUICE_ASSIGN(int64_t given, IntScalar(dim));
  int axis;
  if (!NormalizeAxis(given, value.rank(), &axis)) {
    return InvalidArgument("-input rank(-", value.rank(), ") <= split_dim < input rank (",
                           value.rank(), "), but got ", given);
  }
  return axis;
}

struct Split {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    const Tensor value = ctx.input(1);
    if (ctx.input(0).rank() != 0)
      return InvalidArgument("split_dim must be a scalar but has rank ", ctx.input(0).rank());
    SLUICE_ASSIGN(int axis, SplitAxis(ctx.input(0), value));
    const int64_t count = ctx.num_outputs();
    if (value.dim(axis) % count != 0) {
      return InvalidArgument(
          "Number of ways to split should evenly divide the split dimension, but got split_dim ",
          axis, " (size = ", value.dim(axis), ") and num_split ", count);
    }
    const int64_t size = value.dim(axis) / count;
    Shape shape = value.shape();
    shape.SetDim(axis, size);
    for (int i = 0; i < count; ++i)
      SLUICE_RETURN_IF_ERROR(SetPiece(ctx, *on, value, axis, i * size, size, shape, i));
    return absl::OkStatus();
  }
};

// Pieces of given sizes; one of them may be -1, which takes the rest.
struct SplitV {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    const Tensor value = ctx.input(0);
    SLUICE_ASSIGN(int axis, SplitAxis(ctx.input(2), value));
    SLUICE_ASSIGN(Shape::Dims sizes, Sizes(ctx.input(1), ctx.num_outputs(), value.dim(axis), axis));
    int64_t begin = 0;
    for (int i = 0; i < ctx.num_outputs(); ++i) {
      Shape shape = value.shape();
      shape.SetDim(axis, sizes[i]);
      SLUICE_RETURN_IF_ERROR(SetPiece(ctx, *on, value, axis, begin, sizes[i], shape, i));
      begin += sizes[i];
    }
    return absl::OkStatus();
  }

 private:
  static absl::StatusOr<Shape::Dims> Sizes(const Tensor& given, int count, int64_t total,
                                           int axis) {
    if (given.rank() != 1 || given.num_elements() != count) {
      return InvalidArgument(
          "size of the split_tensor must be 1-D and have the same elements as outputs got ",
          given.rank(), " -D and ", given.num_elements(), " elements");
    }
    Shape::Dims sizes(count);
    int unknown = -1;
    int64_t sum = 0;
    for (int i = 0; i < count; ++i) {
      sizes[i] = IndexAt(given, i);
      if (sizes[i] == -1) {
        if (unknown >= 0) return InvalidArgument("There can only be one -1 in the input.");
        unknown = i;
      } else if (sizes[i] < 0) {
        return InvalidArgument("Split size at index ", i, " must be >= 0. Got: ", sizes[i]);
      } else if (!AddFits(sum, sizes[i], &sum)) {
        return InvalidArgument("split sizes overflow");
      }
    }
    if (unknown < 0 ? sum != total : sum > total) {
      return InvalidArgument(
          "Determined shape must either match input shape along split_dim exactly if fully "
          "specified, or be less "
          "than the size of the input along split_dim if not fully specified.  Got: ",
          sum, " for dimension ", axis, " of size ", total);
    }
    if (unknown >= 0) sizes[unknown] = total - sum;
    return sizes;
  }
};

}  // namespace

void RegisterConcat(KernelRegistry& kernels, const Primitives& on) {
  const DTypeSet types = TypesButInt32On(on, kAnyType);
  const DTypeSet lengths{kInt8, kInt32, kInt64};
  AddOn<Concat>(kernels, on, "Concat", {{"T", types}}, HostMemory{"concat_dim"});
  AddOn<Concat>(kernels, on, "ConcatV2", {{"T", types}, {"Tidx", kIndex}}, HostMemory{"axis"});
  AddOn<Pack>(kernels, on, "Pack", {{"T", types}});
  AddOn<Unpack>(kernels, on, "Unpack", {{"T", types}});
  AddOn<Split>(kernels, on, "Split", {{"T", types}}, HostMemory{"split_dim"});
  AddOn<SplitV>(kernels, on, "SplitV", {{"T", types}, {"Tlen", lengths}},
                HostMemory{"size_splits", "split_dim"});

  AddOnHost<Concat>(kernels, on, "Concat", {{"T", kInt32}},
                    HostMemory{"concat_dim", "values", "output"});
  AddOnHost<Concat>(kernels, on, "ConcatV2", {{"T", kInt32}, {"Tidx", kIndex}},
                    HostMemory{"values", "axis", "output"});
  AddOnHost<Pack>(kernels, on, "Pack", {{"T", kInt32}}, HostMemory{"values", "output"});
  AddOnHost<Unpack>(kernels, on, "Unpack", {{"T", kInt32}}, HostMemory{"value", "output"});
  AddOnHost<Split>(kernels, on, "Split", {{"T", kInt32}},
                   HostMemory{"split_dim", "value", "output"});
  AddOnHost<SplitV>(kernels, on, "SplitV", {{"T", kInt32}, {"Tlen", lengths}},
                    HostMemory{"value", "size_splits", "split_dim", "output"});
}

}  // namespace sluice::kernels
