// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_NAMES_H_
#define SLUICE_GRAPH_NAMES_H_

#include "absl/strings/string_view.h"

namespace sluice::graph {

// The syntax of node names: pieces joined by '>', each a letter, digit or dot and then letters,
// digits and any of _.-/ Only the runtime's own names may begin with '_'; those of debug nodes have
// a colon.
bool IsClientName(absl::string_view name);
bool IsRuntimeName(absl::string_view name);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_NAMES_H_
