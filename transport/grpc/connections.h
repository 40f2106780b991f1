// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_GRPC_CONNECTIONS_H_
#define SLUICE_TRANSPORT_GRPC_CONNECTIONS_H_

#include <string>

namespace sluice::transport {

// Whether this process has an open TCP connection with `peer`, an address as gRPC writes it:
// "ipv4:10.0.0.1:41234", "ipv6:%5B::1%5D:41234". gRPC does not say when a client's connection
// closes, but it closes its socket then. True if the address is of another kind.
bool IsConnected(const std::string& peer);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_CONNECTIONS_H_
