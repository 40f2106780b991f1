#include "client/task_status.h"

#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "transport/awaited.h"
#include "transport/grpc/grpc_transport.h"

namespace sluice::client {

absl::StatusOr<transport::TaskStatus> DescribeTask(const std::string& target,
                                                   absl::Duration timeout,
                                                   const transport::CredentialFiles& files) {
  transport::GrpcTransportOptions options;
  options.task = "the client";
  SLUICE_ASSIGN(options.credentials, transport::ReadCredentials(files));
  SLUICE_ASSIGN(const auto transport, transport::CreateGrpcTransport(options));
  const std::string address(absl::StripPrefix(target, "grpc://"));
  SLUICE_ASSIGN(const auto worker, transport->ConnectWorker({"the task", address}));
  transport::Awaited<transport::TaskStatus> status;
  transport::CallOptions call;
  call.deadline = absl::Now() + timeout;
  worker->GetStatus(call, status.reply());
  return status.Wait();
}

}  // namespace sluice::client
