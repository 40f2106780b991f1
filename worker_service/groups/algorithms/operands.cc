// SPDX-License-Identifier: Apache-2.0
#include "worker_service/groups/algorithms/operands.h"

#include <numeric>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "core/tensor/copy_bytes.h"

namespace sluice::worker {

Tensor Slice(const Tensor& flat, Range range) {
  if (flat.buffer() == nullptr) return flat;  // without elements
  return flat.Rows(range.begin, range.end);
}

void Operands::Expect(Exchange& exchange, int from, uint32_t number, Range range) const {
  if (range.size() > 0) exchange.SetTarget(from, number, Slice(output, range));
}

void Operands::Store(const Tensor& message, int64_t at) const {
  void* const target = Address(output, at);
  if (message.bytes() > 0 && message.raw() != target)
    CopyBytes(target, message.raw(), message.bytes());
}

Parts Parts::Aligned(int64_t count, int members, size_t element) {
  const auto line = static_cast<int64_t>(std::max<size_t>(1, kAlignment / element));
  const int64_t part = (count + members - 1) / members;
  return Parts(count, (part + line - 1) / line * line);
}

std::vector<int> HostOrder(const Exchange& exchange) {
  std::vector<int> order(static_cast<size_t>(exchange.size()));
  std::iota(order.begin(), order.end(), 0);
  const auto host = [&](int rank) { return exchange.hosts()[static_cast<size_t>(rank)]; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return host(a) < host(b); });
  return order;
}

absl::Status SendToAll(Exchange& exchange, uint32_t number, const Tensor& flat, Range range) {
  Tensor message = Slice(flat, range);
  if (exchange.size() > 2) {
    auto shared = exchange.AllocateForMany(Neighbour(exchange, 1), flat.dtype(), range.size());
    if (shared) {
      CopyBytes(shared->raw(), message.raw(), message.bytes());
      message = *std::move(shared);
    }
  }
  for (int step = 1; step < exchange.size(); ++step)
    SLUICE_RETURN_IF_ERROR(exchange.Send(Neighbour(exchange, step), number, message));
  return absl::OkStatus();
}

Routine CombineAll(const Operands& values, Exchange& exchange, uint32_t number, Range range,
                   void* out) {
  absl::InlinedVector<Tensor, 8> messages(static_cast<size_t>(exchange.size()));
  absl::InlinedVector<const void*, 8> inputs(static_cast<size_t>(exchange.size()));
  for (int step = 0; step < exchange.size(); ++step) {
    const int from = Neighbour(exchange, -step);
    const auto at = static_cast<size_t>(from);
    if (step == 0) {
      inputs[at] = Operands::Address(values.input, range.begin);
      continue;
    }
    SLUICE_CO_ASSIGN(messages[at],
                     co_await exchange.Next(from, number, values.dtype(), range.size()));
    inputs[at] = messages[at].raw();
  }
  if (range.size() > 0) values.reduction.combine(inputs, range.size(), out);
  co_return absl::OkStatus();
}

}  // namespace sluice::worker
