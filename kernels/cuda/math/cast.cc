// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/math/cast.h"

#include "core/runtime/kernel_registry.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/math/register.h"

namespace sluice::kernels {
namespace {

constexpr DTypeSet kCastable = kNumeric | DTypeSet{kBool};

struct Cast {
  DType from, to;
  bool truncate;

  static absl::StatusOr<Cast> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool truncate, node.Get<bool>("Truncate"));
    return Cast{node.input_types[0], node.output_types[0], truncate};
  }

  absl::Status Run(KernelContext& ctx) const {
    if (from == to) {
      ctx.ForwardSlot(0, 0);
      return absl::OkStatus();
    }
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(Tensor * y, ctx.AllocateOutput(0, x.shape()));
    return Launched(cuda::LaunchCast(ElementOf(from), ElementOf(to), truncate, x.raw(), y->raw(),
                                     x.num_elements(), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaCast(KernelRegistry& kernels) {
  kernels.Add<Cast>("Cast", kGpu, {{"SrcT", kCastable}, {"DstT", kCastable}});
}

}  // namespace sluice::kernels
