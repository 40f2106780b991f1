// SPDX-License-Identifier: Apache-2.0
#include "graph/names.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "graph/import.h"

namespace sluice::graph {
namespace {

bool IsName(absl::string_view name, bool underscore_first) {
  bool start = true;
  for (char c : name) {
    if (c == '>') {
      if (start) return false;
      start = true;
      continue;
    }
    const bool first = absl::ascii_isalnum(c) || c == '.' || (c == '_' && underscore_first);
    if (!first && (start || (c != '_' && c != '-' && c != '/'))) return false;
    start = false;
  }
  return !start;
}

}  // namespace

bool IsClientName(absl::string_view name) { return IsName(name, false); }
bool IsRuntimeName(absl::string_view name) {
  // The debugger's nodes are named after tensors: "__dbg_w:0_0_DebugIdentity".
  const size_t colon = name.find(':');
  if (colon == absl::string_view::npos || !absl::StartsWith(name, "__dbg_"))
    return IsName(name, true);
  return IsName(name.substr(0, colon), true) && IsName(name.substr(colon + 1), false);
}

absl::StatusOr<TensorName> ParseTensorName(absl::string_view text) {
  size_t digits = text.size();
  while (digits > 0 && absl::ascii_isdigit(text[digits - 1])) --digits;
  TensorName name{std::string(text), 0};
  if (digits > 1 && digits < text.size() && text[digits - 1] == ':') {
    name.node = std::string(text.substr(0, digits - 1));
    if (!absl::SimpleAtoi(text.substr(digits), &name.output)) {
      return InvalidArgument("\"", text,
                             "\" is not the name of a tensor: its output number is too large");
    }
  } else if (!text.empty() && text[0] == '^') {
    name = {std::string(text.substr(1)), kControl};
  }
  if (!IsRuntimeName(name.node))
    return InvalidArgument("\"", text, "\" is not the name of a tensor or node");
  return name;
}

}  // namespace sluice::graph
