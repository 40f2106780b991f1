// SPDX-License-Identifier: Apache-2.0
// QuantizedConcat and QuantizedReshape.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/array/reshaped.h"
#include "kernels/common/axis.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/quantized/level_range.h"
#include "kernels/cpu/quantized/register.h"

namespace sluice::kernels {
namespace {

// Joins tensors of different ranges: the result's range contains all of them.
struct QuantizedConcat {
  int count;

  static absl::StatusOr<QuantizedConcat> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t count, node.Get<int64_t>("N"));
    return QuantizedConcat{static_cast<int>(count)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &axis = ctx.input(0), &first = ctx.input(1);
    if (axis.rank() != 0) {
      return InvalidArgument("Concat dim tensor should be a scalar integer, but got shape ",
                             axis.shape());
    }
    const int32_t dim = axis.scalar<int32_t>();
    if (dim < 0 || dim >= first.rank()) {
      return InvalidArgument("ConcatOp : Expected concatenating dimensions in the range [0, ",
                             first.rank(), "), but got ", dim);
    }
    SLUICE_ASSIGN(const std::vector<LevelRange> ranges, Ranges(ctx));
    const LevelRange all = Common(ranges, ctx.output_type(0));
    SLUICE_ASSIGN(const Shape shape, JoinedShape(ctx, dim));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    all.Write(ctx);
    if (shape.num_elements() == 0) return absl::OkStatus();
    return VisitDType(TypeList<Quint8, Qint32>{}, out->dtype(), [&]<typename Q>(Type<Q>) {
      const AxisView view(shape, dim);
      const int64_t row = view.size * view.inner;
      Q* to = out->mutable_data<Q>();
      for (int i = 0; i < count; ++i) {
        const int64_t size = ctx.input(i + 1).dim(dim) * view.inner;
        CopyRows(ctx, ctx.input(i + 1).data<Q>(), view.outer, size, ranges[i], all, row, to);
        to += size;
      }
      return absl::OkStatus();
    });
  }

 private:
  absl::StatusOr<std::vector<LevelRange>> Ranges(const KernelContext& ctx) const {
    std::vector<LevelRange> ranges(count);
    for (int i = 0; i < count; ++i) {
      const Tensor &min = ctx.input(1 + count + i), &max = ctx.input(1 + 2 * count + i);
      if (min.num_elements() != 1 || max.num_elements() != 1) {
        return InvalidArgument("the ends of range ", i, " must be scalars, got ", min.shape(),
                               " and ", max.shape());
      }
      ranges[i] = {min.scalar<float>(), max.scalar<float>()};
    }
    return ranges;
  }
  // 32-bit levels have zero in the middle.
  static LevelRange Common(const std::vector<LevelRange>& ranges, DType dtype) {
    LevelRange all = ranges[0];
    for (const LevelRange& r : ranges) all = {std::min(all.min, r.min), std::max(all.max, r.max)};
    all.min = std::min(0.0f, all.min);
    if (dtype != kQint32) return all;
    const float largest = std::max(std::abs(all.min), std::abs(all.max));
    return {-largest, largest};
  }
  absl::StatusOr<Shape> JoinedShape(const KernelContext& ctx, int axis) const {
    const Shape& first = ctx.input(1).shape();
    Shape::Dims sizes(first.dims().begin(), first.dims().end());
    for (int i = 1; i < count; ++i) {
      const Shape& next = ctx.input(i + 1).shape();
      if (next.rank() != first.rank()) {
        return InvalidArgument("ConcatOp : Ranks of all input tensors should match: shape[0] = ",
                               first, " vs. shape[", i, "] = ", next);
      }
      for (int d = 0; d < first.rank(); ++d) {
        if (d == axis || next.dim(d) == first.dim(d)) continue;
        return InvalidArgument("ConcatOp : Dimensions of inputs should match: shape[0] = ", first,
                               " vs. shape[", i, "] = ", next);
      }
      if (!AddFits(sizes[axis], next.dim(axis), &sizes[axis]))
        return InvalidArgument("ConcatOp : concatenated size overflows");
    }
    return Shape::Create(sizes);
  }
  // Copies rows of `size` levels into rows of `stride` levels.
  template <typename Q>
  static void CopyRows(KernelContext& ctx, const Q* from, int64_t rows, int64_t size,
                       LevelRange range, LevelRange all, int64_t stride, Q* to) {
    const bool same = range.min == all.min && range.max == all.max;
    const FloatOfLevel<Q> value(range.min, range.max);
    const LevelOfFloat<Q> level(all.min, all.max);
    ParallelFor(ctx.pool(), rows, (same ? 0.1 : 2.0) * static_cast<double>(size),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    const Q* in = from + i * size;
                    Q* out = to + i * stride;
                    if (same) {
                      std::memcpy(out, in, static_cast<size_t>(size) * sizeof(Q));
                    } else {
                      for (int64_t j = 0; j < size; ++j) out[j] = level(value(in[j]));
                    }
                  }
                });
  }
};

struct QuantizedReshape {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Shape shape, ReshapedShape(ctx.input(0).shape(), ctx.input(1)));
    SLUICE_ASSIGN(const LevelRange range, LevelRange::Read(ctx, 2));
    SLUICE_ASSIGN(Tensor out, ctx.input(0).Reshaped(shape));
    ctx.SetOutput(0, std::move(out));
    range.Write(ctx);
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterQuantizedArray(KernelRegistry& kernels) {
  kernels.Add<QuantizedConcat>("QuantizedConcat", kCpu, {{"T", {kQuint8, kQint32}}});
  kernels.Add<QuantizedReshape>("QuantizedReshape", kCpu,
                                {{"T", {kQuint8, kQint32}}, {"Tshape", kIndex}});
}

}  // namespace sluice::kernels
