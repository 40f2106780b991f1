// SPDX-License-Identifier: Apache-2.0
#include "transport/admission/listening.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace sluice::transport {
namespace {

constexpr int kUnacknowledgedMs = 5000;

void Set(int socket, int level, int option, int value) {
  setsockopt(socket, level, option, &value, sizeof(value));
}

// A socket that listens at one address; not valid and errno if that is impossible.
Descriptor Listen(const sockaddr* address, socklen_t size) {
  Descriptor listener(
      socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
  if (!listener.valid()) return listener;
  const int fd = listener.get();
  Set(fd, SOL_SOCKET, SO_REUSEADDR, 1);
  Set(fd, SOL_SOCKET, SO_RCVLOWAT, kFirstBytes);
  Set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  Set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, kUnacknowledgedMs);
  if (address->sa_family == AF_INET6) Set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
  if (bind(fd, address, size) == 0 && listen(fd, SOMAXCONN) == 0) return listener;
  const int why = errno;
  listener = Descriptor();
  errno = why;
  return listener;
}

void SetPort(sockaddr_storage& address, int port) {
  const in_port_t number = htons(static_cast<uint16_t>(port));
  if (address.ss_family == AF_INET6)
    reinterpret_cast<sockaddr_in6&>(address).sin6_port = number;
  else
    reinterpret_cast<sockaddr_in&>(address).sin_port = number;
}

int PortOf(int socket) {
  sockaddr_storage address = {};
  socklen_t size = sizeof(address);
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                             : reinterpret_cast<sockaddr_in&>(address).sin_port);
}

bool IsWildcard(const sockaddr* address) {
  if (address->sa_family == AF_INET6)
    return IN6_IS_ADDR_UNSPECIFIED(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
  return reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr == INADDR_ANY;
}

}  // namespace

absl::StatusOr<std::vector<Descriptor>> ListenAt(const std::string& address, int* port) {
  const size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.size() > 1 && host.front() == '[') host = host.substr(1, host.size() - 2);
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(host.c_str(), address.substr(colon + 1).c_str(), &hints, &found);
  if (error != 0) return Unavailable("cannot listen at ", address, ": ", gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> held(found, &freeaddrinfo);

  std::vector<Descriptor> listeners;
  *port = 0;
  int why = 0;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    sockaddr_storage at = {};
    memcpy(&at, one->ai_addr, one->ai_addrlen);
    if (*port != 0) SetPort(at, *port);
    Descriptor listener;
    if (IsWildcard(one->ai_addr)) {
      sockaddr_in6 any = {};
      any.sin6_family = AF_INET6;
      any.sin6_port = reinterpret_cast<const sockaddr_in&>(at).sin_port;  // the same place in both
      listener = Listen(reinterpret_cast<const sockaddr*>(&any), sizeof(any));
    }
    if (!listener.valid()) listener = Listen(reinterpret_cast<sockaddr*>(&at), one->ai_addrlen);
    if (!listener.valid()) {
      why = errno;
      continue;
    }
    *port = PortOf(listener.get());
    listeners.push_back(std::move(listener));
    if (IsWildcard(one->ai_addr)) break;
  }
  if (listeners.empty()) return Unavailable("cannot listen at ", address, ": ", strerror(why));
  return listeners;
}

void WatchEveryByte(int connection) { Set(connection, SOL_SOCKET, SO_RCVLOWAT, 1); }

}  // namespace sluice::transport
