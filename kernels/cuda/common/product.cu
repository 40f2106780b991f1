// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/common/product.h"

#include <algorithm>
#include <type_traits>

#include "core/device/cuda_launch.h"

namespace sluice::cuda {
namespace {

constexpr int kTile = 16;

// The type of sums: unsigned where integers wrap.
template <typename T>
struct SumType : std::type_identity<Wide<T>> {};
template <>
struct SumType<int32_t> : std::type_identity<uint32_t> {};
template <>
struct SumType<int64_t> : std::type_identity<uint64_t> {};

using ProductElements =
    ElementList<Element::kFloat, Element::kDouble, Element::kHalf, Element::kBFloat16,
                Element::kInt32, Element::kInt64, Element::kComplex64, Element::kComplex128>;

// The element (row, column) of op(x), where x has `columns` columns as stored; 0 outside.
template <typename T>
__device__ typename SumType<T>::type At(const T* x, int64_t row, int64_t column, bool inside,
                                        int64_t columns, bool transpose, bool conjugate) {
  using Sum = typename SumType<T>::type;
  if (!inside) return Sum(0);
  const Sum value =
      static_cast<Sum>(Widen(transpose ? x[column * columns + row] : x[row * columns + column]));
  if constexpr (kIsComplex<T>) {
    if (transpose && conjugate) return T(value.re, -value.im);
  }
  return value;
}

// A block computes one tile of one product after another; its threads are the tile's elements.
template <typename T>
__global__ void ProductKernel(Product p, const T* a, const T* b, T* out, int64_t tiles_m,
                              int64_t tiles_n) {
  using Sum = typename SumType<T>::type;
  Sum* const tile_a = SharedMemory<Sum>();
  Sum* const tile_b = tile_a + kTile * kTile;
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int64_t count = p.batch * tiles_m * tiles_n;
  for (int64_t tile = blockIdx.x; tile < count; tile += gridDim.x) {
    const int64_t i = tile / (tiles_m * tiles_n);
    const int64_t row = tile / tiles_n % tiles_m * kTile + y;
    const int64_t column = tile % tiles_n * kTile + x;
    const T* const from_a = a + i * p.stride_a;
    const T* const from_b = b + i * p.stride_b;
    Sum sum(0);
    for (int64_t begin = 0; begin < p.k; begin += kTile) {
      tile_a[y * kTile + x] = At(from_a, row, begin + x, row < p.m && begin + x < p.k,
                                 p.transpose_a ? p.m : p.k, p.transpose_a, p.conjugate);
      tile_b[y * kTile + x] = At(from_b, begin + y, column, begin + y < p.k && column < p.n,
                                 p.transpose_b ? p.k : p.n, p.transpose_b, p.conjugate);
      __syncthreads();
      for (int j = 0; j < kTile; ++j) {
        sum = sum + tile_a[y * kTile + j] * tile_b[j * kTile + x];
      }
      __syncthreads();
    }
    if (row >= p.m || column >= p.n) continue;
    T& to = out[i * p.stride_out + row * p.n + column];
    if constexpr (std::is_integral_v<T>) {
      to = static_cast<T>(sum);
    } else {
      to = Narrow<T>(sum);
    }
  }
}

}  // namespace

cudaError_t LaunchProduct(const Product& product, const void* a, const void* b, void* out,
                          cudaStream_t stream) {
  const int64_t tiles_m = (product.m + kTile - 1) / kTile;
  const int64_t tiles_n = (product.n + kTile - 1) / kTile;
  constexpr int64_t kMostBlocks = 132 * 32;
  const int64_t blocks = std::min(kMostBlocks, product.batch * tiles_m * tiles_n);
  return Visit(ProductElements{}, product.element, [&]<typename T>(Type<T>) {
    const size_t shared = 2 * kTile * kTile * sizeof(typename SumType<T>::type);
    return Launch(&ProductKernel<T>, dim3(static_cast<unsigned>(blocks)), dim3(kTile, kTile),
                  shared, stream, product, static_cast<const T*>(a), static_cast<const T*>(b),
                  static_cast<T*>(out), tiles_m, tiles_n);
  });
}

}  // namespace sluice::cuda
