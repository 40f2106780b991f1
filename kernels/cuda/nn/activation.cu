// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/activation.h"

#include "kernels/common/nn/activations.h"
#include "kernels/cuda/common/each.cuh"
#include "kernels/cuda/common/rounded.cuh"

namespace sluice::cuda {
namespace {

namespace activations = kernels::activations;

// Functions have a parameter, or none.
template <typename Fn, typename... Args>
__device__ inline auto Call(Fn fn, float alpha, Args... args) {
  if constexpr (std::is_invocable_v<Fn, Args..., float>) {
    return fn(args..., alpha);
  } else {
    return fn(args...);
  }
}

template <typename Fn, typename T>
__global__ void ActivationKernel(const T* x, T* y, int64_t n, float alpha) {
  using C = StepType<T>;
  Each(
      n, [=](int64_t i) { return x[i]; }, [=](T v) { return T(Call(Fn{}, alpha, C(v))); },
      [=](int64_t i, T v) { y[i] = v; });
}

template <typename T>
struct GradOperands {
  T gradient, of;
};

template <typename Fn, typename T>
__global__ void ActivationGradKernel(const T* gradient, const T* of, T* out, int64_t n,
                                     float alpha) {
  using C = StepType<T>;
  Each(
      n,
      [=](int64_t i) {
        return GradOperands<T>{gradient[i], of[i]};
      },
      [=](GradOperands<T> v) { return T(Call(Fn{}, alpha, C(v.gradient), C(v.of))); },
      [=](int64_t i, T v) { out[i] = v; });
}

template <typename Fn>
cudaError_t LaunchFn(Element element, const void* x, void* y, int64_t n, float alpha,
                     cudaStream_t stream) {
  return Visit(FloatingElements{}, element, [&]<typename T>(Type<T>) {
    const Span1D span = BlocksForEach(n);
    return Launch(&ActivationKernel<Fn, T>, span.grid, span.block, 0, stream,
                  static_cast<const T*>(x), static_cast<T*>(y), n, alpha);
  });
}

template <typename Fn>
cudaError_t LaunchGradFn(Element element, const void* gradient, const void* of, void* out,
                         int64_t n, float alpha, cudaStream_t stream) {
  return Visit(FloatingElements{}, element, [&]<typename T>(Type<T>) {
    const Span1D span = BlocksForEach(n);
    return Launch(&ActivationGradKernel<Fn, T>, span.grid, span.block, 0, stream,
                  static_cast<const T*>(gradient), static_cast<const T*>(of), static_cast<T*>(out),
                  n, alpha);
  });
}

}  // namespace

cudaError_t LaunchActivation(Activation f, Element element, const void* x, void* y, int64_t n,
                             float alpha, cudaStream_t stream) {
  const auto launch = [&]<typename Fn>(Fn) {
    return LaunchFn<Fn>(element, x, y, n, alpha, stream);
  };
  switch (f) {
    case Activation::kRelu:
      return launch(activations::Relu{});
    case Activation::kRelu6:
      return launch(activations::Relu6{});
    case Activation::kLeakyRelu:
      return launch(activations::LeakyRelu{});
    case Activation::kElu:
      return launch(activations::Elu{});
    case Activation::kSelu:
      return launch(activations::Selu{});
    case Activation::kSoftplus:
      return launch(activations::Softplus{});
    case Activation::kSoftsign:
      return launch(activations::Softsign{});
  }
  return cudaErrorInvalidValue;
}

cudaError_t LaunchActivationGrad(Activation f, Element element, const void* gradient,
                                 const void* of, void* out, int64_t n, float alpha,
                                 cudaStream_t stream) {
  const auto launch = [&]<typename Fn>(Fn) {
    return LaunchGradFn<Fn>(element, gradient, of, out, n, alpha, stream);
  };
  switch (f) {
    case Activation::kRelu:
      return launch(activations::ReluGrad{});
    case Activation::kRelu6:
      return launch(activations::Relu6Grad{});
    case Activation::kLeakyRelu:
      return launch(activations::LeakyReluGrad{});
    case Activation::kElu:
      return launch(activations::EluGrad{});
    case Activation::kSelu:
      return launch(activations::SeluGrad{});
    case Activation::kSoftplus:
      return launch(activations::SoftplusGrad{});
    case Activation::kSoftsign:
      return launch(activations::SoftsignGrad{});
  }
  return cudaErrorInvalidValue;
}

}  // namespace sluice::cuda
