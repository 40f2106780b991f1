// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "worker_service/groups/algorithms/doubling.h"

namespace sluice::worker {
namespace {

// The elements of the parts of a block: `size` members side by side, of which one has this index.
Range BlockOf(const Parts& parts, int index, int size) {
  const int first = index / size * size;
  return {parts[first].begin, parts[first + size - 1].end};
}

// Combines the part with this member's index into the output. `first` has all elements.
// Each step halves the elements that this member still combines.
Routine Halve(const Operands& values, Exchange& exchange, const Folded& folded, const Parts& parts,
              const Tensor& first) {
  const int index = folded.index();
  Tensor sum = first;
  int64_t sum_begin = 0;  // the element where `sum` begins
  uint32_t step = 0;
  for (int distance = folded.size() / 2; distance > 0; distance /= 2, ++step) {
    const int partner = index ^ distance;
    const Range kept = BlockOf(parts, index, distance);
    const Range given = BlockOf(parts, partner, distance);
    const int to = folded.RankOf(partner);
    if (given.size() > 0) {
      SLUICE_CO_RETURN_IF_ERROR(
          exchange.Send(to, step, Slice(sum, {given.begin - sum_begin, given.end - sum_begin})));
    }
    if (kept.size() == 0) break;  // neither have the later steps any elements
    SLUICE_CO_ASSIGN(const Tensor message,
                     co_await exchange.Next(to, step, values.dtype(), kept.size()));
    Tensor next = Slice(values.output, kept);
    if (distance > 1) {
      SLUICE_CO_ASSIGN(next, Tensor::Allocate(CpuAllocator(), values.dtype(), Shape{kept.size()}));
    }
    CombinePair(values, (index & distance) == 0, Operands::Address(sum, kept.begin - sum_begin),
                message.raw(), kept.size(), next.raw());
    sum = std::move(next);
    sum_begin = kept.begin;
  }
  values.Finish(parts[index]);
  co_return absl::OkStatus();
}

constexpr uint32_t kDouble = 100;  // above the numbers of Halve

// Expects the messages of Double.
void ExpectDoubles(const Operands& values, Exchange& exchange, const Folded& folded,
                   const Parts& parts) {
  const int index = folded.index();
  uint32_t step = kDouble;
  for (int distance = 1; distance < folded.size(); distance *= 2, ++step) {
    const int partner = index ^ distance;
    values.Expect(exchange, folded.RankOf(partner), step, BlockOf(parts, partner, distance));
  }
}

// Each step doubles the elements that this member has.
Routine Double(const Operands& values, Exchange& exchange, const Folded& folded,
               const Parts& parts) {
  const int index = folded.index();
  uint32_t step = kDouble;
  for (int distance = 1; distance < folded.size(); distance *= 2, ++step) {
    const int partner = index ^ distance;
    const Range own = BlockOf(parts, index, distance);
    const Range other = BlockOf(parts, partner, distance);
    const int to = folded.RankOf(partner);
    if (own.size() > 0) {
      SLUICE_CO_RETURN_IF_ERROR(exchange.Send(to, step, Slice(values.output, own)));
    }
    if (other.size() == 0) continue;
    SLUICE_CO_ASSIGN(const Tensor message,
                     co_await exchange.Next(to, step, values.dtype(), other.size()));
    values.Store(message, other.begin);
  }
  co_return absl::OkStatus();
}

}  // namespace

Routine HalvingDoublingAllReduce(const Operands& values, Exchange& exchange) {
  const Folded folded(exchange);
  if (folded.waits()) co_return co_await AwaitResult(values, exchange);
  Tensor sum = values.input;
  if (folded.represents()) {
    SLUICE_CO_RETURN_IF_ERROR(co_await Represent(values, exchange, &sum));
  }
  const Parts parts = Parts::Aligned(values.count(), folded.size(), values.element());
  ExpectDoubles(values, exchange, folded, parts);
  SLUICE_CO_RETURN_IF_ERROR(co_await Halve(values, exchange, folded, parts, sum));
  SLUICE_CO_RETURN_IF_ERROR(co_await Double(values, exchange, folded, parts));
  if (folded.represents()) {
    SLUICE_CO_RETURN_IF_ERROR(SendResult(values, exchange));
  }
  co_return absl::OkStatus();
}

}  // namespace sluice::worker
