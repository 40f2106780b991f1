// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATA_FLOW_QUEUE_ORDER_H_
#define SLUICE_KERNELS_ANY_DATA_FLOW_QUEUE_ORDER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "core/tensor/tensor.h"

namespace sluice::kernels {

// One element of a queue: a tensor for each component.
using QueueElement = std::vector<Tensor>;

// A QueueOrder holds the elements of a queue and decides which is taken next.
//
// Owner:    its queue.
// Threads:  one at a time.
class QueueOrder {
 public:
  virtual ~QueueOrder() = default;
  virtual void Put(QueueElement element) = 0;
  virtual QueueElement Take() = 0;  // REQUIRES: size() > 0
  // Undoes the latest Take that is not undone yet.
  virtual void PutBack(QueueElement element) { Put(std::move(element)); }
  virtual int64_t size() const = 0;
};

std::unique_ptr<QueueOrder> FirstInFirstOut();
// Takes elements with equal probability, in TensorFlow's sequence for the same seeds; seeds (0, 0)
// are drawn.
std::unique_ptr<QueueOrder> Shuffled(int64_t seed, int64_t seed2);
// Takes the smallest value of component 0, an int64 scalar, first. Equal values have TensorFlow's
// order, which is that of the standard heap.
std::unique_ptr<QueueOrder> LeastFirst();

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATA_FLOW_QUEUE_ORDER_H_
