// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/random/multinomial.h"

#include "core/runtime/kernel_registry.h"
#include "kernels/common/random/multinomial_plan.h"
#include "kernels/common/random/node_stream.h"
#include "kernels/common/random/random_ops.h"
#include "kernels/common/random/share_units.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/random/register.h"

namespace sluice::kernels {
namespace {

absl::Status Draw(KernelContext& ctx, const Philox& philox, Tensor& output) {
  const Tensor& logits = ctx.input(0);
  const int64_t rows = logits.dim(0), classes = logits.dim(1), samples = output.dim(1);
  const int threads = ctx.pool() == nullptr ? 1 : ctx.pool()->num_threads();
  const int64_t share = UnitsOfShare(rows, MultinomialCycles(classes, samples), threads);
  SLUICE_ASSIGN(Tensor sums, ctx.AllocateTemporary(kDouble, logits.shape()));
  return Launched(cuda::LaunchMultinomial(ElementOf(logits.dtype()), philox, logits.raw(), rows,
                                          classes, samples, share, static_cast<double*>(sums.raw()),
                                          output.raw(), output.dtype() == kInt64, StreamOf(ctx)));
}

struct CudaMultinomial {
  NodeStream stream;

  explicit CudaMultinomial(const NodeSpec& node) : stream(node) {}
  static absl::StatusOr<std::unique_ptr<CudaMultinomial>> Create(const NodeSpec& node) {
    return std::make_unique<CudaMultinomial>(node);
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Tensor * output, MultinomialOutput(ctx));
    if (output->num_elements() == 0) return absl::OkStatus();
    return Draw(ctx, stream.Take(MultinomialBlocks(output->shape())), *output);
  }
};

struct CudaStatelessMultinomial {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Philox philox, StreamOfSeeds(ctx.input(2)));
    SLUICE_ASSIGN(Tensor * output, MultinomialOutput(ctx));
    return output->num_elements() == 0 ? absl::OkStatus() : Draw(ctx, philox, *output);
  }
};

}  // namespace

void RegisterCudaMultinomial(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> types{{"T", kFloating}};
  kernels.Add<CudaMultinomial>("Multinomial", kGpu, types, HostMemory{"num_samples"});
  kernels.Add<CudaStatelessMultinomial>("StatelessMultinomial", kGpu, types,
                                        HostMemory{"num_samples", "seed"});
}

}  // namespace sluice::kernels
