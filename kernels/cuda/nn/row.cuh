// SPDX-License-Identifier: Apache-2.0
// Rows of a matrix. A warp or a block computes each.
#ifndef SLUICE_KERNELS_CUDA_NN_ROW_CUH_
#define SLUICE_KERNELS_CUDA_NN_ROW_CUH_

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/device/cuda_launch.h"
#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

constexpr int kRowThreads = 256;  // of a block
constexpr int kWarp = 32;
// Rows up to this size are computed by a warp each, longer ones by a block.
constexpr int64_t kMostForWarp = 1024;

struct Plus {
  template <typename C>
  __device__ C operator()(C a, C b) const {
    return a + b;
  }
};
// Ignores NaN.
struct Greater {
  template <typename C>
  __device__ C operator()(C a, C b) const {
    return std::fmax(a, b);
  }
};

// Combines the values of the kLanes threads of a row, in a fixed order; each thread gets the
// result. All threads of the row call it. A block has kRowThreads / kWarp elements of C in shared
// memory for it.
template <int kLanes, typename C, typename Fold>
__device__ inline C CombineRow(C own, Fold fold) {
  for (int offset = kWarp / 2; offset > 0; offset /= 2)
    own = fold(own, __shfl_xor_sync(0xffffffffu, own, offset));
  if constexpr (kLanes == kWarp) {
    return own;
  } else {
    C* shared = SharedMemory<C>();
    __syncthreads();  // the last result has been read
    if (threadIdx.x % kWarp == 0) shared[threadIdx.x / kWarp] = own;
    __syncthreads();
    C result = shared[0];
    for (int warp = 1; warp < kLanes / kWarp; ++warp) result = fold(result, shared[warp]);
    return result;
  }
}

// The position of a thread: its first row, and its lane in it.
template <int kLanes>
struct RowPlace {
  static constexpr int kRowsOfBlock = kRowThreads / kLanes;
  int64_t row = static_cast<int64_t>(blockIdx.x) * kRowsOfBlock + threadIdx.x / kLanes;
  int64_t step = static_cast<int64_t>(gridDim.x) * kRowsOfBlock;
  int lane = static_cast<int>(threadIdx.x) % kLanes;
};

// The largest of the n elements load(i) of a row, and the sum of exp(load(i) - largest).
template <typename C>
struct RowPowers {
  C greatest, sum;
};
template <int kLanes, typename C, typename Load>
__device__ inline RowPowers<C> PowersOfRow(int lane, int64_t n, Load load) {
  C greatest = -std::numeric_limits<C>::infinity();
  for (int64_t i = lane; i < n; i += kLanes) greatest = Greater{}(greatest, load(i));
  greatest = CombineRow<kLanes>(greatest, Greater{});
  C sum = 0;
  for (int64_t i = lane; i < n; i += kLanes) sum += std::exp(load(i) - greatest);
  return {greatest, CombineRow<kLanes>(sum, Plus{})};
}

// Launches warps(...) or blocks(...): the same kernel for rows of one warp and of one block.
template <typename C, typename... Params, typename... Args>
cudaError_t LaunchRows(void (*warps)(Params...), void (*blocks)(Params...), int64_t rows, int64_t n,
                       cudaStream_t stream, Args... args) {
  constexpr int64_t kMostBlocks = 32 * 132;
  const bool by_warp = n <= kMostForWarp;
  const int64_t of_block = by_warp ? kRowThreads / kWarp : 1;
  const int64_t grid = std::min((rows + of_block - 1) / of_block, kMostBlocks);
  return Launch(by_warp ? warps : blocks, dim3(static_cast<unsigned>(grid)), dim3(kRowThreads),
                sizeof(C) * kRowThreads / kWarp, stream, args...);
}

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_NN_ROW_CUH_
