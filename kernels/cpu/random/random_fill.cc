// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/random/random_fill.h"

#include <algorithm>

#include "core/threads/cancel_scope.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/common/simd.h"
#include "kernels/cpu/random/philox_blocks.h"

namespace sluice::kernels {
namespace {

// Whether a group is a function of one block.
template <typename T, typename Distribution>
concept OfOneBlock = requires(const Distribution& d, const Philox::Block& block, T* out) {
  d.FromBlock(block, out);
};

// Fills whole groups from `begin` on, many at a time. Returns the first group that is not filled.
template <typename T, typename Distribution>
int64_t FillMany(const Distribution& distribution, const Philox& philox, int64_t begin, int64_t end,
                 T* out) {
  int64_t group = begin;
  WithWidestVectors([&] {
    for (; group + kBlocksAtOnce <= end; group += kBlocksAtOnce) {
      Philox::Block blocks[kBlocksAtOnce];
      BlocksAt(philox, static_cast<uint64_t>(group), blocks);
      for (int i = 0; i < kBlocksAtOnce; ++i) {
        distribution.FromBlock(blocks[i], out + (group + i) * kPerBlock<T>);
      }
    }
  });
  return group;
}

template <typename T, typename Distribution>
void FillAll(const Distribution& distribution, const Philox& philox, Tensor& output,
             WorkQueue* pool) {
  constexpr int kGroup = kPerBlock<T>;
  const int64_t n = output.num_elements();
  T* out = output.mutable_data<T>();
  ParallelFor(pool, (n + kGroup - 1) / kGroup, 40, [&](int64_t begin, int64_t end) {
    int64_t group = begin;
    if constexpr (OfOneBlock<T, Distribution>) {
      group = FillMany(distribution, philox, begin, std::min(end, n / kGroup), out);
    }
    for (; group < end; ++group) {
      if ((group + 1) * kGroup <= n) {
        distribution.Fill(philox, group, out + group * kGroup);
        continue;
      }
      T last[kGroup];
      distribution.Fill(philox, group, last);
      std::copy_n(last, n - group * kGroup, out + group * kGroup);
    }
  });
}

template <template <typename> typename Distribution>
absl::Status FillFloating(const Philox& philox, Tensor& output, WorkQueue* pool) {
  return VisitDType(FloatingTypes{}, output.dtype(), [&]<typename T>(Type<T>) {
    FillAll<T>(Distribution<T>{}, philox, output, pool);
    return absl::OkStatus();
  });
}

class HostRandomFiller final : public RandomFiller {
 public:
  absl::string_view device_type() const override { return kCpu; }

  // The state has advanced already: also a kernel that changes a variable may end here.
  absl::Status Fill(KernelContext& ctx, RandomDistribution distribution, const Philox& philox,
                    Tensor& output) const override {
    const CancelScope scope(ctx.step().cancel);
    switch (distribution) {
      case RandomDistribution::kUniform:
        return FillFloating<Uniform>(philox, output, ctx.pool());
      case RandomDistribution::kNormal:
        return FillFloating<Normal>(philox, output, ctx.pool());
      case RandomDistribution::kTruncatedNormal:
        return FillFloating<TruncatedNormal>(philox, output, ctx.pool());
    }
    return Internal("unknown distribution");
  }

  absl::Status FillInts(KernelContext& ctx, const Philox& philox, const Tensor& low,
                        const Tensor& high, Tensor& output) const override {
    const CancelScope scope(ctx.step().cancel);
    return VisitDType(FullIntTypes{}, output.dtype(), [&]<typename T>(Type<T>) {
      FillAll<T>(UniformInt<T>{low.scalar<T>(), high.scalar<T>()}, philox, output, ctx.pool());
      return absl::OkStatus();
    });
  }

  absl::Status FillFullInts(KernelContext& ctx, const Philox& philox,
                            Tensor& output) const override {
    const CancelScope scope(ctx.step().cancel);
    return VisitDType(FullIntTypes{}, output.dtype(), [&]<typename T>(Type<T>) {
      FillAll<T>(UniformFullInt<T>{}, philox, output, ctx.pool());
      return absl::OkStatus();
    });
  }
};

}  // namespace

const RandomFiller& CpuRandomFiller() {
  static const HostRandomFiller filler;
  return filler;
}

}  // namespace sluice::kernels
