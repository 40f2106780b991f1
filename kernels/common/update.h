// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_UPDATE_H_
#define SLUICE_KERNELS_COMMON_UPDATE_H_

#include <vector>

#include "core/op/node_spec.h"
#include "core/tensor/tensor.h"
#include "core/threads/thread_pool.h"

// In-place arithmetic on variables of both kinds. The caller holds the variable's lock. Integers
// wrap. Division of integers by zero is INVALID_ARGUMENT and leaves the target as it was.

namespace sluice::kernels {

// How an update combines with the old value.
enum class Combine { kReplace, kAdd, kSub, kMul, kDiv, kMin, kMax };

// target op= value. REQUIRES: same dtype and number of elements.
absl::Status Update(Combine how, Tensor& target, const Tensor& value, WorkQueue* pool);

// Slices of a tensor, each by the index of its first element. -1 marks a slice that stays
// unchanged.
struct Slices {
  std::vector<int64_t> begin;
  int64_t size = 0;  // elements in one slice
};

// INVALID_ARGUMENT: element `at` of indices of that shape is `index`, which is not below `limit`.
absl::Status RowOutOfRange(const Shape& indices, int64_t at, int64_t index, int64_t limit);

// The number of rows along a tensor's first dimension, and the elements of one row.
struct RowSizes {
  int64_t limit = 0;
  int64_t size = 0;
};
// INVALID_ARGUMENT unless `updates` fit the rows params[indices[...]]: their shape is indices.shape
// + params.shape[1:], or they are a scalar.
absl::StatusOr<RowSizes> CheckRows(const Shape& params, const Shape& indices, const Shape& updates);
// The rows target[indices[...]].
absl::StatusOr<Slices> RowsAt(RowSizes rows, const Tensor& indices);
// INVALID_ARGUMENT unless `updates` fit the slices params[indices[..., :]]: their shape is
// indices.shape[:-1] + params.shape[k:]. A vector of one index means [[index]].
absl::Status CheckSlices(const Shape& params, const Shape& indices, const Shape& updates);
// Only scatters on variables, and ScatterNdNonAliasingAdd, accept [index] for [[index]]. An empty
// vector selects the whole output, which is also empty.
absl::Status CheckNoVector(const Shape& indices, const Shape& updates, const Shape& output);
// The node's bad_indices_policy: an index out of range is an error, or it is ignored.
absl::StatusOr<bool> IgnoresBadIndices(const NodeSpec& node);
// The slices target[indices[..., :]]. REQUIRES: CheckSlices.
absl::StatusOr<Slices> SlicesAt(const Shape& params, const Tensor& indices, bool ignore_bad);
// Computes slice[i] op= updates[i] in order: if an index repeats, the last one wins. A scalar
// updates every element.
absl::Status UpdateSlices(Combine how, Tensor& target, const Slices& slices, const Tensor& updates);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_UPDATE_H_
