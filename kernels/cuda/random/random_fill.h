// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_RANDOM_RANDOM_FILL_H_
#define SLUICE_KERNELS_CUDA_RANDOM_RANDOM_FILL_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/common/philox.h"
#include "kernels/common/random/random_distribution.h"
#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// Where a stream is: the host knows it, or a kernel has written it to device memory.
struct StreamPosition {
  kernels::Philox known;
  const kernels::Philox* on_device = nullptr;  // if not null, in place of `known`

  StreamPosition(const kernels::Philox& philox) : known(philox) {}  // NOLINT: as a stream is
  explicit StreamPosition(const kernels::Philox* written) : on_device(written) {}
};

// Takes `blocks` blocks from a generator: `state` is the counter (low, high) and the key. Writes
// its position before to `taken`, which may be null.
cudaError_t LaunchTakeBlocks(int64_t* state, uint64_t blocks, kernels::Philox* taken,
                             cudaStream_t stream);

// Fill n elements from `philox`, with the CPU's numbers: bit for bit, except for the logarithm and
// the sine in normal deviates.

// Floating elements.
cudaError_t LaunchRandomFill(kernels::RandomDistribution distribution, Element element,
                             const StreamPosition& philox, void* out, int64_t n,
                             cudaStream_t stream);
// Integers of 32 or 64 bits from low to high - 1; the bounds are converted to the element's type.
// REQUIRES: low < high in that type
cudaError_t LaunchRandomInts(Element element, const StreamPosition& philox, int64_t low,
                             int64_t high, void* out, int64_t n, cudaStream_t stream);
// Integers of 32 or 64 bits, all equally likely.
cudaError_t LaunchRandomFullInts(Element element, const StreamPosition& philox, void* out,
                                 int64_t n, cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_RANDOM_RANDOM_FILL_H_
