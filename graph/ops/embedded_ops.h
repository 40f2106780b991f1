// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_OPS_EMBEDDED_OPS_H_
#define SLUICE_GRAPH_OPS_EMBEDDED_OPS_H_

#include <string_view>

#include "absl/types/span.h"

namespace sluice::graph {

// The text of one graph/ops/*.ops file, linked into the program by the build.
struct EmbeddedOps {
  std::string_view file;  // name without folder, "math.ops"
  std::string_view text;  // lives as long as the program
};

// All op files, in order of their names.
absl::Span<const EmbeddedOps> AllOpFiles();

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_OPS_EMBEDDED_OPS_H_
