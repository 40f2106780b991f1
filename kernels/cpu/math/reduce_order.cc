// SPDX-License-Identifier: Apache-2.0
// Reductions without a wider accumulator type: Prod, Max, Min, All, Any.
#include "kernels/cpu/math/reduce_loops.h"
#include "kernels/cpu/math/register.h"

namespace sluice::kernels {
namespace {

// `Rule` has First() and Combine(a, b), for lanes and accumulators.
template <typename T, typename Rule>
struct Plain {
  using Lane = ComputeType<T>;
  using Acc = Lane;
  static Lane Start() { return Rule::First(); }
  static Lane Take(Lane a, Lane x) { return Rule::Combine(a, x); }
  static Lane Join(Lane a, Lane b) { return Rule::Combine(a, b); }
  template <typename V>
  static V JoinVectors(V a, V b) requires(Rule::kChooses) {
    return Rule::Combine(a, b);
  }
  static Acc First() { return Rule::First(); }
  static Acc Merge(Acc a, Acc b) { return Rule::Combine(a, b); }
  static Acc FromLane(Lane a) { return a; }
  static T Finish(Acc a, int64_t) { return static_cast<T>(a); }
};

template <typename C>
struct ProdRule {
  static constexpr bool kChooses = false;
  static C First() { return C(1); }
  static C Combine(C a, C b) {
    if constexpr (std::is_integral_v<C>)
      return static_cast<C>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    else
      return a * b;
  }
};

// A NaN loses every comparison, so it is ignored.
template <typename C>
struct MaxRule {
  static constexpr bool kChooses = true;
  static C First() {
    if constexpr (std::is_floating_point_v<C>)
      return -std::numeric_limits<C>::infinity();
    else
      return std::numeric_limits<C>::lowest();
  }
  template <typename V>
  static V Combine(V a, V b) {
    return b > a ? b : a;
  }
};
template <typename C>
struct MinRule {
  static constexpr bool kChooses = true;
  static C First() {
    if constexpr (std::is_floating_point_v<C>)
      return std::numeric_limits<C>::infinity();
    else
      return std::numeric_limits<C>::max();
  }
  template <typename V>
  static V Combine(V a, V b) {
    return b < a ? b : a;
  }
};

struct AllRule {
  static constexpr bool kChooses = false;
  static bool First() { return true; }
  static bool Combine(bool a, bool b) { return a & b; }
};
struct AnyRule {
  static constexpr bool kChooses = false;
  static bool First() { return false; }
  static bool Combine(bool a, bool b) { return a | b; }
};

template <typename T>
using Prod = Plain<T, ProdRule<ComputeType<T>>>;
template <typename T>
using Max = Plain<T, MaxRule<ComputeType<T>>>;
template <typename T>
using Min = Plain<T, MinRule<ComputeType<T>>>;
template <typename T>
using All = Plain<T, AllRule>;
template <typename T>
using Any = Plain<T, AnyRule>;

}  // namespace

void RegisterReduceOrder(KernelRegistry& kernels) {
  AddReduction(kernels, MakeReduction<Prod>("Prod", NumericTypes{}));
  AddReduction(kernels, MakeReduction<Max>("Max", RealTypes{}), true);
  AddReduction(kernels, MakeReduction<Min>("Min", RealTypes{}), true);
  AddReduction(kernels, MakeReduction<All>("All", TypeList<bool>{}));
  AddReduction(kernels, MakeReduction<Any>("Any", TypeList<bool>{}));
}

}  // namespace sluice::kernels
