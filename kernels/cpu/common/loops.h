// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_COMMON_LOOPS_H_
#define SLUICE_KERNELS_CPU_COMMON_LOOPS_H_

#include <tuple>
#include <type_traits>

#include "kernels/common/elementwise.h"
#include "kernels/common/narrow.h"
#include "kernels/cpu/common/rounded.h"
#include "kernels/cpu/common/simd.h"

// Makes the loops of elementwise.h from tables of lambdas:
//
//   constexpr auto kTable = std::tuple{
//       Unary{"Neg", NumericTypes{}, [](auto x) { return -x; }},
//       UnaryMath{"Exp", FloatingTypes{}, [](auto x) { return std::exp(x); }, 1.5}, ...};
//   AddUnaryTable(kernels, kTable);
//
// A lambda is called with elements of the listed types; Half and Bfloat16 arrive as float. Its last
// parameter may be a float (the attribute named in the entry), or a bool& that it sets to false
// where there is no result. A bool result makes a bool output. A result of another kind than the
// argument (real of complex) makes such an output. Any other result is converted to the argument's
// type. A functor with a static OfBits(uint16_t) computes Half and Bfloat16 by it. Half and
// Bfloat16 are rounded at the end; a lambda of several operations in RoundsEachStep{} gets them as
// Rounded.

namespace sluice::kernels {

template <typename T, typename Fn>
struct Unary {
  const char* name;
  T types;
  Fn fn;
  double cost = kStreamed;
  const char* parameter = nullptr;
  static constexpr bool kPadded = false;
};

// For functions that the compiler replaces by vector code whose last bits differ from those of the
// scalar function. Every element goes through the vector code, whatever its position in a tensor.
template <typename T, typename Fn>
struct UnaryMath {
  const char* name;
  T types;
  Fn fn;
  double cost = 2;
  const char* parameter = nullptr;
  static constexpr bool kPadded = true;
};

template <typename T, typename Fn>
struct Binary {
  const char* name;
  T types;
  Fn fn;
  double cost = kStreamed;
  const char* failure = nullptr;
  const char* parameter = nullptr;
  bool same_shape = false;
  static constexpr bool kPadded = false;
};

template <typename T, typename Fn>
struct BinaryMath {
  const char* name;
  T types;
  Fn fn;
  double cost = 5;
  const char* failure = nullptr;
  const char* parameter = nullptr;
  bool same_shape = false;
  static constexpr bool kPadded = true;
};

template <typename Fn>
struct RoundsEachStep : Fn {
  static constexpr bool kRoundsEachStep = true;
};
template <typename Fn>
RoundsEachStep(Fn) -> RoundsEachStep<Fn>;

namespace internal {

template <typename Fn>
inline constexpr bool kRoundsEachStep = requires {
  Fn::kRoundsEachStep;
};
// The type that Fn gets for elements N, half or bfloat16.
template <typename N, typename Fn>
using NarrowElement = std::conditional_t<kRoundsEachStep<Fn>, Rounded<N>, float>;
template <typename E>
E AsElement(float x) {
  if constexpr (kIsRounded<E>)
    return E::Exactly(x);
  else
    return x;
}

constexpr int64_t kPadBlock = 16;

template <typename T>
inline constexpr bool kIsComplex = false;
template <typename T>
inline constexpr bool kIsComplex<std::complex<T>> = true;

template <typename T, typename R>
using Stored = std::conditional_t<std::is_same_v<R, bool>, bool,
                                  std::conditional_t<kIsComplex<T> != kIsComplex<R>, R, T>>;

template <typename Fn, typename T>
auto Call1(T x, float p) {
  if constexpr (std::is_invocable_v<Fn, T, float>)
    return Fn{}(x, p);
  else
    return Fn{}(x);
}

template <typename Fn, typename T>
auto Call2(const T& a, const T& b, [[maybe_unused]] float p, [[maybe_unused]] bool& good) {
  // The order matters: a float parameter would accept the bool too.
  if constexpr (std::is_invocable_v<Fn, const T&, const T&, float>)
    return Fn{}(a, b, p);
  else if constexpr (std::is_invocable_v<Fn, const T&, const T&, bool&>)
    return Fn{}(a, b, good);
  else
    return Fn{}(a, b);
}

template <typename T, typename Fn>
using Result1 = Stored<T, decltype(Call1<Fn, T>(std::declval<T>(), 0.f))>;
template <typename T, typename Fn>
using Result2 = Stored<T, decltype(Call2<Fn, T>(std::declval<T>(), std::declval<T>(), 0.f,
                                                std::declval<bool&>()))>;

// Processes only whole blocks, and is never inlined: one piece of vector code serves every element,
// whatever its position.
template <typename T, typename R, typename Fn>
__attribute__((noinline, noclone)) void UnaryBlocks(const T* x, R* y, int64_t blocks, float p) {
  WithWidestVectors([=] {
    const int64_t n = blocks * kPadBlock;
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) y[i] = static_cast<R>(Call1<Fn, T>(x[i], p));
  });
}

template <typename T, typename R, typename Fn>
__attribute__((noinline, noclone)) void BinaryBlock(const T* a, const T* b, R* out, float p) {
  bool good = true;
#pragma GCC unroll 1
  for (int64_t i = 0; i < kPadBlock; ++i)
    out[i] = static_cast<R>(Call2<Fn, T>(a[i], b[i], p, good));
}

template <typename T, typename Fn, bool kPadded>
bool RunUnary(const void* from, void* to, int64_t n, float p) {
  using R = Result1<T, Fn>;
  const T* x = static_cast<const T*>(from);
  R* y = static_cast<R*>(to);
  if constexpr (kPadded && std::is_floating_point_v<T>) {
    const int64_t blocks = n / kPadBlock, done = blocks * kPadBlock;
    if (blocks > 0) UnaryBlocks<T, R, Fn>(x, y, blocks, p);
    if (done == n) return true;
    T rest[kPadBlock];
    R result[kPadBlock];
    for (int64_t j = 0; j < kPadBlock; ++j) rest[j] = x[std::min(done + j, n - 1)];
    UnaryBlocks<T, R, Fn>(rest, result, 1, p);
    std::copy(result, result + (n - done), y + done);
  } else {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) y[i] = static_cast<R>(Call1<Fn, T>(x[i], p));
  }
  return true;
}

// kPadded: passes `n` elements through whole blocks of the vector code.
template <typename T, typename Fn>
void RunBinaryPadded(const T* a, const T* b, Result2<T, Fn>* out, int64_t n, int fixed, float p) {
  using R = Result2<T, Fn>;
  T block_a[kPadBlock], block_b[kPadBlock];
  R result[kPadBlock];
  for (int64_t i = 0; i < n; i += kPadBlock) {
    for (int64_t j = 0; j < kPadBlock; ++j) {
      const int64_t at = std::min(i + j, n - 1);
      block_a[j] = a[fixed & kFixedA ? 0 : at];
      block_b[j] = b[fixed & kFixedB ? 0 : at];
    }
    BinaryBlock<T, R, Fn>(block_a, block_b, result, p);
    std::copy(result, result + std::min(kPadBlock, n - i), out + i);
  }
}

template <typename T, typename Fn, bool kPadded>
bool RunBinary(const void* av, const void* bv, void* outv, int64_t n, int fixed, float p) {
  using R = Result2<T, Fn>;
  const T* a = static_cast<const T*>(av);
  const T* b = static_cast<const T*>(bv);
  R* out = static_cast<R*>(outv);
  bool good = true;
  if constexpr (kPadded && std::is_floating_point_v<T>) {
    RunBinaryPadded<T, Fn>(a, b, out, n, fixed, p);
  } else if (fixed == 0) {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<R>(Call2<Fn, T>(a[i], b[i], p, good));
  } else if (fixed == kFixedB) {
    const T one = *b;
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<R>(Call2<Fn, T>(a[i], one, p, good));
  } else if (fixed == kFixedA) {
    const T one = *a;
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<R>(Call2<Fn, T>(one, b[i], p, good));
  } else if (n > 0) {
    std::fill_n(out, n, static_cast<R>(Call2<Fn, T>(*a, *b, p, good)));
  }
  return good;
}

template <typename N, typename R>
using StoredNarrow = std::conditional_t<std::is_same_v<R, float>, N, R>;

// Half and bfloat16 stay in registers: each block is widened, computed and narrowed at once.
template <typename N, typename Fn>
bool RunUnaryNarrow(const void* from, void* to, int64_t n, float p) {
  using E = NarrowElement<N, Fn>;
  using R = Result1<float, Fn>;
  using Out = StoredNarrow<N, R>;
  const auto block = [&](const N* x, Out* y) {
    float wide[kNarrowBlock];
    R result[kNarrowBlock];
    WidenBlock(x, wide);
    for (int64_t j = 0; j < kNarrowBlock; ++j)
      result[j] = static_cast<R>(Call1<Fn, E>(AsElement<E>(wide[j]), p));
    StoreBlock(result, y);
  };
  const N* x = static_cast<const N*>(from);
  Out* y = static_cast<Out*>(to);
  for (; n >= kNarrowBlock; n -= kNarrowBlock, x += kNarrowBlock, y += kNarrowBlock) block(x, y);
  if (n > 0) {
    N rest[kNarrowBlock] = {};
    Out result[kNarrowBlock];
    std::copy_n(x, n, rest);
    block(rest, result);
    std::copy_n(result, n, y);
  }
  return true;
}

// kFixed: the operand that has one element.
template <typename N, typename Fn, int kFixed>
bool RunBinaryNarrowAs(const N* a, const N* b, void* to, int64_t n, float p) {
  using E = NarrowElement<N, Fn>;
  using R = Result2<float, Fn>;
  using Out = StoredNarrow<N, R>;
  bool good = true;
  float wide_a[kNarrowBlock], wide_b[kNarrowBlock];
  if constexpr (kFixed == kFixedA) std::fill_n(wide_a, kNarrowBlock, static_cast<float>(*a));
  if constexpr (kFixed == kFixedB) std::fill_n(wide_b, kNarrowBlock, static_cast<float>(*b));
  const auto block = [&](const N* x, const N* y, Out* z) {
    R result[kNarrowBlock];
    if constexpr (kFixed != kFixedA) WidenBlock(x, wide_a);
    if constexpr (kFixed != kFixedB) WidenBlock(y, wide_b);
    for (int64_t j = 0; j < kNarrowBlock; ++j)
      result[j] =
          static_cast<R>(Call2<Fn, E>(AsElement<E>(wide_a[j]), AsElement<E>(wide_b[j]), p, good));
    StoreBlock(result, z);
  };
  Out* out = static_cast<Out*>(to);
  int64_t i = 0;
  for (; i + kNarrowBlock <= n; i += kNarrowBlock) block(a + i, b + i, out + i);
  if (i < n) {
    N rest_a[kNarrowBlock], rest_b[kNarrowBlock];
    Out result[kNarrowBlock];
    for (int64_t j = 0; j < kNarrowBlock; ++j) {
      const int64_t at = std::min(i + j, n - 1);
      rest_a[j] = a[kFixed == kFixedA ? 0 : at];
      rest_b[j] = b[kFixed == kFixedB ? 0 : at];
    }
    block(rest_a, rest_b, result);
    std::copy_n(result, n - i, out + i);
  }
  return good;
}

// For functions of the bits of half and bfloat16: Fn::OfBits.
template <typename Fn>
bool RunUnaryBits(const void* from, void* to, int64_t n, float) {
  const auto* x = static_cast<const uint16_t*>(from);
  auto* y = static_cast<uint16_t*>(to);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) y[i] = Fn::OfBits(x[i]);
  return true;
}

template <typename N, typename Fn>
bool RunBinaryNarrow(const void* av, const void* bv, void* to, int64_t n, int fixed, float p) {
  const N* a = static_cast<const N*>(av);
  const N* b = static_cast<const N*>(bv);
  if (fixed == kFixedA) return RunBinaryNarrowAs<N, Fn, kFixedA>(a, b, to, n, p);
  if (fixed == kFixedB) return RunBinaryNarrowAs<N, Fn, kFixedB>(a, b, to, n, p);
  if (fixed == 0) return RunBinaryNarrowAs<N, Fn, 0>(a, b, to, n, p);
  std::array<N, kNarrowBlock> one;
  one.fill(*b);
  bool good = true;
  for (int64_t i = 0; i < n; i += kNarrowBlock) {
    good &= RunBinaryNarrowAs<N, Fn, kFixedA>(
        a, one.data(), At(to, i, sizeof(StoredNarrow<N, Result2<float, Fn>>)),
        std::min(kNarrowBlock, n - i), p);
  }
  return good;
}

// The loop for elements T, as the tables hold it. Vector functions of narrow elements run in float
// in longer blocks (elementwise.cc), unless each step is rounded.
template <typename T, typename Entry, typename Fn>
constexpr UnaryLoop MakeUnaryLoop(DType in, DType out) {
  if constexpr (kIsNarrowFloat<T> && requires { Fn::OfBits(uint16_t{}); })
    return {&RunUnaryBits<Fn>, in, out, true};
  else if constexpr (kIsNarrowFloat<T> && (!Entry::kPadded || kRoundsEachStep<Fn>))
    return {&RunUnaryNarrow<T, Fn>, in, out, true};
  else
    return {&RunUnary<ComputeType<T>, Fn, Entry::kPadded>, in, out};
}
template <typename T, typename Entry, typename Fn>
constexpr BinaryLoop MakeBinaryLoop(DType in, DType out) {
  if constexpr (kIsNarrowFloat<T> && (!Entry::kPadded || kRoundsEachStep<Fn>))
    return {&RunBinaryNarrow<T, Fn>, in, out, true};
  else
    return {&RunBinary<ComputeType<T>, Fn, Entry::kPadded>, in, out};
}

// The output's dtype of a loop over T: the lambda's result type, or T itself (float loops of half
// give half).
template <typename T, typename R>
constexpr DType OutputType() {
  if constexpr (std::is_same_v<R, ComputeType<T>>)
    return kDTypeOf<T>;
  else
    return kDTypeOf<R>;
}

template <typename Entry, typename Fn, typename... Ts>
void FillUnary(TypeList<Ts...>, UnaryOp& op) {
  ((op.loops[static_cast<int>(kDTypeOf<Ts>)] =
        MakeUnaryLoop<Ts, Entry, Fn>(kDTypeOf<Ts>, OutputType<Ts, Result1<ComputeType<Ts>, Fn>>())),
   ...);
}

template <typename Entry, typename Fn, typename... Ts>
void FillBinary(TypeList<Ts...>, BinaryOp& op) {
  ((op.loops[static_cast<int>(kDTypeOf<Ts>)] = MakeBinaryLoop<Ts, Entry, Fn>(
        kDTypeOf<Ts>, OutputType<Ts, Result2<ComputeType<Ts>, Fn>>())),
   ...);
}

// Signed integers run the loop of the unsigned type with their width.
template <typename Loops>
void ShareSigned(Loops& loops, DTypeSet wanted) {
  constexpr std::pair<DType, DType> kPairs[] = {
      {kInt8, kUint8}, {kInt16, kUint16}, {kInt32, kUint32}, {kInt64, kUint64}};
  for (auto [is_signed, is_unsigned] : kPairs) {
    const auto& from = loops[static_cast<int>(is_unsigned)];
    auto& to = loops[static_cast<int>(is_signed)];
    if (from.fn == nullptr || to.fn != nullptr || !wanted.contains(is_signed)) continue;
    to = from;
    to.in = is_signed;
    if (to.out == is_unsigned) to.out = is_signed;
  }
}

}  // namespace internal

template <typename T, typename Fn, template <typename, typename> typename Entry>
UnaryOp MakeUnaryOp(const Entry<T, Fn>& entry) {
  UnaryOp op{entry.name, entry.cost, entry.parameter, {}};
  internal::FillUnary<Entry<T, Fn>, Fn>(entry.types, op);
  return op;
}

template <typename T, typename Fn, template <typename, typename> typename Entry>
BinaryOp MakeBinaryOp(const Entry<T, Fn>& entry) {
  BinaryOp op;
  op.name = entry.name;
  op.cost = entry.cost;
  op.parameter = entry.parameter;
  op.failure = entry.failure;
  op.same_shape = entry.same_shape;
  internal::FillBinary<Entry<T, Fn>, Fn>(entry.types, op);
  return op;
}

// `shared`: signed integers that may run the loops of the listed unsigned types.
template <typename Table>
void AddUnaryTable(KernelRegistry& kernels, const Table& table, DTypeSet shared = {}) {
  auto add = [&](const auto& entry) {
    UnaryOp op = MakeUnaryOp(entry);
    internal::ShareSigned(op.loops, shared);
    AddUnaryOp(kernels, op);
  };
  std::apply([&](const auto&... entry) { (add(entry), ...); }, table);
}

template <typename Table>
void AddBinaryTable(KernelRegistry& kernels, const Table& table, DTypeSet shared = {}) {
  auto add = [&](const auto& entry) {
    BinaryOp op = MakeBinaryOp(entry);
    internal::ShareSigned(op.loops, shared);
    AddBinaryOp(kernels, op);
  };
  std::apply([&](const auto&... entry) { (add(entry), ...); }, table);
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_COMMON_LOOPS_H_
