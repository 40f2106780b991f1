// SPDX-License-Identifier: Apache-2.0
// TopK: the k largest elements of each row; InTopK: whether a target is among them.
#include <numeric>

#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/axis.h"
#include "kernels/common/nn/in_top_k_plan.h"
#include "kernels/common/nn/top_k_plan.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

// Of equal elements, the one with the lower index comes first. NaN counts as the smallest value, so
// that there is an order.
template <typename T>
struct Before {
  const T* row;

  bool operator()(int32_t i, int32_t j) const {
    using C = ComputeType<T>;
    const C a = static_cast<C>(row[i]), b = static_cast<C>(row[j]);
    if (a > b) return true;
    if (b > a) return false;
    if constexpr (std::is_floating_point_v<C>) {
      if (std::isnan(a) != std::isnan(b)) return std::isnan(b);
    }
    return i < j;
  }
};

// k < n, in the order of TensorFlow's heap, which clients see if they do not request a sorted row.
// The worst of k + 1 elements is removed, and a better later element takes its place.
template <typename T>
void SelectUnsorted(const T* row, int64_t n, int64_t k, std::vector<int32_t>& order) {
  const Before<T> before{row};
  order.resize(k + 1);
  std::iota(order.begin(), order.end(), 0);
  std::make_heap(order.begin(), order.end(), before);
  std::pop_heap(order.begin(), order.end(), before);
  CancelPoints points(1 << 14);
  for (auto i = static_cast<int32_t>(k + 1); i < n; ++i) {
    points.Pass();
    if (!before(i, order.front())) continue;
    order.back() = i;
    std::pop_heap(order.begin(), order.end(), before);
  }
}

template <typename T>
void SelectTop(const T* row, int64_t n, int64_t k, std::vector<int32_t>& order) {
  const Before<T> before{row};
  if (k > 0 && k <= 64 && k < n / 8) {
    // Few of many: a short sorted list, which most elements do not enter.
    order.clear();
    for (int32_t i = 0; i < n; ++i) {
      if (static_cast<int64_t>(order.size()) == k) {
        if (!before(i, order.back())) continue;
        order.pop_back();
      }
      order.insert(std::upper_bound(order.begin(), order.end(), i, before), i);
    }
    return;
  }
  order.resize(n);
  std::iota(order.begin(), order.end(), 0);
  CancelPoints points(1 << 16);
  const auto cancellable = CancellableOrder(points, before);
  if (k < n) std::nth_element(order.begin(), order.begin() + k, order.end(), cancellable);
  std::sort(order.begin(), order.begin() + k, cancellable);
}

struct TopK {
  TopKPlan plan;

  static absl::StatusOr<TopK> Create(const NodeSpec& node) {
    // Like TensorFlow on CPUs, ApproxTopK finds the exact result, and only this one.
    const bool others = GetAttrOr<int64_t>(node.attrs, "reduction_dimension", -1) != -1 ||
                        !GetAttrOr<bool>(node.attrs, "is_max_k", true);
    if (others) return Unimplemented("only the largest elements of the last dimension are found");
    SLUICE_ASSIGN(const TopKPlan plan, TopKPlan::Create(node));
    return TopK{plan};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const TopKPlan::Sizes sizes, plan.CheckInputs(ctx));
    const auto& [k, n, shape] = sizes;
    SLUICE_ASSIGN(Tensor * values, ctx.AllocateOutput(0, shape));
    SLUICE_ASSIGN(Tensor * indices, ctx.AllocateOutput(1, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    return VisitDType(RealTypes{}, x.dtype(), [&]<typename T>(Type<T>) {
      ParallelFor(ctx.pool(), shape.num_elements() / k, 20.0 * static_cast<double>(n),
                  [&](int64_t begin, int64_t end) {
                    std::vector<int32_t> order;
                    for (int64_t row = begin; row < end; ++row)
                      Row<T>(x.data<T>() + row * n, n, row * k, k, order, *values, *indices);
                  });
      return absl::OkStatus();
    });
  }

 private:
  template <typename T>
  void Row(const T* row, int64_t n, int64_t at, int64_t k, std::vector<int32_t>& order,
           Tensor& values, Tensor& indices) const {
    if (plan.sorted || k == n) {
      SelectTop(row, n, k, order);
    } else {
      SelectUnsorted(row, n, k, order);
    }
    for (int64_t i = 0; i < k; ++i) {
      values.mutable_data<T>()[at + i] = row[order[i]];
      switch (indices.dtype()) {
        case kInt16:
          indices.mutable_data<int16_t>()[at + i] = static_cast<int16_t>(order[i]);
          break;
        case kInt64:
          indices.mutable_data<int64_t>()[at + i] = order[i];
          break;
        default:
          indices.mutable_data<int32_t>()[at + i] = order[i];
      }
    }
  }
};

// Ties with the target count as in. A bad label, or a row with a non-finite value, does not.
struct InTopK {
  InTopKPlan plan;

  static absl::StatusOr<InTopK> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const InTopKPlan plan, InTopKPlan::Create(node));
    return InTopK{plan};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &predictions = ctx.input(0), &targets = ctx.input(1);
    SLUICE_ASSIGN(const int64_t k, plan.CheckInputs(ctx));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, targets.shape()));
    const int64_t classes = predictions.dim(1);
    for (int64_t i = 0; i < targets.num_elements(); ++i) {
      out->mutable_data<bool>()[i] =
          IsIn(predictions.data<float>() + i * classes, classes, IndexAt(targets, i), k);
    }
    return absl::OkStatus();
  }

 private:
  static bool IsIn(const float* row, int64_t classes, int64_t target, int64_t k) {
    if (target < 0 || target >= classes || !std::isfinite(row[target])) return false;
    int64_t greater = 0;
    for (int64_t c = 0; c < classes; ++c) {
      if (!std::isfinite(row[c])) return false;
      greater += row[c] > row[target];
    }
    return greater < k;
  }
};

}  // namespace

void RegisterTopK(KernelRegistry& kernels) {
  kernels.Add<TopK>("TopK", kCpu, {{"T", kReal}});
  kernels.Add<TopK>("TopKV2", kCpu, {{"T", kReal}});
  kernels.Add<TopK>("ApproxTopK", kCpu, {{"T", {kHalf, kBfloat16, kFloat}}});
  kernels.Add<InTopK>("InTopK", kCpu, {{"T", kIndex}});
  kernels.Add<InTopK>("InTopKV2", kCpu, {{"T", kIndex}});
}

}  // namespace sluice::kernels
