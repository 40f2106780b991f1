// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/array/band_part.h"

#include "core/device/cuda_launch.h"
#include "kernels/cuda/common/bytes.h"
#include "kernels/cuda/common/layout.h"

namespace sluice::cuda {
namespace {

template <typename T>
__global__ void BandPartKernel(const T* from, T* to, Divisor rows, Divisor columns, int64_t lower,
                               int64_t upper, int64_t n) {
  const bool small = n <= INT32_MAX;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const int64_t line =
        small ? columns.DivideSmall(static_cast<uint32_t>(i)) : i / columns.divisor();
    const int64_t matrix =
        small ? rows.DivideSmall(static_cast<uint32_t>(line)) : line / rows.divisor();
    const int64_t row = line - matrix * rows.divisor(), column = i - line * columns.divisor();
    const bool kept = (lower < 0 || row - column <= lower) && (upper < 0 || column - row <= upper);
    to[i] = kept ? from[i] : T{};
  }
}

}  // namespace

cudaError_t LaunchBandPart(int element_size, const void* from, int64_t matrices, int64_t rows,
                           int64_t columns, int64_t lower, int64_t upper, void* to,
                           cudaStream_t stream) {
  const int64_t n = matrices * rows * columns;
  if (n == 0) return cudaSuccess;
  const Span1D span = BlocksFor(n);
  return VisitBytes(element_size, [&]<typename T>(Type<T>) {
    return Launch(&BandPartKernel<T>, span.grid, span.block, 0, stream, static_cast<const T*>(from),
                  static_cast<T*>(to), Divisor(rows), Divisor(columns), lower, upper, n);
  });
}

}  // namespace sluice::cuda
