// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_TREES_TREE_INPUTS_H_
#define SLUICE_KERNELS_ANY_TREES_TREE_INPUTS_H_

#include "core/op/node_spec.h"
#include "core/runtime/kernel_context.h"

namespace sluice::kernels {

// Checked views of the inputs of this folder's kernels. INVALID_ARGUMENT names the argument.

template <typename T>
absl::StatusOr<T> ScalarInput(const KernelContext& ctx, int input, absl::string_view name) {
  const Tensor& tensor = ctx.input(input);
  if (tensor.rank() != 0)
    return InvalidArgument(name, " must be a scalar, got shape ", tensor.shape());
  return tensor.scalar<T>();
}

// A tensor of this rank whose first size is `rows`, unless that is -1.
inline absl::Status CheckRows(const Tensor& tensor, int rank, int64_t rows,
                              absl::string_view name) {
  if (tensor.rank() == rank && (rows < 0 || tensor.dim(0) == rows)) return absl::OkStatus();
  if (rows < 0)
    return InvalidArgument(name, " must have rank ", rank, ", got shape ", tensor.shape());
  return InvalidArgument(name, " must have rank ", rank, " and ", rows, " rows, got shape ",
                         tensor.shape());
}

template <typename T>
absl::StatusOr<absl::Span<const T>> VectorInput(const KernelContext& ctx, int input, int64_t size,
                                                absl::string_view name) {
  SLUICE_RETURN_IF_ERROR(CheckRows(ctx.input(input), 1, size, name));
  return ctx.input(input).flat<T>();
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_TREES_TREE_INPUTS_H_
