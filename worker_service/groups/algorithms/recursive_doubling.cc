// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "worker_service/groups/algorithms/doubling.h"

namespace sluice::worker {

Routine RecursiveDoublingAllReduce(const Operands& values, Exchange& exchange) {
  const Folded folded(exchange);
  if (folded.waits()) co_return co_await AwaitResult(values, exchange);
  Tensor sum = values.input;
  if (folded.represents()) {
    SLUICE_CO_RETURN_IF_ERROR(co_await Represent(values, exchange, &sum));
  }
  const int index = folded.index();
  uint32_t step = 0;
  for (int distance = 1; distance < folded.size(); distance *= 2, ++step) {
    const int partner = folded.RankOf(index ^ distance);
    SLUICE_CO_RETURN_IF_ERROR(exchange.Send(partner, step, sum));
    SLUICE_CO_ASSIGN(const Tensor message,
                     co_await exchange.Next(partner, step, values.dtype(), values.count()));
    // The sum was sent, so the next one needs other memory: that of the message to the next
    // partner.
    Tensor next = values.output;
    if (2 * distance < folded.size()) {
      SLUICE_CO_ASSIGN(next, exchange.Allocate(folded.RankOf(index ^ (2 * distance)),
                                               values.dtype(), values.count()));
    }
    const bool own_first = (index & distance) == 0;
    CombinePair(values, own_first, sum.raw(), message.raw(), values.count(), next.raw());
    sum = std::move(next);
  }
  values.Finish({0, values.count()});
  if (folded.represents()) {
    SLUICE_CO_RETURN_IF_ERROR(SendResult(values, exchange));
  }
  co_return absl::OkStatus();
}

}  // namespace sluice::worker
