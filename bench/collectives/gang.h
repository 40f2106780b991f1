// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_COLLECTIVES_GANG_H_
#define SLUICE_BENCH_COLLECTIVES_GANG_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "bench/collectives/contender.h"
#include "bench/transport/far_process.h"

namespace sluice::bench::collectives {

// The processes of a contender.
struct GangKind {
  std::string contender;  // "sluice", "gloo", "mpi"
  std::string transport;  // "shm", "tcp"
};

// The member processes of one contender, for the measuring process.
//
// Threads:  one at a time; this process has no other when members are started.
// Errors:   a member that ends or gives a wrong result ends the benchmark.
class Gang {
 public:
  // UNAVAILABLE says what is missing.
  static absl::StatusOr<std::unique_ptr<Gang>> Start(const GangKind& kind, int members, int hosts);
  ~Gang();  // ends the members

  const GangKind& kind() const { return kind_; }
  // UNIMPLEMENTED if the contender does not have it.
  absl::Status Load(const Workload& work, const std::string& algorithm);
  struct Turn {
    double seconds = 0;  // of `times` operations: the longest of all members
    double cpu = 0;      // seconds, of all members and times + 1 operations
  };
  Turn Run(int times);
  void CheckResult();
  void Unload();

 private:
  explicit Gang(GangKind kind) : kind_(std::move(kind)) {}
  void Spawn(const std::vector<std::string>& words);
  void SpawnAll(const std::string& folder, int members, int hosts);
  absl::Status AwaitMembers(int listener, int members);
  std::vector<std::vector<std::string>> AskAll(const std::vector<std::string>& request);
  std::string NameOf(size_t rank) const;

  const GangKind kind_;
  std::vector<pid_t> children_;
  std::vector<std::unique_ptr<Control>> members_;  // by rank
};

}  // namespace sluice::bench::collectives

#endif  // SLUICE_BENCH_COLLECTIVES_GANG_H_
