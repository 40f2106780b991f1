// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_DOUBLING_H_
#define SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_DOUBLING_H_

#include <bit>

#include "worker_service/groups/algorithms/operands.h"

// All-reduces in which partners at doubling distances exchange values, after Thakur, Rabenseifner
// and Gropp, "Optimization of collective communication operations in MPICH", 2005.
//
// n: members, S: bytes. If n is not a power of two, the members with even ranks below
// 2 (n - 2^k) send their values to the next rank and get the result from it: two more steps. Half
// types round after each step.

namespace sluice::worker {

// log2(n) steps; S log2(n) sent by each member.
Routine RecursiveDoublingAllReduce(const Operands& values, Exchange& exchange);

// Rabenseifner's: a reduce-scatter by halving, an all-gather by doubling. 2 log2(n) steps;
// 2 S (n - 1) / n sent by each member.
Routine HalvingDoublingAllReduce(const Operands& values, Exchange& exchange);

// A power of two of members, those that remain after pairs of the others were folded.
class Folded {
 public:
  explicit Folded(const Exchange& exchange)
      : size_(static_cast<int>(std::bit_floor(static_cast<unsigned>(exchange.size())))),
        pairs_(exchange.size() - size_),
        rank_(exchange.rank()) {}

  int size() const { return size_; }
  // This member sends its values to the next and waits for the result.
  bool waits() const { return rank_ < 2 * pairs_ && rank_ % 2 == 0; }
  // This member takes part for the one before, too.
  bool represents() const { return rank_ < 2 * pairs_ && rank_ % 2 == 1; }
  // The number of this member among those that remain.
  // REQUIRES: !waits().
  int index() const { return rank_ < 2 * pairs_ ? rank_ / 2 : rank_ - pairs_; }
  int RankOf(int index) const { return index < pairs_ ? 2 * index + 1 : index + pairs_; }

 private:
  const int size_, pairs_, rank_;
};

// Sends the values of a member that waits, and stores the result.
Routine AwaitResult(const Operands& values, Exchange& exchange);
// Combines the values of a member that waits with those of the next, which calls this, into `sum`.
Routine Represent(const Operands& values, Exchange& exchange, Tensor* sum);
// Sends the result to the member that waits.
absl::Status SendResult(const Operands& values, Exchange& exchange);

// Combines the values of two members, those of the lower index first. So both compute the same
// bits.
void CombinePair(const Operands& values, bool own_first, const void* own, const void* other,
                 int64_t count, void* out);

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_DOUBLING_H_
