// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_GRPC_TARGET_H_
#define SLUICE_TRANSPORT_GRPC_TARGET_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "transport/credentials.h"

namespace grpc {
class Channel;
class ClientContext;
}  // namespace grpc

namespace sluice::transport {

// The header in which a call carries the cluster's token, and the prefix before the token.
inline constexpr char kAuthorization[] = "authorization";
inline constexpr char kBearer[] = "Bearer ";

// How gRPC channels to one server are made, and the token of every call on them.
struct GrpcTarget {
  // Creates a channel with its own connection, without waiting for the server. A channel that could
  // not connect repeats its error until its next attempt is due, even if the server is back. Then
  // create another channel.
  std::function<std::shared_ptr<grpc::Channel>()> connect;
  std::string address;
  bool tls = false;
  std::string authorization = "";  // if empty, calls carry no token

  // Call it before the call begins.
  void Sign(grpc::ClientContext& context) const;
};

// A peer that is silent for about twice `keepalive` counts as lost.
GrpcTarget TargetAt(const std::string& address, absl::Duration keepalive,
                    const Credentials& credentials);
// A target by TLS without a certificate, to find out whether a server uses TLS.
GrpcTarget ProbeTargetAt(const std::string& address);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_TARGET_H_
