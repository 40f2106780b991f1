// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_GROUPS_ROUND_H_
#define SLUICE_WORKER_SERVICE_GROUPS_ROUND_H_

#include <atomic>
#include <memory>
#include <string>

#include "core/runtime/collectives.h"
#include "core/threads/thread_pool.h"
#include "worker_service/groups/exchange.h"
#include "worker_service/groups/group.h"

namespace sluice::worker {

// The text that the members compare: operation, dtype, shape, reduction, name and hint.
std::string Describe(const CollectiveCall& call);

// A member's part of one round.
//
// Owner:    its routine, and the table of those that wait.
// Threads:  those of the routine; waiting_for() from any.
class Round final : public Exchange {
 public:
  Round(std::shared_ptr<Group> group, int rank, const RoundId& id, CollectiveCall call,
        WorkQueue* pool);

  Group& group() const { return *group_; }
  const RoundId& id() const { return id_; }
  const CollectiveCall& call() const { return call_; }
  const std::string& description() const { return description_; }
  // The rank whose message is missing; kNobody: none; kAnyMember: that of a broadcast's source, or
  // the library's operation of all members.
  // After an error it is the rank whose message was missing then.
  static constexpr int kNobody = -2;
  int waiting_for() const { return waiting_for_.load(std::memory_order_relaxed); }
  absl::Time began() const { return began_; }

  // Exchange
  absl::StatusOr<Tensor> Allocate(int to, DType dtype, int64_t elements) override;
  std::optional<Tensor> AllocateForMany(int to, DType dtype, int64_t elements) override;
  absl::Status Send(int to, uint32_t number, Tensor message) override;
  void SetTarget(int from, uint32_t number, Tensor target) override;
  void Receive(int from, uint32_t number, DType dtype, int64_t elements, Received done) override;

  // Until EndWatch, calls back once if the round fails: it waits for all members, but for no
  // message. `status` is the result of what it waited for.
  void Watch(absl::AnyInvocable<void(const absl::Status& why)> failed);
  void EndWatch(const absl::Status& status);

 private:
  EdgeKey KeyFrom(int from, uint32_t number) const;

  const std::shared_ptr<Group> group_;
  const RoundId id_;
  const CollectiveCall call_;
  const std::string description_;
  const uint32_t hash_;
  WorkQueue* const pool_;  // outlives the round
  const absl::Time began_;
  std::atomic<int> waiting_for_{kNobody};
  const std::shared_ptr<std::atomic<bool>> watching_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_GROUPS_ROUND_H_
