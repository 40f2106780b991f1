// SPDX-License-Identifier: Apache-2.0
#include "worker_service/groups/algorithms/direct.h"

namespace sluice::worker {
namespace {

// Sends chunk `number` of each other member's part to that member.
absl::Status SendParts(const Operands& values, Exchange& exchange, const Parts& parts,
                       int64_t number) {
  const Chunks chunks(values.element());
  for (int step = 1; step < exchange.size(); ++step) {
    const int to = Neighbour(exchange, step);
    const Range chunk = chunks(parts[to], number);
    if (chunk.size() == 0) continue;
    SLUICE_RETURN_IF_ERROR(
        exchange.Send(to, static_cast<uint32_t>(number), Slice(values.input, chunk)));
  }
  return absl::OkStatus();
}

// Receives chunk `chunk` of each other member's part, and stores it there. The chunk has the number
// `number`.
Routine StoreParts(const Operands& values, Exchange& exchange, const Parts& parts, int64_t chunk,
                   int64_t number) {
  const Chunks chunks(values.element());
  for (int step = 1; step < exchange.size(); ++step) {
    const int from = Neighbour(exchange, -step);
    const Range range = chunks(parts[from], chunk);
    if (range.size() == 0) continue;
    SLUICE_CO_ASSIGN(
        const Tensor message,
        co_await exchange.Next(from, static_cast<uint32_t>(number), values.dtype(), range.size()));
    values.Store(message, range.begin);
  }
  co_return absl::OkStatus();
}

}  // namespace

Routine DirectAllReduce(const Operands& values, Exchange& exchange) {
  const Range all{0, values.count()};
  SLUICE_CO_RETURN_IF_ERROR(SendToAll(exchange, 0, values.input, all));
  SLUICE_CO_RETURN_IF_ERROR(co_await CombineAll(values, exchange, 0, all, values.output.raw()));
  values.Finish(all);
  co_return absl::OkStatus();
}

Routine DirectPartsAllReduce(const Operands& values, Exchange& exchange) {
  const Parts parts = Parts::Aligned(values.count(), exchange.size(), values.element());
  const Range mine = parts[exchange.rank()];
  const Chunks chunks(values.element());
  const int64_t count = chunks.Count(parts.largest());
  // Results are stored one chunk later, so that the others have time to combine theirs.
  int64_t sent = 0;
  for (int64_t i = 0; i < count + 1; ++i) {
    for (; sent < std::min(count, i + Chunks::kWindow); ++sent) {
      SLUICE_CO_RETURN_IF_ERROR(SendParts(values, exchange, parts, sent));
    }
    if (const Range chunk = chunks(mine, i); chunk.size() > 0) {
      void* const out = Operands::Address(values.output, chunk.begin);
      SLUICE_CO_RETURN_IF_ERROR(
          co_await CombineAll(values, exchange, static_cast<uint32_t>(i), chunk, out));
      values.Finish(chunk);
      SLUICE_CO_RETURN_IF_ERROR(
          SendToAll(exchange, static_cast<uint32_t>(count + i), values.output, chunk));
    }
    if (i == 0) continue;
    SLUICE_CO_RETURN_IF_ERROR(co_await StoreParts(values, exchange, parts, i - 1, count + i - 1));
  }
  co_return absl::OkStatus();
}

Routine DirectReduceScatter(const Operands& values, Exchange& exchange) {
  const Parts parts = Parts::Equal(values.input.num_elements(), exchange.size());
  const Range mine = parts[exchange.rank()];
  const Chunks chunks(values.element());
  const int64_t count = chunks.Count(mine.size());
  int64_t sent = 0;
  for (int64_t i = 0; i < count; ++i) {
    for (; sent < std::min(count, i + Chunks::kWindow); ++sent) {
      SLUICE_CO_RETURN_IF_ERROR(SendParts(values, exchange, parts, sent));
    }
    const Range chunk = chunks(mine, i);
    const Range result{chunk.begin - mine.begin, chunk.end - mine.begin};
    void* const out = Operands::Address(values.output, result.begin);
    SLUICE_CO_RETURN_IF_ERROR(
        co_await CombineAll(values, exchange, static_cast<uint32_t>(i), chunk, out));
    values.Finish(result);
  }
  co_return absl::OkStatus();
}

Routine DirectAllGather(const Operands& values, Exchange& exchange) {
  const Parts parts = Parts::Equal(values.count(), exchange.size());
  const Range all{0, values.input.num_elements()};
  const Chunks chunks(values.element());
  const int64_t count = chunks.Count(all.size());
  int64_t sent = 0;
  for (int64_t i = 0; i < count; ++i) {
    for (; sent < std::min(count, i + Chunks::kWindow); ++sent) {
      SLUICE_CO_RETURN_IF_ERROR(
          SendToAll(exchange, static_cast<uint32_t>(sent), values.input, chunks(all, sent)));
    }
    values.Store(Slice(values.input, chunks(all, i)), chunks(parts[exchange.rank()], i).begin);
    SLUICE_CO_RETURN_IF_ERROR(co_await StoreParts(values, exchange, parts, i, i));
  }
  co_return absl::OkStatus();
}

Routine DirectAllToAll(const Operands& values, Exchange& exchange) {
  const Parts parts = Parts::Equal(values.count(), exchange.size());
  const Range mine = parts[exchange.rank()];
  const Chunks chunks(values.element());
  const int64_t count = chunks.Count(mine.size());
  int64_t sent = 0;
  for (int64_t i = 0; i < count; ++i) {
    for (; sent < std::min(count, i + Chunks::kWindow); ++sent) {
      SLUICE_CO_RETURN_IF_ERROR(SendParts(values, exchange, parts, sent));
    }
    const Range chunk = chunks(mine, i);
    values.Store(Slice(values.input, chunk), chunk.begin);
    SLUICE_CO_RETURN_IF_ERROR(co_await StoreParts(values, exchange, parts, i, i));
  }
  co_return absl::OkStatus();
}

Routine DirectBroadcast(const Operands& values, Exchange& exchange) {
  const Range all{0, values.count()};
  const Chunks chunks(values.element());
  // A value without elements is sent too: a receiver waits for its source.
  const int64_t count = std::max<int64_t>(1, chunks.Count(all.size()));
  for (int64_t i = 0; i < count; ++i) {
    const Range chunk = chunks(all, i);
    const uint32_t number = Exchange::kAnonymous + static_cast<uint32_t>(i);
    if (values.source) {
      SLUICE_CO_RETURN_IF_ERROR(SendToAll(exchange, number, values.input, chunk));
      continue;
    }
    SLUICE_CO_ASSIGN(const Tensor message, co_await exchange.Next(Exchange::kAnyMember, number,
                                                                  values.dtype(), chunk.size()));
    values.Store(message, chunk.begin);
  }
  if (values.source && values.output.raw() != values.input.raw()) values.Store(values.input, 0);
  co_return absl::OkStatus();
}

}  // namespace sluice::worker
