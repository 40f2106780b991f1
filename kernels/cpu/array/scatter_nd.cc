// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/array/scatter_nd.h"

#include "core/runtime/kernel_registry.h"
#include "core/tensor/variant.h"
#include "kernels/common/axis.h"
#include "kernels/common/update.h"
#include "kernels/cpu/array/register.h"

namespace sluice::kernels {
namespace {

// Combines rows of `target` with rows of updates.
using CombineRow = std::function<void(const void* update, void* target, int64_t n)>;

CombineRow Loop(BinaryLoop loop) {
  return
      [loop](const void* update, void* target, int64_t n) { loop.Run(target, update, target, n); };
}

absl::StatusOr<CombineRow> RowRule(ScatterRule rule, DType dtype) {
  if (rule == ScatterRule::kAssign) {
    if (IsPlain(dtype)) {
      const size_t size = SizeOf(dtype);
      return CombineRow([size](const void* update, void* target, int64_t n) {
        std::memcpy(target, update, static_cast<size_t>(n) * size);
      });
    }
    CombineRow copy;
    SLUICE_RETURN_IF_ERROR(VisitWidth(dtype, [&]<typename T>(Type<T>) {
      copy = [](const void* update, void* target, int64_t n) {
        std::copy_n(static_cast<const T*>(update), n, static_cast<T*>(target));
      };
      return absl::OkStatus();
    }));
    return copy;
  }
  if (rule == ScatterRule::kAdd && dtype == kBool) {  // true + true = true
    return CombineRow([](const void* update, void* target, int64_t n) {
      for (int64_t i = 0; i < n; ++i)
        static_cast<bool*>(target)[i] |= static_cast<const bool*>(update)[i];
    });
  }
  const BinaryLoop loop = rule == ScatterRule::kAdd        ? AddLoop(dtype)
                          : rule == ScatterRule::kSubtract ? SubLoop(dtype)
                          : rule == ScatterRule::kMaximum  ? MaximumLoop(dtype)
                                                           : MinimumLoop(dtype);
  if (loop.fn == nullptr) return Unimplemented("no scatter of this kind for ", dtype);
  return Loop(loop);
}

struct ScatterNd {
  bool ignore_bad;

  static absl::StatusOr<ScatterNd> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(bool ignore, IgnoresBadIndices(node));
    return ScatterNd{ignore};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &indices = ctx.input(0), &updates = ctx.input(1);
    SLUICE_ASSIGN(Shape shape, ShapeFrom(ctx.input(2)));
    SLUICE_RETURN_IF_ERROR(CheckSlices(shape, indices.shape(), updates.shape()));
    SLUICE_RETURN_IF_ERROR(CheckNoVector(indices.shape(), updates.shape(), shape));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (IsPlain(out->dtype()) && shape.num_elements() > 0) std::memset(out->raw(), 0, out->bytes());
    return ScatterSlices(indices, updates, ScatterRule::kAdd, ignore_bad, *out);
  }
};

// A copy of the tensor with changed slices; the tensor itself if there is no other reference.
struct TensorScatter {
  ScatterRule rule;
  bool ignore_bad, takes_vector;

  static absl::StatusOr<TensorScatter> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(bool ignore, IgnoresBadIndices(node));
    const ScatterRule rule = node.op == "TensorScatterUpdate" ? ScatterRule::kAssign
                             : node.op == "TensorScatterSub"  ? ScatterRule::kSubtract
                             : node.op == "TensorScatterMax"  ? ScatterRule::kMaximum
                             : node.op == "TensorScatterMin"  ? ScatterRule::kMinimum
                                                              : ScatterRule::kAdd;
    return TensorScatter{rule, ignore, node.op == "ScatterNdNonAliasingAdd"};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor indices = ctx.input(1), updates = ctx.input(2);
    const Shape shape = ctx.input(0).shape();
    SLUICE_RETURN_IF_ERROR(CheckSlices(shape, indices.shape(), updates.shape()));
    if (!takes_vector)
      SLUICE_RETURN_IF_ERROR(CheckNoVector(indices.shape(), updates.shape(), shape));
    const void* before = ctx.input(0).raw();
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0}, 0, shape));
    if (out->raw() != before && shape.num_elements() > 0) {
      SLUICE_RETURN_IF_ERROR(VisitWidth(out->dtype(), [&]<typename T>(Type<T>) {
        std::copy_n(static_cast<const T*>(before), shape.num_elements(), out->mutable_data<T>());
        return absl::OkStatus();
      }));
    }
    return ScatterSlices(indices, updates, rule, ignore_bad, *out);
  }
};

}  // namespace

absl::Status ScatterSlices(const Tensor& indices, const Tensor& updates, ScatterRule rule,
                           bool ignore_bad, Tensor& target) {
  SLUICE_RETURN_IF_ERROR(CheckSlices(target.shape(), indices.shape(), updates.shape()));
  SLUICE_ASSIGN(CombineRow combine, RowRule(rule, target.dtype()));
  const int depth = static_cast<int>(indices.dim(indices.rank() - 1));
  const Shape picks = SubShape(indices.shape(), 0, indices.rank() - 1);
  const int64_t inner = ProductOf(target.shape(), depth, target.rank());
  const size_t element = ElementSize(target.dtype());
  if (updates.num_elements() == 0) return absl::OkStatus();
  for (int64_t i = 0; i < picks.num_elements(); ++i) {
    int64_t row = 0;
    bool good = true;
    for (int d = 0; d < depth && good; ++d) {
      const int64_t at = IndexAt(indices, i * depth + d);
      good = at >= 0 && at < target.dim(d);
      row = row * target.dim(d) + at;
    }
    if (good) {
      combine(At(updates.raw(), i * inner, element), At(target.raw(), row * inner, element), inner);
    } else if (!ignore_bad) {
      std::string index;
      for (int d = 0; d < depth; ++d)
        absl::StrAppend(&index, d == 0 ? "" : ", ", IndexAt(indices, i * depth + d));
      return InvalidArgument("indices", PositionText(picks, i), " = [", index,
                             "] does not index into shape ", target.shape());
    }
  }
  return absl::OkStatus();
}

void RegisterScatterNd(KernelRegistry& kernels) {
  const DTypeSet index{kInt16, kInt32, kInt64};
  const DTypeSet values = kAnyType.Without({kResource, kVariant});
  kernels.Add<ScatterNd>("ScatterNd", kCpu,
                         {{"T", kNumeric | DTypeSet{kBool, kString}}, {"Tindices", index}});
  kernels.Add<TensorScatter>("TensorScatterUpdate", kCpu,
                             {{"T", values}, {"Tindices", {kInt16, kUint16, kInt32, kInt64}}});
  kernels.Add<TensorScatter>("TensorScatterAdd", kCpu,
                             {{"T", kNumeric | DTypeSet{kBool, kString}}, {"Tindices", kIndex}});
  kernels.Add<TensorScatter>("ScatterNdNonAliasingAdd", kCpu,
                             {{"T", kNumeric | DTypeSet(kBool)}, {"Tindices", kIndex}});
  kernels.Add<TensorScatter>("TensorScatterSub", kCpu, {{"T", kNumeric}, {"Tindices", kIndex}});
  kernels.Add<TensorScatter>("TensorScatterMax", kCpu, {{"T", kReal}, {"Tindices", kIndex}});
  kernels.Add<TensorScatter>("TensorScatterMin", kCpu, {{"T", kReal}, {"Tindices", kIndex}});
}

}  // namespace sluice::kernels
