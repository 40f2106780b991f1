// SPDX-License-Identifier: Apache-2.0
// Random numbers in the memory of a GPU.
#include "kernels/common/random/random_ops.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/random/random_fill.h"
#include "kernels/cuda/random/register.h"

namespace sluice::kernels {
namespace {

class CudaRandomFiller final : public RandomFiller {
 public:
  absl::string_view device_type() const override { return kGpu; }

  absl::Status Fill(KernelContext& ctx, RandomDistribution distribution, const Philox& philox,
                    Tensor& output) const override {
    return Launched(cuda::LaunchRandomFill(distribution, ElementOf(output.dtype()), philox,
                                           output.raw(), output.num_elements(), StreamOf(ctx)));
  }

  absl::Status FillInts(KernelContext& ctx, const Philox& philox, const Tensor& low,
                        const Tensor& high, Tensor& output) const override {
    return VisitDType(FullIntTypes{}, output.dtype(), [&]<typename T>(Type<T>) {
      return Launched(cuda::LaunchRandomInts(ElementOf(output.dtype()), philox,
                                             static_cast<int64_t>(low.scalar<T>()),
                                             static_cast<int64_t>(high.scalar<T>()), output.raw(),
                                             output.num_elements(), StreamOf(ctx)));
    });
  }

  absl::Status FillFullInts(KernelContext& ctx, const Philox& philox,
                            Tensor& output) const override {
    return Launched(cuda::LaunchRandomFullInts(ElementOf(output.dtype()), philox, output.raw(),
                                               output.num_elements(), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaRandom(KernelRegistry& kernels) {
  static const CudaRandomFiller filler;
  RegisterRandomOps(kernels, filler);
  RegisterCudaMultinomial(kernels);
  RegisterCudaStatefulRandom(kernels);
}

}  // namespace sluice::kernels
