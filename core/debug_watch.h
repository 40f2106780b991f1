// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_DEBUG_WATCH_H_
#define SLUICE_CORE_DEBUG_WATCH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "core/status.h"

namespace sluice {

// The watches of TensorFlow's debugger on a step: copies of tensors, written on the task that
// computes them.

// A watch on one output of a node, or (node "*", output -1) on all outputs that no other watch
// names.
struct DebugWatch {
  std::string node;
  int output = 0;
  std::vector<std::string> ops;     // "DebugIdentity", "DebugNumericSummary(mute_if_healthy=true)"
  std::vector<std::string> urls;    // "file:///tmp/dump"
  bool tolerates_failures = false;  // an op that does not fit the tensor is left out
  bool operator==(const DebugWatch&) const = default;
  template <typename H>
  friend H AbslHashValue(H h, const DebugWatch& w) {
    return H::combine(std::move(h), w.node, w.output, w.ops, w.urls, w.tolerates_failures);
  }
};

struct DebugOptions {
  std::vector<DebugWatch> watches;  // at least one
  int64_t global_step = -1;         // the client's counter
  bool reset_disk_usage = false;
};

// FAILED_PRECONDITION for an output number that does not fit the node's name, UNIMPLEMENTED for a
// URL that is not a file's. The texts name the node, or the URL.
absl::Status CheckWatches(absl::Span<const DebugWatch> watches);

// Every URL of the watches, once, in order.
std::vector<std::string> UrlsOf(absl::Span<const DebugWatch> watches);

}  // namespace sluice

#endif  // SLUICE_CORE_DEBUG_WATCH_H_
