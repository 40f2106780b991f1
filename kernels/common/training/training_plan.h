// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_TRAINING_TRAINING_PLAN_H_
#define SLUICE_KERNELS_COMMON_TRAINING_TRAINING_PLAN_H_

#include "absl/container/inlined_vector.h"
#include "core/runtime/kernel_context.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/training/optimizers.h"

namespace sluice::kernels {

// The plan of a training op, from its name and attributes, on every device: the optimizer, and the
// positions of the inputs.
struct TrainingPlan {
  const Optimizer* optimizer = nullptr;
  OptimizerOptions options;
  DType dtype = kInvalid;
  absl::InlinedVector<int, kMaxTrainingScalars> scalars;  // inputs, in the optimizer's order
  int gradient = 0;                                       // input
  int indices = -1;                                       // input of a sparse op
  bool reference = false;                                 // if false, resources

  static absl::StatusOr<TrainingPlan> Of(const NodeSpec& node, bool sparse);

  // INVALID_ARGUMENT unless the inputs for rates and similar values are scalars.
  absl::Status CheckScalars(const KernelContext& ctx) const;
  // INVALID_ARGUMENT unless a gradient of that shape fits the variable.
  absl::Status CheckDense(const Shape& var, const Shape& grad) const;
};

// INVALID_ARGUMENT unless grad has one row of var for each index.
absl::Status CheckTrainingRows(const Shape& var, const Shape& grad, const Shape& indices);

// The kernels of an optimizer's ops by dense(op) and sparse(op): names of ops.
template <typename Dense, typename Sparse>
void ForEachTrainingOp(const Optimizer& optimizer, Dense dense, Sparse sparse) {
  const auto name = [&](absl::string_view prefix) { return Cat(prefix, optimizer.name); };
  dense(name("ResourceApply"));
  if (optimizer.has_reference) dense(name("Apply"));
  if (!optimizer.has_sparse) return;
  sparse(name("ResourceSparseApply"));
  if (optimizer.has_reference) sparse(name("SparseApply"));
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_TRAINING_TRAINING_PLAN_H_
