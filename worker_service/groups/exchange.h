// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_GROUPS_EXCHANGE_H_
#define SLUICE_WORKER_SERVICE_GROUPS_EXCHANGE_H_

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "core/tensor/tensor.h"

namespace sluice::worker {

// An Exchange carries the messages of one round of a collective operation between the members of a
// group. Members are numbered by their ranks. A message is a tensor of one dimension; the receiver
// may read it in memory that it shares with the sender.
//
// Owner:    the round; outlives its algorithm.
// Threads:  those of the algorithm, one at a time.
// Errors:   after the group's end every call gives the cause.
class Exchange {
 public:
  virtual ~Exchange() = default;

  int rank() const { return rank_; }
  int size() const { return static_cast<int>(hosts_.size()); }
  // Numbers the hosts of the members, from 0 in the order of their first members. Members of one
  // host share memory.
  const std::vector<int>& hosts() const { return hosts_; }

  // Algorithms send large values in chunks of this size.
  static constexpr int64_t kChunkBytes = 256 << 10;
  // A receiver that does not know the sender receives from kAnyMember, by a number from kAnonymous
  // on. At most one member sends a member such a number.
  static constexpr int kAnyMember = -1;
  static constexpr uint32_t kAnonymous = 1u << 31;

  // Memory for a message to this member. The caller fills it, sends it once, and does not write it
  // afterwards. It may be read, so it can be sent to other members too.
  virtual absl::StatusOr<Tensor> Allocate(int to, DType dtype, int64_t elements) = 0;
  // Memory for a message to this member and to others, if that saves copies. The caller fills it
  // before it sends it.
  virtual std::optional<Tensor> AllocateForMany(int /*to*/, DType /*dtype*/, int64_t /*elements*/) {
    return std::nullopt;
  }
  // Sends a message. Never blocks. Nobody writes the tensor's bytes until it is received.
  // `number` is unique between two members within the round.
  virtual absl::Status Send(int to, uint32_t number, Tensor message) = 0;
  // Where a message is written as it arrives, if it arrives later and the transport can. Receive
  // still gives it. Nobody else writes or reads the target's bytes meanwhile.
  virtual void SetTarget(int /*from*/, uint32_t /*number*/, Tensor /*target*/) {}
  // INVALID_ARGUMENT if dtype or size differ from what is expected.
  using Received = absl::AnyInvocable<void(absl::StatusOr<Tensor>)>;
  virtual void Receive(int from, uint32_t number, DType dtype, int64_t elements, Received done) = 0;

  // co_await exchange.Next(...) gives the message, a StatusOr<Tensor>.
  class Reception;
  Reception Next(int from, uint32_t number, DType dtype, int64_t elements);

 protected:
  Exchange(int rank, std::vector<int> hosts) : rank_(rank), hosts_(std::move(hosts)) {}

 private:
  const int rank_;
  const std::vector<int> hosts_;
};

// The awaited message of Exchange::Next.
class Exchange::Reception {
 public:
  Reception(Exchange& exchange, int from, uint32_t number, DType dtype, int64_t elements)
      : exchange_(exchange), from_(from), number_(number), dtype_(dtype), elements_(elements) {}
  bool await_ready() const { return false; }
  // The second of the two, the message and the end of this function, resumes the coroutine. So it
  // does not recurse when the message is there already.
  bool await_suspend(std::coroutine_handle<> waiting) {
    exchange_.Receive(from_, number_, dtype_, elements_,
                      [this, waiting](absl::StatusOr<Tensor> message) {
                        message_ = std::move(message);
                        if (second_.exchange(true, std::memory_order_acq_rel)) waiting.resume();
                      });
    return !second_.exchange(true, std::memory_order_acq_rel);
  }
  absl::StatusOr<Tensor> await_resume() { return std::move(message_); }

 private:
  Exchange& exchange_;
  const int from_;
  const uint32_t number_;
  const DType dtype_;
  const int64_t elements_;
  std::atomic<bool> second_{false};
  absl::StatusOr<Tensor> message_;
};

inline Exchange::Reception Exchange::Next(int from, uint32_t number, DType dtype,
                                          int64_t elements) {
  return Reception(*this, from, number, dtype, elements);
}

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_GROUPS_EXCHANGE_H_
