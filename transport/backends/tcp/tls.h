// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_TCP_TLS_H_
#define SLUICE_TRANSPORT_BACKENDS_TCP_TLS_H_

#include <memory>
#include <string>

#include "transport/backends/tcp/wire.h"
#include "transport/credentials.h"

namespace sluice::transport {

// The TLS 1.3 context of a process for other tasks. Both ends of a connection show a certificate of
// the cluster's authority. The handshake is part of the first writes and reads.
//
// Owner:    shared by the transports that use it.
// Threads:  any.
class Tls {
 public:
  virtual ~Tls() = default;
  // A connection that this process opens: the peer's certificate must name `host`.
  virtual std::unique_ptr<Wire> Connecting(int socket, const std::string& host) const = 0;
  virtual std::unique_ptr<Wire> Accepting(int socket) const = 0;
};

// INVALID_ARGUMENT names the certificate or key that OpenSSL cannot use.
absl::StatusOr<std::shared_ptr<const Tls>> CreateTls(const Credentials& credentials);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_TCP_TLS_H_
