// SPDX-License-Identifier: Apache-2.0
#include "core/op/node_spec.h"

#include "core/op/op_def.h"

namespace sluice {
namespace {

absl::StatusOr<NodeSpec::Range> Find(const NodeSpec& node, absl::string_view arg, bool input) {
  const OpDef* op = node.op_def;
  const int index = op == nullptr ? -1 : input ? op->InputIndex(arg) : op->OutputIndex(arg);
  if (index < 0) {
    return InvalidArgument("op ", node.op, " has no ", input ? "input" : "output", " \"", arg,
                           "\"");
  }
  ArgTypes inputs, outputs;
  SLUICE_RETURN_IF_ERROR(ResolveArgs(*op, node.attrs, &inputs, &outputs));
  const ArgRange range = (input ? inputs : outputs).ranges[static_cast<size_t>(index)];
  return NodeSpec::Range{range.begin, range.end};
}

}  // namespace

absl::StatusOr<NodeSpec::Range> NodeSpec::InputRange(absl::string_view arg) const {
  return Find(*this, arg, true);
}

absl::StatusOr<NodeSpec::Range> NodeSpec::OutputRange(absl::string_view arg) const {
  return Find(*this, arg, false);
}

}  // namespace sluice
