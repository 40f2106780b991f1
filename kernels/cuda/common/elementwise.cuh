// SPDX-License-Identifier: Apache-2.0
// Element-wise ops as tables: an op is a row with its functor and its element types. The functor is
// a struct with `__device__ auto operator()(T x)` or `(T a, T b)`. Half and bfloat16 arrive as
// float. A result of the argument's type is stored as the element's type, any other result
// unchanged. A functor that needs the rounding of a quotient takes Type<Element> first.
#ifndef SLUICE_KERNELS_CUDA_COMMON_ELEMENTWISE_CUH_
#define SLUICE_KERNELS_CUDA_COMMON_ELEMENTWISE_CUH_

#include <type_traits>

#include "kernels/cuda/common/binary.h"
#include "kernels/cuda/common/each.cuh"
#include "kernels/cuda/common/element.h"
#include "kernels/cuda/common/unary.h"

namespace sluice::cuda {

// nvcc gives device functions no body on the host, so the types of their results are written down.
template <typename T, typename Fn>
requires std::is_invocable_v<Fn, Type<T>, Wide<T>, Wide<T>> __device__ inline auto Call(
    const Fn& fn, Wide<T> a, Wide<T> b) -> decltype(fn(Type<T>{}, a, b)) {
  return fn(Type<T>{}, a, b);
}
template <typename T, typename Fn>
requires(!std::is_invocable_v<Fn, Type<T>, Wide<T>, Wide<T>>) __device__
    inline auto Call(const Fn& fn, Wide<T> a, Wide<T> b) -> decltype(fn(a, b)) {
  return fn(a, b);
}

// The type in memory of a result of type R for elements T.
template <typename T, typename R>
using Stored = std::conditional_t<std::is_same_v<R, Wide<T>>, T, R>;
template <typename T, typename R>
__device__ inline Stored<T, R> Store(R result) {
  if constexpr (std::is_same_v<R, Wide<T>>) {
    return Narrow<T>(result);
  } else {
    return result;
  }
}

template <typename Fn, typename T>
using UnaryStored = Stored<T, decltype(Fn{}(Wide<T>{}))>;
template <typename Fn, typename T>
using BinaryStored = Stored<T, decltype(Call<T>(Fn{}, Wide<T>{}, Wide<T>{}))>;

template <typename Fn, typename T>
__global__ void UnaryKernel(const T* x, UnaryStored<Fn, T>* y, int64_t n) {
  Each(
      n, [=](int64_t i) { return x[i]; }, [](T v) { return Store<T>(Fn{}(Widen(v))); },
      [=](int64_t i, auto v) { y[i] = v; });
}

template <typename T>
struct Pair {
  T a, b;
};

// Steps are 1, or 0 for an operand that is one element. R is the type in memory of a result, as in
// BinaryStored.
template <typename Fn, typename T, typename R>
__global__ void FlatBinaryKernel(Fn fn, const T* a, const T* b, R* out, int64_t n, int step_a,
                                 int step_b) {
  Each(
      n,
      [=](int64_t i) {
        return Pair<T>{a[i * step_a], b[i * step_b]};
      },
      [=](Pair<T> v) { return Store<T>(Call<T>(fn, Widen(v.a), Widen(v.b))); },
      [=](int64_t i, auto v) { out[i] = v; });
}

template <typename Fn, typename T, typename R>
__global__ void BroadcastBinaryKernel(Fn fn, const T* a, const T* b, R* out,
                                      const __grid_constant__ Layout<2> layout) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < layout.elements;
       i += step) {
    const auto from = layout.OffsetsOf(i);
    out[i] = Store<T>(Call<T>(fn, Widen(a[from.at[0]]), Widen(b[from.at[1]])));
  }
}

template <UnaryOp kOp_, typename Fn_, typename Elements_>
struct UnaryRow {
  static constexpr UnaryOp kOp = kOp_;
  using Fn = Fn_;
  using Elements = Elements_;
};
template <BinaryOp kOp_, typename Fn_, typename Elements_>
struct BinaryRow {
  static constexpr BinaryOp kOp = kOp_;
  using Fn = Fn_;
  using Elements = Elements_;
};

template <typename R>
inline constexpr Element kElementOf = [] {
  static_assert(std::is_same_v<R, bool>, "a functor returns its argument's type, or one of these");
  return Element::kBool;
}();
template <>
inline constexpr Element kElementOf<float> = Element::kFloat;
template <>
inline constexpr Element kElementOf<double> = Element::kDouble;
template <>
inline constexpr Element kElementOf<Complex<float>> = Element::kComplex64;
template <>
inline constexpr Element kElementOf<Complex<double>> = Element::kComplex128;

// Fills in the results of a row, by element.
template <typename Results, template <typename, typename> typename StoredAs, typename Fn,
          Element... kElements>
Results ResultsOf(ElementList<kElements...>) {
  Results results;
  const auto enter = [&]<Element kElement>() {
    using T = ElementType<kElement>;
    using R = StoredAs<Fn, T>;
    if constexpr (std::is_same_v<R, T>) {
      results.Set(kElement, kElement);
    } else {
      results.Set(kElement, kElementOf<R>);
    }
  };
  (enter.template operator()<kElements>(), ...);
  return results;
}

template <typename... Rows>
struct UnaryTable {
  static bool Find(UnaryOp op, ElementResults* results) {
    return (
        (op == Rows::kOp && (*results = ResultsOf<ElementResults, UnaryStored, typename Rows::Fn>(
                                 typename Rows::Elements{}),
                             true)) ||
        ...);
  }
  static cudaError_t Launch(const UnaryCall& call) {
    cudaError_t error = cudaErrorInvalidValue;
    static_cast<void>(((call.op == Rows::kOp && (error = LaunchRow<Rows>(call), true)) || ...));
    return error;
  }
  static constexpr UnaryFamily Family() { return {&Find, &Launch}; }

 private:
  template <typename Row>
  static cudaError_t LaunchRow(const UnaryCall& call) {
    return Visit(typename Row::Elements{}, call.element, [&]<typename T>(Type<T>) {
      using Fn = typename Row::Fn;
      const Span1D span = BlocksForEach(call.n);
      return cuda::Launch(&UnaryKernel<Fn, T>, span.grid, span.block, 0, call.stream,
                          static_cast<const T*>(call.x), static_cast<UnaryStored<Fn, T>*>(call.y),
                          call.n);
    });
  }
};

template <typename... Rows>
struct BinaryTable {
  static bool Find(BinaryOp op, ElementResults* results) {
    return (
        (op == Rows::kOp && (*results = ResultsOf<ElementResults, BinaryStored, typename Rows::Fn>(
                                 typename Rows::Elements{}),
                             true)) ||
        ...);
  }
  static cudaError_t Launch(const BinaryCall& call) {
    cudaError_t error = cudaErrorInvalidValue;
    static_cast<void>(((call.op == Rows::kOp && (error = LaunchRow<Rows>(call), true)) || ...));
    return error;
  }
  static constexpr BinaryFamily Family() { return {&Find, &Launch}; }

 private:
  template <typename Row>
  static cudaError_t LaunchRow(const BinaryCall& call) {
    using Fn = typename Row::Fn;
    Fn fn{};
    if constexpr (requires { fn.parameter; }) fn.parameter = call.parameter;
    return Visit(typename Row::Elements{}, call.element, [&]<typename T>(Type<T>) {
      const auto* a = static_cast<const T*>(call.a);
      const auto* b = static_cast<const T*>(call.b);
      using R = BinaryStored<Fn, T>;
      auto* out = static_cast<R*>(call.out);
      const Layout<2>& layout = *call.layout;
      if (layout.rank > 1) {
        const Span1D span = BlocksFor(layout.elements);
        return cuda::Launch(&BroadcastBinaryKernel<Fn, T, R>, span.grid, span.block, 0, call.stream,
                            fn, a, b, out, layout);
      }
      const bool alone = layout.rank == 0;
      const Span1D span = BlocksForEach(layout.elements);
      return cuda::Launch(&FlatBinaryKernel<Fn, T, R>, span.grid, span.block, 0, call.stream, fn, a,
                          b, out, layout.elements,
                          alone ? 0 : static_cast<int>(layout.dims[0].stride[0]),
                          alone ? 0 : static_cast<int>(layout.dims[0].stride[1]));
    });
  }
};

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_COMMON_ELEMENTWISE_CUH_
