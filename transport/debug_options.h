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

// Null if there are no watches.
std::shared_ptr<const DebugOptions> DecodeDebugOptions(const proto::DebugOptions& from);
// INVALID_ARGUMENT if `bytes` are not a serialised DebugOptions.
absl::StatusOr<std::shared_ptr<const DebugOptions>> ParseDebugOptions(const std::string& bytes);
void EncodeDebugOptions(const DebugOptions& from, proto::DebugOptions* to);

// For RegisterGraph: a worker needs only the URLs, as one watch.
std::vector<std::string> DecodeDebugUrls(const proto::DebugOptions& from);
void EncodeDebugUrls(const std::vector<std::string>& urls, proto::DebugOptions* to);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_DEBUG_OPTIONS_H_
