// SPDX-License-Identifier: Apache-2.0
// Reductions without a wider accumulator type: Prod, Max, Min, All, Any.
#include "kernels/cuda/common/number.cuh"
#include "kernels/cuda/common/reduce.cuh"

namespace sluice::cuda {
namespace {

template <typename T>
struct ProdRule {
  using Acc = Wide<T>;
  static __device__ Acc First() { return Acc(1); }
  static __device__ Acc Load(T x) { return Widen(x); }
  static __device__ Acc Combine(Acc a, Acc b) { return Product(a, b); }
  __device__ T Finish(Acc a, int64_t) const { return Narrow<T>(a); }
};

// The smallest number of a type: -infinity if it exists.
template <typename T>
__device__ T Lowest() {
  if constexpr (std::is_integral_v<T>) {
    return std::is_signed_v<T> ? T(T(1) << (8 * sizeof(T) - 1)) : T(0);
  } else {
    return -static_cast<T>(HUGE_VAL);
  }
}
template <typename T>
__device__ T Highest() {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(~Lowest<T>());
  } else {
    return static_cast<T>(HUGE_VAL);
  }
}

// A NaN loses every comparison, so it is ignored.
template <typename T>
struct MaxRule {
  using Acc = Wide<T>;
  static __device__ Acc First() { return Lowest<Acc>(); }
  static __device__ Acc Load(T x) { return Widen(x); }
  static __device__ Acc Combine(Acc a, Acc b) { return b > a ? b : a; }
  __device__ T Finish(Acc a, int64_t) const { return Narrow<T>(a); }
};
template <typename T>
struct MinRule {
  using Acc = Wide<T>;
  static __device__ Acc First() { return Highest<Acc>(); }
  static __device__ Acc Load(T x) { return Widen(x); }
  static __device__ Acc Combine(Acc a, Acc b) { return b < a ? b : a; }
  __device__ T Finish(Acc a, int64_t) const { return Narrow<T>(a); }
};

struct AllRule {
  using Acc = bool;
  static __device__ bool First() { return true; }
  static __device__ bool Load(bool x) { return x; }
  static __device__ bool Combine(bool a, bool b) { return a && b; }
  __device__ bool Finish(bool a, int64_t) const { return a; }
};
struct AnyRule {
  using Acc = bool;
  static __device__ bool First() { return false; }
  static __device__ bool Load(bool x) { return x; }
  static __device__ bool Combine(bool a, bool b) { return a || b; }
  __device__ bool Finish(bool a, int64_t) const { return a; }
};

using Ordered = Joined<FloatingElements, ElementList<Element::kInt64>>;
using Multiplied = Joined<Joined<FloatingElements, ComplexElements>, ElementList<Element::kInt32>>;

bool TakesOrder(ReduceOp op, Element element) {
  switch (op) {
    case ReduceOp::kProd:
      return Has(Multiplied{}, element);
    case ReduceOp::kMax:
    case ReduceOp::kMin:
      return Has(Ordered{}, element);
    case ReduceOp::kAll:
    case ReduceOp::kAny:
      return element == Element::kBool;
    default:
      return false;
  }
}

template <template <typename> typename Rule, typename Elements>
cudaError_t LaunchOver(Elements elements, const ReduceCall& call) {
  return Visit(elements, call.element,
               [&]<typename T>(Type<T>) { return LaunchRule<Rule<T>, T>({}, call); });
}

cudaError_t LaunchOrders(const ReduceCall& call) {
  switch (call.op) {
    case ReduceOp::kProd:
      return LaunchOver<ProdRule>(Multiplied{}, call);
    case ReduceOp::kMax:
      return LaunchOver<MaxRule>(Ordered{}, call);
    case ReduceOp::kMin:
      return LaunchOver<MinRule>(Ordered{}, call);
    case ReduceOp::kAll:
      return LaunchRule<AllRule, bool>({}, call);
    default:
      return LaunchRule<AnyRule, bool>({}, call);
  }
}

}  // namespace

ReduceFamily ReduceOrders() { return {&TakesOrder, &LaunchOrders}; }

}  // namespace sluice::cuda
