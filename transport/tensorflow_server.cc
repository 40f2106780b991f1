// SPDX-License-Identifier: Apache-2.0
#include "transport/tensorflow_server.h"

#include "absl/strings/cord.h"
#include "absl/strings/str_join.h"

namespace sluice::transport {
namespace {

constexpr absl::string_view kPayload = "sluice/tensorflow_server";

}  // namespace

absl::Status MarkTensorFlowServer(absl::Status status) {
  if (!status.ok()) status.SetPayload(kPayload, absl::Cord());
  return status;
}

bool IsTensorFlowServer(const absl::Status& status) {
  return !status.ok() && status.GetPayload(kPayload).has_value();
}

absl::Status MixedCluster(const std::vector<std::string>& servers, const std::string& own_task) {
  const bool several = servers.size() > 1;
  return FailedPrecondition(
      absl::StrJoin(servers, ", "), several ? " are TensorFlow servers" : " is a TensorFlow server",
      ", not Sluice; task ", own_task,
      " is a Sluice server, and a cluster cannot have both: start the programs of all its tasks "
      "with \"python -m sluice.tensorflow\", or none");
}

}  // namespace sluice::transport
