// SPDX-License-Identifier: Apache-2.0
// Ops on bits: CompareAndBitpack, PopulationCount.
#include <bit>

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/math/register.h"

namespace sluice::kernels {
namespace {

// Eight comparisons in a byte; the first is the highest bit.
struct CompareAndBitpack {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &x = ctx.input(0), &threshold = ctx.input(1);
    if (threshold.rank() != 0)
      return InvalidArgument("Compare must be a scalar, but saw shape: ", threshold.shape());
    if (x.rank() < 1)
      return InvalidArgument("Input should be at least a vector, but saw a scalar.");
    if (x.dim(x.rank() - 1) % 8 != 0) {
      return InvalidArgument("Inner dimension of input should be divisible by 8, but saw shape: ",
                             x.shape());
    }
    Shape shape = x.shape();
    shape.SetDim(x.rank() - 1, x.dim(x.rank() - 1) / 8);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return VisitDType(Join<RealTypes, TypeList<bool>>{}, x.dtype(), [&]<typename T>(Type<T>) {
      using C = ComputeType<T>;
      const C least = static_cast<C>(threshold.scalar<T>());
      ParallelFor(ctx.pool(), shape.num_elements(), 5, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          unsigned byte = 0;
          for (int64_t j = 0; j < 8; ++j) {
            const auto value = static_cast<C>(x.data<T>()[i * 8 + j]);
            // Booleans are packed without a comparison.
            const bool above = std::is_same_v<T, bool> ? static_cast<bool>(value) : value > least;
            byte = byte << 1 | (above ? 1u : 0u);
          }
          out->mutable_data<uint8_t>()[i] = static_cast<uint8_t>(byte);
        }
      });
      return absl::OkStatus();
    });
  }
};

struct PopulationCount {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, x.shape()));
    return VisitDType(IntegerTypes{}, x.dtype(), [&]<typename T>(Type<T>) {
      ParallelFor(ctx.pool(), x.num_elements(), 0.5, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          out->mutable_data<uint8_t>()[i] = static_cast<uint8_t>(
              std::popcount(static_cast<std::make_unsigned_t<T>>(x.data<T>()[i])));
        }
      });
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterBits(KernelRegistry& kernels) {
  kernels.Add<CompareAndBitpack>("CompareAndBitpack", kCpu, {{"T", kReal | DTypeSet{kBool}}});
  kernels.Add<PopulationCount>("PopulationCount", kCpu, {{"T", kInteger}});
}

}  // namespace sluice::kernels
