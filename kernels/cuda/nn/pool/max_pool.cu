// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <type_traits>

#include "core/device/cuda_launch.h"
#include "kernels/cuda/nn/pool/pool.cuh"

namespace sluice::cuda {
namespace {

// The lowest value of T in the type that it is compared in.
template <typename T>
inline constexpr Wide<T> kLowest = std::numeric_limits<T>::lowest();
template <>
inline constexpr float kLowest<__half> = -65504.0f;
template <>
inline constexpr float kLowest<__nv_bfloat16> = -3.38953139e38f;

// Sums of integers wrap.
template <typename T, bool kIsInteger>
struct UnsignedOr : std::type_identity<Wide<T>> {};
template <typename T>
struct UnsignedOr<T, true> : std::make_unsigned<T> {};
template <typename T>
using SumOf = typename UnsignedOr<T, std::is_integral_v<T>>::type;

template <typename T>
__device__ T Rounded(SumOf<T> sum) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(sum);
  } else {
    return Narrow<T>(sum);
  }
}

template <typename T>
__global__ void MaxKernel(PoolShape s, const T* in, T* out, int64_t count) {
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    Wide<T> max = kLowest<T>;
    ForEachCovered(s, OutputPlace(s, i), [&](const PoolPlace& from) {
      const Wide<T> value = Widen(in[InputIndex(s, from)]);
      max = max < value ? value : max;
    });
    out[i] = Narrow<T>(max);
  }
}

// A place's number, in channels-last order.
__device__ int64_t NumberOf(const PoolShape& s, const PoolPlace& p) {
  return ((p.z * s.height.in + p.y) * s.width.in + p.x) * s.channels + p.c;
}

template <typename T, typename I>
__global__ void ArgMaxKernel(PoolShape s, const T* in, int64_t image, T* out, I* places,
                             int64_t count) {
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    const PoolPlace to = OutputPlace(s, i);
    Wide<T> max = kLowest<T>;
    int64_t place = to.c * s.depth - s.channels;
    bool first = true;
    ForEachCovered(s, to, [&](const PoolPlace& from) {
      const Wide<T> value = Widen(in[InputIndex(s, from)]);
      if (!first && !(max < value)) return;
      first = false;
      max = value;
      place = NumberOf(s, from);
    });
    places[i] = static_cast<I>(to.n * image + place);
    if (out != nullptr) out[i] = Narrow<T>(max);
  }
}

template <typename T>
__global__ void MaxGradKernel(PoolShape s, const int64_t* places, const T* grad, T* out,
                              int64_t count) {
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    const PoolPlace to = InputPlace(s, i);
    const int64_t place = NumberOf(s, to);
    SumOf<T> sum = 0;
    ForEachCovering(s, to, [&](const PoolPlace& from) {
      const int64_t at = OutputIndex(s, from);
      if (places[at] == place) sum += static_cast<SumOf<T>>(Widen(grad[at]));
    });
    out[i] = Rounded<T>(sum);
  }
}

template <typename T>
__global__ void VolumeGradKernel(PoolShape s, const T* in, const T* max, const T* grad, T* out,
                                 int64_t count) {
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    const Wide<T> value = Widen(in[i]);
    Wide<T> sum = 0;
    ForEachCovering(s, InputPlace(s, i), [&](const PoolPlace& from) {
      const int64_t at = OutputIndex(s, from);
      if (Widen(max[at]) == value) sum += Widen(grad[at]);
    });
    out[i] = Narrow<T>(sum);
  }
}

template <typename T>
__global__ void GradGradKernel(PoolShape s, const int64_t* places, const T* grad, T* out,
                               int64_t count) {
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    const int64_t place = places[i];
    if (place < 0) {
      out[i] = Narrow<T>(Wide<T>(0));
      continue;
    }
    PoolPlace from = PlaceOf(false, place, s.channels, s.planes.in, s.height.in, s.width.in);
    from.n = OutputPlace(s, i).n;
    out[i] = grad[InputIndex(s, from)];
  }
}

template <typename T, typename I>
__global__ void ScatterKernel(ArgMaxScatter s, const T* grad, const I* places, Wide<T>* sums) {
  const int64_t count = s.images * s.out_image;
  const int64_t limit = s.include_batch ? s.images * s.in_image : s.in_image;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    const int64_t place = places[i];
    if (place < 0 || place >= limit) continue;
    const int64_t base = s.include_batch ? 0 : i / s.out_image * s.in_image;
    atomicAdd(sums + base + place, Widen(grad[i]));
  }
}

template <typename T>
__global__ void RoundKernel(const float* sums, T* out, int64_t count) {
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += int64_t{gridDim.x} * blockDim.x) {
    out[i] = Narrow<T>(sums[i]);
  }
}

}  // namespace

cudaError_t LaunchMaxPool(const PoolShape& shape, const void* in, void* out, cudaStream_t stream) {
  const int64_t count = OutputCount(shape);
  const Span1D span = BlocksFor(count);
  return Visit(RealElements{}, shape.element, [&]<typename T>(Type<T>) {
    return Launch(&MaxKernel<T>, span.grid, span.block, 0, stream, shape, static_cast<const T*>(in),
                  static_cast<T*>(out), count);
  });
}

cudaError_t LaunchArgMaxPool(const PoolShape& shape, const void* in, bool include_batch, void* out,
                             Element index, void* places, cudaStream_t stream) {
  const int64_t count = OutputCount(shape);
  const int64_t image = include_batch ? InputCount(shape) / shape.batch : 0;
  const Span1D span = BlocksFor(count);
  return Visit(RealElements{}, shape.element, [&]<typename T>(Type<T>) {
    return Visit(IndexElements{}, index, [&]<typename I>(Type<I>) {
      return Launch(&ArgMaxKernel<T, I>, span.grid, span.block, 0, stream, shape,
                    static_cast<const T*>(in), image, static_cast<T*>(out), static_cast<I*>(places),
                    count);
    });
  });
}

cudaError_t LaunchMaxPoolGrad(const PoolShape& shape, const int64_t* places, const void* grad,
                              void* out, cudaStream_t stream) {
  const int64_t count = InputCount(shape);
  const Span1D span = BlocksFor(count);
  return Visit(RealElements{}, shape.element, [&]<typename T>(Type<T>) {
    return Launch(&MaxGradKernel<T>, span.grid, span.block, 0, stream, shape, places,
                  static_cast<const T*>(grad), static_cast<T*>(out), count);
  });
}

cudaError_t LaunchMaxPoolVolumeGrad(const PoolShape& shape, const void* in, const void* max,
                                    const void* grad, void* out, cudaStream_t stream) {
  const int64_t count = InputCount(shape);
  const Span1D span = BlocksFor(count);
  return Visit(FloatingElements{}, shape.element, [&]<typename T>(Type<T>) {
    return Launch(&VolumeGradKernel<T>, span.grid, span.block, 0, stream, shape,
                  static_cast<const T*>(in), static_cast<const T*>(max),
                  static_cast<const T*>(grad), static_cast<T*>(out), count);
  });
}

cudaError_t LaunchMaxPoolGradGrad(const PoolShape& shape, const int64_t* places, const void* grad,
                                  void* out, cudaStream_t stream) {
  const int64_t count = OutputCount(shape);
  const Span1D span = BlocksFor(count);
  return Visit(RealElements{}, shape.element, [&]<typename T>(Type<T>) {
    return Launch(&GradGradKernel<T>, span.grid, span.block, 0, stream, shape, places,
                  static_cast<const T*>(grad), static_cast<T*>(out), count);
  });
}

cudaError_t LaunchArgMaxScatter(const ArgMaxScatter& scatter, const void* grad, const void* places,
                                void* sums, cudaStream_t stream) {
  const Span1D span = BlocksFor(scatter.images * scatter.out_image);
  return Visit(FloatingElements{}, scatter.element, [&]<typename T>(Type<T>) {
    return Visit(IndexElements{}, scatter.index, [&]<typename I>(Type<I>) {
      return Launch(&ScatterKernel<T, I>, span.grid, span.block, 0, stream, scatter,
                    static_cast<const T*>(grad), static_cast<const I*>(places),
                    static_cast<Wide<T>*>(sums));
    });
  });
}

cudaError_t LaunchRound(Element element, int64_t count, const float* sums, void* out,
                        cudaStream_t stream) {
  const Span1D span = BlocksFor(count);
  return Visit(NarrowElements{}, element, [&]<typename T>(Type<T>) {
    return Launch(&RoundKernel<T>, span.grid, span.block, 0, stream, sums, static_cast<T*>(out),
                  count);
  });
}

}  // namespace sluice::cuda
