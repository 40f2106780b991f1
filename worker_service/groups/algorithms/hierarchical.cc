// SPDX-License-Identifier: Apache-2.0
#include "worker_service/groups/algorithms/hierarchical.h"

#include <utility>

#include "worker_service/groups/algorithms/doubling.h"
#include "worker_service/groups/algorithms/ring.h"

namespace sluice::worker {
namespace {

// Some members of a group, numbered in the order of `ranks`.
class Subgroup final : public Exchange {
 public:
  Subgroup(Exchange& group, const std::vector<int>& ranks)
      : Exchange(IndexOf(group.rank(), ranks), HostsOf(group, ranks)),
        group_(group),
        ranks_(ranks) {}

  absl::StatusOr<Tensor> Allocate(int to, DType dtype, int64_t elements) override {
    return group_.Allocate(ranks_[static_cast<size_t>(to)], dtype, elements);
  }
  std::optional<Tensor> AllocateForMany(int to, DType dtype, int64_t elements) override {
    return group_.AllocateForMany(ranks_[static_cast<size_t>(to)], dtype, elements);
  }
  absl::Status Send(int to, uint32_t number, Tensor message) override {
    return group_.Send(ranks_[static_cast<size_t>(to)], number, std::move(message));
  }
  void SetTarget(int from, uint32_t number, Tensor target) override {
    group_.SetTarget(ranks_[static_cast<size_t>(from)], number, std::move(target));
  }
  void Receive(int from, uint32_t number, DType dtype, int64_t elements, Received done) override {
    group_.Receive(ranks_[static_cast<size_t>(from)], number, dtype, elements, std::move(done));
  }

 private:
  static int IndexOf(int rank, const std::vector<int>& ranks) {
    return static_cast<int>(std::find(ranks.begin(), ranks.end(), rank) - ranks.begin());
  }
  // Numbers the hosts of these members from 0 again.
  static std::vector<int> HostsOf(const Exchange& group, const std::vector<int>& ranks) {
    std::vector<int> seen, hosts;
    for (const int rank : ranks) {
      const int host = group.hosts()[static_cast<size_t>(rank)];
      const auto at = std::find(seen.begin(), seen.end(), host);
      hosts.push_back(static_cast<int>(at - seen.begin()));
      if (at == seen.end()) seen.push_back(host);
    }
    return hosts;
  }

  Exchange& group_;
  const std::vector<int> ranks_;
};

// The members of this member's host, and the first members of all hosts.
struct Levels {
  std::vector<int> local, firsts;

  explicit Levels(const Exchange& exchange) {
    const std::vector<int>& hosts = exchange.hosts();
    const int own = hosts[static_cast<size_t>(exchange.rank())];
    std::vector<int> seen;
    for (int rank = 0; rank < exchange.size(); ++rank) {
      const int host = hosts[static_cast<size_t>(rank)];
      if (host == own) local.push_back(rank);
      if (std::find(seen.begin(), seen.end(), host) != seen.end()) continue;
      seen.push_back(host);
      firsts.push_back(rank);
    }
  }
};

// The part of a member that is not the first of its host.
Routine FollowFirst(const Operands& values, Exchange& exchange, int first) {
  const Range all{0, values.count()};
  const Chunks chunks(values.element());
  const int64_t count = chunks.Count(all.size());
  for (int64_t i = 0; i < count; ++i)
    values.Expect(exchange, first, static_cast<uint32_t>(i), chunks(all, i));
  for (int64_t i = 0; i < count; ++i) {
    SLUICE_CO_RETURN_IF_ERROR(
        exchange.Send(first, static_cast<uint32_t>(i), Slice(values.input, chunks(all, i))));
  }
  for (int64_t i = 0; i < count; ++i) {
    const Range chunk = chunks(all, i);
    SLUICE_CO_ASSIGN(const Tensor message, co_await exchange.Next(first, static_cast<uint32_t>(i),
                                                                  values.dtype(), chunk.size()));
    values.Store(message, chunk.begin);
  }
  co_return absl::OkStatus();
}

Routine ReduceBetween(const Operands& values, Exchange& firsts) {
  constexpr size_t kSmall = 64 << 10, kMiddle = 1 << 20;
  if (firsts.size() == 1) {
    values.Store(values.input, 0);
    values.Finish({0, values.count()});
    co_return absl::OkStatus();
  }
  const size_t bytes = values.output.bytes();
  if (bytes <= kSmall) co_return co_await RecursiveDoublingAllReduce(values, firsts);
  if (bytes <= kMiddle) co_return co_await HalvingDoublingAllReduce(values, firsts);
  co_return co_await RingAllReduce(values, firsts);
}

}  // namespace

Routine HierarchicalAllReduce(const Operands& values, Exchange& exchange) {
  const Levels levels(exchange);
  if (levels.local[0] != exchange.rank()) {
    co_return co_await FollowFirst(values, exchange, levels.local[0]);
  }
  Subgroup local(exchange, levels.local);
  Subgroup firsts(exchange, levels.firsts);
  const Range all{0, values.count()};
  const Chunks chunks(values.element());
  const int64_t count = chunks.Count(all.size());
  Operands between = values;
  if (local.size() > 1) {
    SLUICE_CO_ASSIGN(between.input,
                     Tensor::Allocate(CpuAllocator(), values.dtype(), Shape{values.count()}));
    for (int64_t i = 0; i < count; ++i) {
      const Range chunk = chunks(all, i);
      void* const sum = Operands::Address(between.input, chunk.begin);
      SLUICE_CO_RETURN_IF_ERROR(
          co_await CombineAll(values, local, static_cast<uint32_t>(i), chunk, sum));
    }
  }
  SLUICE_CO_RETURN_IF_ERROR(co_await ReduceBetween(between, firsts));
  for (int64_t i = 0; i < count; ++i) {
    SLUICE_CO_RETURN_IF_ERROR(
        SendToAll(local, static_cast<uint32_t>(i), values.output, chunks(all, i)));
  }
  co_return absl::OkStatus();
}

}  // namespace sluice::worker
