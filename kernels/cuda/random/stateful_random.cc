// SPDX-License-Identifier: Apache-2.0
// Random numbers whose state is a variable in the memory of a GPU: tf.random.Generator. The host
// does not see the state: a kernel advances it, and leaves its position for the kernel that fills.
#include "core/runtime/kernel_registry.h"
#include "kernels/common/random/random_ops.h"
#include "kernels/common/random/rng_algorithm.h"
#include "kernels/common/variables.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/common/primitives.h"
#include "kernels/cuda/random/random_fill.h"
#include "kernels/cuda/random/register.h"

namespace sluice::kernels {
namespace {

absl::Status TakeBlocks(KernelContext& ctx, uint64_t blocks, Philox* taken) {
  SLUICE_ASSIGN(LockedVariable variable, LockedVariable::Lock(ctx, 0, LockedVariable::kWrite));
  SLUICE_RETURN_IF_ERROR(CheckStateVector(variable.value()));
  SLUICE_RETURN_IF_ERROR(CheckStateSize(variable.value(), 0));
  SLUICE_RETURN_IF_ERROR(variable.PrepareToWrite(ctx, CudaPrimitives()));
  return Launched(cuda::LaunchTakeBlocks(static_cast<int64_t*>(variable.value().raw()), blocks,
                                         taken, StreamOf(ctx)));
}

struct Outputs {
  Tensor* tensor;
  Tensor position;  // in the memory of the GPU

  cuda::StreamPosition stream() const {
    return cuda::StreamPosition(static_cast<const Philox*>(position.raw()));
  }
};

// Inputs: the variable, the algorithm, the shape.
absl::StatusOr<Outputs> TakeOutputs(KernelContext& ctx) {
  SLUICE_ASSIGN(const int64_t algorithm, AlgorithmOf(ctx, 1));
  SLUICE_RETURN_IF_ERROR(CheckAlgorithm(algorithm));
  SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(2)));
  Outputs outputs;
  SLUICE_ASSIGN(outputs.tensor, ctx.AllocateOutput(0, shape));
  SLUICE_ASSIGN(outputs.position,
                ctx.AllocateTemporary(kUint8, Shape{static_cast<int64_t>(sizeof(Philox))}));
  SLUICE_RETURN_IF_ERROR(TakeBlocks(ctx,
                                    static_cast<uint64_t>(shape.num_elements()) * kBlocksPerOutput,
                                    static_cast<Philox*>(outputs.position.raw())));
  return outputs;
}

template <RandomDistribution kDistribution>
struct StatefulFloating {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Outputs outputs, TakeOutputs(ctx));
    Tensor& to = *outputs.tensor;
    return Launched(cuda::LaunchRandomFill(kDistribution, ElementOf(to.dtype()), outputs.stream(),
                                           to.raw(), to.num_elements(), StreamOf(ctx)));
  }
};

struct StatefulUniformInt {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &low = ctx.input(3), &high = ctx.input(4);
    SLUICE_RETURN_IF_ERROR(CheckBounds(low, high));
    SLUICE_ASSIGN(const Outputs outputs, TakeOutputs(ctx));
    SLUICE_RETURN_IF_ERROR(CheckOrder(low, high));
    Tensor& to = *outputs.tensor;
    return VisitDType(FullIntTypes{}, to.dtype(), [&]<typename T>(Type<T>) {
      return Launched(cuda::LaunchRandomInts(
          ElementOf(to.dtype()), outputs.stream(), static_cast<int64_t>(low.scalar<T>()),
          static_cast<int64_t>(high.scalar<T>()), to.raw(), to.num_elements(), StreamOf(ctx)));
    });
  }
};

struct StatefulUniformFullInt {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Outputs outputs, TakeOutputs(ctx));
    Tensor& to = *outputs.tensor;
    return Launched(cuda::LaunchRandomFullInts(ElementOf(to.dtype()), outputs.stream(), to.raw(),
                                               to.num_elements(), StreamOf(ctx)));
  }
};

struct RngSkip {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const int64_t algorithm, AlgorithmOf(ctx, 1));
    SLUICE_RETURN_IF_ERROR(CheckAlgorithm(algorithm));
    if (ctx.input(2).rank() != 0)
      return InvalidArgument("input 2 (0-based) must have shape [], not ", ctx.input(2).shape());
    const auto delta = static_cast<uint64_t>(ctx.input(2).scalar<int64_t>());
    return TakeBlocks(ctx, delta * kBlocksPerOutput, nullptr);
  }
};

}  // namespace

void RegisterCudaStatefulRandom(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> floating{{"dtype", kFloating}};
  const std::vector<TypeConstraint> full{{"dtype", SetOf(FullIntTypes{})}};
  const HostMemory host{"algorithm", "shape"};
  using enum RandomDistribution;
  kernels.Add<StatefulFloating<kNormal>>("StatefulStandardNormalV2", kGpu, floating, host);
  kernels.Add<StatefulFloating<kUniform>>("StatefulUniform", kGpu, floating, host);
  kernels.Add<StatefulFloating<kTruncatedNormal>>("StatefulTruncatedNormal", kGpu, floating, host);
  kernels.Add<StatefulUniformInt>("StatefulUniformInt", kGpu, full,
                                  HostMemory{"algorithm", "shape", "minval", "maxval"});
  kernels.Add<StatefulUniformFullInt>("StatefulUniformFullInt", kGpu, full, host);
  kernels.Add<RngSkip>("RngSkip", kGpu, {}, HostMemory{"algorithm", "delta"});
}

}  // namespace sluice::kernels
