// SPDX-License-Identifier: Apache-2.0
#include "core/debug_watch.h"

#include <algorithm>

#include "absl/strings/match.h"

namespace sluice {

absl::Status CheckWatches(absl::Span<const DebugWatch> watches) {
  for (const DebugWatch& watch : watches) {
    const bool all = watch.node == "*";
    if (all && watch.output != -1) {
      return FailedPrecondition(
          "output_slot is expected to be -1 for wildcard node name (\"*\"), but got ",
          watch.output);
    }
    if (!all && watch.output < 0) {
      return FailedPrecondition(
          "A negative output_slot in DebugTensorWatch is valid only for the wildcard node name "
          "(\"*\"), but got node name ",
          watch.node);
    }
    for (const std::string& url : watch.urls) {
      if (absl::StartsWith(url, "file://")) continue;
      return Unimplemented("debug URL \"", url, "\" of the watch on \"", watch.node,
                           "\": this server writes dumps to files only (file:///folder)");
    }
  }
  return absl::OkStatus();
}

std::vector<std::string> UrlsOf(absl::Span<const DebugWatch> watches) {
  std::vector<std::string> urls;
  for (const DebugWatch& watch : watches) {
    for (const std::string& url : watch.urls) {
      if (std::find(urls.begin(), urls.end(), url) == urls.end()) urls.push_back(url);
    }
  }
  return urls;
}

}  // namespace sluice
