// SPDX-License-Identifier: Apache-2.0
// Cast between all numbers and bool. Half and bfloat16 go through float; quantised numbers are cast
// as their integers. Any other type is cast to itself only.
#include "kernels/common/elementwise.h"
#include "kernels/cpu/math/register.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace sluice::kernels {
namespace {

using CastTypes = Join<Join<TypeList<float, double, bool>, IntegerTypes>, ComplexTypes>;
constexpr DTypeSet kCastable = SetOf(CastTypes{}) | DTypeSet{kHalf, kBfloat16} | kQuantized;
constexpr int64_t kBlock = 512;

// The results of x86, made well-defined. NaN and values out of range give the minimum in 32 and 64
// bits; narrower types take the low bits of the 32-bit result.
template <typename To, typename From>
To ToInteger(From x) {
  if constexpr (std::is_same_v<To, int64_t>) {
    return x >= From(-0x1p63) && x < From(0x1p63) ? static_cast<int64_t>(x)
                                                  : std::numeric_limits<int64_t>::min();
  } else if constexpr (std::is_same_v<To, uint64_t>) {
    if (x >= From(0x1p63) && x < From(0x1p64))
      return static_cast<uint64_t>(ToInteger<int64_t>(x - From(0x1p63))) ^ (1ull << 63);
    return static_cast<uint64_t>(ToInteger<int64_t>(x));
  } else if constexpr (std::is_same_v<To, uint32_t>) {
    return static_cast<uint32_t>(ToInteger<int64_t>(x));
  } else {
    const bool fits = x >= From(-0x1p31) && x < From(0x1p31);
    return static_cast<To>(fits ? static_cast<int32_t>(x) : std::numeric_limits<int32_t>::min());
  }
}

template <typename T>
inline constexpr bool kComplexType = false;
template <typename T>
inline constexpr bool kComplexType<std::complex<T>> = true;

template <typename To, typename From>
To Convert(From x) {
  if constexpr (kComplexType<From> && kComplexType<To>) {
    return To(static_cast<typename To::value_type>(x.real()),
              static_cast<typename To::value_type>(x.imag()));
  } else if constexpr (kComplexType<From>) {
    return Convert<To>(x.real());
  } else if constexpr (kComplexType<To>) {
    return To(static_cast<typename To::value_type>(x));
  } else if constexpr (std::is_same_v<To, bool>) {
    return x != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return ToInteger<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

using CastFn = void (*)(const void* from, void* to, int64_t n);

template <typename From, typename To>
void CastAll(const void* from, void* to, int64_t n) {
  const From* x = static_cast<const From*>(from);
  To* y = static_cast<To*>(to);
  int64_t first = 0;
#if defined(__AVX2__)
  if constexpr (std::is_same_v<From, float> && std::is_same_v<To, int32_t>) {
    // The instruction gives the same results as ToInteger.
    for (; first + 8 <= n; first += 8) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(y + first),
                          _mm256_cvttps_epi32(_mm256_loadu_ps(x + first)));
    }
  }
#endif
#pragma GCC ivdep
  for (int64_t i = first; i < n; ++i) y[i] = Convert<To>(x[i]);
}

using CastTable = std::array<std::array<CastFn, kNumDTypes>, kNumDTypes>;

template <typename From, typename... To>
void FillRow(TypeList<To...>, CastTable& table) {
  ((table[static_cast<int>(kDTypeOf<From>)][static_cast<int>(kDTypeOf<To>)] = &CastAll<From, To>),
   ...);
}
template <typename... From>
CastTable MakeTable(TypeList<From...> types) {
  CastTable table{};
  (FillRow<From>(types, table), ...);
  return table;
}

CastFn FindCast(DType from, DType to) {
  static const CastTable table = MakeTable(CastTypes{});
  return table[static_cast<int>(from)][static_cast<int>(to)];
}

bool IsNarrow(DType t) { return t == kHalf || t == kBfloat16; }

// Truncate: the bits that the narrower type lacks are cleared first, so that nothing is rounded up.
void ClearLowBits(DType to, float* values, int64_t n) {
  const uint32_t mask = to == kBfloat16 ? 0xffff0000u : 0xffffe000u;
  for (int64_t i = 0; i < n; ++i) {
    if (!std::isnan(values[i]))
      values[i] = std::bit_cast<float>(std::bit_cast<uint32_t>(values[i]) & mask);
  }
}

DType Holder(DType t) {
  switch (t) {
    case kQint8:
      return kInt8;
    case kQuint8:
      return kUint8;
    case kQint16:
      return kInt16;
    case kQuint16:
      return kUint16;
    case kQint32:
      return kInt32;
    default:
      return t;
  }
}

struct Cast {
  DType from, to;
  bool same, truncate;
  CastFn fn;

  static absl::StatusOr<Cast> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(bool truncate, node.Get<bool>("Truncate"));
    const DType given = node.input_types[0], wanted = node.output_types[0];
    const bool same = given == wanted;
    if (!same && !(kCastable.contains(given) && kCastable.contains(wanted)))
      return Unimplemented("Cast ", given, " to ", wanted, " is not supported");
    const DType from = Holder(given), to = Holder(wanted);
    return Cast{from, to, same, truncate,
                FindCast(IsNarrow(from) ? kFloat : from, IsNarrow(to) ? kFloat : to)};
  }

  absl::Status Run(KernelContext& ctx) const {
    if (same) {
      ctx.ForwardSlot(0, 0);
      return absl::OkStatus();
    }
    const void* x = ctx.input(0).raw();
    const Shape shape = ctx.input(0).shape();
    SLUICE_ASSIGN(Tensor * result, ctx.AllocateOutput(0, shape));
    void* y = result->raw();
    ParallelFor(ctx.pool(), shape.num_elements(), kStreamed, [&](int64_t begin, int64_t end) {
      if (!IsNarrow(from) && !IsNarrow(to))
        return fn(At(x, begin, SizeOf(from)), At(y, begin, SizeOf(to)), end - begin);
      for (int64_t i = begin; i < end; i += kBlock) {
        Block(At(x, i, SizeOf(from)), At(y, i, SizeOf(to)), std::min(kBlock, end - i));
      }
    });
    return absl::OkStatus();
  }

 private:
  void Block(const void* x, void* y, int64_t n) const {
    if (from == kFloat && !truncate) return Narrow(to, static_cast<const float*>(x), y, n);
    if (to == kFloat) return Widen(from, x, static_cast<float*>(y), n);
    float wide[kBlock];
    if (IsNarrow(from)) {
      Widen(from, x, wide, n);
      if (!IsNarrow(to)) return fn(wide, y, n);
    } else {
      fn(x, wide, n);
    }
    if (truncate) ClearLowBits(to, wide, n);
    Narrow(to, wide, y, n);
  }
};

}  // namespace

void RegisterCast(KernelRegistry& kernels) { kernels.Add<Cast>("Cast", kCpu); }

}  // namespace sluice::kernels
