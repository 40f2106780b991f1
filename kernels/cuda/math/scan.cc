// SPDX-License-Identifier: Apache-2.0
// Cumsum, Cumprod, CumulativeLogsumexp: running totals along one axis.
#include "kernels/cuda/math/scan.h"

#include "core/runtime/kernel_registry.h"
#include "kernels/common/axis.h"
#include "kernels/common/math_plan.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/math/register.h"

namespace sluice::kernels {
namespace {

template <cuda::ScanOp kOp>
struct Scan {
  bool exclusive, reverse;

  static absl::StatusOr<Scan> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool exclusive, node.Get<bool>("exclusive"));
    SLUICE_ASSIGN(const bool reverse, node.Get<bool>("reverse"));
    return Scan{exclusive, reverse};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const int axis, ScanAxis(x.shape(), ctx.input(1)));
    SLUICE_ASSIGN(Tensor * y, ctx.AllocateOutput(0, x.shape()));
    const AxisView view(x.shape(), axis);
    return Launched(cuda::LaunchScan(kOp, ElementOf(x.dtype()), exclusive, reverse, x.raw(),
                                     view.outer, view.size, view.inner, y->raw(), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaScan(KernelRegistry& kernels) {
  using cuda::ScanOp;
  const std::vector<TypeConstraint> numbers{{"T", kFloating | kIndex}, {"Tidx", kIndex}};
  kernels.Add<Scan<ScanOp::kSum>>("Cumsum", kGpu, numbers, HostMemory{"axis"});
  kernels.Add<Scan<ScanOp::kProd>>("Cumprod", kGpu, numbers, HostMemory{"axis"});
  kernels.Add<Scan<ScanOp::kLogSumExp>>("CumulativeLogsumexp", kGpu,
                                        {{"T", kFloating}, {"Tidx", kIndex}}, HostMemory{"axis"});
}

}  // namespace sluice::kernels
