// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_MATH_SPARSE_MATMUL_PLAN_H_
#define SLUICE_KERNELS_COMMON_MATH_SPARSE_MATMUL_PLAN_H_

#include "core/runtime/kernel.h"
#include "core/runtime/kernel_context.h"

namespace sluice::kernels {

// The rules of SparseTensorDenseMatMul, on every device. The shape of a is in host memory.
struct SparseMatMulPlan {
  bool adjoint_a, adjoint_b;

  struct Sizes {
    int64_t outer, inner, columns;  // of the matrices [outer, inner] and [inner, columns]
  };

  static absl::StatusOr<SparseMatMulPlan> Create(const NodeSpec& node);
  // Does not look at the indices.
  absl::StatusOr<Sizes> CheckInputs(const KernelContext& ctx) const;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_MATH_SPARSE_MATMUL_PLAN_H_
