#ifndef SLUICE_TRANSPORT_GRPC_UNREACHABLE_H_
#define SLUICE_TRANSPORT_GRPC_UNREACHABLE_H_

#include <string>

#include "core/status.h"

namespace sluice::transport {

// What gRPC and OpenSSL say of a server that cannot be reached is words only: they are read here.

// UNAVAILABLE; distrust (credentials.h) where the words are TLS's.
absl::Status Unreachable(const std::string& who, const std::string& words);

// Whether the server took a new connection and closed it before it had said anything. One that
// speaks TLS does so to who does not.
bool HungUp(const std::string& words);

// What is wrong with a server that hung up on a line without TLS: `answer` is what was heard from
// it by TLS, `status` what is said if that does not tell.
absl::Status WhyItHungUp(const std::string& who, const absl::Status& answer, absl::Status status);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_UNREACHABLE_H_
