// SPDX-License-Identifier: Apache-2.0
#include "bench/collectives/workload.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "core/status.h"

namespace sluice::bench::collectives {
namespace {

using enum CollectiveOp;

struct NamedOp {
  CollectiveOp op;
  absl::string_view name;
};

constexpr NamedOp kOps[] = {{kAllReduce, "all_reduce"},
                            {kAllGather, "all_gather"},
                            {kBroadcast, "broadcast"},
                            {kReduceScatter, "reduce_scatter"},
                            {kAllToAll, "all_to_all"}};

constexpr int kPeriod = 61;

// Element `i` of the input of a member. Inputs, and blocks of results, repeat with the period.
float Value(int rank, int64_t i) { return static_cast<float>(i % kPeriod + 7 * rank); }

float Sum(int members, int64_t i) {
  float sum = 0;
  for (int rank = 0; rank < members; ++rank) sum += Value(rank, i);
  return sum;
}

float Expected(const Workload& work, int rank, int64_t i) {
  const int64_t part = work.elements / work.members;
  switch (work.op) {
    case kAllReduce:
      return Sum(work.members, i);
    case kReduceScatter:
      return Sum(work.members, rank * part + i);
    case kAllGather:
      return Value(static_cast<int>(i / part), i % part);
    case kAllToAll:
      return Value(static_cast<int>(i / part), rank * part + i % part);
    case kBroadcast:
      break;
  }
  return Value(0, i);
}

}  // namespace

int64_t Workload::input() const { return op == kAllGather ? elements / members : elements; }
int64_t Workload::output() const { return op == kReduceScatter ? elements / members : elements; }

Workload WorkloadOf(CollectiveOp op, int members, int64_t bytes) {
  int64_t elements = std::max<int64_t>(1, bytes / static_cast<int64_t>(sizeof(float)));
  const bool divided = op == kAllGather || op == kReduceScatter || op == kAllToAll;
  if (divided) elements = (elements + members - 1) / members * members;
  return {op, members, elements};
}

std::string OpName(CollectiveOp op) {
  for (const NamedOp& named : kOps) {
    if (named.op == op) return std::string(named.name);
  }
  return "";
}

absl::StatusOr<CollectiveOp> ParseOp(absl::string_view name) {
  std::string names;
  for (const NamedOp& named : kOps) {
    if (named.name == name) return named.op;
    absl::StrAppend(&names, names.empty() ? "" : ", ", named.name);
  }
  return InvalidArgument("no operation \"", name, "\"; there are ", names);
}

std::vector<float> InputOf(const Workload& work, int rank) {
  std::vector<float> values(static_cast<size_t>(work.input()));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = i < kPeriod ? Value(rank, static_cast<int64_t>(i)) : values[i - kPeriod];
  }
  return values;
}

std::string FirstError(const Workload& work, int rank, absl::Span<const float> output) {
  const auto size = static_cast<int64_t>(output.size());
  if (size != work.output())
    return absl::StrCat("the result has ", size, " elements, not ", work.output());
  const bool joined = work.op == kAllGather || work.op == kAllToAll;  // of a block for each member
  const int64_t block = joined ? size / work.members : size;
  for (int64_t begin = 0; begin < size; begin += block) {
    float expected[kPeriod] = {};
    for (int64_t i = 0; i < std::min<int64_t>(kPeriod, block); ++i)
      expected[i] = Expected(work, rank, begin + i);
    for (int64_t i = 0; i < block; ++i) {
      const float value = output[static_cast<size_t>(begin + i)];
      if (value != expected[i % kPeriod]) {
        return absl::StrCat("element ", begin + i, " of the result is ", value, ", not ",
                            expected[i % kPeriod]);
      }
    }
  }
  return "";
}

}  // namespace sluice::bench::collectives
