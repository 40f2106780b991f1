// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_DEBUG_OPTIONS_H_
#define SLUICE_TRANSPORT_DEBUG_OPTIONS_H_

#include <memory>
#include <string>
#include <vector>

#include "core/debug_watch.h"

namespace sluice::proto {
class DebugOptions;
}

namespace sluice::transport {

// Null when nothing is watched.
std::shared_ptr<const DebugOptions> DecodeDebugOptions(const proto::DebugOptions& from);
// INVALID_ARGUMENT when `bytes` are not a serialised DebugOptions.
absl::StatusOr<std::shared_ptr<const DebugOptions>> ParseDebugOptions(const std::string& bytes);
void EncodeDebugOptions(const DebugOptions& from, proto::DebugOptions* to);

// Of RegisterGraph: a worker needs no more than the URLs, as one watch.
std::vector<std::string> DecodeDebugUrls(const proto::DebugOptions& from);
void EncodeDebugUrls(const std::vector<std::string>& urls, proto::DebugOptions* to);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_DEBUG_OPTIONS_H_
