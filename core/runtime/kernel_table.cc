// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/kernel_table.h"

#include <algorithm>
#include <utility>

namespace sluice {
namespace {

bool Meets(const AttrMap& attrs, const TypeConstraint& constraint) {
  const auto it = attrs.find(constraint.attr);
  if (it == attrs.end()) return false;
  if (const DType* type = it->second.get_if<DType>()) return constraint.allowed.contains(*type);
  if (const auto* types = it->second.get_if<std::vector<DType>>()) {
    return std::all_of(types->begin(), types->end(),
                       [&](DType t) { return constraint.allowed.contains(t); });
  }
  return it->second.is<EmptyList>();
}

// A node may request a kernel by label. Other nodes get an unlabelled kernel.
absl::string_view LabelOf(const AttrMap& attrs) {
  const auto it = attrs.find("_kernel");
  const std::string* label = it == attrs.end() ? nullptr : it->second.get_if<std::string>();
  return label == nullptr ? absl::string_view() : *label;
}

}  // namespace

int KernelTable::Add(KernelSignature signature) {
  const int index = static_cast<int>(signatures_.size());
  by_op_[signature.op].push_back(index);
  signatures_.push_back(std::move(signature));
  return index;
}

int KernelTable::Find(absl::string_view op, absl::string_view device_type,
                      const AttrMap& attrs) const {
  const auto it = by_op_.find(op);
  if (it == by_op_.end()) return -1;
  const absl::string_view label = LabelOf(attrs);
  for (int index : it->second) {
    const KernelSignature& kernel = signatures_[static_cast<size_t>(index)];
    if (kernel.device_type == device_type && kernel.label == label &&
        std::all_of(kernel.types.begin(), kernel.types.end(),
                    [&](const TypeConstraint& c) { return Meets(attrs, c); })) {
      return index;
    }
  }
  return -1;
}

}  // namespace sluice
