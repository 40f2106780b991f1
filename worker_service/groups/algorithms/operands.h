// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_OPERANDS_H_
#define SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_OPERANDS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/runtime/collectives.h"
#include "worker_service/groups/exchange.h"
#include "worker_service/groups/routine.h"

namespace sluice::worker {

// Elements [begin, end).
struct Range {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
};

// The values of one member, without their shape. Elements of `output` are written once, so a part
// of it can be sent as soon as it is written.
struct Operands {
  Tensor input, output;  // of one dimension
  bool source = false;
  Reduction reduction = {};
  int members = 0;  // by which the final op divides

  DType dtype() const { return output.dtype(); }
  size_t element() const { return SizeOf(output.dtype()); }
  int64_t count() const { return output.num_elements(); }

  // A message that arrives later is written straight to `range` of the output, if the transport
  // can.
  void Expect(Exchange& exchange, int from, uint32_t number, Range range) const;
  // Copies a message to elements [at, ...) of the output, unless it is there.
  void Store(const Tensor& message, int64_t at) const;
  // Applies the final op, if any, to elements of the output.
  void Finish(Range range) const {
    if (reduction.finish != nullptr && range.size() > 0) {
      reduction.finish(Address(output, range.begin), range.size(), members);
    }
  }

  static void* Address(const Tensor& flat, int64_t at) {
    return static_cast<char*>(flat.raw()) + at * static_cast<int64_t>(SizeOf(flat.dtype()));
  }
};

// Shares the bytes of a tensor of one dimension.
Tensor Slice(const Tensor& flat, Range range);

// Divides `count` elements among members. All parts but the last have the same size; the last are
// smaller or empty.
class Parts {
 public:
  // Parts begin at multiples of a cache line.
  static Parts Aligned(int64_t count, int members, size_t element);
  // REQUIRES: count is a multiple of members.
  static Parts Equal(int64_t count, int members) { return Parts(count, count / members); }

  Range operator[](int member) const {
    return {std::min(count_, member * part_), std::min(count_, (member + 1) * part_)};
  }
  int64_t largest() const { return std::min(part_, count_); }

 private:
  Parts(int64_t count, int64_t part) : count_(count), part_(part) {}
  int64_t count_, part_;
};

// Divides a range into chunks. A chunk stays in the second cache while it is combined and sent on.
class Chunks {
 public:
  // The number of chunks that may be sent before the first of them is used.
  static constexpr int64_t kWindow = 3;

  explicit Chunks(size_t element)
      : elements_(Exchange::kChunkBytes / static_cast<int64_t>(element)) {}

  // An empty range has no chunks.
  int64_t Count(int64_t elements) const { return (elements + elements_ - 1) / elements_; }
  Range operator()(Range range, int64_t chunk) const {
    return {std::min(range.end, range.begin + chunk * elements_),
            std::min(range.end, range.begin + (chunk + 1) * elements_)};
  }

 private:
  int64_t elements_;
};

// The rank that is `steps` before or after the member's own, in a circle.
inline int Neighbour(const Exchange& exchange, int steps) {
  const int size = exchange.size();
  return ((exchange.rank() + steps) % size + size) % size;
}

// All ranks, those of one host side by side.
std::vector<int> HostOrder(const Exchange& exchange);

// Sends a range of a tensor to all other members.
absl::Status SendToAll(Exchange& exchange, uint32_t number, const Tensor& flat, Range range);

// Receives the other members' values of `range`, and combines all in the order of ranks, straight
// from the memory of the messages. `range` counts in the input; the result is not finished.
Routine CombineAll(const Operands& values, Exchange& exchange, uint32_t number, Range range,
                   void* out);

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_GROUPS_ALGORITHMS_OPERANDS_H_
