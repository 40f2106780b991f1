// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/debug/numerics.h"

#include <cmath>

#include "core/device/cuda_launch.h"

namespace sluice::cuda {
namespace {

template <typename T>
__global__ void FindNonFiniteKernel(const T* x, int64_t n, uint32_t* found) {
  uint32_t own = 0;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const Wide<T> value = Widen(x[i]);
    if (std::isnan(value)) own |= kFoundNan;
    if (std::isinf(value)) own |= kFoundInfinity;
  }
  if (own != 0) atomicOr(found, own);
}

}  // namespace

cudaError_t LaunchFindNonFinite(Element element, const void* x, int64_t n, uint32_t* found,
                                cudaStream_t stream) {
  const Span1D span = BlocksFor(n);
  return Visit(FloatingElements{}, element, [&]<typename T>(Type<T>) {
    return Launch(&FindNonFiniteKernel<T>, span.grid, span.block, 0, stream,
                  static_cast<const T*>(x), n, found);
  });
}

}  // namespace sluice::cuda
