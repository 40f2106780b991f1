// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_ADMISSION_ENDPOINT_H_
#define SLUICE_TRANSPORT_ADMISSION_ENDPOINT_H_

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace sluice::transport {

// An address of IPv6; one of IPv4 is mapped (::ffff:10.0.0.1), as sockets of IPv6 give it.
using IpAddress = std::array<unsigned char, 16>;

// One end of a TCP connection.
struct Endpoint {
  IpAddress address = {};
  uint16_t port = 0;

  bool operator==(const Endpoint&) const = default;
  template <typename H>
  friend H AbslHashValue(H h, const Endpoint& endpoint) {
    return H::combine(std::move(h), endpoint.address, endpoint.port);
  }
  std::string ToString() const;  // "10.0.0.1:41234", "[::1]:41234"
};

// Of an address as gRPC writes it: "ipv4:10.0.0.1:41234", "ipv6:%5B::1%5D:41234". Empty if it is of
// another kind.
std::optional<Endpoint> ParseEndpoint(absl::string_view peer);
// Empty if the address is null, or not one of IPv4 or IPv6.
std::optional<Endpoint> EndpointOf(const sockaddr* address);
bool IsLoopback(const IpAddress& address);
// The other end of a socket. Empty if it is not a connected TCP socket.
std::optional<Endpoint> PeerOf(int fd);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_ADMISSION_ENDPOINT_H_
