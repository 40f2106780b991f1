// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_FUNCTIONS_H_
#define SLUICE_GRAPH_FUNCTIONS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/op/op_def.h"

namespace sluice::proto {
class FunctionDef;
class FunctionDefLibrary;
}  // namespace sluice::proto

namespace sluice::graph {

class Graph;

// The functions of a graph, as the client sent them. Immutable and shared: sessions, their
// signatures and partitions hold one. Bodies are read only to find the functions that they call.
struct FunctionLibrary {
  struct Entry {
    OpDef signature;
    uint64_t fingerprint = 0;  // of the whole definition
    int index = 0;             // in `def`
    std::vector<std::string> callees;
  };

  std::shared_ptr<const proto::FunctionDefLibrary> def;
  absl::flat_hash_map<std::string, Entry> functions;
  absl::flat_hash_map<std::string, std::string> gradients;  // a function's gradient function

  const proto::FunctionDef& Definition(const Entry& entry) const;
  const OpDef* Find(absl::string_view name) const {
    auto it = functions.find(name);
    return it == functions.end() ? nullptr : &it->second.signature;
  }
};

// The functions of `old` (may be null) and `added`; `old` itself if there is nothing new.
// INVALID_ARGUMENT for a name that already has another definition, an impossible signature, a
// function that calls itself directly or through others, and calls nested more than kMaxCallDepth
// deep.
constexpr int kMaxCallDepth = 256;
absl::StatusOr<std::shared_ptr<const FunctionLibrary>> ExtendLibrary(
    std::shared_ptr<const FunctionLibrary> old, const proto::FunctionDefLibrary& added);

// Adds to `def` the functions that the nodes of `graph` can call, directly or through others, in
// the library's order, with their gradient functions.
void AddReachable(const Graph& graph, proto::FunctionDefLibrary* def);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_FUNCTIONS_H_
