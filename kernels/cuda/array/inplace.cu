// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/array/inplace.h"

#include "core/device/cuda_launch.h"
#include "kernels/cuda/common/bytes.h"
#include "kernels/cuda/common/number.cuh"

namespace sluice::cuda {
namespace {

struct Replace {
  template <typename T>
  __device__ T operator()(T, T value) const {
    return value;
  }
};
struct Add {
  template <typename T>
  __device__ T operator()(T there, T value) const {
    return Narrow<T>(Sum(Widen(there), Widen(value)));
  }
};
struct Subtract {
  template <typename T>
  __device__ T operator()(T there, T value) const {
    return Narrow<T>(Difference(Widen(there), Widen(value)));
  }
};

// A thread has a column: repeated rows are met one by one, without atomic operations.
template <typename Meet, typename T>
__global__ void InplaceKernel(InplaceRows rows) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  auto* const x = static_cast<T*>(rows.x);
  const auto* const v = static_cast<const T*>(rows.v);
  for (int64_t c = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; c < rows.width;
       c += step) {
    for (int64_t k = 0; k < rows.count; ++k) {
      const int64_t place = (rows.places[k] % rows.rows + rows.rows) % rows.rows;
      T& there = x[place * rows.width + c];
      there = Meet{}(there, v[k * rows.width + c]);
    }
  }
}

template <typename Meet, typename T>
cudaError_t LaunchMeet(const InplaceRows& rows, cudaStream_t stream) {
  if (rows.count == 0) return cudaSuccess;
  const Span1D span = BlocksFor(rows.width);
  return Launch(&InplaceKernel<Meet, T>, span.grid, span.block, 0, stream, rows);
}

}  // namespace

cudaError_t LaunchInplaceUpdate(int element_size, const InplaceRows& rows, cudaStream_t stream) {
  return VisitBytes(element_size,
                    [&]<typename T>(Type<T>) { return LaunchMeet<Replace, T>(rows, stream); });
}

cudaError_t LaunchInplaceAdd(Element element, bool subtract, const InplaceRows& rows,
                             cudaStream_t stream) {
  return Visit(Joined<RealElements, ComplexElements>{}, element, [&]<typename T>(Type<T>) {
    return subtract ? LaunchMeet<Subtract, T>(rows, stream) : LaunchMeet<Add, T>(rows, stream);
  });
}

}  // namespace sluice::cuda
