// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_GRPC_CONNECTIONS_H_
#define SLUICE_TRANSPORT_GRPC_CONNECTIONS_H_

#include <optional>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "transport/admission/endpoint.h"

namespace sluice::transport {

// Whether this process has an open TCP connection with `peer`, an address as gRPC writes it:
// "ipv4:10.0.0.1:41234", "ipv6:%5B::1%5D:41234". gRPC does not say when a client's connection
// closes, but it closes its socket then. True if the address is of another kind.
bool IsConnected(const std::string& peer);
// The other ends of all TCP connections of this process. Empty if they cannot be listed.
std::optional<absl::flat_hash_set<Endpoint>> ConnectedPeers();
// Whether an address of this host: loopback, or one of its network interfaces.
bool IsOfThisHost(const IpAddress& address);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_CONNECTIONS_H_
