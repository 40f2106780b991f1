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

// The header by which a call shows the cluster's token, and what stands before the token in it.
inline constexpr char kAuthorization[] = "authorization";
inline constexpr char kBearer[] = "Bearer ";

// The way to one server: how gRPC's channels to it are made, and what every call on them shows.
struct GrpcTarget {
  // Creates a channel with its own connection, without waiting for the server. A channel that could
  // not connect repeats its error until its next attempt is due, even if the server is back. Then
  // create another channel.
  std::function<std::shared_ptr<grpc::Channel>()> connect;
  std::string address;
  bool tls = false;
  std::string authorization = "";  // empty: nothing is shown

  // Before the call begins.
  void Sign(grpc::ClientContext& context) const;
};

// A peer that says nothing for about twice `keepalive` is given up.
GrpcTarget TargetAt(const std::string& address, absl::Duration keepalive,
                    const Credentials& credentials);
// A target by TLS that shows nothing: to find out whether a server speaks it.
GrpcTarget ProbeTargetAt(const std::string& address);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_TARGET_H_
