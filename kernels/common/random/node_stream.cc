// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/random/node_stream.h"

#include <random>

namespace sluice::kernels {
namespace {

uint64_t RandomWord() {
  static absl::Mutex mu;
  static std::random_device source;
  absl::MutexLock lock(&mu);
  return static_cast<uint64_t>(source()) << 32 | source();
}

}  // namespace

NodeStream::NodeStream(const NodeSpec& node) {
  const auto seed = static_cast<uint64_t>(GetAttrOr<int64_t>(node.attrs, "seed", 0));
  const auto seed2 = static_cast<uint64_t>(GetAttrOr<int64_t>(node.attrs, "seed2", 0));
  philox_ = seed == 0 && seed2 == 0 ? Philox(RandomWord(), RandomWord()) : Philox(seed, seed2);
}

Philox NodeStream::Take(uint64_t blocks) const {
  absl::MutexLock lock(&mu_);
  const Philox now = philox_;
  philox_.Skip(blocks);
  return now;
}

Philox NodeStream::Peek() const {
  absl::MutexLock lock(&mu_);
  return philox_;
}

}  // namespace sluice::kernels
