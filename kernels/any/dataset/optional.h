// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATASET_OPTIONAL_H_
#define SLUICE_KERNELS_ANY_DATASET_OPTIONAL_H_

#include <optional>
#include <string>
#include <vector>

#include "core/tensor/variant.h"

namespace sluice::kernels {

// An Optional is a tuple of tensors, or empty (an iterator at its end).
//
// Threads:  immutable.
class Optional final : public Variant::Object {
 public:
  static constexpr absl::string_view kTypeName = "tensorflow::data::Optional";

  Optional() = default;  // no value
  // INVALID_ARGUMENT if objects in it are nested too deeply.
  static absl::StatusOr<RefPtr<Optional>> Of(std::vector<Tensor> components);

  absl::string_view type_name() const override { return kTypeName; }
  absl::Status Encode(std::string* metadata, std::vector<Tensor>* tensors) const override;
  int depth() const override { return depth_; }
  const std::optional<std::vector<Tensor>>& components() const { return components_; }

 private:
  std::optional<std::vector<Tensor>> components_;
  int depth_ = 1;
};

// Lives as long as the variant. INVALID_ARGUMENT if the variant is not an Optional.
absl::StatusOr<const Optional*> OptionalIn(const Variant& variant);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATASET_OPTIONAL_H_
