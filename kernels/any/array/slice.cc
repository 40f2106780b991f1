// SPDX-License-Identifier: Apache-2.0
// Slice, StridedSlice, StridedSliceGrad.
#include "kernels/any/array/register.h"
#include "kernels/common/array/slice_plan.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"

namespace sluice::kernels {
namespace {

// The rows of the first dimension from `offset` on, if the slice consists of them and its memory is
// aligned.
bool SharesRows(const Tensor& input, const CopyDims& dims, int64_t offset, const Shape& result) {
  if (input.rank() == 0 || result.num_elements() == 0 || !IsPlain(input.dtype()) ||
      input.buffer()->guard())
    return false;
  int64_t inner = 1;
  for (int d = input.rank() - 1; d > 0; --d) {
    if (dims[d].size != input.dim(d) || dims[d].from != inner) return false;
    inner *= input.dim(d);
  }
  return dims[0].from == inner &&
         static_cast<size_t>(offset) * SizeOf(input.dtype()) % kAlignment == 0;
}

absl::Status CopySlice(KernelContext& ctx, const Primitives& on, const Tensor& input,
                       const CopyDims& dims, int64_t offset, const Shape& result) {
  if (SharesRows(input, dims, offset, result)) {
    const int64_t begin = offset / ProductOf(input.shape(), 1, input.rank());
    SLUICE_ASSIGN(Tensor rows, input.Rows(begin, begin + dims[0].size).Reshaped(result));
    ctx.SetOutput(0, std::move(rows));
    return absl::OkStatus();
  }
  SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, result));
  return on.StridedCopy(ctx, input.dtype(), dims,
                        At(input.raw(), offset, ElementSize(input.dtype())), out->raw());
}

struct Slice {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    const Tensor input = ctx.input(0);
    const Tensor &begins = ctx.input(1), &sizes = ctx.input(2);
    if (begins.rank() != 1 || sizes.rank() != 1 || begins.num_elements() != input.rank() ||
        sizes.num_elements() != input.rank()) {
      return InvalidArgument("Expected begin and size arguments to be 1-D tensors of size ",
                             input.rank(), ", but got shapes ", begins.shape(), " and ",
                             sizes.shape(), " instead.");
    }
    SLUICE_ASSIGN(Shape::Dims begin, IntVector(begins));
    SLUICE_ASSIGN(Shape::Dims size, IntVector(sizes));
    bool whole = true;
    for (int d = 0; d < input.rank(); ++d) {
      const int64_t n = input.dim(d);
      if (n == 0 && (begin[d] != 0 || (size[d] != 0 && size[d] != -1))) {
        return InvalidArgument("Expected begin[", d, "] == 0 (got ", begin[d], ") and size[", d,
                               "] == 0 (got ", size[d], ") when input.dim_size(", d, ") == 0");
      }
      if (begin[d] < 0 || begin[d] > n)
        return InvalidArgument("Expected begin[", d, "] in [0, ", n, "], but got ", begin[d]);
      if (size[d] == -1) size[d] = n - begin[d];
      if (size[d] < 0 || size[d] > n - begin[d]) {
        return InvalidArgument("Expected size[", d, "] in [0, ", n - begin[d], "], but got ",
                               size[d]);
      }
      whole &= size[d] == n;
    }
    if (whole) {
      ctx.SetOutput(0, input);
      return absl::OkStatus();
    }
    SLUICE_ASSIGN(Shape shape, Shape::Create(size));
    const Shape::Dims from = DenseStrides(input.shape()), to = DenseStrides(shape);
    CopyDims dims;
    int64_t offset = 0;
    for (int d = 0; d < input.rank(); ++d) {
      dims.push_back({size[d], from[d], to[d]});
      if (size[d] > 0) offset += begin[d] * from[d];
    }
    return CopySlice(ctx, *on, input, dims, offset, shape);
  }
};

struct StridedSlice {
  SliceMasks masks;
  const Primitives* on = nullptr;

  static absl::StatusOr<StridedSlice> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(SliceMasks masks, SliceMasks::Create(node));
    return StridedSlice{masks};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor input = ctx.input(0);
    SLUICE_ASSIGN(SlicePlan plan,
                  SlicePlan::Make(input.shape(), ctx.input(1), ctx.input(2), ctx.input(3), masks));
    if (plan.whole) {
      SLUICE_ASSIGN(Tensor out, input.Reshaped(plan.shape));
      ctx.SetOutput(0, std::move(out));
      return absl::OkStatus();
    }
    return CopySlice(ctx, *on, input, plan.dims, plan.offset, plan.shape);
  }
};

// Zeros of the given shape, with dy at the positions that StridedSlice read.
struct StridedSliceGrad {
  SliceMasks masks;
  const Primitives* on = nullptr;

  static absl::StatusOr<StridedSliceGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(SliceMasks masks, SliceMasks::Create(node));
    return StridedSliceGrad{masks};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor dy = ctx.input(4);
    if (ctx.input(0).rank() != 1)
      return InvalidArgument("shape must be 1-D, got shape.shape = ", ctx.input(0).shape());
    SLUICE_ASSIGN(Shape shape, ShapeFrom(ctx.input(0)));
    SLUICE_ASSIGN(SlicePlan plan,
                  SlicePlan::Make(shape, ctx.input(1), ctx.input(2), ctx.input(3), masks));
    if (!(plan.shape == dy.shape())) {
      return InvalidArgument("shape of dy was ", dy.shape(), " instead of ", plan.shape);
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (!plan.whole)
      SLUICE_RETURN_IF_ERROR(on->Zero(ctx, dy.dtype(), out->raw(), shape.num_elements()));
    for (CopyDim& dim : plan.dims) std::swap(dim.from, dim.to);
    return on->StridedCopy(ctx, dy.dtype(), plan.dims, dy.raw(),
                           At(out->raw(), plan.offset, ElementSize(dy.dtype())));
  }
};

}  // namespace

void RegisterSlice(KernelRegistry& kernels, const Primitives& on) {
  const DTypeSet types = TypesButInt32On(on, kAnyType);
  const DTypeSet index{kInt16, kInt32, kInt64};
  AddOn<Slice>(kernels, on, "Slice", {{"T", types}, {"Index", kIndex}},
               HostMemory{"begin", "size"});
  AddOn<StridedSlice>(kernels, on, "StridedSlice", {{"T", types}, {"Index", index}},
                      HostMemory{"begin", "end", "strides"});
  AddOn<StridedSliceGrad>(kernels, on, "StridedSliceGrad", {{"T", types}, {"Index", kIndex}},
                          HostMemory{"shape", "begin", "end", "strides"});

  AddOnHost<Slice>(kernels, on, "Slice", {{"T", kInt32}, {"Index", kIndex}},
                   HostMemory{"input", "begin", "size", "output"});
  AddOnHost<StridedSlice>(kernels, on, "StridedSlice", {{"T", kInt32}, {"Index", index}},
                          HostMemory{"input", "begin", "end", "strides", "output"});
  AddOnHost<StridedSliceGrad>(kernels, on, "StridedSliceGrad", {{"T", kInt32}, {"Index", kIndex}},
                              HostMemory{"shape", "begin", "end", "strides", "dy", "output"});
}

}  // namespace sluice::kernels
