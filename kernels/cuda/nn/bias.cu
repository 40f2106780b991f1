// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/bias.h"

#include "kernels/cuda/common/each.cuh"
#include "kernels/cuda/common/layout.h"

namespace sluice::cuda {
namespace {

// From the index of an element to its channel.
struct ChannelOf {
  Divisor inner, channels;
  bool small;  // indices are below 2^31

  __device__ int64_t operator()(int64_t i) const {
    if (!small) return i / inner.divisor() % channels.divisor();
    const uint32_t outer = inner.DivideSmall(static_cast<uint32_t>(i));
    return outer - channels.DivideSmall(outer) * channels.divisor();
  }
};

template <typename T>
struct Addends {
  T element, bias;
};

template <typename T>
__global__ void BiasAddKernel(const T* in, const T* bias, T* out, ChannelOf channel_of, int64_t n) {
  Each(
      n,
      [=](int64_t i) {
        return Addends<T>{in[i], bias[channel_of(i)]};
      },
      [](Addends<T> v) { return Narrow<T>(Widen(v.element) + Widen(v.bias)); },
      [=](int64_t i, T v) { out[i] = v; });
}

}  // namespace

cudaError_t LaunchBiasAdd(Element element, const void* in, const void* bias, void* out,
                          int64_t outer, int64_t channels, int64_t inner, cudaStream_t stream) {
  const int64_t n = outer * channels * inner;
  if (n == 0) return cudaSuccess;
  const ChannelOf channel_of{Divisor(inner), Divisor(channels), n <= INT32_MAX};
  const Span1D span = BlocksForEach(n);
  return Visit(FloatingElements{}, element, [&]<typename T>(Type<T>) {
    return Launch(&BiasAddKernel<T>, span.grid, span.block, 0, stream, static_cast<const T*>(in),
                  static_cast<const T*>(bias), static_cast<T*>(out), channel_of, n);
  });
}

}  // namespace sluice::cuda
