// SPDX-License-Identifier: Apache-2.0
// CheckNumerics on a GPU: it waits for what a kernel found, without holding a thread.
#include "kernels/cuda/debug/numerics.h"

#include "core/runtime/device.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/math/numerics_error.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/common/primitives.h"
#include "kernels/cuda/debug/register.h"

namespace sluice::kernels {
namespace {

struct CudaCheckNumerics {
  std::string message;

  static absl::StatusOr<CudaCheckNumerics> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(std::string message, node.Get<std::string>("message"));
    return CudaCheckNumerics{std::move(message)};
  }

  void Start(KernelContext& ctx, Done done) const {
    const absl::StatusOr<Tensor> found = Find(ctx);
    if (!found.ok()) return done(found.status());
    ctx.device().CopyToHost(
        *found, [this, &ctx, done = std::move(done)](absl::StatusOr<Tensor> bits) mutable {
          done(bits.ok() ? Finish(ctx, bits->scalar<uint32_t>()) : bits.status());
        });
  }

 private:
  static absl::StatusOr<Tensor> Find(KernelContext& ctx) {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(Tensor found, ctx.AllocateTemporary(kUint32, Shape{}));
    SLUICE_RETURN_IF_ERROR(CudaPrimitives().Zero(ctx, kUint32, found.raw(), 1));
    SLUICE_RETURN_IF_ERROR(
        Launched(cuda::LaunchFindNonFinite(ElementOf(x.dtype()), x.raw(), x.num_elements(),
                                           static_cast<uint32_t*>(found.raw()), StreamOf(ctx))));
    return found;
  }
  absl::Status Finish(KernelContext& ctx, uint32_t found) const {
    SLUICE_RETURN_IF_ERROR(NumericsError(message, (found & cuda::kFoundNan) != 0,
                                         (found & cuda::kFoundInfinity) != 0));
    ctx.ForwardSlot(0, 0);
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterCudaCheckNumerics(KernelRegistry& kernels) {
  kernels.Add<CudaCheckNumerics>("CheckNumerics", kGpu, {{"T", kFloating}});
}

}  // namespace sluice::kernels
