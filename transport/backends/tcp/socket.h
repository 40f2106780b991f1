// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_TCP_SOCKET_H_
#define SLUICE_TRANSPORT_BACKENDS_TCP_SOCKET_H_

#include <sys/socket.h>

#include <string>

#include "core/status.h"
#include "transport/poll/descriptor.h"

namespace sluice::transport {

// The address of a name, resolved once because resolving may take long.
struct SocketAddress {
  sockaddr_storage address = {};
  socklen_t size = 0;
  static absl::StatusOr<SocketAddress> Find(const std::string& host, int port);
  std::string ToString() const;  // "127.0.0.1:41234"
  bool IsLoopback() const;
  int port() const;
};

// The host in "host:port" or "[host]:port".
std::string HostOf(const std::string& address);

// A socket that listens on any port of `host`. Its address is stored in `*at`.
absl::StatusOr<Descriptor> ListenTcp(const std::string& host, SocketAddress* at);
// A socket that is connecting. The first write reports a later error.
absl::StatusOr<Descriptor> ConnectTcp(const SocketAddress& to);
// Sets the options of a connection that was accepted.
void PrepareTcp(int socket);
// Whether `error` means that the socket cannot continue yet: it has no room or no bytes, or is
// still connecting.
bool NotNow(int error);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_TCP_SOCKET_H_
