// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/sparse/sparse_matmul.h"

#include "core/device/cuda_launch.h"
#include "kernels/cuda/common/indices.cuh"
#include "kernels/cuda/common/number.cuh"

namespace sluice::cuda {
namespace {

template <typename T>
__device__ inline void AddAtomically(T* to, T value) {
  if constexpr (kIsComplex<T>) {
    atomicAdd(&to->re, value.re);
    atomicAdd(&to->im, value.im);
  } else {
    atomicAdd(to, value);
  }
}

template <typename T>
__global__ void SparseProductKernel(SparseProduct p, Wide<T>* sums) {
  const int64_t n = p.count * p.columns, step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t at = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; at < n;
       at += step) {
    const int64_t i = at / p.columns, column = at % p.columns;
    const int64_t m = IndexAt(p.indices, 2 * i + (p.adjoint_a ? 1 : 0));
    const int64_t k = IndexAt(p.indices, 2 * i + (p.adjoint_a ? 0 : 1));
    if (m < 0 || m >= p.outer || k < 0 || k >= p.inner) continue;
    const Wide<T> value = Widen(static_cast<const T*>(p.values)[i]);
    const int64_t place = p.adjoint_b ? column * p.inner + k : k * p.columns + column;
    const Wide<T> dense = Widen(static_cast<const T*>(p.dense)[place]);
    AddAtomically(sums + m * p.columns + column, Product(p.adjoint_a ? Conjugate(value) : value,
                                                         p.adjoint_b ? Conjugate(dense) : dense));
  }
}

}  // namespace

cudaError_t LaunchSparseProduct(Element element, const SparseProduct& product, void* sums,
                                cudaStream_t stream) {
  const Span1D span = BlocksFor(product.count * product.columns);
  return Visit(Joined<FloatingElements, ComplexElements>{}, element, [&]<typename T>(Type<T>) {
    return Launch(&SparseProductKernel<T>, span.grid, span.block, 0, stream, product,
                  static_cast<Wide<T>*>(sums));
  });
}

}  // namespace sluice::cuda
