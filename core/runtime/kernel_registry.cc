// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/kernel_registry.h"

#include <utility>

#include "absl/algorithm/container.h"

namespace sluice {
namespace {

// The dtypes of a node without a kernel: "T=string, Tindices=int32". Input types come first: a cast
// is from one type to another.
std::string TypesOf(const NodeSpec& node) {
  const auto comes_in = [&](const Attr& type) {
    return type.is<DType>() && absl::c_linear_search(node.input_types, *type.get_if<DType>());
  };
  std::string text;
  for (const bool incoming : {true, false}) {
    for (const auto& [name, value] : node.attrs) {
      if (!value.is<DType>() && !value.is<std::vector<DType>>()) continue;
      if (comes_in(value) != incoming) continue;
      absl::StrAppend(&text, text.empty() ? "" : ", ", name, "=", value.ToString());
    }
  }
  return text;
}

}  // namespace

void KernelRegistry::AddWith(CreateFn create, absl::string_view op, absl::string_view device_type,
                             std::vector<TypeConstraint> types, HostMemory host, Cost cost) {
  KernelSignature signature;
  signature.op = std::string(op);
  signature.device_type = std::string(device_type);
  signature.types = std::move(types);
  signature.host = std::move(host);
  signature.cheap = cost == Cost::kCheap;
  table_.Add(std::move(signature));
  creators_.push_back(std::move(create));
}

absl::StatusOr<std::unique_ptr<Kernel>> KernelRegistry::Make(const NodeSpec& node,
                                                             absl::string_view device_type) const {
  const int index = table_.Find(node.op, device_type, node.attrs);
  if (index < 0) {
    const std::string types = TypesOf(node);
    return Unimplemented("no kernel for op ", node.op, " on ", device_type,
                         types.empty() ? "" : " with ", types);
  }
  return creators_[static_cast<size_t>(index)](node);
}

const KernelSignature* KernelRegistry::Find(const NodeSpec& node,
                                            absl::string_view device_type) const {
  const int index = table_.Find(node.op, device_type, node.attrs);
  return index < 0 ? nullptr : &table_.at(index);
}

}  // namespace sluice
