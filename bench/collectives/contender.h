// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_COLLECTIVES_CONTENDER_H_
#define SLUICE_BENCH_COLLECTIVES_CONTENDER_H_

#include <memory>
#include <string>
#include <vector>

#include "bench/collectives/workload.h"

namespace sluice::bench::collectives {

// One way to run collective operations: Sluice, or a peer. Each member is a process with one such
// object. All members make the same calls in the same order.
//
// Threads:  one at a time.
// Errors:   end the benchmark, except where a Status is returned.
class CollectiveContender {
 public:
  virtual ~CollectiveContender() = default;
  // Prepares the operation and its input. Replaces the previous one. UNIMPLEMENTED if this
  // contender does not have it.
  virtual absl::Status Load(const Workload& work, const std::string& algorithm) = 0;
  // This member's part of the operation.
  virtual void Run() = 0;
  // The same, from the input that Load prepared. Returns FirstError.
  virtual std::string RunAndCheck() = 0;
  // Frees the memory of the operation.
  virtual void Unload() = 0;
};

// What a member process needs to find the others.
struct MemberOptions {
  std::string contender;               // "sluice", "gloo"
  std::string transport;               // "shm", "tcp"
  int rank = 0, members = 1;           // of the process
  int hosts = 1;                       // that the members count as, of Sluice; in blocks of ranks
  std::vector<std::string> addresses;  // of all tasks, of Sluice
  std::string folder;                  // common to all members
};

std::unique_ptr<CollectiveContender> CreateTaskContender(const MemberOptions& options);
// Null if this program was built without Gloo.
std::unique_ptr<CollectiveContender> CreateGlooContender(const MemberOptions& options);
bool HasGloo();

}  // namespace sluice::bench::collectives

#endif  // SLUICE_BENCH_COLLECTIVES_CONTENDER_H_
