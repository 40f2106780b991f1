// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_MATH_REDUCE_LOOPS_H_
#define SLUICE_KERNELS_CPU_MATH_REDUCE_LOOPS_H_

#include <algorithm>
#include <cstring>

#include "kernels/cpu/math/reduction.h"

// Makes Reducers from a small struct for elements of type T:
//
//   using Lane, using Acc                    the accumulators within a block, and of blocks
//   static Lane Start()                      an empty lane
//   static Lane Take(Lane, ComputeType<T>)   adds an element
//   static Lane Join(Lane, Lane)             adds two lanes
//   static Acc  First()                      an empty accumulator
//   static Acc  Merge(Acc, Acc)              adds two accumulators
//   static Acc  FromLane(Lane)
//   static T    Finish(Acc, int64_t count)   the result of `count` elements
//
// and, if Take is the same as Join, JoinVectors(V, V) for vectors of lanes.
//
// Blocks are short, and Acc is wider than Lane for sums: the error of a sum of n floats is a few
// ulp, not n ulp.

namespace sluice::kernels {

template <typename T, typename Op>
struct ReduceLoops {
  using C = ComputeType<T>;
  using Lane = typename Op::Lane;
  using Acc = typename Op::Acc;
  static constexpr int64_t kLanes = std::max<int64_t>(8, 256 / static_cast<int64_t>(sizeof(Lane)));
  static constexpr int64_t kBlock = 128 * kLanes;
  static constexpr int64_t kShort = 8 * kLanes;  // a line below this is short
  static constexpr int64_t kColumns = 64;
  static constexpr int64_t kRows = 64;

  static void Start(void* acc, int64_t n) { std::fill_n(static_cast<Acc*>(acc), n, Op::First()); }

  static void Run(void* acc, const void* from, int64_t n) {
    const T* x = static_cast<const T*>(from);
    Acc total = *static_cast<Acc*>(acc);
    for (; n >= kLanes;) {
      const int64_t block = std::min(kBlock, n / kLanes * kLanes);
      Lane lanes[kLanes];
      std::fill_n(lanes, kLanes, Op::Start());
      for (int64_t i = 0; i < block; i += kLanes) {
        for (int64_t j = 0; j < kLanes; ++j)
          lanes[j] = Op::Take(lanes[j], static_cast<C>(x[i + j]));
      }
      // Adds halves until one is left: this is cheaper than widening every lane.
      for (int64_t half = kLanes / 2; half > 0; half /= 2) {
        for (int64_t j = 0; j < half; ++j) lanes[j] = Op::Join(lanes[j], lanes[j + half]);
      }
      total = Op::Merge(total, Op::FromLane(lanes[0]));
      x += block;
      n -= block;
    }
    if (n > 0) {
      Lane rest = Op::Start();
      for (int64_t i = 0; i < n; ++i) rest = Op::Take(rest, static_cast<C>(x[i]));
      total = Op::Merge(total, Op::FromLane(rest));
    }
    *static_cast<Acc*>(acc) = total;
  }

  // Few lanes for short lines, where joining the lanes is most of the work.
  static void Lines(void* acc, const void* from, int64_t lines, int64_t stride, int64_t n) {
    const T* x = static_cast<const T*>(from);
    Acc* to = static_cast<Acc*>(acc);
    for (int64_t line = 0; line < lines; ++line, x += stride) {
      if (n < kShort)
        to[line] = Op::Merge(to[line], Op::FromLane(ShortLine(x, n)));
      else
        Run(to + line, x, n);
    }
  }

  static void Rows(void* acc, const void* from, int64_t rows, int64_t stride, int64_t n) {
    for (int64_t j = 0; j < n; j += kColumns) {
      const T* x = static_cast<const T*>(from) + j;
      Acc* to = static_cast<Acc*>(acc) + j;
      const int64_t columns = std::min(kColumns, n - j);
      for (int64_t row = 0; row < rows; row += kRows) {
        Block(to, x + row * stride, std::min(kRows, rows - row), stride, columns);
      }
    }
  }

  static void Merge(void* acc, const void* other, int64_t n) {
    Acc* to = static_cast<Acc*>(acc);
    const Acc* from = static_cast<const Acc*>(other);
    for (int64_t i = 0; i < n; ++i) to[i] = Op::Merge(to[i], from[i]);
  }

  static void Finish(const void* acc, void* out, int64_t n, int64_t count) {
    const Acc* from = static_cast<const Acc*>(acc);
    T* to = static_cast<T*>(out);
    for (int64_t i = 0; i < n; ++i) to[i] = static_cast<T>(Op::Finish(from[i], count));
  }

  static constexpr Reducer Make() {
    return Reducer{sizeof(Acc), &Start, &Run, &Lines, &Rows, &Merge, &Finish};
  }

 private:
  static constexpr int64_t kFew = 8;
  using Floats [[gnu::vector_size(32)]] = float;
  template <typename V>
  static constexpr bool kJoinsVectors = std::is_same_v<T, Lane>&& requires(V v) {
    Op::JoinVectors(v, v);
  };

  static Lane ShortLine(const T* x, int64_t n) {
    if constexpr (std::is_same_v<T, float> && kJoinsVectors<Floats>) {
      if (n >= kFew) return ShortLineOfFloats(x, n);
    }
    Lane total = Op::Start();
    int64_t i = 0;
    if (n >= kFew) {
      Lane lanes[kFew];
      for (int64_t j = 0; j < kFew; ++j) lanes[j] = Op::Take(Op::Start(), static_cast<C>(x[j]));
      for (i = kFew; i + kFew <= n; i += kFew) {
        for (int64_t j = 0; j < kFew; ++j) lanes[j] = Op::Take(lanes[j], static_cast<C>(x[i + j]));
      }
      for (int64_t half = kFew / 2; half > 0; half /= 2) {
        for (int64_t j = 0; j < half; ++j) lanes[j] = Op::Join(lanes[j], lanes[j + half]);
      }
      total = lanes[0];
    }
    for (; i < n; ++i) total = Op::Take(total, static_cast<C>(x[i]));
    return total;
  }

  static float ShortLineOfFloats(const float* x, int64_t n) {
    const auto load = [](const float* from) {
      Floats v;
      std::memcpy(&v, from, sizeof(v));
      return v;
    };
    Floats lanes = Floats{} + Op::Start(), others = lanes;
    int64_t i = 0;
    for (; i + 2 * kFew <= n; i += 2 * kFew) {
      lanes = Op::JoinVectors(lanes, load(x + i));
      others = Op::JoinVectors(others, load(x + i + kFew));
    }
    if (i + kFew <= n) {
      lanes = Op::JoinVectors(lanes, load(x + i));
      i += kFew;
    }
    lanes = Op::JoinVectors(lanes, others);
    lanes = Op::JoinVectors(lanes, __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7, 0, 1, 2, 3));
    lanes = Op::JoinVectors(lanes, __builtin_shufflevector(lanes, lanes, 2, 3, 0, 1, 6, 7, 4, 5));
    lanes = Op::JoinVectors(lanes, __builtin_shufflevector(lanes, lanes, 1, 0, 3, 2, 5, 4, 7, 6));
    float total = lanes[0];
    for (; i < n; ++i) total = Op::Take(total, x[i]);
    return total;
  }

  static void Block(Acc* to, const T* x, int64_t rows, int64_t stride, int64_t columns) {
    Lane lanes[kColumns];
    std::fill_n(lanes, columns, Op::Start());
    for (int64_t r = 0; r < rows; ++r, x += stride) {
      if (columns == kColumns) {  // a known count: no tail, no checks
#pragma GCC ivdep
        for (int64_t j = 0; j < kColumns; ++j) lanes[j] = Op::Take(lanes[j], static_cast<C>(x[j]));
      } else {
#pragma GCC ivdep
        for (int64_t j = 0; j < columns; ++j) lanes[j] = Op::Take(lanes[j], static_cast<C>(x[j]));
      }
    }
    for (int64_t j = 0; j < columns; ++j) to[j] = Op::Merge(to[j], Op::FromLane(lanes[j]));
  }
};

// Op is a template over the element type.
template <template <typename> typename Op, typename... Ts>
ReductionOp MakeReduction(const char* name, TypeList<Ts...>) {
  ReductionOp op{name, {}};
  ((op.reducers[static_cast<int>(kDTypeOf<Ts>)] = ReduceLoops<Ts, Op<Ts>>::Make()), ...);
  return op;
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_MATH_REDUCE_LOOPS_H_
