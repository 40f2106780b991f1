#include "client/roads.h"

#include "absl/time/clock.h"
#include "transport/awaited.h"
#include "transport/grpc/grpc_transport.h"

namespace sluice::client {

absl::StatusOr<transport::TaskRoads> ListRoads(const std::string& target, absl::Duration timeout,
                                               const transport::CredentialFiles& files) {
  SLUICE_ASSIGN(const transport::Credentials credentials, transport::ReadCredentials(files));
  SLUICE_ASSIGN(auto introducer, transport::ConnectGrpcIntroducer(target, credentials));
  transport::Awaited<transport::TaskRoads> roads;
  transport::CallOptions call;
  call.deadline = absl::Now() + timeout;
  introducer->ListRoads(call, roads.reply());
  return roads.Wait();
}

}  // namespace sluice::client
