// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CLIENT_TRANSPORTS_H_
#define SLUICE_CLIENT_TRANSPORTS_H_

#include <string>

#include "transport/credentials.h"
#include "transport/handshake.h"

namespace sluice::client {

// The transports by which the task at `target` ("grpc://host:port" or "host:port") sends tensors to
// its peers. For a peer without tensors so far, the task chooses now. UNAVAILABLE: no server is
// there; UNAUTHENTICATED: it requires another token; UNIMPLEMENTED: the server there does not know
// the call; DEADLINE_EXCEEDED: no answer in time.
absl::StatusOr<transport::TaskTransports> ListTransports(
    const std::string& target, absl::Duration timeout,
    const transport::CredentialFiles& files = transport::CredentialFilesOfEnvironment());

}  // namespace sluice::client

#endif  // SLUICE_CLIENT_TRANSPORTS_H_
