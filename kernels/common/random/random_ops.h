// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_RANDOM_RANDOM_OPS_H_
#define SLUICE_KERNELS_COMMON_RANDOM_RANDOM_OPS_H_

#include "core/runtime/kernel_registry.h"
#include "kernels/common/philox.h"
#include "kernels/common/random/random_distribution.h"

namespace sluice::kernels {

// A RandomFiller fills tensors of a device with random numbers. Each number is made of words at a
// fixed position of a stream, so the result does not depend on the shards.
//
// Owner:    none; one object per device type, which lives until the program ends.
// Threads:  any. A device with streams enqueues the work and returns.
class RandomFiller {
 public:
  virtual ~RandomFiller() = default;
  virtual absl::string_view device_type() const = 0;
  virtual absl::Status Fill(KernelContext& ctx, RandomDistribution distribution,
                            const Philox& philox, Tensor& output) const = 0;
  // Integers from low to high - 1. The bounds are scalars of the output's dtype in host memory.
  // REQUIRES: low < high
  virtual absl::Status FillInts(KernelContext& ctx, const Philox& philox, const Tensor& low,
                                const Tensor& high, Tensor& output) const = 0;
  // Integers, all equally likely.
  virtual absl::Status FillFullInts(KernelContext& ctx, const Philox& philox,
                                    Tensor& output) const = 0;
};

// Blocks reserved for each output, for every distribution.
constexpr uint64_t kBlocksPerOutput = 256;

using FullIntTypes = TypeList<int32_t, int64_t, uint32_t, uint64_t>;

// The stream of two seeds in a tensor. The seeds are mixed, so that it does not matter which of
// their bits vary.
absl::StatusOr<Philox> StreamOfSeeds(const Tensor& seed);

// Sets outputs 0 and 1 to the key and the counter of the stream of input 0, two seeds.
absl::Status SetKeyAndCounter(KernelContext& ctx);

// The stream of a key and a counter, which are inputs `key` and `key` + 1; the next input is the
// algorithm's number.
absl::StatusOr<Philox> StreamOfKey(const KernelContext& ctx, int key);

// INVALID_ARGUMENT unless the bounds of integers are two scalars.
absl::Status CheckBounds(const Tensor& low, const Tensor& high);
// INVALID_ARGUMENT unless low < high.
absl::Status CheckOrder(const Tensor& low, const Tensor& high);

// Enters the ops that fill a tensor from the stream of a node, of two seeds, or of a key and a
// counter. Shapes, seeds, keys and bounds are in host memory.
void RegisterRandomOps(KernelRegistry& kernels, const RandomFiller& filler);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_RANDOM_RANDOM_OPS_H_
