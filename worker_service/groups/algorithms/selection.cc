// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_join.h"
#include "worker_service/groups/algorithms.h"
#include "worker_service/groups/algorithms/binomial_tree.h"
#include "worker_service/groups/algorithms/direct.h"
#include "worker_service/groups/algorithms/doubling.h"
#include "worker_service/groups/algorithms/hierarchical.h"
#include "worker_service/groups/algorithms/ring.h"

namespace sluice::worker {
namespace {

using enum CollectiveOp;

struct Algorithm {
  CollectiveOp op;
  absl::string_view name;
  Routine (*run)(const Operands& values, Exchange& exchange);
};

constexpr Algorithm kAlgorithms[] = {
    {kAllReduce, "direct", &DirectAllReduce},
    {kAllReduce, "direct_parts", &DirectPartsAllReduce},
    {kAllReduce, "halving_doubling", &HalvingDoublingAllReduce},
    {kAllReduce, "hierarchical", &HierarchicalAllReduce},
    {kAllReduce, "recursive_doubling", &RecursiveDoublingAllReduce},
    {kAllReduce, "ring", &RingAllReduce},
    {kReduceScatter, "direct", &DirectReduceScatter},
    {kReduceScatter, "ring", &RingReduceScatter},
    {kAllGather, "direct", &DirectAllGather},
    {kAllGather, "ring", &RingAllGather},
    {kBroadcast, "binomial_tree", &BinomialTreeBroadcast},
    {kBroadcast, "direct", &DirectBroadcast},
    {kAllToAll, "direct", &DirectAllToAll},
};

constexpr int64_t kAnySize = std::numeric_limits<int64_t>::max();
constexpr int kAnyMembers = std::numeric_limits<int>::max();

// kShared: several hosts, of which one or more have several members.
enum class Hosts { kAny, kOne, kShared };

// The first line that fits is chosen. All members choose alike: they know the same values.
struct Choice {
  CollectiveOp op;
  Hosts hosts;
  int members;    // at most
  int64_t bytes;  // of a member's larger operand, at most
  absl::string_view name;
};

constexpr Choice kChoices[] = {
    {kAllReduce, Hosts::kOne, 4, 64 << 10, "direct"},
    {kAllReduce, Hosts::kOne, kAnyMembers, 64 << 10, "recursive_doubling"},
    {kAllReduce, Hosts::kOne, kAnyMembers, kAnySize, "direct_parts"},
    {kAllReduce, Hosts::kAny, 8, 4 << 10, "direct"},
    {kAllReduce, Hosts::kShared, kAnyMembers, kAnySize, "hierarchical"},
    {kAllReduce, Hosts::kAny, kAnyMembers, 32 << 10, "recursive_doubling"},
    {kAllReduce, Hosts::kAny, kAnyMembers, 1 << 20, "halving_doubling"},
    {kAllReduce, Hosts::kAny, kAnyMembers, kAnySize, "ring"},
    {kReduceScatter, Hosts::kOne, kAnyMembers, kAnySize, "direct"},
    {kReduceScatter, Hosts::kAny, kAnyMembers, 1 << 20, "direct"},
    {kReduceScatter, Hosts::kAny, kAnyMembers, kAnySize, "ring"},
    {kAllGather, Hosts::kOne, kAnyMembers, kAnySize, "direct"},
    {kAllGather, Hosts::kAny, kAnyMembers, 1 << 20, "direct"},
    {kAllGather, Hosts::kAny, kAnyMembers, kAnySize, "ring"},
    {kBroadcast, Hosts::kOne, 4, kAnySize, "direct"},
    {kBroadcast, Hosts::kAny, 8, 64 << 10, "direct"},
    {kBroadcast, Hosts::kAny, kAnyMembers, kAnySize, "binomial_tree"},
    {kAllToAll, Hosts::kAny, kAnyMembers, kAnySize, "direct"},
};

const Algorithm* Find(CollectiveOp op, absl::string_view name) {
  for (const Algorithm& algorithm : kAlgorithms) {
    if (algorithm.op == op && algorithm.name == name) return &algorithm;
  }
  return nullptr;
}

bool Fits(Hosts expected, const Exchange& exchange) {
  const int hosts = 1 + *std::max_element(exchange.hosts().begin(), exchange.hosts().end());
  switch (expected) {
    case Hosts::kOne:
      return hosts == 1;
    case Hosts::kShared:
      return hosts > 1 && hosts < exchange.size();
    case Hosts::kAny:
      break;
  }
  return true;
}

const Algorithm* Choose(CollectiveOp op, const Exchange& exchange, int64_t bytes) {
  for (const Choice& choice : kChoices) {
    if (choice.op == op && exchange.size() <= choice.members && bytes <= choice.bytes &&
        Fits(choice.hosts, exchange)) {
      return Find(op, choice.name);
    }
  }
  return nullptr;
}

bool AnyAlgorithm(absl::string_view hint) {
  return hint.empty() || hint == "auto" || hint == "ring" || hint == "nccl";
}

absl::StatusOr<Tensor> Flat(const Tensor& tensor) {
  return tensor.Reshaped(Shape{tensor.num_elements()});
}

}  // namespace

std::vector<std::string> AlgorithmsOf(CollectiveOp op) {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : kAlgorithms) {
    if (algorithm.op == op) names.emplace_back(algorithm.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

absl::Status CheckHint(CollectiveOp op, const std::string& hint) {
  if (AnyAlgorithm(hint) || Find(op, hint) != nullptr) return absl::OkStatus();
  std::vector<std::string> names = AlgorithmsOf(op);
  names.insert(names.end(), {"auto", "nccl", "ring"});
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return InvalidArgument("no algorithm \"", hint, "\" (communication_hint); there are ",
                         absl::StrJoin(names, ", "));
}

Routine RunCollective(const CollectiveCall& call, Exchange& exchange) {
  SLUICE_CO_RETURN_IF_ERROR(CheckHint(call.op, call.hint));
  if (!IsPlain(call.output.dtype())) {
    co_return Unimplemented("collective operations on elements of ", call.output.dtype());
  }
  Operands values;
  values.source = call.source;
  values.reduction = call.reduction;
  values.members = exchange.size();
  SLUICE_CO_ASSIGN(values.output, Flat(call.output));
  if (call.input.valid()) {
    SLUICE_CO_ASSIGN(values.input, Flat(call.input));
  }
  if (exchange.size() == 1) {
    if (values.input.raw() != values.output.raw()) values.Store(values.input, 0);
    values.Finish({0, values.count()});
    co_return absl::OkStatus();
  }
  const Algorithm* algorithm = Find(call.op, call.hint);
  if (algorithm == nullptr) {
    int64_t elements = values.count();
    if (values.input.valid()) elements = std::max(elements, values.input.num_elements());
    const int64_t bytes = elements * static_cast<int64_t>(values.element());
    algorithm = Choose(call.op, exchange, bytes);
  }
  co_return co_await algorithm->run(values, exchange);
}

}  // namespace sluice::worker
