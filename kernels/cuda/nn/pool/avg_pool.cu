// SPDX-License-Identifier: Apache-2.0
#include "core/device/cuda_launch.h"
#include "kernels/cuda/nn/pool/pool.cuh"

namespace sluice::cuda {
namespace {

__device__ int64_t ElementsUnder(const PoolShape& s, const PoolPlace& out) {
  const int64_t count = Covered(s.planes, out.z).size() * Covered(s.height, out.y).size() *
                        Covered(s.width, out.x).size();
  return count > 0 ? count : 1;
}

template <typename T>
__global__ void AvgKernel(PoolShape s, const T* in, T* out, int64_t count) {
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    const PoolPlace to = OutputPlace(s, i);
    Wide<T> sum = 0;
    ForEachCovered(s, to, [&](const PoolPlace& from) { sum += Widen(in[InputIndex(s, from)]); });
    out[i] = Narrow<T>(sum / static_cast<Wide<T>>(ElementsUnder(s, to)));
  }
}

template <typename T>
__global__ void AvgGradKernel(PoolShape s, const T* grad, T* out, int64_t count) {
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    Wide<T> sum = 0;
    ForEachCovering(s, InputPlace(s, i), [&](const PoolPlace& from) {
      sum += Widen(grad[OutputIndex(s, from)]) / static_cast<Wide<T>>(ElementsUnder(s, from));
    });
    out[i] = Narrow<T>(sum);
  }
}

}  // namespace

cudaError_t LaunchAvgPool(const PoolShape& shape, const void* in, void* out, cudaStream_t stream) {
  const int64_t count = OutputCount(shape);
  const Span1D span = BlocksFor(count);
  return Visit(FloatingElements{}, shape.element, [&]<typename T>(Type<T>) {
    return Launch(&AvgKernel<T>, span.grid, span.block, 0, stream, shape, static_cast<const T*>(in),
                  static_cast<T*>(out), count);
  });
}

cudaError_t LaunchAvgPoolGrad(const PoolShape& shape, const void* grad, void* out,
                              cudaStream_t stream) {
  const int64_t count = InputCount(shape);
  const Span1D span = BlocksFor(count);
  return Visit(FloatingElements{}, shape.element, [&]<typename T>(Type<T>) {
    return Launch(&AvgGradKernel<T>, span.grid, span.block, 0, stream, shape,
                  static_cast<const T*>(grad), static_cast<T*>(out), count);
  });
}

}  // namespace sluice::cuda
