// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_IO_CHECKPOINT_H_
#define SLUICE_KERNELS_ANY_IO_CHECKPOINT_H_

#include <string>

#include "core/io/checkpoint/checkpoint_v1.h"
#include "core/io/checkpoint/tensor_slice.h"
#include "core/runtime/kernel_registry.h"

// Common code of the checkpoint ops of both formats: input checks, and the rules by which a stored
// tensor fits a request. Errors are INVALID_ARGUMENT and name the input or the tensor.

namespace sluice::kernels {

absl::StatusOr<std::string> StringScalar(const Tensor& tensor, absl::string_view input);
// The part of a whole tensor that `tensor` is when it is saved.
absl::StatusOr<ShapeAndSlice> PartOf(const std::string& text, const Tensor& tensor);
// Reads a tensor, or its part `part`, from a checkpoint of the older format.
absl::StatusOr<Tensor> ReadOlder(const V1Reader& reader, const std::string& name,
                                 const std::string& part, DType dtype);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_IO_CHECKPOINT_H_
