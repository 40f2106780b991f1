// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_SPARSE_SPARSE_BATCH_H_
#define SLUICE_KERNELS_CPU_SPARSE_SPARSE_BATCH_H_

#include <vector>

#include "kernels/cpu/sparse/sparse.h"

namespace sluice::kernels {

// The elements of a batch along dimension 0. Each is a sparse tensor of one rank less; those
// without values are included. INVALID_ARGUMENT for ranks below 2 and rows out of order.
absl::StatusOr<std::vector<SparseTensor>> Unstacked(const SparseTensor& batch);

// Sets three outputs from `first` on to the tensors, stacked along new leading dimensions in
// row-major order. Each size is the largest of all. INVALID_ARGUMENT unless all have one rank, and
// values of the output's dtype.
absl::Status SetStacked(KernelContext& ctx, int first, absl::Span<const SparseTensor> parts,
                        absl::Span<const int64_t> leading);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_SPARSE_SPARSE_BATCH_H_
