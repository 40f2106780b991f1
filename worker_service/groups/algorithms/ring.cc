// SPDX-License-Identifier: Apache-2.0
#include "worker_service/groups/algorithms/ring.h"

#include <array>
#include <utility>

namespace sluice::worker {
namespace {

// The members in a circle.
class Ring {
 public:
  explicit Ring(const Exchange& exchange) : order_(HostOrder(exchange)) {
    const auto at = std::find(order_.begin(), order_.end(), exchange.rank());
    position_ = static_cast<int>(at - order_.begin());
  }
  int size() const { return static_cast<int>(order_.size()); }
  // The rank of a member that is up to two rounds away.
  int Before(int steps) const {
    return order_[static_cast<size_t>((position_ - steps + 2 * size()) % size())];
  }
  int left() const { return Before(1); }
  int right() const { return Before(-1); }

 private:
  std::vector<int> order_;
  int position_ = 0;
};

// Sends the chunks of a part up to the window after `chunk`, if they were not sent yet.
absl::Status SendAhead(Exchange& exchange, int to, uint32_t first, const Tensor& flat, Range part,
                       int64_t chunk, int64_t* sent) {
  const Chunks chunks(SizeOf(flat.dtype()));
  const int64_t end = std::min(chunks.Count(part.size()), chunk + Chunks::kWindow);
  for (; *sent < end; ++*sent) {
    SLUICE_RETURN_IF_ERROR(
        exchange.Send(to, first + static_cast<uint32_t>(*sent), Slice(flat, chunks(part, *sent))));
  }
  return absl::OkStatus();
}

// Combines the part of each member: it starts at the member's right neighbour and goes around. The
// own part is written to elements [at, ...) of the output.
Routine ReduceAround(const Operands& values, Exchange& exchange, const Ring& ring,
                     const Parts& parts, int64_t at) {
  const Chunks chunks(values.element());
  const int64_t count = chunks.Count(parts.largest());
  const Range first = parts[ring.Before(1)];
  int64_t sent = 0;
  for (int step = 0; step + 1 < ring.size(); ++step) {
    const bool last = step + 2 == ring.size();
    const Range part = parts[ring.Before(2 + step)];
    for (int64_t i = 0; i < count; ++i) {
      SLUICE_CO_RETURN_IF_ERROR(
          SendAhead(exchange, ring.right(), 0, values.input, first, i, &sent));
      const Range chunk = chunks(part, i);
      if (chunk.size() == 0) continue;
      const auto number = static_cast<uint32_t>(step * count + i);
      SLUICE_CO_ASSIGN(const Tensor message,
                       co_await exchange.Next(ring.left(), number, values.dtype(), chunk.size()));
      const std::array<const void*, 2> inputs = {message.raw(),
                                                 Operands::Address(values.input, chunk.begin)};
      if (last) {
        const Range own{at + chunk.begin - part.begin, at + chunk.end - part.begin};
        values.reduction.combine(inputs, own.size(), Operands::Address(values.output, own.begin));
        values.Finish(own);
        continue;
      }
      SLUICE_CO_ASSIGN(Tensor sum, exchange.Allocate(ring.right(), values.dtype(), chunk.size()));
      values.reduction.combine(inputs, chunk.size(), sum.raw());
      SLUICE_CO_RETURN_IF_ERROR(
          exchange.Send(ring.right(), number + static_cast<uint32_t>(count), std::move(sum)));
    }
  }
  co_return absl::OkStatus();
}

// Expects the messages of GatherAround.
void ExpectParts(const Operands& values, Exchange& exchange, const Ring& ring, const Parts& parts,
                 uint32_t begin) {
  const Chunks chunks(values.element());
  const int64_t count = chunks.Count(parts.largest());
  for (int step = 0; step + 1 < ring.size(); ++step) {
    for (int64_t i = 0; i < count; ++i) {
      values.Expect(exchange, ring.left(), begin + static_cast<uint32_t>(step * count + i),
                    chunks(parts[ring.Before(1 + step)], i));
    }
  }
}

// Sends `own` elements of `flat`, this member's part, around, and stores those of the others.
// Numbers messages from `begin`.
Routine GatherAround(const Operands& values, Exchange& exchange, const Ring& ring,
                     const Parts& parts, const Tensor& flat, Range own, uint32_t begin) {
  const Chunks chunks(values.element());
  const int64_t count = chunks.Count(parts.largest());
  int64_t sent = 0;
  for (int step = 0; step + 1 < ring.size(); ++step) {
    const bool last = step + 2 == ring.size();
    const Range part = parts[ring.Before(1 + step)];
    for (int64_t i = 0; i < count; ++i) {
      SLUICE_CO_RETURN_IF_ERROR(SendAhead(exchange, ring.right(), begin, flat, own, i, &sent));
      const Range chunk = chunks(part, i);
      if (chunk.size() == 0) continue;
      const uint32_t number = begin + static_cast<uint32_t>(step * count + i);
      SLUICE_CO_ASSIGN(Tensor message,
                       co_await exchange.Next(ring.left(), number, values.dtype(), chunk.size()));
      values.Store(message, chunk.begin);
      if (last) continue;
      SLUICE_CO_RETURN_IF_ERROR(
          exchange.Send(ring.right(), number + static_cast<uint32_t>(count), std::move(message)));
    }
  }
  co_return absl::OkStatus();
}

}  // namespace

Routine RingReduceScatter(const Operands& values, Exchange& exchange) {
  const Ring ring(exchange);
  const Parts parts = Parts::Equal(values.input.num_elements(), exchange.size());
  SLUICE_CO_RETURN_IF_ERROR(co_await ReduceAround(values, exchange, ring, parts, 0));
  co_return absl::OkStatus();
}

Routine RingAllGather(const Operands& values, Exchange& exchange) {
  const Ring ring(exchange);
  const Parts parts = Parts::Equal(values.count(), exchange.size());
  const Range own{0, values.input.num_elements()};
  ExpectParts(values, exchange, ring, parts, 0);
  values.Store(values.input, parts[exchange.rank()].begin);
  SLUICE_CO_RETURN_IF_ERROR(
      co_await GatherAround(values, exchange, ring, parts, values.input, own, 0));
  co_return absl::OkStatus();
}

Routine RingAllReduce(const Operands& values, Exchange& exchange) {
  const Ring ring(exchange);
  const Parts parts = Parts::Aligned(values.count(), exchange.size(), values.element());
  const Range own = parts[exchange.rank()];
  const int64_t steps = exchange.size() - 1;
  const auto begin = static_cast<uint32_t>(steps * Chunks(values.element()).Count(parts.largest()));
  ExpectParts(values, exchange, ring, parts, begin);
  SLUICE_CO_RETURN_IF_ERROR(co_await ReduceAround(values, exchange, ring, parts, own.begin));
  SLUICE_CO_RETURN_IF_ERROR(
      co_await GatherAround(values, exchange, ring, parts, values.output, own, begin));
  co_return absl::OkStatus();
}

}  // namespace sluice::worker
