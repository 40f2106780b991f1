// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_COLLECTIVES_MEMBER_H_
#define SLUICE_BENCH_COLLECTIVES_MEMBER_H_

#include <sys/un.h>

#include <string>

#include "bench/collectives/contender.h"
#include "bench/transport/far_process.h"

namespace sluice::bench::collectives {

// The socket in the common folder at which the measuring process waits for its members.
sockaddr_un SocketIn(const std::string& folder);

// A member process: connects to the measuring process and executes its requests until that is gone.
//
//   request                     answer
//   load OP MEMBERS ELEMENTS ALGORITHM   "good", or "bad" and why
//   run TIMES                   seconds of TIMES operations; processor time of these and one before
//   check                       "good", or "bad" and the first wrong element
//   unload                      "good"
void ServeMember(const std::string& folder, int rank, CollectiveContender& contender);

}  // namespace sluice::bench::collectives

#endif  // SLUICE_BENCH_COLLECTIVES_MEMBER_H_
