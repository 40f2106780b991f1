// SPDX-License-Identifier: Apache-2.0
// Broadcasts as ops: BroadcastTo, Tile, BroadcastArgs, BroadcastGradientArgs.
#include "kernels/any/array/register.h"
#include "kernels/common/axis.h"
#include "kernels/common/broadcast.h"
#include "kernels/common/strided_copy.h"

namespace sluice::kernels {
namespace {

absl::Status SetVector(KernelContext& ctx, int output, absl::Span<const int64_t> values) {
  SLUICE_ASSIGN(Tensor * out,
                ctx.AllocateOutput(output, Shape{static_cast<int64_t>(values.size())}));
  if (out->dtype() == kInt64)
    std::copy(values.begin(), values.end(), out->mutable_data<int64_t>());
  else
    std::copy(values.begin(), values.end(), out->mutable_data<int32_t>());
  return absl::OkStatus();
}

absl::StatusOr<Shape::Dims> ShapeInput(const KernelContext& ctx, int i) {
  if (ctx.input(i).rank() != 1)
    return InvalidArgument("In[", i, "] must be a vector.", ctx.input(i).shape());
  SLUICE_ASSIGN(Shape::Dims dims, IntVector(ctx.input(i)));
  for (int64_t size : dims) {
    if (size < 0) return InvalidArgument("In[", i, "] has a negative size: ", size);
  }
  return dims;
}

int64_t FromEnd(const Shape::Dims& dims, size_t i) {
  return i < dims.size() ? dims[dims.size() - 1 - i] : 1;
}

absl::Status IncompatibleSizes(const Shape::Dims& a, const Shape::Dims& b) {
  return InvalidArgument("Incompatible shapes: [", absl::StrJoin(a, ","), "] vs. [",
                         absl::StrJoin(b, ","), "]");
}

struct BroadcastArgs {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Shape::Dims a, ShapeInput(ctx, 0));
    SLUICE_ASSIGN(Shape::Dims b, ShapeInput(ctx, 1));
    Shape::Dims result(std::max(a.size(), b.size()));
    for (size_t i = 0; i < result.size(); ++i) {
      const int64_t x = FromEnd(a, i), y = FromEnd(b, i);
      if (x != y && x != 1 && y != 1) return IncompatibleSizes(a, b);
      result[result.size() - 1 - i] = x == 1 ? y : x;
    }
    return SetVector(ctx, 0, result);
  }
};

// The axes over which the gradient of each operand of a broadcasting op is summed. An axis of size
// 1 on both sides counts for both. Equal shapes need no sums.
struct BroadcastGradientArgs {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Shape::Dims a, ShapeInput(ctx, 0));
    SLUICE_ASSIGN(Shape::Dims b, ShapeInput(ctx, 1));
    absl::InlinedVector<int64_t, 8> of_a, of_b;
    const size_t rank = std::max(a.size(), b.size());
    if (a != b) {
      for (size_t d = 0; d < rank; ++d) {
        const int64_t x = FromEnd(a, rank - 1 - d), y = FromEnd(b, rank - 1 - d);
        if (x != y && x != 1 && y != 1) return IncompatibleSizes(a, b);
        if (x == 1) of_a.push_back(d);
        if (y == 1) of_b.push_back(d);
      }
    }
    SLUICE_RETURN_IF_ERROR(SetVector(ctx, 0, of_a));
    return SetVector(ctx, 1, of_b);
  }
};

// The error if the shapes do not broadcast together, or not to the requested shape.
absl::Status DoesNotBroadcastTo(const Shape& from, const Shape& wanted) {
  const int added = wanted.rank() - from.rank();
  for (int d = 0; d < from.rank(); ++d) {
    const int64_t size = from.dim(d), to = wanted.dim(added + d);
    if (size != to && size != 1 && to != 1)
      return InvalidArgument("Incompatible shapes: ", from, " vs. ", wanted);
  }
  return InvalidArgument("Unable to broadcast tensor of shape ", from, " to tensor of shape ",
                         wanted);
}

struct BroadcastTo {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    SLUICE_ASSIGN(Shape shape, ShapeFrom(ctx.input(1)));
    if (shape == input.shape()) {
      ctx.SetOutput(0, input);
      return absl::OkStatus();
    }
    if (input.rank() > shape.rank()) {
      return InvalidArgument("Rank of input (", input.rank(),
                             ") must be no greater than rank of output shape (", shape.rank(),
                             ").");
    }
    const Shape::Dims from = DenseStrides(input.shape()), to = DenseStrides(shape);
    CopyDims dims;
    const int added = shape.rank() - input.rank();
    for (int d = 0; d < shape.rank(); ++d) {
      const int64_t size = d < added ? 1 : input.dim(d - added);
      if (size != shape.dim(d) && size != 1) return DoesNotBroadcastTo(input.shape(), shape);
      dims.push_back({shape.dim(d), size == 1 ? 0 : from[d - added], to[d]});
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return on->StridedCopy(ctx, input.dtype(), dims, input.raw(), out->raw());
  }
};

struct Tile {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    const Tensor& times = ctx.input(1);
    if (times.rank() != 1)
      return InvalidArgument("Expected multiples to be 1-D, but got shape ", times.shape());
    if (times.num_elements() != input.rank()) {
      return InvalidArgument("Expected multiples argument to be a vector of length ", input.rank(),
                             " but got length ", times.num_elements());
    }
    SLUICE_ASSIGN(Shape::Dims multiples, IntVector(times));
    Shape::Dims sizes(input.rank());
    bool same = true;
    for (int d = 0; d < input.rank(); ++d) {
      if (multiples[d] < 0)
        return InvalidArgument("Expected multiples[", d, "] >= 0, but got ", multiples[d]);
      if (!MulFits(input.dim(d), multiples[d], &sizes[d]))
        return InvalidArgument("tiled size overflows in dimension ", d);
      same &= multiples[d] == 1;
    }
    if (same) {
      ctx.SetOutput(0, input);
      return absl::OkStatus();
    }
    SLUICE_ASSIGN(Shape shape, Shape::Create(sizes));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const Shape::Dims from = DenseStrides(input.shape()), to = DenseStrides(shape);
    CopyDims dims;
    for (int d = 0; d < input.rank(); ++d) {
      dims.push_back({multiples[d], 0, to[d] * input.dim(d)});
      dims.push_back({input.dim(d), from[d], to[d]});
    }
    return on->StridedCopy(ctx, input.dtype(), dims, input.raw(), out->raw());
  }
};

}  // namespace

void RegisterBroadcastOps(KernelRegistry& kernels, const Primitives& on) {
  AddOn<BroadcastArgs>(kernels, on, "BroadcastArgs", {{"T", kIndex}}, HostMemory{"s0", "s1", "r0"},
                       kCheap);
  AddOn<BroadcastGradientArgs>(kernels, on, "BroadcastGradientArgs", {{"T", kIndex}},
                               HostMemory{"s0", "s1", "r0", "r1"}, kCheap);
  AddOn<BroadcastTo>(kernels, on, "BroadcastTo",
                     {{"T", TypesButInt32On(on, kAnyType)}, {"Tidx", kIndex}}, HostMemory{"shape"});
  AddOnHost<BroadcastTo>(kernels, on, "BroadcastTo", {{"T", kInt32}, {"Tidx", kIndex}},
                         HostMemory{"input", "shape", "output"});
  AddOn<Tile>(kernels, on, "Tile", {{"T", TypesOn(on, kAnyType)}, {"Tmultiples", kIndex}},
              HostMemory{"multiples"});
}

}  // namespace sluice::kernels
