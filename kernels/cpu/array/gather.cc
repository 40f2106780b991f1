// SPDX-License-Identifier: Apache-2.0
// Gather, GatherV2, GatherNd: rows of a tensor by index.
#include "core/runtime/kernel_registry.h"
#include "core/tensor/variant.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/update.h"
#include "kernels/cpu/array/register.h"

namespace sluice::kernels {
namespace {

constexpr int64_t kNone = std::numeric_limits<int64_t>::max();

// The flat position of the first bad index, independent of the order of the threads.
class FirstBad {
 public:
  void Note(int64_t at) {
    int64_t seen = at_.load(std::memory_order_relaxed);
    while (at < seen && !at_.compare_exchange_weak(seen, at)) {
    }
  }
  int64_t at() const { return at_.load(); }

 private:
  std::atomic<int64_t> at_{kNone};
};

// Copies slices of `size` elements of one dtype.
class SliceCopier {
 public:
  SliceCopier(DType dtype, int64_t size)
      : dtype_(dtype),
        size_(size),
        bytes_(IsPlain(dtype) ? static_cast<size_t>(size) * SizeOf(dtype) : 0) {}

  void Copy(const void* from, void* to) const {
    switch (bytes_) {
      case 0:
        CopyObjects(from, to);
        break;
      case 4:
        std::memcpy(to, from, 4);
        break;
      case 8:
        std::memcpy(to, from, 8);
        break;
      default:
        std::memcpy(to, from, bytes_);
    }
  }
  double cost() const {
    return 5 +
           (bytes_ == 0 ? 20.0 * static_cast<double>(size_) : 0.1 * static_cast<double>(bytes_));
  }

 private:
  void CopyObjects(const void* from, void* to) const {
    if (IsPlain(dtype_)) return;  // empty slices
    (void)VisitDType(TypeList<std::string, ResourceHandle, Variant>{}, dtype_,
                     [&]<typename T>(Type<T>) {
                       std::copy_n(static_cast<const T*>(from), size_, static_cast<T*>(to));
                       return absl::OkStatus();
                     });
  }

  const DType dtype_;
  const int64_t size_;
  const size_t bytes_;
};

struct GatherSizes {
  int64_t batch = 1, outer = 1, limit = 0, inner = 1, picks = 1;  // picks: indices of each batch
};

template <typename Index>
absl::Status GatherRows(KernelContext& ctx, const Tensor& params, const Tensor& indices,
                        const GatherSizes& n, Tensor& out) {
  const Index* index = indices.data<Index>();
  const size_t element = ElementSize(params.dtype());
  const SliceCopier copier(params.dtype(), n.inner);
  FirstBad bad;
  ParallelFor(
      ctx.pool(), n.batch * n.outer * n.picks, copier.cost(), [&](int64_t begin, int64_t end) {
        int64_t pick = begin % n.picks, block = begin / n.picks;  // block: batch and outer together
        for (int64_t i = begin; i < end; ++i) {
          const int64_t flat = block / n.outer * n.picks + pick;
          const int64_t row = static_cast<int64_t>(index[flat]);
          if (row < 0 || row >= n.limit) {
            bad.Note(flat);
          } else {
            copier.Copy(At(params.raw(), (block * n.limit + row) * n.inner, element),
                        At(out.raw(), i * n.inner, element));
          }
          if (++pick == n.picks) {
            pick = 0;
            ++block;
          }
        }
      });
  if (bad.at() == kNone) return absl::OkStatus();
  return InvalidArgument("indices", PositionText(indices.shape(), bad.at()), " = ",
                         IndexAt(indices, bad.at()), " is not in [0, ", n.limit, ")");
}

struct Gather {
  int64_t batch_dims;
  bool has_axis;

  static absl::StatusOr<Gather> Create(const NodeSpec& node) {
    const bool v2 = node.op == "GatherV2";
    return Gather{v2 ? GetAttrOr<int64_t>(node.attrs, "batch_dims", 0) : 0, v2};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &params = ctx.input(0), &indices = ctx.input(1);
    if (params.rank() < 1) return InvalidArgument("params must be at least 1 dimensional");
    SLUICE_ASSIGN(int axis, Axis(ctx, params));
    int64_t batch = batch_dims;
    if (batch < -indices.rank() || batch > indices.rank()) {
      return InvalidArgument("Expected batch_dims in the range [", -indices.rank(), ", ",
                             indices.rank(), "], but got ", batch);
    }
    if (batch < 0) batch += indices.rank();
    if (batch >= params.rank() && batch > 0) {
      return InvalidArgument("batch_dims (", batch, ") must be less than rank(params) (",
                             params.rank(), ").");
    }
    if (has_axis && ctx.input(2).num_elements() == 1 && axis < batch) {
      return InvalidArgument("batch_dims (", batch, ") must be less than or equal to axis (", axis,
                             ").");
    }
    for (int d = 0; d < batch; ++d) {
      if (params.dim(d) != indices.dim(d)) {
        return InvalidArgument("params.shape[", d, "]: ", params.dim(d),
                               " should be equal to indices.shape[", d, "]: ", indices.dim(d));
      }
    }
    return Rows(ctx, params, indices, axis, static_cast<int>(batch));
  }

 private:
  absl::StatusOr<int> Axis(const KernelContext& ctx, const Tensor& params) const {
    if (!has_axis) return 0;
    if (ctx.input(2).rank() != 0) return InvalidArgument("axis must be scalar");
    SLUICE_ASSIGN(int64_t given, IntScalar(ctx.input(2)));
    int axis;
    if (!NormalizeAxis(given, params.rank(), &axis)) {
      return InvalidArgument("Expected axis in the range [", -params.rank(), ", ", params.rank(),
                             "), but got ", given);
    }
    return axis;
  }

  static absl::Status Rows(KernelContext& ctx, const Tensor& params, const Tensor& indices,
                           int axis, int batch) {
    GatherSizes n;
    n.batch = ProductOf(params.shape(), 0, batch);
    n.outer = ProductOf(params.shape(), batch, axis);
    n.limit = params.dim(axis);
    n.inner = ProductOf(params.shape(), axis + 1, params.rank());
    n.picks = ProductOf(indices.shape(), batch, indices.rank());
    Shape::Dims sizes(params.shape().dims().begin(), params.shape().dims().begin() + axis);
    sizes.insert(sizes.end(), indices.shape().dims().begin() + batch, indices.shape().dims().end());
    sizes.insert(sizes.end(), params.shape().dims().begin() + axis + 1,
                 params.shape().dims().end());
    SLUICE_ASSIGN(Shape shape, Shape::Create(sizes));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    return VisitDType(
        TypeList<int32_t, int64_t, int16_t>{}, indices.dtype(),
        [&]<typename I>(Type<I>) { return GatherRows<I>(ctx, params, indices, n, *out); });
  }
};

struct GatherNd {
  bool ignore_bad;  // the slice stays zero
  std::string name;

  static absl::StatusOr<GatherNd> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(bool ignore, IgnoresBadIndices(node));
    return GatherNd{ignore, node.name};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &params = ctx.input(0), &indices = ctx.input(1);
    if (params.rank() < 1) return InvalidArgument("params must be at least a vector");
    if (indices.rank() < 1) return InvalidArgument("indices must be at least a vector");
    const int depth_dim = indices.rank() - 1;
    const int64_t depth = indices.dim(depth_dim);
    if (depth > params.rank()) {
      return InvalidArgument("index innermost dimension length must be <= params rank; saw: ",
                             depth, " vs. ", params.rank());
    }
    const Shape picks = SubShape(indices.shape(), 0, depth_dim);
    SLUICE_ASSIGN(Shape shape, JoinShapes(picks, SubShape(params.shape(), static_cast<int>(depth),
                                                          params.rank())));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (picks.num_elements() > 0 && params.num_elements() == 0)
      return InvalidArgument("Requested more than 0 entries, but params is empty.  Params shape: ",
                             params.shape());
    if (shape.num_elements() == 0) return absl::OkStatus();
    return Slices(ctx, params, indices, static_cast<int>(depth), picks, *out);
  }

 private:
  absl::Status Slices(KernelContext& ctx, const Tensor& params, const Tensor& indices, int depth,
                      const Shape& picks, Tensor& out) const {
    const int64_t inner = ProductOf(params.shape(), depth, params.rank());
    const size_t element = ElementSize(params.dtype());
    const SliceCopier copier(params.dtype(), inner);
    FirstBad bad;
    ParallelFor(ctx.pool(), picks.num_elements(), copier.cost() + 3 * depth,
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    int64_t row = 0;
                    bool good = true;
                    for (int d = 0; d < depth; ++d) {
                      const int64_t at = IndexAt(indices, i * depth + d);
                      good &= at >= 0 && at < params.dim(d);
                      row = good ? row * params.dim(d) + at : 0;
                    }
                    if (good)
                      copier.Copy(At(params.raw(), row * inner, element),
                                  At(out.raw(), i * inner, element));
                    else if (!ignore_bad)
                      bad.Note(i);
                    else if (IsPlain(params.dtype()))
                      std::memset(At(out.raw(), i * inner, element), 0,
                                  static_cast<size_t>(inner) * element);
                  }
                });
    if (bad.at() == kNone) return absl::OkStatus();
    std::string index;
    for (int d = 0; d < depth; ++d)
      absl::StrAppend(&index, d == 0 ? "" : ", ", IndexAt(indices, bad.at() * depth + d));
    return InvalidArgument("indices", PositionText(picks, bad.at()), " = [", index,
                           "] does not index into param shape ", params.shape(),
                           ", node name: ", name);
  }
};

}  // namespace

void RegisterGather(KernelRegistry& kernels) {
  const DTypeSet index{kInt16, kInt32, kInt64};
  kernels.Add<Gather>("Gather", kCpu, {{"Tparams", kAnyType}, {"Tindices", kIndex}});
  kernels.Add<Gather>("GatherV2", kCpu,
                      {{"Tparams", kAnyType}, {"Tindices", index}, {"Taxis", kIndex}});
  kernels.Add<GatherNd>("GatherNd", kCpu, {{"Tparams", kAnyType}, {"Tindices", index}});
}

}  // namespace sluice::kernels
