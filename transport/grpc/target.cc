// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc/target.h"

#include <grpcpp/grpcpp.h>

#include <utility>

namespace sluice::transport {
namespace {

grpc::ChannelArguments Arguments(absl::Duration keepalive) {
  grpc::ChannelArguments args;
  args.SetMaxReceiveMessageSize(-1);
  args.SetMaxSendMessageSize(-1);
  args.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  args.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, static_cast<int>(absl::ToInt64Milliseconds(keepalive)));
  args.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS,
              static_cast<int>(absl::ToInt64Milliseconds(keepalive)));
  args.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  args.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  args.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  args.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  // Despite the option's name, this limits the time until a connection is up, including TLS.
  args.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 5000);
  args.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL,
              1);  // each channel object gets its own connection
  args.SetInt(GRPC_ARG_HTTP2_MAX_FRAME_SIZE, 16777215);
  args.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  args.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 64 << 20);
  return args;
}

std::shared_ptr<grpc::ChannelCredentials> ChannelCredentials(const Credentials& credentials) {
  if (!credentials.tls()) return grpc::InsecureChannelCredentials();
  return grpc::SslCredentials({credentials.ca, credentials.key, credentials.cert});
}

std::function<std::shared_ptr<grpc::Channel>()> Connect(
    const std::string& address, absl::Duration keepalive,
    std::shared_ptr<grpc::ChannelCredentials> credentials) {
  return
      [target = absl::StrCat("dns:///", address), keepalive, credentials = std::move(credentials)] {
        return grpc::CreateCustomChannel(target, credentials, Arguments(keepalive));
      };
}

}  // namespace

// Added by hand: gRPC's own call credentials refuse a target without TLS. A token also keeps other
// users of this machine out of a cluster on loopback.
void GrpcTarget::Sign(grpc::ClientContext& context) const {
  if (!authorization.empty()) context.AddMetadata(kAuthorization, authorization);
}

GrpcTarget TargetAt(const std::string& address, absl::Duration keepalive,
                    const Credentials& credentials) {
  GrpcTarget target{Connect(address, keepalive, ChannelCredentials(credentials)), address,
                    credentials.tls()};
  if (!credentials.token.empty()) target.authorization = absl::StrCat(kBearer, credentials.token);
  return target;
}

GrpcTarget ProbeTargetAt(const std::string& address) {
  return {Connect(address, absl::Minutes(1), grpc::SslCredentials({})), address, /*tls=*/true};
}

}  // namespace sluice::transport
