// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_MATH_MATMUL_PLAN_H_
#define SLUICE_KERNELS_COMMON_MATH_MATMUL_PLAN_H_

#include <vector>

#include "absl/container/inlined_vector.h"
#include "core/runtime/kernel.h"

namespace sluice::kernels {

// A dimension of the batch of a product: how many matrices each operand advances per step, 0 if
// it broadcasts.
struct BatchDimension {
  int64_t size = 1, matrices_a = 0, matrices_b = 0;
};

// A product of matrices [m, k] and [k, n], or a batch of them in row-major order.
struct ProductPlan {
  int64_t m = 0, n = 0, k = 0;
  Shape output;
  // Dimensions of size 1 are left out; neighbours that advance as one are one.
  absl::InlinedVector<BatchDimension, 4> batch;

  // For each product of the batch the index of an operand's matrix.
  std::vector<int64_t> Offsets(int64_t BatchDimension::*matrices) const;
};

// MatMul or a version of BatchMatMul, by its attributes.
struct ProductOp {
  bool transpose_a = false, transpose_b = false;
  bool broadcast = false;  // batch dimensions of size 1 broadcast

  static absl::StatusOr<ProductOp> CreateMatMul(const NodeSpec& node);
  // The transposes are adjoints.
  static absl::StatusOr<ProductOp> CreateBatchMatMul(const NodeSpec& node);

  // INVALID_ARGUMENT if the shapes do not fit.
  absl::StatusOr<ProductPlan> PlanMatMul(const Shape& a, const Shape& b) const;
  absl::StatusOr<ProductPlan> PlanBatchMatMul(const Shape& x, const Shape& y) const;

 private:
  absl::StatusOr<Shape::Dims> Batch(const Shape& x, const Shape& y) const;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_MATH_MATMUL_PLAN_H_
