// SPDX-License-Identifier: Apache-2.0
// Reductions of sparse tensors over some of their axes, and softmax over the last one.
#include <algorithm>
#include <cmath>

#include "absl/strings/str_join.h"
#include "core/runtime/kernel_registry.h"
#include "core/tensor/wrapping.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/axis.h"
#include "kernels/cpu/sparse/register.h"
#include "kernels/cpu/sparse/sparse.h"

namespace sluice::kernels {
namespace {

// The axes that stay, and the sizes of the result.
struct Plan {
  std::vector<int> kept;
  Shape::Dims sizes;
};

absl::StatusOr<Plan> MakePlan(const SparseTensor& x, const Tensor& axes, bool keep_dims) {
  if (axes.rank() > 1)
    return InvalidArgument("Expected reduction_axes to be a scalar or a vector; got shape: ",
                           axes.shape());
  std::vector<bool> reduced(x.rank(), false);
  for (int64_t i = 0; i < axes.num_elements(); ++i) {
    int axis;
    if (!NormalizeAxis(IndexAt(axes, i), x.rank(), &axis)) {
      return InvalidArgument("Invalid reduction dimension ", IndexAt(axes, i), ", for input with ",
                             x.rank(), " dimensions.");
    }
    reduced[axis] = true;
  }
  Plan plan;
  for (int d = 0; d < x.rank(); ++d) {
    if (!reduced[d]) plan.kept.push_back(d);
    if (!reduced[d] || keep_dims) plan.sizes.push_back(reduced[d] ? 1 : x.shape.dim(d));
  }
  return plan;
}

// Groups of values with the same indices along the kept axes, in order of those indices.
struct Groups {
  std::vector<int64_t> keys;   // group after group
  std::vector<int64_t> order;  // value numbers, group after group
  std::vector<int64_t> first;  // where each group begins in `order`, and the end
  int64_t count() const { return static_cast<int64_t>(first.size()) - 1; }
};

Groups MakeGroups(const SparseTensor& x, const std::vector<int>& kept) {
  const int rank = static_cast<int>(kept.size());
  std::vector<int64_t> keys;
  keys.reserve(x.count() * rank);
  for (const int64_t i : Cancellable(x.count())) {
    for (int d : kept) keys.push_back(x.row(i)[d]);
  }
  Groups groups;
  groups.order = SortedRows(keys.data(), x.count(), rank);
  for (const int64_t k : Cancellable(x.count())) {
    const int64_t* key = keys.data() + groups.order[k] * rank;
    if (k > 0 && CompareRows(keys.data() + groups.order[k - 1] * rank, key, rank) == 0) continue;
    groups.first.push_back(k);
    groups.keys.insert(groups.keys.end(), key, key + rank);
  }
  groups.first.push_back(x.count());
  return groups;
}

// One value for each group.
template <bool kMaximum, typename T>
void ReduceGroups(const Groups& groups, const T* values, T* out) {
  using C = ComputeType<T>;
  for (const int64_t g : Cancellable(groups.count())) {
    C result = static_cast<C>(values[groups.order[groups.first[g]]]);
    for (int64_t k = groups.first[g] + 1; k < groups.first[g + 1]; ++k) {
      const auto x = static_cast<C>(values[groups.order[k]]);
      if constexpr (kMaximum)
        result = result < x ? x : result;
      else
        result = SumOf(result, x);
    }
    out[g] = static_cast<T>(result);
  }
}

template <bool kMaximum, bool kSparseOutput>
struct SparseReduce {
  bool keep_dims;

  using Types = std::conditional_t<kMaximum, RealTypes, NumericTypes>;

  static absl::StatusOr<SparseReduce> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(bool keep, node.Get<bool>("keep_dims"));
    return SparseReduce{keep};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const SparseTensor x, SparseTensor::At(ctx, 0));
    SLUICE_ASSIGN(const Plan plan, MakePlan(x, ctx.input(3), keep_dims));
    SLUICE_RETURN_IF_ERROR(x.CheckBounds());
    const Groups groups = MakeGroups(x, plan.kept);
    SLUICE_ASSIGN(Tensor reduced, ctx.AllocateTemporary(x.values.dtype(), Shape{groups.count()}));
    SLUICE_RETURN_IF_ERROR(VisitDType(Types{}, reduced.dtype(), [&]<typename T>(Type<T>) {
      ReduceGroups<kMaximum>(groups, x.values.data<T>(), reduced.mutable_data<T>());
      return absl::OkStatus();
    }));
    return kSparseOutput ? SetSparse(ctx, plan, groups, std::move(reduced))
                         : SetDense(ctx, plan, x, groups, reduced);
  }

 private:
  absl::Status SetSparse(KernelContext& ctx, const Plan& plan, const Groups& groups,
                         Tensor reduced) const {
    const auto kept = static_cast<int64_t>(plan.kept.size());
    const auto rank = static_cast<int64_t>(plan.sizes.size());
    SLUICE_ASSIGN(Tensor * indices, ctx.AllocateOutput(0, Shape{groups.count(), rank}));
    int64_t* to = indices->mutable_data<int64_t>();
    std::fill_n(to, indices->num_elements(), 0);
    for (const int64_t g : Cancellable(groups.count())) {
      for (int64_t j = 0; j < kept; ++j)
        to[g * rank + (keep_dims ? plan.kept[j] : j)] = groups.keys[g * kept + j];
    }
    ctx.SetOutput(1, std::move(reduced));
    return SetSizes(ctx, 2, plan.sizes);
  }

  // Zero where a group has no values.
  absl::Status SetDense(KernelContext& ctx, const Plan& plan, const SparseTensor& x,
                        const Groups& groups, const Tensor& reduced) const {
    SLUICE_ASSIGN(const Shape shape, Shape::Create(plan.sizes));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const size_t kept = plan.kept.size();
    return VisitDType(Types{}, reduced.dtype(), [&]<typename T>(Type<T>) {
      T* to = out->mutable_data<T>();
      std::fill_n(to, shape.num_elements(), T());
      for (const int64_t g : Cancellable(groups.count())) {
        int64_t at = 0;
        for (size_t j = 0; j < kept; ++j)
          at = at * x.shape.dim(plan.kept[j]) + groups.keys[g * kept + j];
        to[at] = reduced.data<T>()[g];
      }
      return absl::OkStatus();
    });
  }
};

// Each row of the last axis is computed alone; missing values have no weight. Results follow the
// order of the sorted indices, whatever the order of the input, as in TensorFlow.
struct SparseSoftmax {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const SparseTensor x, SparseTensor::At(ctx, 0));
    if (x.rank() < 2)
      return InvalidArgument("Input should have rank >= 2, but received shape: ",
                             absl::StrJoin(x.shape.dims(), " "));
    SLUICE_RETURN_IF_ERROR(x.CheckBounds());
    const std::vector<int64_t> order = SortedRows(x.indices.data<int64_t>(), x.count(), x.rank());
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, x.values.shape()));
    return VisitDType(FloatingTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      using C = ComputeType<T>;
      const T* from = x.values.data<T>();
      T* to = out->mutable_data<T>();
      std::vector<C> exps;
      for (int64_t first = 0, end; first < x.count(); first = end) {
        C largest = static_cast<C>(from[order[first]]), sum = 0;
        for (end = first; end < x.count() && SameRow(x, order[first], order[end]); ++end)
          largest = std::max(largest, static_cast<C>(from[order[end]]));
        exps.clear();
        for (int64_t k = first; k < end; ++k) {
          exps.push_back(std::exp(static_cast<C>(from[order[k]]) - largest));
          sum += exps.back();
        }
        for (int64_t k = first; k < end; ++k) to[k] = static_cast<T>(exps[k - first] / sum);
      }
      return absl::OkStatus();
    });
  }

 private:
  static bool SameRow(const SparseTensor& x, int64_t i, int64_t j) {
    return CompareRows(x.row(i), x.row(j), x.rank() - 1) == 0;
  }
};

}  // namespace

void RegisterSparseReduce(KernelRegistry& kernels) {
  kernels.Add<SparseReduce<false, false>>("SparseReduceSum", kCpu, {{"T", kNumeric}});
  kernels.Add<SparseReduce<false, true>>("SparseReduceSumSparse", kCpu, {{"T", kNumeric}});
  kernels.Add<SparseReduce<true, false>>("SparseReduceMax", kCpu, {{"T", kReal}});
  kernels.Add<SparseReduce<true, true>>("SparseReduceMaxSparse", kCpu, {{"T", kReal}});
  kernels.Add<SparseSoftmax>("SparseSoftmax", kCpu, {{"T", {kHalf, kFloat, kDouble}}});
}

}  // namespace sluice::kernels
