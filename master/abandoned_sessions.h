// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_MASTER_ABANDONED_SESSIONS_H_
#define SLUICE_MASTER_ABANDONED_SESSIONS_H_

#include <memory>
#include <vector>

#include "master/session.h"
#include "master/session_limits.h"

namespace sluice::master {

// Finds the sessions of clients that ended without closing them, for instance by SIGKILL.
//
// gRPC reports a cancelled call, but not whether the client gave it up or has died. So this looks
// at TCP connections. A client that lives may lose its connection too: a proxy closes one that is
// idle, a network breaks; at its next call gRPC connects anew. Therefore a client counts as gone
// only if its connection closed soon after its last call, and if no call follows for some time:
// see SessionLimits. Other sessions stay until there are too many.
//
// Called repeatedly, more often than every `limits.last_seen`. Marks the sessions whose clients
// have left, and returns those that were marked long enough ago.
std::vector<std::shared_ptr<Session>> FindAbandoned(std::vector<std::shared_ptr<Session>> sessions,
                                                    const SessionLimits& limits);

}  // namespace sluice::master

#endif  // SLUICE_MASTER_ABANDONED_SESSIONS_H_
