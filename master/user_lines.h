// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_MASTER_USER_LINES_H_
#define SLUICE_MASTER_USER_LINES_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace sluice::proto {
class GraphDebugInfo;
}

namespace sluice::master {

// The lines of a client's program that made the nodes of its graph, for errors and the log.
//
// Threads:  any, after the last Add.
class UserLines {
 public:
  // Adds the lines that a client sends with nodes: GraphDef.debug_info.
  void Add(const proto::GraphDebugInfo& info);
  bool empty() const { return place_of_.empty(); }
  // The line of the first node that an error names as {{node layer1/MatMul}} and whose line is
  // known: "layer1/MatMul created at /home/me/model.py:4 in model()". Empty if there is none.
  std::string Of(absl::string_view message) const;

 private:
  std::vector<std::string> places_;
  absl::flat_hash_map<std::string, size_t> place_of_;  // node -> index in places_
};

}  // namespace sluice::master

#endif  // SLUICE_MASTER_USER_LINES_H_
