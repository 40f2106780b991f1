// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/held_elements.h"

#include "core/codec/codec.h"

namespace sluice::kernels {
namespace {

// The types and shapes of a data set's components, as fields.
struct FlatSpec {
  std::vector<int> types;
  std::vector<std::vector<int64_t>> dims;  // a size of -1 is unknown
  std::vector<int> unknown;                // 1: the rank is unknown

  explicit FlatSpec(const ElementSpec& spec) {
    for (const DType type : spec.types) types.push_back(static_cast<int>(type));
    for (const PartialShape& shape : spec.shapes) {
      unknown.push_back(shape.rank_known() ? 0 : 1);
      std::vector<int64_t>& sizes = dims.emplace_back();
      for (int d = 0; shape.rank_known() && d < shape.rank(); ++d) sizes.push_back(shape.dim(d));
    }
  }
  absl::Status SaveOrRestore(SavedState& state) {
    return state.Fields("ElementSpec", types, dims, unknown);
  }
  absl::StatusOr<ElementSpec> Make() const {
    if (dims.size() != types.size() || unknown.size() != types.size())
      return InvalidArgument("the components of a data set are not complete");
    ElementSpec spec;
    for (size_t i = 0; i < types.size(); ++i) {
      SLUICE_ASSIGN(const DType type, DecodeValueType(types[i]));
      spec.types.push_back(type);
      PartialShape shape;
      if (unknown[i] == 0) {
        SLUICE_ASSIGN(shape, PartialShape::Create(dims[i]));
      }
      spec.shapes.push_back(std::move(shape));
    }
    return spec;
  }
};

}  // namespace

absl::Status HeldElements::Encode(std::string* metadata, std::vector<Tensor>* tensors) const {
  metadata->clear();
  SavedState state;
  SLUICE_RETURN_IF_ERROR(FlatSpec(spec()).SaveOrRestore(state));
  std::vector<Element> elements = elements_;
  SLUICE_RETURN_IF_ERROR(state.Field(elements));
  *tensors = state.values();
  return absl::OkStatus();
}

absl::StatusOr<RefPtr<Variant::Object>> HeldElements::Decode(const std::vector<Tensor>& tensors) {
  SavedState state(tensors);
  FlatSpec flat{ElementSpec()};
  SLUICE_RETURN_IF_ERROR(flat.SaveOrRestore(state));
  SLUICE_ASSIGN(ElementSpec spec, flat.Make());
  std::vector<Element> elements;
  SLUICE_RETURN_IF_ERROR(state.Field(elements));
  for (const Element& element : elements) SLUICE_RETURN_IF_ERROR(spec.AcceptsElement(element));
  return RefPtr<Variant::Object>(
      MakeRefCounted<HeldElements>(std::move(spec), std::move(elements)));
}

}  // namespace sluice::kernels
