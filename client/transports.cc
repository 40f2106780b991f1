// SPDX-License-Identifier: Apache-2.0
#include "client/transports.h"

#include "absl/time/clock.h"
#include "transport/pending_reply.h"
#include "transport/rpc/connect.h"

namespace sluice::client {

absl::StatusOr<transport::TaskTransports> ListTransports(const std::string& target,
                                                         absl::Duration timeout,
                                                         const transport::CredentialFiles& files) {
  SLUICE_ASSIGN(const transport::Credentials credentials, transport::ReadCredentials(files));
  SLUICE_ASSIGN(auto handshake, transport::ConnectGrpcHandshake(target, credentials));
  transport::PendingReply<transport::TaskTransports> transports;
  transport::CallOptions call;
  call.deadline = absl::Now() + timeout;
  handshake->ListTransports(call, transports.reply());
  return transports.Wait();
}

}  // namespace sluice::client
