// SPDX-License-Identifier: Apache-2.0
// Unique and similar ops: distinct elements (or slices along an axis) in the order of their first
// occurrence.
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"
#include "kernels/cpu/array/register.h"

namespace sluice::kernels {
namespace {

template <typename T>
inline constexpr bool kIsComplexType = false;
template <typename T>
inline constexpr bool kIsComplexType<std::complex<T>> = true;

// A slice [outer, 1, inner] of a tensor. Slices are equal by value, so that a NaN is always new and
// -0 equals 0.
template <typename T>
class Slices {
 public:
  Slices(const T* data, const AxisView& view) : data_(data), view_(view) {}

  size_t Hash(int64_t i) const {
    size_t hash = 0;
    ForEach(i, [&](const T& value) {
      if constexpr (kIsComplexType<T>)
        hash = absl::HashOf(hash, value.real(), value.imag());
      else
        hash = absl::HashOf(hash, Key(value));
    });
    return hash;
  }
  bool Equal(int64_t i, int64_t j) const {
    for (int64_t o = 0; o < view_.outer; ++o) {
      const T* a = data_ + (o * view_.size + i) * view_.inner;
      const T* b = data_ + (o * view_.size + j) * view_.inner;
      for (int64_t k = 0; k < view_.inner; ++k) {
        if (!(Key(a[k]) == Key(b[k]))) return false;
      }
    }
    return true;
  }

 private:
  static decltype(auto) Key(const T& value) {
    if constexpr (kIsNarrowFloat<T>)
      return static_cast<float>(value);
    else
      return (value);
  }
  template <typename Fn>
  void ForEach(int64_t i, Fn fn) const {
    for (int64_t o = 0; o < view_.outer; ++o) {
      const T* slice = data_ + (o * view_.size + i) * view_.inner;
      for (int64_t k = 0; k < view_.inner; ++k) fn(slice[k]);
    }
  }

  const T* data_;
  const AxisView view_;
};

struct Distinct {
  std::vector<int64_t> first;  // index of the first occurrence of each distinct slice
  std::vector<int64_t> id;     // of every slice
  std::vector<int64_t> counts;
};

template <typename T>
Distinct FindDistinct(const T* data, const AxisView& view) {
  const Slices<T> slices(data, view);
  const auto hash = [&](int64_t i) { return slices.Hash(i); };
  // A slice with a NaN equals only itself.
  const auto equal = [&](int64_t i, int64_t j) { return i == j || slices.Equal(i, j); };
  absl::flat_hash_map<int64_t, int64_t, decltype(hash), decltype(equal)> ids(16, hash, equal);
  Distinct result;
  result.id.reserve(view.size);
  for (const int64_t i : Cancellable(view.size)) {
    const auto [it, added] = ids.try_emplace(i, static_cast<int64_t>(result.first.size()));
    if (added) {
      result.first.push_back(i);
      result.counts.push_back(0);
    }
    result.id.push_back(it->second);
    ++result.counts[it->second];
  }
  return result;
}

absl::Status SetIndices(KernelContext& ctx, int output, const std::vector<int64_t>& values) {
  SLUICE_ASSIGN(Tensor * out,
                ctx.AllocateOutput(output, Shape{static_cast<int64_t>(values.size())}));
  if (out->dtype() == kInt64)
    std::copy(values.begin(), values.end(), out->mutable_data<int64_t>());
  else
    std::copy(values.begin(), values.end(), out->mutable_data<int32_t>());
  return absl::OkStatus();
}

struct Unique {
  bool v2;

  static absl::StatusOr<Unique> Create(const NodeSpec& node) {
    return Unique{node.input_types.size() > 1};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(int axis, Axis(ctx, x));
    const AxisView view(x.shape(), axis);
    return VisitDType(
        Join<NumericTypes, TypeList<bool, std::string>>{}, x.dtype(),
        [&]<typename T>(Type<T>) -> absl::Status {
          const Distinct distinct = FindDistinct(x.data<T>(), view);
          Shape shape = x.shape();
          shape.SetDim(axis, static_cast<int64_t>(distinct.first.size()));
          SLUICE_ASSIGN(Tensor * y, ctx.AllocateOutput(0, shape));
          T* to = y->mutable_data<T>();
          for (int64_t o = 0; o < view.outer; ++o) {
            CancelPoints points(1 << 14);
            for (int64_t i : distinct.first) {
              points.Pass(view.inner);
              to = std::copy_n(x.data<T>() + (o * view.size + i) * view.inner, view.inner, to);
            }
          }
          SLUICE_RETURN_IF_ERROR(SetIndices(ctx, 1, distinct.id));
          return ctx.num_outputs() > 2 ? SetIndices(ctx, 2, distinct.counts) : absl::OkStatus();
        });
  }

 private:
  absl::StatusOr<int> Axis(const KernelContext& ctx, const Tensor& x) const {
    if (v2 && ctx.input(1).rank() != 1) return InvalidArgument("axis expects a 1D vector.");
    if (!v2 || ctx.input(1).num_elements() == 0) {
      if (x.rank() != 1) return InvalidArgument("unique expects a 1D vector.");
      return 0;
    }
    if (ctx.input(1).num_elements() != 1) {
      return InvalidArgument("axis does not support input tensors larger than 1 elements");
    }
    SLUICE_ASSIGN(int64_t given, IntScalar(ctx.input(1)));
    int axis;
    if (!NormalizeAxis(given, x.rank(), &axis))
      return InvalidArgument("axis has to be between [0, ", x.rank(), "), got ", given);
    return axis;
  }
};

}  // namespace

void RegisterUnique(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> types{{"T", kNumeric | DTypeSet{kBool, kString}},
                                          {"out_idx", kIndex}};
  for (const char* op : {"Unique", "UniqueV2", "UniqueWithCounts", "UniqueWithCountsV2"})
    kernels.Add<Unique>(op, kCpu, types);
  // As in TensorFlow: the indices of sparse gradients are made unique on the host.
  kernels.Add<Unique>("Unique", kGpu, {{"T", kIndex}, {"out_idx", kIndex}},
                      HostMemory{"x", "y", "idx"});
}

}  // namespace sluice::kernels
