// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_LATER_ATTRS_H_
#define SLUICE_GRAPH_LATER_ATTRS_H_

#include "absl/strings/string_view.h"

// The attributes that TensorFlow 2 added to ops of 1.15. 1.15 refuses a node that has one.

namespace sluice::proto {
class FunctionDef;
class GraphDef;
}

namespace sluice::graph {

bool IsLaterAttr(absl::string_view op, absl::string_view attr);

// Removes such attributes, where they have their default, from all nodes and functions. Every
// reader that knows the attribute adds the default again.
void StripLaterAttrs(proto::GraphDef* def);
void StripLaterAttrs(proto::FunctionDef* def);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_LATER_ATTRS_H_
