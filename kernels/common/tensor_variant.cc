// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/tensor_variant.h"

#include "core/codec/codec.h"

namespace sluice::kernels {

absl::Status TensorVariant::Encode(std::string* metadata, std::vector<Tensor>* tensors) const {
  metadata->clear();
  *tensors = {tensor_};
  return absl::OkStatus();
}

absl::StatusOr<Tensor> TensorIn(const Variant& variant) {
  if (const auto* tensor = variant.get_if<TensorVariant>()) return tensor->tensor();
  const auto* opaque = variant.get_if<OpaqueVariant>();
  if (opaque != nullptr && opaque->type_name() == TensorVariant::kTypeName &&
      opaque->tensors().size() == 1)
    return opaque->tensors()[0];
  return InvalidArgument("not a tensor: '",
                         variant.empty() ? "<empty>" : variant.get()->type_name(), "'");
}

absl::StatusOr<Variant> VariantOf(const Tensor& tensor) {
  if (DepthOf(tensor) >= Variant::kMaxDepth)
    return InvalidArgument("objects nest deeper than ", Variant::kMaxDepth);
  return Variant(MakeRefCounted<TensorVariant>(tensor));
}

}  // namespace sluice::kernels
