// SPDX-License-Identifier: Apache-2.0
// Joining and cutting along an axis: Concat, ConcatV2, Pack, Unpack, Split, SplitV.
#include "core/runtime/kernel_registry.h"
#include "kernels/any/array/register.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/strided_copy.h"

namespace sluice::kernels {
namespace {

// Copies a piece [outer, size, inner] between places in tensors whose axis has sizes `from_size`
// and `to_size`.
void CopyPiece(KernelContext& ctx, DType dtype, int64_t outer, int64_t size, int64_t inner,
               const void* from, int64_t from_size, void* to, int64_t to_size) {
  StridedCopy(ctx.pool(), dtype,
              {{outer, from_size * inner, to_size * inner}, {size * inner, 1, 1}}, from, to);
}

// Pieces of whole lines, one after the other in each row of the result, which is written once from
// its beginning to its end.
struct Piece {
  const char* from;
  size_t bytes;  // in each row
};
void JoinRows(WorkQueue* pool, absl::Span<const Piece> pieces, int64_t rows, size_t row_bytes,
              void* to) {
  const double cost = 0.03 * static_cast<double>(row_bytes);
  ParallelFor(pool, rows, cost, [&](int64_t begin, int64_t end) {
    char* at = static_cast<char*>(to) + static_cast<size_t>(begin) * row_bytes;
    for (int64_t row = begin; row < end; ++row) {
      for (const Piece& piece : pieces) {
        std::memcpy(at, piece.from + static_cast<size_t>(row) * piece.bytes, piece.bytes);
        at += piece.bytes;
      }
    }
  });
}

// The axis comes first (Concat) or last (ConcatV2).
struct Concat {
  int axis_input, begin, end;
  bool as_in_1x;

  static absl::StatusOr<Concat> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(NodeSpec::Range axis,
                  node.InputRange(node.op == "Concat" ? "concat_dim" : "axis"));
    SLUICE_ASSIGN(NodeSpec::Range values, node.InputRange("values"));
    return Concat{axis.begin, values.begin, values.end,
                  GetAttrOr<bool>(node.attrs, "_as_in_1x", false)};
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
    if (view.outer > 1 && IsPlain(first.dtype()) &&
        JoinsWholeLines(ctx, axis, view.outer, out->raw(), out->bytes())) {
      return absl::OkStatus();
    }
    int64_t at = 0;
    for (int i = begin; i < end; ++i) {
      const Tensor& piece = ctx.input(i);
      const int64_t size = piece.dim(axis);
      CopyPiece(ctx, piece.dtype(), view.outer, size, view.inner, piece.raw(), size,
                At(out->raw(), at * view.inner, ElementSize(piece.dtype())), total);
      at += size;
    }
    return absl::OkStatus();
  }

 private:
  // False: some piece has too few bytes in a row.
  bool JoinsWholeLines(KernelContext& ctx, int axis, int64_t rows, void* to, size_t bytes) const {
    constexpr size_t kLine = 64;
    absl::InlinedVector<Piece, 8> pieces;
    for (int i = begin; i < end; ++i) {
      const Tensor& piece = ctx.input(i);
      if (piece.dim(axis) == 0) continue;
      const size_t in_row = piece.bytes() / static_cast<size_t>(rows);
      if (in_row < kLine) return false;
      pieces.push_back({static_cast<const char*>(piece.raw()), in_row});
    }
    JoinRows(ctx.pool(), pieces, rows, bytes / static_cast<size_t>(rows), to);
    return true;
  }

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
    for (int i = 0; i < count; ++i) {
      const Tensor& value = ctx.input(i);
      CopyPiece(ctx, value.dtype(), view.outer, 1, view.inner, value.raw(), 1,
                At(out->raw(), i * view.inner, ElementSize(value.dtype())), count);
    }
    return absl::OkStatus();
  }
};

// Output `i` is [begin, begin + size) of the value's axis, in the shape given. Rows of the first
// axis whose memory is aligned are shared, not copied, unless a reference variable may still write
// them.
absl::Status SetPiece(KernelContext& ctx, const Tensor& value, int axis, int64_t begin,
                      int64_t size, const Shape& shape, int i) {
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
  CopyPiece(ctx, value.dtype(), view.outer, size, view.inner, At(value.raw(), offset, element),
            view.size, out->raw(), size);
  return absl::OkStatus();
}

struct Unpack {
  int64_t axis;

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
      SLUICE_RETURN_IF_ERROR(SetPiece(ctx, value, at, i, 1, shape, i));
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
      SLUICE_RETURN_IF_ERROR(SetPiece(ctx, value, axis, i * size, size, shape, i));
    return absl::OkStatus();
  }
};

// Pieces of given sizes, of which one may be -1: the rest.
struct SplitV {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor value = ctx.input(0);
    SLUICE_ASSIGN(int axis, SplitAxis(ctx.input(2), value));
    SLUICE_ASSIGN(Shape::Dims sizes, Sizes(ctx.input(1), ctx.num_outputs(), value.dim(axis), axis));
    int64_t begin = 0;
    for (int i = 0; i < ctx.num_outputs(); ++i) {
      Shape shape = value.shape();
      shape.SetDim(axis, sizes[i]);
      SLUICE_RETURN_IF_ERROR(SetPiece(ctx, value, axis, begin, sizes[i], shape, i));
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

void RegisterConcat(KernelRegistry& kernels) {
  kernels.Add<Concat>("Concat", kCpu, {{"T", kAnyType}});
  kernels.Add<Concat>("ConcatV2", kCpu, {{"T", kAnyType}, {"Tidx", kIndex}});
  kernels.Add<Pack>("Pack", kCpu, {{"T", kAnyType}});
  kernels.Add<Unpack>("Unpack", kCpu, {{"T", kAnyType}});
  kernels.Add<Split>("Split", kCpu, {{"T", kAnyType}});
  kernels.Add<SplitV>("SplitV", kCpu, {{"T", kAnyType}, {"Tlen", {kInt8, kInt32, kInt64}}});
}

}  // namespace sluice::kernels
