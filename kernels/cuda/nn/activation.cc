// SPDX-License-Identifier: Apache-2.0
// Activation functions and their gradients.
#include "kernels/cuda/nn/activation.h"

#include "core/runtime/kernel_registry.h"
#include "kernels/common/math_plan.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/nn/register.h"

namespace sluice::kernels {
namespace {

using cuda::Activation;

struct ActivationOp {
  Activation f;
  const char* op;
  const char* gradient;
};
constexpr ActivationOp kActivations[] = {
    {Activation::kRelu, "Relu", "ReluGrad"},
    {Activation::kRelu6, "Relu6", "Relu6Grad"},
    {Activation::kLeakyRelu, "LeakyRelu", "LeakyReluGrad"},
    {Activation::kElu, "Elu", "EluGrad"},
    {Activation::kSelu, "Selu", "SeluGrad"},
    {Activation::kSoftplus, "Softplus", "SoftplusGrad"},
    {Activation::kSoftsign, "Softsign", "SoftsignGrad"},
};

absl::StatusOr<float> AlphaOf(const NodeSpec& node) {
  if (!node.attrs.contains("alpha")) return 0.0f;
  return node.Get<float>("alpha");
}

struct CudaActivation {
  Activation f;
  float alpha;

  absl::Status Run(KernelContext& ctx) const {
    const Shape shape = ctx.input(0).shape();
    const Element element = ElementOf(ctx.input(0).dtype());
    const void* x = ctx.input(0).raw();  // stays valid: forwarded, it is the output
    SLUICE_ASSIGN(Tensor * y, ctx.ForwardOrAllocate({0}, 0, shape));
    return Launched(cuda::LaunchActivation(f, element, x, y->raw(), shape.num_elements(), alpha,
                                           StreamOf(ctx)));
  }
};

struct CudaActivationGrad {
  Activation f;
  float alpha;
  OperandRule rule;

  absl::Status Run(KernelContext& ctx) const {
    const Shape shape = ctx.input(0).shape();
    if (shape != ctx.input(1).shape())
      SLUICE_RETURN_IF_ERROR(rule.Meet(shape, ctx.input(1).shape()).status());
    const Element element = ElementOf(ctx.input(0).dtype());
    const void *gradient = ctx.input(0).raw(), *of = ctx.input(1).raw();
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0, 1}, 0, shape));
    return Launched(cuda::LaunchActivationGrad(f, element, gradient, of, out->raw(),
                                               shape.num_elements(), alpha, StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaActivations(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> types{{"T", kFloating}};
  for (const ActivationOp& op : kActivations) {
    auto forward = [f = op.f](const NodeSpec& node) -> absl::StatusOr<std::unique_ptr<Kernel>> {
      SLUICE_ASSIGN(const float alpha, AlphaOf(node));
      return MakeKernel(CudaActivation{f, alpha});
    };
    auto backward = [f = op.f](const NodeSpec& node) -> absl::StatusOr<std::unique_ptr<Kernel>> {
      SLUICE_ASSIGN(const float alpha, AlphaOf(node));
      return MakeKernel(CudaActivationGrad{
          f, alpha, OperandRule::Create(node, /*same_shape=*/true, /*any_shape=*/false)});
    };
    kernels.AddWith(forward, op.op, kGpu, types);
    kernels.AddWith(backward, op.gradient, kGpu, types);
  }
}

}  // namespace sluice::kernels
