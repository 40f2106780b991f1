// SPDX-License-Identifier: Apache-2.0
// SdcaShrinkL1, which makes the weights of a linear model sparse, and SdcaFprint, which makes keys
// of examples.
#include <algorithm>
#include <cmath>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/primitives.h"
#include "kernels/common/string_hash.h"
#include "kernels/common/variables.h"
#include "kernels/cpu/training/register.h"

namespace sluice::kernels {
namespace {

struct SdcaShrinkL1 {
  float shrinkage;

  static absl::StatusOr<SdcaShrinkL1> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const float l1, node.Get<float>("l1"));
    SLUICE_ASSIGN(const float l2, node.Get<float>("l2"));
    return SdcaShrinkL1{static_cast<float>(static_cast<double>(l1) / static_cast<double>(l2))};
  }

  absl::Status Run(KernelContext& ctx) const {
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      SLUICE_ASSIGN(LockedVariable weights, LockedVariable::Lock(ctx, i, LockedVariable::kWrite));
      SLUICE_RETURN_IF_ERROR(weights.PrepareToWrite(ctx, CpuPrimitives()));
      for (float& weight : weights.value().mutable_flat<float>()) {
        const float size = std::max(std::abs(weight) - shrinkage, 0.0f);
        weight = weight > 0 ? size : weight < 0 ? -size : weight * size;
      }
    }
    return absl::OkStatus();
  }
};

struct SdcaFprint {
  static absl::StatusOr<SdcaFprint> Create(const NodeSpec&) { return SdcaFprint{}; }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor in = ctx.input(0);
    if (in.rank() != 1) return InvalidArgument("Input must be a vector, got shape ", in.shape());
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{in.dim(0), 2}));
    auto* to = out->mutable_data<int64_t>();
    for (const std::string& key : in.flat<std::string>()) {
      const Fingerprint128 print = FarmFingerprint128(key);
      // 0 and 1 are free to mark the keys of hash tables that are empty or deleted.
      *to++ = static_cast<int64_t>(print.low >= 2 ? print.low : print.low + ~uint64_t{1});
      *to++ = static_cast<int64_t>(print.high);
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSdcaOps(KernelRegistry& kernels) {
  kernels.Add<SdcaShrinkL1>("SdcaShrinkL1", kCpu);
  kernels.Add<SdcaFprint>("SdcaFprint", kCpu);
}

}  // namespace sluice::kernels
