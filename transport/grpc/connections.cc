// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc/connections.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"

namespace sluice::transport {
namespace {

struct Endpoint {
  in6_addr address = {};
  uint16_t port = 0;
  bool operator==(const Endpoint& other) const {
    return port == other.port && memcmp(&address, &other.address, sizeof(address)) == 0;
  }
};

// As sockets of IPv6 give addresses of IPv4.
in6_addr Mapped(const in_addr& v4) {
  in6_addr mapped = {};
  mapped.s6_addr[10] = mapped.s6_addr[11] = 0xff;
  memcpy(&mapped.s6_addr[12], &v4, sizeof(v4));
  return mapped;
}

std::optional<Endpoint> Parse(absl::string_view peer) {
  Endpoint found;
  const bool v4 = absl::ConsumePrefix(&peer, "ipv4:");
  if (!v4 && !absl::ConsumePrefix(&peer, "ipv6:")) return std::nullopt;
  const size_t colon = peer.rfind(':');
  uint32_t port = 0;
  if (colon == absl::string_view::npos || !absl::SimpleAtoi(peer.substr(colon + 1), &port) ||
      port > 0xffff)
    return std::nullopt;
  found.port = static_cast<uint16_t>(port);
  const std::string host =
      absl::StrReplaceAll(peer.substr(0, colon), {{"%5B", ""}, {"%5D", ""}, {"[", ""}, {"]", ""}});
  in_addr address = {};
  if (v4 ? inet_pton(AF_INET, host.c_str(), &address) != 1
         : inet_pton(AF_INET6, host.c_str(), &found.address) != 1)
    return std::nullopt;
  if (v4) found.address = Mapped(address);
  return found;
}

std::optional<Endpoint> PeerOf(int fd) {
  sockaddr_storage storage = {};
  socklen_t size = sizeof(storage);
  if (getpeername(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return std::nullopt;
  if (storage.ss_family == AF_INET) {
    const auto* const v4 = reinterpret_cast<const sockaddr_in*>(&storage);
    return Endpoint{Mapped(v4->sin_addr), ntohs(v4->sin_port)};
  }
  if (storage.ss_family != AF_INET6) return std::nullopt;
  const auto* const v6 = reinterpret_cast<const sockaddr_in6*>(&storage);
  return Endpoint{v6->sin6_addr, ntohs(v6->sin6_port)};
}

}  // namespace

bool IsConnected(const std::string& peer) {
  const std::optional<Endpoint> wanted = Parse(peer);
  if (!wanted) return true;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir("/proc/self/fd"), &closedir);
  if (open == nullptr) return true;
  while (const dirent* const entry = readdir(open.get())) {
    int fd = 0;
    if (absl::SimpleAtoi(entry->d_name, &fd) && PeerOf(fd) == wanted) return true;
  }
  return false;
}

}  // namespace sluice::transport
