// SPDX-License-Identifier: Apache-2.0
#include "worker_service/groups/agreement.h"

#include <vector>

namespace sluice::worker {
namespace {

// No algorithm sends as many messages to one member.
constexpr uint32_t kNumber = Exchange::kAnonymous - 1;

bool IsBroadcast(const Round& round) { return round.call().op == CollectiveOp::kBroadcast; }

absl::Status SendSource(Round& round, int to, bool source) {
  return round.Send(to, kNumber, Tensor::Vector<int32_t>({source ? 1 : 0}));
}

absl::Status CheckSources(const Round& round, const std::vector<int>& sources) {
  if (!IsBroadcast(round) || sources.size() == 1) return absl::OkStatus();
  const Group& group = round.group();
  const auto disagree =
      Cat("members of group ", group.key(), " disagree about instance ", round.id().instance, ": ");
  if (sources.empty()) {
    return InvalidArgument(disagree, "all ", round.size(), " receive ", round.description(),
                           ", and none is its source");
  }
  return InvalidArgument(disagree, group.NameOf(sources[0]), " is the source of ",
                         round.description(), "; ", group.NameOf(sources[1]), " is its source too");
}

}  // namespace

bool NeedsAgreement(const Round& round) {
  const CollectiveCall& call = round.call();
  if (IsBroadcast(round)) return round.id().round == 0 && call.iteration == 0;
  return call.output.valid() && call.output.num_elements() == 0;
}

Routine Agree(Round& round) {
  if (round.rank() != 0) {
    SLUICE_CO_RETURN_IF_ERROR(SendSource(round, 0, round.call().source));
    const auto answer = co_await round.Next(0, kNumber, kInt32, 1);
    co_return answer.status();
  }
  std::vector<int> sources;
  if (round.call().source) sources.push_back(0);
  for (int rank = 1; rank < round.size(); ++rank) {
    SLUICE_CO_ASSIGN(const Tensor message, co_await round.Next(rank, kNumber, kInt32, 1));
    if (*message.data<int32_t>() != 0) sources.push_back(rank);
  }
  SLUICE_CO_RETURN_IF_ERROR(CheckSources(round, sources));
  for (int rank = 1; rank < round.size(); ++rank) {
    SLUICE_CO_RETURN_IF_ERROR(SendSource(round, rank, false));
  }
  co_return absl::OkStatus();
}

}  // namespace sluice::worker
