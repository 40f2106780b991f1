// SPDX-License-Identifier: Apache-2.0
#include "core/op/op_registry.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/op/op_text.h"
#include "core/status.h"

namespace sluice {

absl::StatusOr<OpRegistry> OpRegistry::Parse(absl::Span<const OpFile> files) {
  std::vector<OpDef> ops;
  for (const OpFile& file : files) {
    SLUICE_ASSIGN(std::vector<OpDef> more, ParseOps(file.name, file.text));
    std::move(more.begin(), more.end(), std::back_inserter(ops));
  }
  return Create(std::move(ops));
}

absl::StatusOr<OpRegistry> OpRegistry::Create(std::vector<OpDef> ops) {
  OpRegistry registry;
  registry.ops_ = std::move(ops);
  std::sort(registry.ops_.begin(), registry.ops_.end(),
            [](const OpDef& a, const OpDef& b) { return a.name < b.name; });
  registry.by_name_.reserve(registry.ops_.size());
  for (const OpDef& op : registry.ops_) {
    if (!registry.by_name_.emplace(op.name, &op).second)
      return AlreadyExists("two ops named ", op.name);
  }
  return registry;
}

const OpDef* OpRegistry::Find(absl::string_view name) const {
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : it->second;
}

}  // namespace sluice
