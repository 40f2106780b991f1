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

// The rows target[indices[...]]. `updates` must have shape indices.shape + params.shape[1:], or be
// a scalar.
absl::StatusOr<Slices> RowsAt(const Shape& params, const Tensor& indices, const Shape& updates);
// INVALID_ARGUMENT unless `updates` fit the slices params[indices[..., :]]: their shape is
// indices.shape[:-1] + params.shape[k:]. A vector of one index stands for [[index]].
absl::Status CheckSlices(const Shape& params, const Shape& indices, const Shape& updates);
// The node's bad_indices_policy: an index out of range is an error, or it is ignored.
absl::StatusOr<bool> IgnoresBadIndices(const NodeSpec& node);
// The slices target[indices[..., :]] for `updates` that fit.
absl::StatusOr<Slices> SlicesAt(const Shape& params, const Tensor& indices, const Shape& updates,
                                bool ignore_bad);
// Computes slice[i] op= updates[i] in order: if an index repeats, the last one wins. A scalar
// updates every element.
absl::Status UpdateSlices(Combine how, Tensor& target, const Slices& slices, const Tensor& updates);

// The rows params[..., indices[...], ...]. The first `batch_dims` dimensions are common to both.
absl::Status GatherRows(const Tensor& params, const Tensor& indices, int batch_dims,
                        Tensor& output);
absl::StatusOr<Shape> GatherRowsShape(const Shape& params, const Shape& indices, int batch_dims);
// The slices params[indices[..., :]].
absl::Status GatherSlices(const Tensor& params, const Tensor& indices, Tensor& output);
absl::StatusOr<Shape> GatherSlicesShape(const Shape& params, const Shape& indices);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_UPDATE_H_
