// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/random/random_fill.h"

#include "core/device/cuda_launch.h"
#include "kernels/common/random/distributions.h"
#include "kernels/cuda/common/rounded.cuh"

namespace sluice::cuda {
namespace {

using kernels::kPerBlock;
using kernels::Philox;
using kernels::RandomDistribution;
using Integers = ElementList<Element::kInt32, Element::kInt64, Element::kUInt32, Element::kUInt64>;

// The values from one block of the stream, stored at once.
template <typename T>
struct alignas(sizeof(T) * kPerBlock<T>) RandomGroup {
  T values[kPerBlock<T>];
};

template <typename Distribution, typename T>
__global__ void RandomKernel(Distribution distribution, StreamPosition position, T* out, int64_t n,
                             bool aligned) {
  const Philox philox = position.on_device == nullptr ? position.known : *position.on_device;
  constexpr int kGroup = kPerBlock<T>;
  const int64_t groups = (n + kGroup - 1) / kGroup;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t g = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; g < groups;
       g += step) {
    RandomGroup<T> group;
    distribution.Fill(philox, g, group.values);
    if (aligned && (g + 1) * kGroup <= n) {
      reinterpret_cast<RandomGroup<T>*>(out)[g] = group;
      continue;
    }
    for (int i = 0; i < kGroup && g * kGroup + i < n; ++i) out[g * kGroup + i] = group.values[i];
  }
}

template <typename T, typename Distribution>
cudaError_t LaunchFill(const Distribution& distribution, const StreamPosition& philox, void* out,
                       int64_t n, cudaStream_t stream) {
  const Span1D span = BlocksFor((n + kPerBlock<T> - 1) / kPerBlock<T>);
  const bool aligned = reinterpret_cast<uintptr_t>(out) % alignof(RandomGroup<T>) == 0;
  return Launch(&RandomKernel<Distribution, T>, span.grid, span.block, 0, stream, distribution,
                philox, static_cast<T*>(out), n, aligned);
}

__global__ void TakeBlocksKernel(int64_t* state, uint64_t blocks, Philox* taken) {
  Philox now(static_cast<uint64_t>(state[2]), static_cast<uint64_t>(state[0]),
             static_cast<uint64_t>(state[1]));
  if (taken != nullptr) *taken = now;
  now.Skip(blocks);
  state[0] = static_cast<int64_t>(now.low());
  state[1] = static_cast<int64_t>(now.high());
}

}  // namespace

cudaError_t LaunchTakeBlocks(int64_t* state, uint64_t blocks, Philox* taken, cudaStream_t stream) {
  return Launch(&TakeBlocksKernel, dim3(1), dim3(1), 0, stream, state, blocks, taken);
}

cudaError_t LaunchRandomFill(RandomDistribution distribution, Element element,
                             const StreamPosition& philox, void* out, int64_t n,
                             cudaStream_t stream) {
  return Visit(FloatingElements{}, element, [&]<typename T>(Type<T>) -> cudaError_t {
    switch (distribution) {
      case RandomDistribution::kUniform:
        return LaunchFill<T>(kernels::Uniform<T>{}, philox, out, n, stream);
      case RandomDistribution::kNormal:
        return LaunchFill<T>(kernels::Normal<T>{}, philox, out, n, stream);
      case RandomDistribution::kTruncatedNormal:
        return LaunchFill<T>(kernels::TruncatedNormal<T>{}, philox, out, n, stream);
    }
    return cudaErrorInvalidValue;
  });
}

cudaError_t LaunchRandomInts(Element element, const StreamPosition& philox, int64_t low,
                             int64_t high, void* out, int64_t n, cudaStream_t stream) {
  return Visit(Integers{}, element, [&]<typename T>(Type<T>) {
    const kernels::UniformInt<T> distribution{static_cast<T>(low), static_cast<T>(high)};
    return LaunchFill<T>(distribution, philox, out, n, stream);
  });
}

cudaError_t LaunchRandomFullInts(Element element, const StreamPosition& philox, void* out,
                                 int64_t n, cudaStream_t stream) {
  return Visit(Integers{}, element, [&]<typename T>(Type<T>) {
    return LaunchFill<T>(kernels::UniformFullInt<T>{}, philox, out, n, stream);
  });
}

}  // namespace sluice::cuda
