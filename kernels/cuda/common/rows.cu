// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/common/rows.h"

#include "core/device/cuda_launch.h"
#include "kernels/cuda/common/bytes.h"
#include "kernels/cuda/common/indices.cuh"
#include "kernels/cuda/common/layout.h"

namespace sluice::cuda {
namespace {

__device__ inline int64_t FirstIndex() {
  return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline int64_t IndexStep() { return static_cast<int64_t>(gridDim.x) * blockDim.x; }

// i / by, where both are small if `small`.
__device__ inline int64_t Divided(int64_t i, const Divisor& by, bool small) {
  return small ? by.DivideSmall(static_cast<uint32_t>(i)) : i / by.divisor();
}

struct GatherDivisors {
  Divisor inner, picks, outer;
};

template <typename T>
__global__ void GatherRowsKernel(const T* params, Indices indices, GatherDivisors by, int64_t limit,
                                 T* out, int64_t n) {
  const bool small = n <= INT32_MAX;
  const int64_t inner = by.inner.divisor(), picks = by.picks.divisor();
  for (int64_t i = FirstIndex(); i < n; i += IndexStep()) {
    const int64_t row = Divided(i, by.inner, small), column = i - row * inner;
    const int64_t block = Divided(row, by.picks, small), pick = row - block * picks;
    const int64_t batch = Divided(block, by.outer, small);
    const int64_t index = IndexAt(indices, batch * picks + pick);
    const bool good = index >= 0 && index < limit;
    out[i] = good ? params[(block * limit + index) * inner + column] : T{};
  }
}

template <typename T>
__global__ void GatherSlicesKernel(const T* params,
                                   const __grid_constant__ SlicePositions positions, Divisor inner,
                                   T* out, int64_t n) {
  const bool small = n <= INT32_MAX;
  for (int64_t i = FirstIndex(); i < n; i += IndexStep()) {
    const int64_t row = Divided(i, inner, small), column = i - row * inner.divisor();
    const int64_t slice = SliceAt(positions, row);
    out[i] = slice >= 0 ? params[slice * inner.divisor() + column] : T{};
  }
}

template <typename T>
__global__ void ReplaceSlicesKernel(T* to, const __grid_constant__ SlicePositions positions,
                                    Divisor inner, const T* updates, bool scalar, int64_t n) {
  const bool small = n <= INT32_MAX;
  for (int64_t i = FirstIndex(); i < n; i += IndexStep()) {
    const int64_t row = Divided(i, inner, small), column = i - row * inner.divisor();
    const int64_t slice = SliceAt(positions, row);
    if (slice >= 0) to[slice * inner.divisor() + column] = updates[scalar ? 0 : i];
  }
}

}  // namespace

cudaError_t LaunchGatherRows(int element_size, const void* params, Indices indices,
                             const GatherShape& shape, void* out, cudaStream_t stream) {
  if (shape.batch * shape.outer * shape.picks * shape.inner == 0) return cudaSuccess;
  const int factor = WidestMove(element_size, params, out, shape.inner);
  const int64_t inner = shape.inner / factor;
  const int64_t n = shape.batch * shape.outer * shape.picks * inner;
  const GatherDivisors by{Divisor(inner), Divisor(shape.picks), Divisor(shape.outer)};
  const Span1D span = BlocksFor(n);
  return VisitBytes(element_size * factor, [&]<typename T>(Type<T>) {
    return Launch(&GatherRowsKernel<T>, span.grid, span.block, 0, stream,
                  static_cast<const T*>(params), indices, by, shape.limit, static_cast<T*>(out), n);
  });
}

cudaError_t LaunchGatherSlices(int element_size, const void* params,
                               const SlicePositions& positions, int64_t inner, void* out,
                               cudaStream_t stream) {
  if (positions.count * inner == 0) return cudaSuccess;
  const int factor = WidestMove(element_size, params, out, inner);
  const int64_t n = positions.count * (inner / factor);
  const Span1D span = BlocksFor(n);
  return VisitBytes(element_size * factor, [&]<typename T>(Type<T>) {
    return Launch(&GatherSlicesKernel<T>, span.grid, span.block, 0, stream,
                  static_cast<const T*>(params), positions, Divisor(inner / factor),
                  static_cast<T*>(out), n);
  });
}

cudaError_t LaunchReplaceSlices(int element_size, void* to, const SlicePositions& positions,
                                int64_t inner, const void* updates, bool scalar,
                                cudaStream_t stream) {
  if (positions.count * inner == 0) return cudaSuccess;
  const int factor = scalar ? 1 : WidestMove(element_size, to, updates, inner);
  const int64_t n = positions.count * (inner / factor);
  const Span1D span = BlocksFor(n);
  return VisitBytes(element_size * factor, [&]<typename T>(Type<T>) {
    return Launch(&ReplaceSlicesKernel<T>, span.grid, span.block, 0, stream, static_cast<T*>(to),
                  positions, Divisor(inner / factor), static_cast<const T*>(updates), scalar, n);
  });
}

}  // namespace sluice::cuda
