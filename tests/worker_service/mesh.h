// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_WORKER_SERVICE_MESH_H_
#define SLUICE_TESTS_WORKER_SERVICE_MESH_H_

#include <map>
#include <memory>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "worker_service/groups/algorithms.h"
#include "worker_service/groups/exchange.h"

namespace sluice::worker {

// A Mesh runs a collective operation of members that exchange messages in memory. Messages arrive
// late and in any order, and some of them in their targets, which the seed decides if there is one
// thread.
//
// It checks the contract of Exchange: sent bytes are never written, a number is used once between
// two members, a target has its message's size, and at the end no message is left over.
class Mesh {
 public:
  struct Faults {
    int64_t fails_at = -1;  // the group ends at the message with this index, from 0
  };

  explicit Mesh(std::vector<int> hosts, uint64_t seed = 0, int threads = 1);
  ~Mesh();

  // One call for each member. Gives the status of each, INTERNAL for all if the contract was
  // violated or if a member waits for a message that nobody sends.
  std::vector<absl::Status> Run(const std::vector<CollectiveCall>& calls, Faults faults);
  std::vector<absl::Status> Run(const std::vector<CollectiveCall>& calls) {
    return Run(calls, Faults{});
  }

  int64_t messages() const { return messages_; }      // of the last run
  int64_t sent_bytes() const { return sent_bytes_; }  // of all members in the last run
  // The most messages from one member to another that were sent and not yet received.
  int64_t most_pending() const { return most_pending_; }

 private:
  class Member;
  using Key = std::tuple<int, int, uint32_t>;  // to, from, number
  struct Wait {
    DType dtype;
    int64_t elements;
    Exchange::Received done;
  };
  struct Sent {
    Tensor message;
    uint64_t hash;
  };
  using Task = absl::AnyInvocable<void()>;

  absl::Status Send(int from, int to, uint32_t number, Tensor message);
  void SetTarget(const Key& key, Tensor target);
  void Receive(int to, int from, uint32_t number, Wait wait);
  void Deliver(const Key& key, Tensor message);
  void EndGroup() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Work();
  absl::Status Violations() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const std::vector<int> hosts_;
  const uint64_t seed_;
  const int threads_;

  absl::Mutex mu_;
  std::mt19937_64 random_ ABSL_GUARDED_BY(mu_);
  std::vector<Task> tasks_ ABSL_GUARDED_BY(mu_);
  std::map<Key, Tensor> arrived_ ABSL_GUARDED_BY(mu_);
  std::map<Key, Wait> waiting_ ABSL_GUARDED_BY(mu_);
  std::map<Key, Tensor> targets_ ABSL_GUARDED_BY(mu_);
  std::map<Key, Sent> sent_ ABSL_GUARDED_BY(mu_);
  absl::Status ended_ ABSL_GUARDED_BY(mu_);      // of the group
  absl::Status violation_ ABSL_GUARDED_BY(mu_);  // of the contract
  int running_ ABSL_GUARDED_BY(mu_) = 0;         // tasks
  int finished_ ABSL_GUARDED_BY(mu_) = 0;        // members
  Faults faults_;
  std::map<std::pair<int, int>, int64_t> pending_ ABSL_GUARDED_BY(mu_);  // by receiver, sender
  int64_t messages_ = 0, sent_bytes_ = 0, most_pending_ = 0;
};

}  // namespace sluice::worker

#endif  // SLUICE_TESTS_WORKER_SERVICE_MESH_H_
