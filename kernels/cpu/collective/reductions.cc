// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/collective/reductions.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "kernels/common/narrow.h"

namespace sluice::kernels {
namespace {

// An accumulator of this size stays in the first cache.
constexpr int64_t kBlock = 1024;

// Integers wrap: they are added and multiplied as unsigned.
struct Add {
  template <typename T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) +
                            static_cast<std::make_unsigned_t<T>>(b));
    else
      return a + b;
  }
};

struct Mul {
  template <typename T>
  T operator()(T a, T b) const {
    // Types narrower than int are promoted to int, where 65535 * 65535 overflows.
    using U = std::conditional_t<(sizeof(T) < sizeof(int)), uint32_t, T>;
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<std::make_unsigned_t<U>>(a) *
                            static_cast<std::make_unsigned_t<U>>(b));
    else
      return a * b;
  }
};

// A NaN among floating operands is the result.
template <bool kGreatest>
struct Extreme {
  template <typename T>
  T operator()(T a, T b) const {
    const T extreme = (kGreatest ? a < b : b < a) ? b : a;
    if constexpr (std::is_floating_point_v<T>)
      return b != b ? b : extreme;
    else
      return extreme;
  }
};
using Min = Extreme<false>;
using Max = Extreme<true>;

template <typename Op, typename C>
C Fold(Op, C a) {
  return a;
}
template <typename Op, typename C, typename... Rest>
C Fold(Op op, C a, C b, Rest... rest) {
  return Fold(op, op(a, b), rest...);
}

// out[i] = first[i] op rest[i]..., exactly sizeof...(Rest) + 1 inputs.
template <typename Op, typename T, typename... Rest>
void Fused(int64_t n, T* out, const T* first, const Rest*... rest) {
  // `out` may be one of the inputs, but it is never a shifted part of one.
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) out[i] = Fold(Op{}, first[i], rest[i]...);
}

// The sum of a block of up to kBlock elements, in `out`. With up to four inputs `out` may be one of
// them.
template <typename Op, typename T>
void CombineBlock(const T* const* in, size_t inputs, int64_t n, T* out) {
  switch (inputs) {
    case 2:
      return Fused<Op>(n, out, in[0], in[1]);
    case 3:
      return Fused<Op>(n, out, in[0], in[1], in[2]);
    case 4:
      return Fused<Op>(n, out, in[0], in[1], in[2], in[3]);
    default:
      break;
  }
  T sum[kBlock];
  Fused<Op>(n, sum, in[0], in[1], in[2], in[3]);
  size_t next = 4;
  for (; next + 3 <= inputs; next += 3)
    Fused<Op>(n, sum, sum, in[next], in[next + 1], in[next + 2]);
  for (; next < inputs; ++next) Fused<Op>(n, sum, sum, in[next]);
  std::memcpy(out, sum, static_cast<size_t>(n) * sizeof(T));
}

// The same for narrow types, widened input by input.
template <typename Op, typename T>
void CombineNarrowBlock(const T* const* in, size_t inputs, int64_t n, T* out) {
  float sum[kBlock], wide[kBlock];
  WidenAll(in[0], sum, n);
  for (size_t k = 1; k < inputs; ++k) {
    WidenAll(in[k], wide, n);
    Fused<Op>(n, sum, sum, wide);
  }
  NarrowAll(sum, out, n);
}

template <typename Op, typename T>
void Combine(absl::Span<const void* const> inputs, int64_t count, void* out) {
  T* const to = static_cast<T*>(out);
  if (inputs.size() == 1) {
    if (count > 0) std::memmove(out, inputs[0], static_cast<size_t>(count) * sizeof(T));
    return;
  }
  absl::InlinedVector<const T*, 16> at(inputs.size());
  for (int64_t i = 0; i < count; i += kBlock) {
    for (size_t k = 0; k < inputs.size(); ++k) at[k] = static_cast<const T*>(inputs[k]) + i;
    const int64_t n = std::min(kBlock, count - i);
    if constexpr (kIsNarrowFloat<T>)
      CombineNarrowBlock<Op>(at.data(), inputs.size(), n, to + i);
    else
      CombineBlock<Op>(at.data(), inputs.size(), n, to + i);
  }
}

template <typename T>
void Divide(void* values, int64_t count, int members) {
  T* const v = static_cast<T*>(values);
  if constexpr (kIsNarrowFloat<T>) {
    const float by = static_cast<float>(T(members));
    float wide[kBlock];
    for (int64_t i = 0; i < count; i += kBlock) {
      const int64_t n = std::min(kBlock, count - i);
      WidenAll(v + i, wide, n);
      for (int64_t k = 0; k < n; ++k) wide[k] /= by;
      NarrowAll(wide, v + i, n);
    }
  } else {
    const auto by = static_cast<std::common_type_t<T, int>>(members);
    for (int64_t i = 0; i < count; ++i) v[i] = static_cast<T>(v[i] / by);
  }
}

template <typename T>
Reduction::Combine CombineOf(absl::string_view merge_op) {
  if (merge_op == "Add") return &Combine<Add, T>;
  if (merge_op == "Mul") return &Combine<Mul, T>;
  if (merge_op == "Min") return &Combine<Min, T>;
  if (merge_op == "Max") return &Combine<Max, T>;
  return nullptr;
}

}  // namespace

absl::StatusOr<Reduction> FindReduction(absl::string_view merge_op, absl::string_view final_op,
                                        DType dtype) {
  if (final_op != "Id" && final_op != "Div") {
    return InvalidArgument("final_op must be Id or Div, got \"", final_op, "\"");
  }
  Reduction found;
  found.name = Cat(merge_op, ", ", final_op);
  SLUICE_RETURN_IF_ERROR(VisitDType(RealTypes{}, dtype, [&]<typename T>(Type<T>) {
    found.combine = CombineOf<T>(merge_op);
    if (final_op == "Div") found.finish = &Divide<T>;
    return absl::OkStatus();
  }));
  if (found.combine == nullptr) {
    return InvalidArgument("merge_op must be Add, Mul, Min or Max, got \"", merge_op, "\"");
  }
  return found;
}

}  // namespace sluice::kernels
