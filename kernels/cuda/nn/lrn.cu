// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/lrn.h"

#include <cmath>

#include "core/device/cuda_launch.h"

namespace sluice::cuda {
namespace {

using LrnElements = ElementList<Element::kFloat, Element::kHalf, Element::kBFloat16>;

// The sum of value(at) for the elements of the row near element i.
template <typename C, typename Value>
__device__ inline C SumNear(const LrnShape& shape, int64_t i, Value value) {
  const int64_t channel = i % shape.channels, first = i - channel;
  const int64_t from = shape.radius < channel ? channel - shape.radius : 0;
  const int64_t last = shape.channels - 1;
  const int64_t to = shape.radius < last - channel ? channel + shape.radius : last;
  C sum = 0;
  for (int64_t c = from; c <= to; ++c) sum += value(first + c);
  return sum;
}

template <typename C, typename T>
__device__ inline C NormOf(const LrnShape& shape, const T* x, int64_t i) {
  const C sum = SumNear<C>(shape, i, [=](int64_t at) {
    const C value = Widen(x[at]);
    return value * value;
  });
  return static_cast<C>(shape.bias) + static_cast<C>(shape.alpha) * sum;
}

// norm^-beta
template <typename C>
__device__ inline C FactorOf(const LrnShape& shape, C norm) {
  if (shape.beta == 0.5f) return 1 / std::sqrt(norm);
  if (shape.beta == 1.0f) return 1 / norm;
  return std::pow(norm, -static_cast<C>(shape.beta));
}

template <typename T>
__global__ void LrnKernel(LrnShape shape, const T* x, T* y) {
  const int64_t n = shape.rows * shape.channels;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    y[i] = Narrow<T>(Widen(x[i]) * FactorOf(shape, NormOf<float>(shape, x, i)));
}

// norms[i], and parts[i]: what the gradient of element i adds to those of its neighbours.
template <typename T>
__global__ void LrnPartsKernel(LrnShape shape, const T* grad, const T* x, const T* y, double* norms,
                               double* parts) {
  const int64_t n = shape.rows * shape.channels;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    norms[i] = NormOf<double>(shape, x, i);
    parts[i] = static_cast<double>(Widen(grad[i])) * Widen(y[i]) / norms[i];
  }
}

template <typename T>
__global__ void LrnGradKernel(LrnShape shape, const T* grad, const T* x, const double* norms,
                              const double* parts, T* dx) {
  const int64_t n = shape.rows * shape.channels;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  const double by = 2.0 * shape.alpha * shape.beta;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const double sum = SumNear<double>(shape, i, [=](int64_t at) { return parts[at]; });
    dx[i] = Narrow<T>(
        static_cast<float>(Widen(grad[i]) * FactorOf(shape, norms[i]) - by * Widen(x[i]) * sum));
  }
}

}  // namespace

cudaError_t LaunchLrn(Element element, const LrnShape& shape, const void* x, void* y,
                      cudaStream_t stream) {
  const Span1D span = BlocksFor(shape.rows * shape.channels);
  return Visit(LrnElements{}, element, [&]<typename T>(Type<T>) {
    return Launch(&LrnKernel<T>, span.grid, span.block, 0, stream, shape, static_cast<const T*>(x),
                  static_cast<T*>(y));
  });
}

cudaError_t LaunchLrnGrad(Element element, const LrnShape& shape, const void* grad, const void* x,
                          const void* y, double* scratch, void* dx, cudaStream_t stream) {
  const int64_t n = shape.rows * shape.channels;
  const Span1D span = BlocksFor(n);
  double* const parts = scratch + n;
  return Visit(LrnElements{}, element, [&]<typename T>(Type<T>) {
    const auto *g = static_cast<const T*>(grad), *in = static_cast<const T*>(x);
    const cudaError_t error = Launch(&LrnPartsKernel<T>, span.grid, span.block, 0, stream, shape, g,
                                     in, static_cast<const T*>(y), scratch, parts);
    if (error != cudaSuccess) return error;
    return Launch(&LrnGradKernel<T>, span.grid, span.block, 0, stream, shape, g, in, scratch, parts,
                  static_cast<T*>(dx));
  });
}

}  // namespace sluice::cuda
