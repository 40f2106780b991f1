// SPDX-License-Identifier: Apache-2.0
// QuantizedRelu and QuantizedRelu6: levels are cut at those of 0 and of 6. The range stays.
#include <algorithm>
#include <limits>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/quantized/level_range.h"
#include "kernels/cpu/quantized/register.h"

namespace sluice::kernels {
namespace {

template <bool kAtSix>
struct QuantizedRelu {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    SLUICE_ASSIGN(const LevelRange range,
                  LevelRange::ReadScalars(ctx, 1, "min_input", "max_input"));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, in.shape()));
    range.Write(ctx);
    return VisitDType(TypeList<Quint8, Qint32>{}, in.dtype(), [&]<typename Q>(Type<Q>) {
      using Storage = typename QuantizedLimits<Q>::Storage;
      const Storage low = FloatToLevel<Q>(0.0f, range.min, range.max).value;
      const Storage high = kAtSix ? FloatToLevel<Q>(6.0f, range.min, range.max).value
                                  : std::numeric_limits<Storage>::max();
      const auto* from = in.data<Storage>();
      auto* to = out->mutable_data<Storage>();
      ParallelFor(ctx.pool(), in.num_elements(), 0.1, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) to[i] = std::min(std::max(from[i], low), high);
      });
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterQuantizedActivation(KernelRegistry& kernels) {
  for (DType dtype : {kQuint8, kQint32}) {
    kernels.Add<QuantizedRelu<false>>("QuantizedRelu", kCpu,
                                      {{"Tinput", dtype}, {"out_type", dtype}});
    kernels.Add<QuantizedRelu<true>>("QuantizedRelu6", kCpu,
                                     {{"Tinput", dtype}, {"out_type", dtype}});
  }
}

}  // namespace sluice::kernels
