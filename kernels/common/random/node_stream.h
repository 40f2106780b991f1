// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_RANDOM_NODE_STREAM_H_
#define SLUICE_KERNELS_COMMON_RANDOM_NODE_STREAM_H_

#include "absl/synchronization/mutex.h"
#include "core/op/node_spec.h"
#include "kernels/common/philox.h"

namespace sluice::kernels {

// The random stream of a node with attributes seed and seed2; if both are 0, the seed is random.
// Each run reserves the blocks that TensorFlow would reserve, even if it needs fewer.
//
// Threads:  any.
class NodeStream {
 public:
  explicit NodeStream(const NodeSpec& node);
  // Returns the stream at its present position, and advances it by `blocks`.
  Philox Take(uint64_t blocks) const;
  Philox Peek() const;  // the same without advancing the stream

 private:
  mutable absl::Mutex mu_;
  mutable Philox philox_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_RANDOM_NODE_STREAM_H_
