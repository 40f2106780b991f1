// SPDX-License-Identifier: Apache-2.0
// The ops that apply a gradient to variables on a GPU: dense and sparse, to references and to
// resources. The scalars are in the GPU's memory, so their domains are not checked.
#include "kernels/cuda/training/training.h"

#include "core/runtime/kernel_registry.h"
#include "kernels/common/training/training_plan.h"
#include "kernels/common/training/training_variables.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/training/register.h"

namespace sluice::kernels {
namespace {

cuda::TrainingOperands OperandsOf(const TrainingPlan& plan, const KernelContext& ctx,
                                  const LockedVariables& variables) {
  cuda::TrainingOperands operands;
  for (size_t i = 0; i < plan.optimizer->variables.size(); ++i)
    operands.variables[i] = variables.data(static_cast<int>(i));
  for (size_t i = 0; i < plan.scalars.size(); ++i) {
    const Tensor& scalar = ctx.input(plan.scalars[i]);
    operands.scalars[i] = scalar.raw();
    if (scalar.dtype() == kInt64) operands.wide_scalar = static_cast<int32_t>(i);
  }
  operands.gradient = ctx.input(plan.gradient).raw();
  operands.options = plan.options;
  return operands;
}

struct CudaDenseUpdate {
  TrainingPlan plan;

  static absl::StatusOr<CudaDenseUpdate> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(TrainingPlan plan, TrainingPlan::Of(node, /*sparse=*/false));
    return CudaDenseUpdate{std::move(plan)};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(plan.CheckScalars(ctx));
    const Tensor& grad = ctx.input(plan.gradient);
    LockedVariables variables;
    SLUICE_RETURN_IF_ERROR(variables.Lock(ctx, plan.optimizer->variables, plan.dtype));
    SLUICE_RETURN_IF_ERROR(plan.CheckDense(variables.shape(), grad.shape()));
    SLUICE_RETURN_IF_ERROR(variables.PrepareToWrite(ctx));
    SLUICE_RETURN_IF_ERROR(Launched(cuda::LaunchTraining(
        plan.optimizer->rule, ElementOf(plan.dtype), OperandsOf(plan, ctx, variables),
        grad.num_elements(), StreamOf(ctx))));
    if (plan.reference) ctx.ForwardSlot(0, 0);
    return absl::OkStatus();
  }
};

struct CudaSparseUpdate {
  TrainingPlan plan;

  static absl::StatusOr<CudaSparseUpdate> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(TrainingPlan plan, TrainingPlan::Of(node, /*sparse=*/true));
    return CudaSparseUpdate{std::move(plan)};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(plan.CheckScalars(ctx));
    const Tensor &grad = ctx.input(plan.gradient), &indices = ctx.input(plan.indices);
    LockedVariables variables;
    SLUICE_RETURN_IF_ERROR(variables.Lock(ctx, plan.optimizer->variables, plan.dtype));
    SLUICE_RETURN_IF_ERROR(CheckTrainingRows(variables.shape(), grad.shape(), indices.shape()));
    if (grad.num_elements() > 0) {
      SLUICE_RETURN_IF_ERROR(variables.PrepareToWrite(ctx));
      cuda::TrainingRows rows;
      rows.indices = indices.raw();
      rows.wide = indices.dtype() == kInt64;
      rows.count = indices.num_elements();
      rows.rows = variables.shape().dim(0);
      rows.width = grad.num_elements() / rows.count;
      SLUICE_RETURN_IF_ERROR(Launched(
          cuda::LaunchTrainingRows(plan.optimizer->rule, ElementOf(plan.dtype),
                                   OperandsOf(plan, ctx, variables), rows, StreamOf(ctx))));
    }
    if (plan.reference) ctx.ForwardSlot(0, 0);
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterCudaTraining(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> dense{{"T", kFloating}};
  const std::vector<TypeConstraint> sparse{{"T", kFloating}, {"Tindices", kIndex}};
  for (const Optimizer& optimizer : Optimizers()) {
    if (!cuda::HasTrainingKernels(optimizer.rule)) continue;
    ForEachTrainingOp(
        optimizer, [&](absl::string_view op) { kernels.Add<CudaDenseUpdate>(op, kGpu, dense); },
        [&](absl::string_view op) { kernels.Add<CudaSparseUpdate>(op, kGpu, sparse); });
  }
}

}  // namespace sluice::kernels
