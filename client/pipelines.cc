// SPDX-License-Identifier: Apache-2.0
#include "client/pipelines.h"

#include "absl/time/clock.h"
#include "transport/pending_reply.h"
#include "transport/rpc/connect.h"

namespace sluice::client {

absl::StatusOr<std::vector<PipelineReport>> ListPipelines(const std::string& target,
                                                          absl::Duration timeout,
                                                          const transport::CredentialFiles& files) {
  SLUICE_ASSIGN(const transport::Credentials credentials, transport::ReadCredentials(files));
  SLUICE_ASSIGN(const auto pipelines, transport::ConnectGrpcPipelines(target, credentials));
  transport::PendingReply<std::vector<PipelineReport>> reports;
  transport::CallOptions call;
  call.deadline = absl::Now() + timeout;
  pipelines->ListPipelines(call, reports.reply());
  return reports.Wait();
}

}  // namespace sluice::client
