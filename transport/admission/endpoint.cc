// SPDX-License-Identifier: Apache-2.0
#include "transport/admission/endpoint.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace sluice::transport {
namespace {

IpAddress Mapped(const in_addr& v4) {
  IpAddress mapped = {};
  mapped[10] = mapped[11] = 0xff;
  memcpy(&mapped[12], &v4, sizeof(v4));
  return mapped;
}

// The text between the brackets of "[::1]" and of "%5B::1%5D".
absl::string_view WithoutBrackets(absl::string_view host) {
  if (absl::ConsumePrefix(&host, "[")) absl::ConsumeSuffix(&host, "]");
  if (absl::ConsumePrefix(&host, "%5B")) absl::ConsumeSuffix(&host, "%5D");
  return host;
}

}  // namespace

std::string Endpoint::ToString() const {
  char text[INET6_ADDRSTRLEN] = "";
  if (memcmp(address.data(), Mapped({}).data(), 12) == 0) {
    inet_ntop(AF_INET, &address[12], text, sizeof(text));
    return absl::StrCat(text, ":", port);
  }
  inet_ntop(AF_INET6, address.data(), text, sizeof(text));
  return absl::StrCat("[", text, "]:", port);
}

std::optional<Endpoint> ParseEndpoint(absl::string_view peer) {
  Endpoint found;
  const bool v4 = absl::ConsumePrefix(&peer, "ipv4:");
  if (!v4 && !absl::ConsumePrefix(&peer, "ipv6:")) return std::nullopt;
  const size_t colon = peer.rfind(':');
  uint32_t port = 0;
  if (colon == absl::string_view::npos || !absl::SimpleAtoi(peer.substr(colon + 1), &port) ||
      port > 0xffff)
    return std::nullopt;
  found.port = static_cast<uint16_t>(port);
  char host[INET6_ADDRSTRLEN] = "";
  const absl::string_view text = WithoutBrackets(peer.substr(0, colon));
  if (text.size() >= sizeof(host)) return std::nullopt;
  memcpy(host, text.data(), text.size());
  in_addr address = {};
  if (v4 ? inet_pton(AF_INET, host, &address) != 1
         : inet_pton(AF_INET6, host, found.address.data()) != 1)
    return std::nullopt;
  if (v4) found.address = Mapped(address);
  return found;
}

std::optional<Endpoint> EndpointOf(const sockaddr* address) {
  if (address == nullptr) return std::nullopt;
  if (address->sa_family == AF_INET) {
    const auto* const v4 = reinterpret_cast<const sockaddr_in*>(address);
    return Endpoint{Mapped(v4->sin_addr), ntohs(v4->sin_port)};
  }
  if (address->sa_family != AF_INET6) return std::nullopt;
  const auto* const v6 = reinterpret_cast<const sockaddr_in6*>(address);
  Endpoint found = {{}, ntohs(v6->sin6_port)};
  memcpy(found.address.data(), &v6->sin6_addr, found.address.size());
  return found;
}

bool IsLoopback(const IpAddress& address) {
  if (memcmp(address.data(), Mapped({}).data(), 12) == 0) return address[12] == 127;
  return memcmp(address.data(), &in6addr_loopback, address.size()) == 0;
}

std::optional<Endpoint> PeerOf(int fd) {
  sockaddr_storage storage = {};
  socklen_t size = sizeof(storage);
  auto* const address = reinterpret_cast<sockaddr*>(&storage);
  return getpeername(fd, address, &size) == 0 ? EndpointOf(address) : std::nullopt;
}

}  // namespace sluice::transport
