// SPDX-License-Identifier: Apache-2.0
#include "worker_service/groups/algorithms/binomial_tree.h"

#include <utility>

#include "absl/container/inlined_vector.h"

namespace sluice::worker {
namespace {

// The neighbours of a member in the tree, by their ranks.
struct Place {
  int parent = -1;
  absl::InlinedVector<int, 8> children;
};

// Members are numbered from the source on, those of one host side by side. The parent of a number
// is the number without its lowest bit.
Place PlaceOf(const Exchange& exchange, int source) {
  const std::vector<int> order = HostOrder(exchange);
  const int size = exchange.size();
  const auto position = [&](int rank) {
    return static_cast<int>(std::find(order.begin(), order.end(), rank) - order.begin());
  };
  const int first = position(source);
  const auto rank_of = [&](int number) {
    return order[static_cast<size_t>((number + first) % size)];
  };
  const int own = (position(exchange.rank()) - first + size) % size;
  Place place;
  int bit = 1;
  while (bit < size && (own & bit) == 0) bit *= 2;
  if (own != 0) place.parent = rank_of(own & ~bit);
  // The largest subtree comes first.
  for (bit /= 2; bit > 0; bit /= 2) {
    if (own + bit < size) place.children.push_back(rank_of(own + bit));
  }
  return place;
}

}  // namespace

Routine BinomialTreeBroadcast(const Operands& values, Exchange& exchange) {
  Tensor header = Tensor::Vector<int32_t>({exchange.rank()});
  if (!values.source) {
    SLUICE_CO_ASSIGN(header,
                     co_await exchange.Next(Exchange::kAnyMember, Exchange::kAnonymous, kInt32, 1));
  }
  const int32_t source = *header.data<int32_t>();
  if (source < 0 || source >= exchange.size()) {
    co_return InvalidArgument("the source of a broadcast has the rank ", source, " of ",
                              exchange.size());
  }
  const Place place = PlaceOf(exchange, source);
  for (const int child : place.children) {
    SLUICE_CO_RETURN_IF_ERROR(exchange.Send(child, Exchange::kAnonymous, header));
  }
  const Range all{0, values.count()};
  const Chunks chunks(values.element());
  const int64_t count = chunks.Count(all.size());
  for (int64_t i = 0; i < count && !values.source; ++i)
    values.Expect(exchange, place.parent, static_cast<uint32_t>(i), chunks(all, i));
  for (int64_t i = 0; i < count; ++i) {
    const Range chunk = chunks(all, i);
    const auto number = static_cast<uint32_t>(i);
    Tensor value;
    if (values.source) {
      value = Slice(values.input, chunk);
    } else {
      SLUICE_CO_ASSIGN(value,
                       co_await exchange.Next(place.parent, number, values.dtype(), chunk.size()));
    }
    for (const int child : place.children) {
      SLUICE_CO_RETURN_IF_ERROR(exchange.Send(child, number, value));
    }
    values.Store(value, chunk.begin);
  }
  co_return absl::OkStatus();
}

}  // namespace sluice::worker
