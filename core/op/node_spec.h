// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_OP_NODE_SPEC_H_
#define SLUICE_CORE_OP_NODE_SPEC_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/op/attr.h"
#include "core/status.h"

namespace sluice {

struct OpDef;

// The information about its node that a kernel gets when it is created. Attributes are complete
// (defaults filled in) and checked.
struct NodeSpec {
  std::string name;
  std::string op;
  std::string device;             // full name
  const OpDef* op_def = nullptr;  // outlives every kernel
  AttrMap attrs;
  std::vector<DType> input_types;  // reference types as MakeRef(base)
  std::vector<DType> output_types;
  std::vector<std::string> inputs;  // names of the tensors that come in: "node" or "node:1"

  // INVALID_ARGUMENT if missing or of another kind.
  //   SLUICE_ASSIGN(bool keep_dims, node.Get<bool>("keep_dims"));
  template <typename T>
  absl::StatusOr<T> Get(absl::string_view attr) const {
    return GetAttr<T>(attrs, attr);
  }

  // The flat input (output) indices of an argument by its name in the op def; lists span several.
  struct Range {
    int begin = 0, end = 0;
    int size() const { return end - begin; }
  };
  absl::StatusOr<Range> InputRange(absl::string_view arg) const;
  absl::StatusOr<Range> OutputRange(absl::string_view arg) const;
};

}  // namespace sluice

#endif  // SLUICE_CORE_OP_NODE_SPEC_H_
