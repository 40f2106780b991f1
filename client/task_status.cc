// SPDX-License-Identifier: Apache-2.0
#include "client/task_status.h"

#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "transport/pending_reply.h"
#include "transport/rpc/connect.h"

namespace sluice::client {

absl::StatusOr<transport::TaskStatus> DescribeTask(const std::string& target,
                                                   absl::Duration timeout,
                                                   const transport::CredentialFiles& files) {
  transport::CallClientOptions options;
  SLUICE_ASSIGN(options.credentials, transport::ReadCredentials(files));
  const auto calls = transport::CreateCallClient(options);
  const std::string address(absl::StripPrefix(target, "grpc://"));
  const auto worker = calls->ConnectWorker({"the task", address});
  transport::PendingReply<transport::TaskStatus> status;
  transport::CallOptions call;
  call.deadline = absl::Now() + timeout;
  worker->GetStatus(call, status.reply());
  return status.Wait();
}

}  // namespace sluice::client
