// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_OP_PRODUCER_VERSION_H_
#define SLUICE_CORE_OP_PRODUCER_VERSION_H_

#include <cstdint>

#include "core/op/node_spec.h"

namespace sluice {

// The version of the library that made the graph: an attribute that the spec of a node gets if it
// is a data set or its op has the trait follows_1x (core/op/op_def.h). Some of these ops mean
// something else in later releases than in TensorFlow 1.15.
inline constexpr char kProducerVersionAttr[] = "_producer_version";
inline constexpr int64_t kVersionOf115 = 134;

// Whether the graph is of TensorFlow 1.15 or before.
inline bool IsFrom1x(const NodeSpec& node) {
  return GetAttrOr<int64_t>(node.attrs, kProducerVersionAttr, kVersionOf115) <= kVersionOf115;
}

}  // namespace sluice

#endif  // SLUICE_CORE_OP_PRODUCER_VERSION_H_
