#ifndef SLUICE_TRANSPORT_GRPC_LINE_H_
#define SLUICE_TRANSPORT_GRPC_LINE_H_

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

// The way to one server: gRPC's channel, and what every call on it shows.
struct Line {
  std::shared_ptr<grpc::Channel> channel;
  std::string authorization = "";  // empty: nothing is shown
  std::string address = "";
  bool tls = false;

  // Before the call begins.
  void Sign(grpc::ClientContext& context) const;
};

// A line of its own connection; nothing waits for the server. A peer that says nothing for about
// twice `keepalive` is given up.
Line OpenLine(const std::string& address, absl::Duration keepalive, const Credentials& credentials);
// A line by TLS that shows nothing: to find out whether a server speaks it.
Line OpenProbe(const std::string& address);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_LINE_H_
