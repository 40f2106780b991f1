// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_ALLOCATION_LABEL_H_
#define SLUICE_CORE_TENSOR_ALLOCATION_LABEL_H_

#include "absl/strings/string_view.h"

namespace sluice {

// While an AllocationLabel lives, this thread works for the named node, and its allocations belong
// to the node. Errors of a device's memory list the largest blocks with these names; the error that
// loses a GPU names the node at which it was seen.
class AllocationLabel {
 public:
  // `node` outlives this.
  explicit AllocationLabel(absl::string_view node);
  ~AllocationLabel();
  AllocationLabel(const AllocationLabel&) = delete;
  AllocationLabel& operator=(const AllocationLabel&) = delete;

  static absl::string_view OfThread();  // empty: none

 private:
  const absl::string_view outer_;
};

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_ALLOCATION_LABEL_H_
