// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATA_FLOW_SIGNATURE_TEXT_H_
#define SLUICE_KERNELS_ANY_DATA_FLOW_SIGNATURE_TEXT_H_

#include <string>
#include <vector>

#include "core/runtime/kernel_context.h"

// Types and shapes in the words of TensorFlow's errors, for ops whose handle determines their
// inputs and outputs.

namespace sluice::kernels {

std::string TypeNames(const std::vector<DType>& types);           // "float, int32"
std::string ShapeNames(const std::vector<PartialShape>& shapes);  // "[[], [2,3]]"

// "Signature mismatch, have: resource, int32-> expected: resource, float->": for a node without
// outputs, by its inputs after the handle.
absl::Status SignatureMismatch(const KernelContext& ctx, const std::vector<DType>& have,
                               const std::vector<DType>& expected, const Resource& resource);
// INVALID_ARGUMENT unless the node's inputs after the handle and its outputs have these dtypes.
absl::Status CheckSignature(const KernelContext& ctx, const std::vector<DType>& inputs,
                            const std::vector<DType>& outputs, const Resource& resource);
// INVALID_ARGUMENT unless the node's outputs are `expected`.
absl::Status CheckGiven(const KernelContext& ctx, const std::vector<DType>& expected,
                        const Resource& resource);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATA_FLOW_SIGNATURE_TEXT_H_
