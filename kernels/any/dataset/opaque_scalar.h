// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATASET_OPAQUE_SCALAR_H_
#define SLUICE_KERNELS_ANY_DATASET_OPAQUE_SCALAR_H_

#include "core/codec/codec.h"

namespace sluice::kernels {

// The object of a scalar of variants; null if there is none, or one of another type.
inline const OpaqueVariant* OpaqueIn(const Tensor& tensor, absl::string_view type_name) {
  if (tensor.rank() != 0) return nullptr;
  const auto* found = tensor.scalar<Variant>().get_if<OpaqueVariant>();
  return found != nullptr && found->type_name() == type_name ? found : nullptr;
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATASET_OPAQUE_SCALAR_H_
