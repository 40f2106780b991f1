// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_BENCH_COLLECTIVES_WORKLOAD_H_
#define SLUICE_BENCH_COLLECTIVES_WORKLOAD_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/runtime/collectives.h"

namespace sluice::bench::collectives {

// One collective operation on floats. Reductions add; member 0 broadcasts.
struct Workload {
  CollectiveOp op = CollectiveOp::kAllReduce;
  int members = 0;
  int64_t elements = 0;  // of a member's larger operand

  int64_t bytes() const { return elements * static_cast<int64_t>(sizeof(float)); }
  int64_t input() const;  // elements
  int64_t output() const;
};

// At least `bytes`, so that every member has a part of the same size.
Workload WorkloadOf(CollectiveOp op, int members, int64_t bytes);

std::string OpName(CollectiveOp op);  // "all_reduce"
// INVALID_ARGUMENT names an unknown operation.
absl::StatusOr<CollectiveOp> ParseOp(absl::string_view name);

// Small integers, so that sums are exact in any order.
std::vector<float> InputOf(const Workload& work, int rank);
// Describes the first element that is wrong; "" if all are right.
std::string FirstError(const Workload& work, int rank, absl::Span<const float> output);

}  // namespace sluice::bench::collectives

#endif  // SLUICE_BENCH_COLLECTIVES_WORKLOAD_H_
