// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/allocation_label.h"

namespace sluice {
namespace {

thread_local absl::string_view label;

}  // namespace

AllocationLabel::AllocationLabel(absl::string_view node) : outer_(label) { label = node; }

AllocationLabel::~AllocationLabel() { label = outer_; }

absl::string_view AllocationLabel::OfThread() { return label; }

}  // namespace sluice
