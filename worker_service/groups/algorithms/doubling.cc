// SPDX-License-Identifier: Apache-2.0
#include "worker_service/groups/algorithms/doubling.h"

#include <array>

namespace sluice::worker {
namespace {

// Above the numbers of the steps.
constexpr uint32_t kFold = 1000, kResult = 1001;

}  // namespace

Routine AwaitResult(const Operands& values, Exchange& exchange) {
  const int representative = exchange.rank() + 1;
  SLUICE_CO_RETURN_IF_ERROR(exchange.Send(representative, kFold, values.input));
  SLUICE_CO_ASSIGN(const Tensor result,
                   co_await exchange.Next(representative, kResult, values.dtype(), values.count()));
  values.Store(result, 0);
  co_return absl::OkStatus();
}

Routine Represent(const Operands& values, Exchange& exchange, Tensor* sum) {
  SLUICE_CO_ASSIGN(const Tensor message, co_await exchange.Next(exchange.rank() - 1, kFold,
                                                                values.dtype(), values.count()));
  SLUICE_CO_ASSIGN(*sum, Tensor::Allocate(CpuAllocator(), values.dtype(), Shape{values.count()}));
  CombinePair(values, /*own_first=*/false, values.input.raw(), message.raw(), values.count(),
              sum->raw());
  co_return absl::OkStatus();
}

absl::Status SendResult(const Operands& values, Exchange& exchange) {
  return exchange.Send(exchange.rank() - 1, kResult, values.output);
}

void CombinePair(const Operands& values, bool own_first, const void* own, const void* other,
                 int64_t count, void* out) {
  const std::array<const void*, 2> inputs = {own_first ? own : other, own_first ? other : own};
  if (count > 0) values.reduction.combine(inputs, count, out);
}

}  // namespace sluice::worker
