// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_OP_ATTR_TEXT_H_
#define SLUICE_CORE_OP_ATTR_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "core/op/attr.h"
#include "core/op/op_def.h"
#include "core/op/text_scanner.h"

// The notation of attribute types and values, which core/op/op_text.h describes. Nesting is
// bounded.

namespace sluice {

// "int", "list(shape)".
absl::StatusOr<AttrType> ParseAttrType(TextScanner& text);

// Parses a value of the given type.
absl::StatusOr<Attr> ParseAttrValue(TextScanner& text, AttrType type);
std::string AttrValueText(const Attr& value);

}  // namespace sluice

#endif  // SLUICE_CORE_OP_ATTR_TEXT_H_
