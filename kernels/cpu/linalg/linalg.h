// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_LINALG_LINALG_H_
#define SLUICE_KERNELS_CPU_LINALG_LINALG_H_

#include <cstdint>
#include <initializer_list>

#include "core/runtime/kernel_registry.h"

// Common code of the decompositions and solvers: a tensor as a batch of row-major matrices, its two
// innermost dimensions.

namespace sluice::kernels {

using LinalgTypes = TypeList<float, double, Complex64, Complex128>;
constexpr DTypeSet kLinalg = SetOf(LinalgTypes{});

struct Matrices {
  Shape::Dims batch;  // the dimensions before the two of the matrix
  int64_t count = 0;  // their product
  int64_t rows = 0, columns = 0;

  int64_t size() const { return rows * columns; }
};

// INVALID_ARGUMENT unless input i has rank >= 2 (and is square).
absl::StatusOr<Matrices> MatricesOf(const KernelContext& ctx, int i);
absl::StatusOr<Matrices> SquareMatricesOf(const KernelContext& ctx, int i);
// INVALID_ARGUMENT unless both have the same batch dimensions.
absl::Status CheckSameBatch(const Matrices& a, const Matrices& b);
// INVALID_ARGUMENT unless the two can be the sides of linear equations.
absl::Status CheckEquations(const Matrices& left, const Matrices& right, bool square);
// The batch dimensions followed by `inner`.
absl::StatusOr<Shape> WithBatch(const Matrices& matrices, std::initializer_list<int64_t> inner);
absl::StatusOr<Tensor*> AllocateBatch(KernelContext& ctx, int output, const Matrices& matrices,
                                      std::initializer_list<int64_t> inner);
// Output 1 of an eigen decomposition: the vectors, or a scalar 0 if they are not computed.
absl::StatusOr<Tensor*> AllocateEigenvectors(KernelContext& ctx, const Matrices& square,
                                             bool computed);

// The product's batch dimensions and, for each of its matrices, the matrix of each operand. Batch
// dimensions broadcast.
struct MatrixPairs {
  Matrices result;  // only the batch is set: rows and columns stay 0
  std::vector<int64_t> left, right;
};
absl::StatusOr<MatrixPairs> PairMatrices(const Matrices& a, const Matrices& b);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_LINALG_LINALG_H_
