// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/tcp/socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace sluice::transport {
namespace {

void SendAtOnce(int socket) {
  const int yes = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

// A peer that vanishes without closing is noticed after about ten seconds.
void NoticeSilence(int socket) {
  const int yes = 1, idle = 4, interval = 2, count = 3, unanswered_ms = 10'000;
  setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof(yes));
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof(interval));
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof(count));
  setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &unanswered_ms, sizeof(unanswered_ms));
}

}  // namespace

absl::StatusOr<SocketAddress> SocketAddress::Find(const std::string& host, int port) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (error != 0) return Unavailable("cannot find host ", host, ": ", gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> held(found, &freeaddrinfo);
  SocketAddress address;
  std::memcpy(&address.address, found->ai_addr, found->ai_addrlen);
  address.size = found->ai_addrlen;
  return address;
}

std::string SocketAddress::ToString() const {
  char host[NI_MAXHOST], port[NI_MAXSERV];
  if (getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host, sizeof(host), port,
                  sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return "an unknown address";
  return address.ss_family == AF_INET6 ? absl::StrCat("[", host, "]:", port)
                                       : absl::StrCat(host, ":", port);
}

bool SocketAddress::IsLoopback() const {
  if (address.ss_family == AF_INET6)
    return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(&address)->sin6_addr);
  const auto* v4 = reinterpret_cast<const sockaddr_in*>(&address);
  return (ntohl(v4->sin_addr.s_addr) >> 24) == 127;
}

int SocketAddress::port() const {
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6*>(&address)->sin6_port
                   : reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

std::string HostOf(const std::string& address) {
  const std::string host = address.substr(0, address.rfind(':'));
  return host.size() > 1 && host.front() == '[' ? host.substr(1, host.size() - 2) : host;
}

void PrepareTcp(int socket) {
  SendAtOnce(socket);
  NoticeSilence(socket);
}

absl::StatusOr<Descriptor> ListenTcp(const std::string& host, SocketAddress* at) {
  SLUICE_ASSIGN(*at, SocketAddress::Find(host, 0));
  Descriptor listener(socket(at->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  auto* address = reinterpret_cast<sockaddr*>(&at->address);
  if (!listener.valid() || bind(listener.get(), address, at->size) != 0 ||
      listen(listener.get(), SOMAXCONN) != 0 ||
      getsockname(listener.get(), address, &at->size) != 0) {
    return Unavailable("cannot listen at ", host, ": ", strerror(errno));
  }
  return listener;
}

absl::StatusOr<Descriptor> ConnectTcp(const SocketAddress& to) {
  Descriptor out(socket(to.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!out.valid()) return ResourceExhausted("cannot make a socket: ", strerror(errno));
  PrepareTcp(out.get());
  if (connect(out.get(), reinterpret_cast<const sockaddr*>(&to.address), to.size) != 0 &&
      errno != EINPROGRESS) {
    return Unavailable("cannot connect to ", to.ToString(), ": ", strerror(errno));
  }
  return out;
}

bool NotNow(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR || error == ENOTCONN;
}

}  // namespace sluice::transport
