// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_NODE_STREAM_H_
#define SLUICE_KERNELS_COMMON_NODE_STREAM_H_

#include "absl/synchronization/mutex.h"
#include "core/op/node_spec.h"
#include "kernels/common/philox.h"

namespace sluice::kernels {

// The random numbers of a node with attributes seed and seed2; both 0: numbers of no known seed.
// Each run takes what TensorFlow would have reserved, whatever it needs of it.
//
// Threads:  any.
class NodeStream {
 public:
  explicit NodeStream(const NodeSpec& node);
  // What comes next; the state moves on by `blocks`.
  Philox Take(uint64_t blocks) const;
  Philox Peek() const;  // what comes next, and still does after this

 private:
  mutable absl::Mutex mu_;
  mutable Philox philox_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_NODE_STREAM_H_
