// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_TENSOR_VARIANT_H_
#define SLUICE_KERNELS_COMMON_TENSOR_VARIANT_H_

#include <string>
#include <vector>

#include "core/tensor/variant.h"

namespace sluice::kernels {

// A variant that holds a whole tensor. Sparse tensors pass through queues and data sets this way.
//
// Threads:  immutable.
class TensorVariant final : public Variant::Object {
 public:
  static constexpr absl::string_view kTypeName = "tensorflow::Tensor";

  explicit TensorVariant(Tensor tensor) : tensor_(std::move(tensor)) {}

  absl::string_view type_name() const override { return kTypeName; }
  absl::Status Encode(std::string* metadata, std::vector<Tensor>* tensors) const override;
  int depth() const override { return 1 + DepthOf(tensor_); }
  const Tensor& tensor() const { return tensor_; }

 private:
  const Tensor tensor_;
};

// INVALID_ARGUMENT if the tensor is not such a variant, or if objects are nested too deeply.
absl::StatusOr<Tensor> TensorIn(const Variant& variant);
absl::StatusOr<Variant> VariantOf(const Tensor& tensor);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_TENSOR_VARIANT_H_
