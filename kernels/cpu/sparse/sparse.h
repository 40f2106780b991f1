// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_SPARSE_SPARSE_H_
#define SLUICE_KERNELS_CPU_SPARSE_SPARSE_H_

#include <cstdint>
#include <vector>

#include "core/runtime/kernel.h"

namespace sluice::kernels {

// What errors say of a row of indices that is below the one before it.
inline constexpr char kOutOfOrder[] =
    "out of order. Many sparse ops require sorted indices.\n"
    "    Use `tf.sparse.reorder` to create a correctly ordered copy.\n\n";

// A sparse tensor as three inputs of an op: rows of indices [n, rank], values [n] and a shape.
struct SparseTensor {
  Tensor indices;
  Tensor values;
  Shape shape;

  int64_t count() const { return indices.dim(0); }
  int rank() const { return shape.rank(); }
  const int64_t* row(int64_t i) const { return indices.data<int64_t>() + i * rank(); }

  // INVALID_ARGUMENT unless the three fit together. Indices may still be out of bounds.
  static absl::StatusOr<SparseTensor> Of(const Tensor& indices, const Tensor& values,
                                         const Tensor& shape);
  static absl::StatusOr<SparseTensor> At(const KernelContext& ctx, int first_input) {
    return Of(ctx.input(first_input), ctx.input(first_input + 1), ctx.input(first_input + 2));
  }

  // INVALID_ARGUMENT with the first index outside the shape.
  absl::Status CheckBounds() const;
  // The same, and also for rows that are not in strictly rising order.
  absl::Status CheckOrder() const;
  // Flat index of a row's element in the dense tensor.
  // REQUIRES: within bounds.
  int64_t Flat(int64_t i) const;
};

// Compares two index rows; negative, zero or positive.
int CompareRows(const int64_t* a, const int64_t* b, int rank);
// Row numbers sorted by their rows; the sort is stable.
std::vector<int64_t> SortedRows(const int64_t* rows, int64_t count, int rank);

// Sets one output to index rows, and one to the elements of `values` with the given numbers.
absl::Status SetRows(KernelContext& ctx, int output, absl::Span<const int64_t> rows, int rank);
absl::Status SetPicked(KernelContext& ctx, int output, const Tensor& values,
                       absl::Span<const int64_t> picks);
// Sets an output to a shape's sizes.
absl::Status SetSizes(KernelContext& ctx, int output, absl::Span<const int64_t> sizes);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_SPARSE_SPARSE_H_
