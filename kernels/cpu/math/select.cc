// SPDX-License-Identifier: Apache-2.0
// Choice between elements: Select, SelectV2, ClipByValue. Select moves elements by width without
// reading their values.
#include "core/tensor/variant.h"
#include "kernels/common/broadcast.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/math_plan.h"
#include "kernels/cpu/math/register.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace sluice::kernels {
namespace {

// Selects elements of 4 bytes by vectors; returns their number.
int64_t ChooseWords(const bool* c, const uint32_t* t, const uint32_t* e, uint32_t* out, int64_t n) {
  int64_t i = 0;
#if defined(__AVX2__)
  const auto load = [](const uint32_t* x) {
    return _mm256_loadu_ps(reinterpret_cast<const float*>(x));
  };
  for (; i + 8 <= n; i += 8) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(c + i));
    const __m256i top = _mm256_slli_epi32(_mm256_cvtepu8_epi32(bytes), 31);
    _mm256_storeu_ps(reinterpret_cast<float*>(out + i),
                     _mm256_blendv_ps(load(e + i), load(t + i), _mm256_castsi256_ps(top)));
  }
#endif
  return i;
}

template <typename T>
void Choose(const bool* c, const T* t, const T* e, T* out, int64_t n, const Offsets& stride) {
  if (stride[0] == 0) {
    const T* from = *c ? t : e;
    const int64_t step = *c ? stride[1] : stride[2];
    for (int64_t i = 0; i < n; ++i) out[i] = from[i * step];
  } else if (stride[1] == 1 && stride[2] == 1) {
    if constexpr (std::is_integral_v<T>) {  // both are read: no branch, and vector code
      int64_t first = 0;
      if constexpr (std::is_same_v<T, uint32_t>) first = ChooseWords(c, t, e, out, n);
#pragma GCC ivdep
      for (int64_t i = first; i < n; ++i) {
        const T keep = static_cast<T>(-static_cast<T>(c[i]));
        out[i] = static_cast<T>((t[i] & keep) | (e[i] & ~keep));
      }
    } else {
      for (int64_t i = 0; i < n; ++i) out[i] = c[i] ? t[i] : e[i];
    }
  } else {
    for (int64_t i = 0; i < n; ++i) out[i] = c[i] ? t[i * stride[1]] : e[i * stride[2]];
  }
}

absl::Status ChooseAll(KernelContext& ctx, const BroadcastPlan& plan) {
  const bool* c = ctx.input(0).data<bool>();
  const void* t = ctx.input(1).raw();
  const void* e = ctx.input(2).raw();
  const DType dtype = ctx.input(1).dtype();
  SLUICE_ASSIGN(Tensor * result, IsPlain(dtype) ? ctx.ForwardOrAllocate({1, 2}, 0, plan.shape)
                                                : ctx.AllocateOutput(0, plan.shape));
  if (plan.shape.num_elements() == 0) return absl::OkStatus();
  void* out = result->raw();
  return VisitWidth(dtype, [&]<typename T>(Type<T>) {
    ParallelFor(ctx.pool(), plan.shape.num_elements(), IsPlain(dtype) ? 2 * kStreamed : 20,
                [&](int64_t begin, int64_t end) {
                  WalkRuns(plan, begin, end, [&](int64_t at, const Offsets& from, int64_t n) {
                    Choose(c + from[0], static_cast<const T*>(t) + from[1],
                           static_cast<const T*>(e) + from[2], static_cast<T*>(out) + at, n,
                           plan.dims.back().stride);
                  });
                });
    return absl::OkStatus();
  });
}

struct SelectV2 {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(BroadcastPlan plan,
                  PlanSelectV2(ctx.input(0).shape(), ctx.input(1).shape(), ctx.input(2).shape()));
    return ChooseAll(ctx, plan);
  }
};

struct Select {
  std::string label;  // for errors

  static absl::StatusOr<Select> Create(const NodeSpec& node) { return Select{NodeLabel(node)}; }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(BroadcastPlan plan, PlanSelect(label, ctx.input(0).shape(), ctx.input(1).shape(),
                                                 ctx.input(2).shape()));
    return ChooseAll(ctx, plan);
  }
};

struct ClipByValue {
  BinaryLoop minimum, maximum;

  static absl::StatusOr<ClipByValue> Create(const NodeSpec& node) {
    return ClipByValue{MinimumLoop(node.input_types[0]), MaximumLoop(node.input_types[0])};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Shape shape = ctx.input(0).shape();
    const bool low_fixed = ctx.input(1).rank() == 0, high_fixed = ctx.input(2).rank() == 0;
    SLUICE_RETURN_IF_ERROR(CheckClip(shape, ctx.input(1).shape(), ctx.input(2).shape()));
    const void* x = ctx.input(0).raw();
    const void* low = ctx.input(1).raw();
    const void* high = ctx.input(2).raw();
    SLUICE_ASSIGN(Tensor * clipped, ctx.ForwardOrAllocate({0}, 0, shape));
    void* out = clipped->raw();
    const size_t size = SizeOf(minimum.in);
    constexpr int64_t kBlock = 2048;
    ParallelFor(ctx.pool(), shape.num_elements(), 2 * kStreamed, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i += kBlock) {
        const int64_t n = std::min(kBlock, end - i);
        // x is the first operand of both, so that a NaN stays.
        minimum.Run(At(x, i, size), At(high, high_fixed ? 0 : i, size), At(out, i, size), n,
                    high_fixed ? kFixedB : 0);
        maximum.Run(At(out, i, size), At(low, low_fixed ? 0 : i, size), At(out, i, size), n,
                    low_fixed ? kFixedB : 0);
      }
    });
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSelect(KernelRegistry& kernels) {
  kernels.Add<Select>("Select", kCpu, {{"T", kAnyType}});
  kernels.Add<SelectV2>("SelectV2", kCpu, {{"T", kAnyType}});
  kernels.Add<ClipByValue>("ClipByValue", kCpu, {{"T", kReal}});
  kernels.Add<ClipByValue>("ClipByValue", kGpu, {{"T", kInt32}},
                           HostMemory{"t", "clip_value_min", "clip_value_max", "output"});
}

}  // namespace sluice::kernels
