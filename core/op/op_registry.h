// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_OP_OP_REGISTRY_H_
#define SLUICE_CORE_OP_OP_REGISTRY_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/op/op_def.h"

namespace sluice {

// A file of op interfaces in the notation of core/op/op_text.h.
struct OpFile {
  absl::string_view name;
  absl::string_view text;
};

// An OpRegistry knows the interfaces of ops by their name.
//
// Owner:    graph::AllOps() holds the common one; tests make their own.
// Threads:  immutable after construction; results of Find live as long as the registry.
class OpRegistry {
 public:
  OpRegistry() = default;
  OpRegistry(OpRegistry&&) = default;
  OpRegistry& operator=(OpRegistry&&) = default;

  // INVALID_ARGUMENT with file and line if a text is wrong, ALREADY_EXISTS if two ops share a name.
  static absl::StatusOr<OpRegistry> Parse(absl::Span<const OpFile> files);
  static absl::StatusOr<OpRegistry> Create(std::vector<OpDef> ops);

  const OpDef* Find(absl::string_view name) const;      // null if unknown
  absl::Span<const OpDef> ops() const { return ops_; }  // in order of their names

 private:
  std::vector<OpDef> ops_;
  absl::flat_hash_map<absl::string_view, const OpDef*> by_name_;  // keys and values point into ops_
};

}  // namespace sluice

#endif  // SLUICE_CORE_OP_OP_REGISTRY_H_
