// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_GRPC_UNREACHABLE_H_
#define SLUICE_TRANSPORT_GRPC_UNREACHABLE_H_

#include <string>

#include "core/status.h"

namespace sluice::transport {

// gRPC and OpenSSL describe an unreachable server only in text. These functions interpret it.

// Returns UNAVAILABLE, marked as distrust (credentials.h) if the text is about TLS.
absl::Status Unreachable(const std::string& who, const std::string& words);

// Whether the server took a new connection and closed it before it sent anything. A server with TLS
// does this to a client without.
bool HungUp(const std::string& words);

// Explains why a server closed a connection without TLS. `answer` is its answer with TLS; `status`
// is returned if that explains nothing.
absl::Status WhyItHungUp(const std::string& who, const absl::Status& answer, absl::Status status);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_UNREACHABLE_H_
