// SPDX-License-Identifier: Apache-2.0
#include "master/abandoned_sessions.h"

#include <algorithm>
#include <optional>

#include "absl/time/clock.h"
#include "transport/grpc/connections.h"

namespace sluice::master {
namespace {

using transport::Endpoint;

// Marks those sessions whose clients called a short time ago, and have no connection now.
void MarkLeft(const std::vector<std::shared_ptr<Session>>& sessions, const SessionLimits& limits) {
  struct Candidate {
    Session* session;
    absl::Time last_call;
    Endpoint client;
  };
  std::vector<Candidate> candidates;
  const absl::Time now = absl::Now();
  for (const auto& session : sessions) {
    const absl::Time last_call = session->last_call();  // before the address, which changes first
    if (now - last_call > limits.last_seen || session->left() || session->running()) continue;
    if (const std::optional<Endpoint> client = transport::ParseEndpoint(session->origin()))
      candidates.push_back({session.get(), last_call, *client});
  }
  if (candidates.empty()) return;
  const auto connected = transport::ConnectedPeers();
  if (!connected) return;
  for (const Candidate& candidate : candidates) {
    if (!connected->contains(candidate.client)) candidate.session->MarkLeft(candidate.last_call);
  }
}

bool IsHere(const Session& session) {
  const std::optional<Endpoint> client = transport::ParseEndpoint(session.origin());
  return client && transport::IsOfThisHost(client->address);
}

}  // namespace

std::vector<std::shared_ptr<Session>> FindAbandoned(std::vector<std::shared_ptr<Session>> sessions,
                                                    const SessionLimits& limits) {
  MarkLeft(sessions, limits);
  const absl::Time now = absl::Now();
  std::erase_if(sessions, [&](const std::shared_ptr<Session>& session) {
    const absl::Duration silence = now - session->last_call();
    return !session->left() || silence < std::min(limits.gone_here, limits.gone_elsewhere) ||
           silence < (IsHere(*session) ? limits.gone_here : limits.gone_elsewhere);
  });
  return sessions;
}

}  // namespace sluice::master
