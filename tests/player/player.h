// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_PLAYER_PLAYER_H_
#define SLUICE_TESTS_PLAYER_PLAYER_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "client/graph.h"
#include "client/session.h"
#include "core/runtime/kernel_registry.h"
#include "server/server.h"

namespace sluice::proto {
class RecordedCases;
class RecordedRun;
}  // namespace sluice::proto

namespace sluice::player {

enum class Target { kCpu, kAsync, kGpu };

// A Player plays recorded cases in a task of this process. Each run gives TensorFlow's answers or
// fails with its code, and its tested nodes ran on the target device.
//
// Threads:  one at a time.
class Player {
 public:
  // UNAVAILABLE: the machine has no such device.
  static absl::StatusOr<std::unique_ptr<Player>> Create(Target target);

  void Play(const proto::RecordedCases& cases);
  void Fail(std::string text) { failures_.push_back(std::move(text)); }

  int64_t passed() const { return passed_; }
  // Runs whose nodes the target lacks a kernel for.
  int64_t without_kernels() const { return without_kernels_; }
  const std::vector<std::string>& failures() const { return failures_; }
  // Op -> runs that passed and in which it ran on the target.
  const std::map<std::string, int64_t>& runs_by_op() const { return runs_by_op_; }

 private:
  explicit Player(Target target);
  void PlayRun(const proto::RecordedRun& run, client::Graph& graph, client::Session& session);
  // The nodes that ran on the target; none if the run failed as TensorFlow's did.
  absl::StatusOr<std::set<std::string>> Check(const proto::RecordedRun& run,
                                              const std::vector<graph::Node*>& nodes,
                                              client::Session& session) const;
  bool HasKernels(const std::vector<graph::Node*>& nodes) const;
  // Whether a kernel of the target does not report some errors that the CPU's reports.
  bool MayPass(const std::vector<graph::Node*>& nodes) const;

  const Target target_;
  std::unique_ptr<server::Server> server_;
  KernelRegistry kernels_;
  int64_t passed_ = 0, without_kernels_ = 0;
  std::map<std::string, int64_t> runs_by_op_;
  std::vector<std::string> failures_;
};

}  // namespace sluice::player

#endif  // SLUICE_TESTS_PLAYER_PLAYER_H_
