// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/image/patches.h"

#include "core/device/cuda_launch.h"
#include "kernels/cuda/common/bytes.h"

namespace sluice::cuda {
namespace {

// Takes the place in a dimension of so many off a number that counts the places of all.
__device__ inline int64_t TakeOff(int64_t& number, int64_t size) {
  const int64_t place = number % size;
  number /= size;
  return place;
}

template <typename T>
__global__ void PatchesKernel(Windows windows, const T* x, T* out, int64_t n) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    int64_t number = i, from = 0;
    const int64_t channel = TakeOff(number, windows.depth);
    int64_t tap[kernels::kPatchDimensions];
    for (int d = kernels::kPatchDimensions - 1; d >= 0; --d)
      tap[d] = TakeOff(number, windows.spans[d].size);
    int64_t place[kernels::kPatchDimensions];
    bool inside = true;
    for (int d = kernels::kPatchDimensions - 1; d >= 0; --d) {
      const kernels::PatchSpan& span = windows.spans[d];
      place[d] = span.Place(TakeOff(number, span.out), tap[d]);
      inside = inside && place[d] >= 0 && place[d] < span.in;
    }
    from = number;  // of the batch
    for (int d = 0; d < kernels::kPatchDimensions; ++d)
      from = from * windows.spans[d].in + place[d];
    out[i] = inside ? x[from * windows.depth + channel] : T{};
  }
}

}  // namespace

cudaError_t LaunchPatches(int element_size, const Windows& windows, const void* x, void* out,
                          cudaStream_t stream) {
  const int64_t n = windows.count() * windows.taps() * windows.depth;
  const Span1D span = BlocksFor(n);
  return VisitBytes(element_size, [&]<typename T>(Type<T>) {
    return Launch(&PatchesKernel<T>, span.grid, span.block, 0, stream, windows,
                  static_cast<const T*>(x), static_cast<T*>(out), n);
  });
}

}  // namespace sluice::cuda
