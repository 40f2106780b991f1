// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/nn/top_k.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "core/device/cuda_launch.h"

namespace sluice::cuda {
namespace {

constexpr int kThreads = 512;
constexpr int kDigits = 256;  // values of a digit

// The place of an element in the order of a row: no two elements of a row are equal.
struct alignas(16) Rank {
  uint64_t key;     // greater for a greater element
  uint32_t column;  // counted from the end, so that the first of equal elements is the greatest

  friend __device__ bool operator<(const Rank& a, const Rank& b) {
    return a.key < b.key || (a.key == b.key && a.column < b.column);
  }
};

// Bytes of a key that distinguish elements of T.
template <typename T>
constexpr int kKeyBytes = sizeof(T) == 8 ? 8 : 4;
template <typename T>
constexpr int kRankBytes = kKeyBytes<T> + 4;

// Integers of KeyBits in the order of the elements. -0 is 0.
template <typename T>
__device__ inline uint64_t KeyOf(T element) {
  using W = Wide<T>;
  const W x = Widen(element);
  if constexpr (std::is_floating_point_v<W>) {
    using U = std::conditional_t<sizeof(W) == 8, uint64_t, uint32_t>;
    constexpr U kSign = U{1} << (sizeof(U) * 8 - 1);
    if (std::isnan(x)) return 0;
    const U bits = x == 0 ? 0 : std::bit_cast<U>(x);
    return (bits & kSign) != 0 ? static_cast<U>(~bits) : bits | kSign;
  } else if constexpr (sizeof(W) == 8) {
    return static_cast<uint64_t>(x) ^ (std::is_signed_v<W> ? uint64_t{1} << 63 : 0);
  } else if constexpr (std::is_signed_v<W>) {
    return static_cast<uint32_t>(static_cast<int32_t>(x)) ^ 0x80000000u;
  } else {
    return x;
  }
}

template <typename T>
__device__ inline Rank RankOf(const T* row, int64_t column) {
  return {KeyOf(row[column]), 0xffffffffu - static_cast<uint32_t>(column)};
}

// Digit 0 is the lowest one of the column, digit 4 the lowest one of the key.
__device__ inline uint32_t DigitOf(const Rank& rank, int digit) {
  return static_cast<uint32_t>(digit < 4 ? rank.column >> (8 * digit)
                                         : rank.key >> (8 * (digit - 4))) &
         (kDigits - 1);
}
// The digits from `digit` on, of both, are the same.
__device__ inline bool SameFrom(const Rank& a, const Rank& b, int digit) {
  if (digit >= 4) {
    const int shift = 8 * (digit - 4);
    return shift == 64 || a.key >> shift == b.key >> shift;
  }
  return a.key == b.key && a.column >> (8 * digit) == b.column >> (8 * digit);
}

struct Search {
  Rank least;        // of the elements that are picked; the digits that are known
  uint32_t missing;  // picked elements among those with these digits
  uint32_t picked;
};

// A block finds the k elements of a row: digit by digit from the highest, it counts the elements
// that have the digits of the k-th largest so far.
template <typename T>
__global__ void PickKernel(const T* x, int64_t rows, int64_t n, int64_t k, Rank* picked) {
  auto* search = SharedMemory<Search>();
  auto* counts = reinterpret_cast<unsigned*>(search + 1);
  const int t = static_cast<int>(threadIdx.x);
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const T* from = x + row * n;
    __syncthreads();  // the last row is done
    if (t == 0) *search = {{0, 0}, static_cast<uint32_t>(k), 0};
    for (int digit = kRankBytes<T> - 1; digit >= 0 && k < n; --digit) {
      for (int i = t; i < kDigits; i += kThreads) counts[i] = 0;
      __syncthreads();
      const Rank least = search->least;
      for (int64_t i = t; i < n; i += kThreads) {
        const Rank rank = RankOf(from, i);
        if (SameFrom(rank, least, digit + 1)) atomicAdd(counts + DigitOf(rank, digit), 1u);
      }
      __syncthreads();
      if (t == 0) {
        int value = kDigits - 1;
        for (; counts[value] < search->missing; --value) search->missing -= counts[value];
        if (digit < 4)
          search->least.column |= static_cast<uint32_t>(value) << (8 * digit);
        else
          search->least.key |= static_cast<uint64_t>(value) << (8 * (digit - 4));
      }
      __syncthreads();
    }
    __syncthreads();
    const Rank least = search->least;
    for (int64_t i = t; i < n; i += kThreads) {
      const Rank rank = RankOf(from, i);
      if (!(rank < least)) picked[row * k + atomicAdd(&search->picked, 1u)] = rank;
    }
  }
}

// A block sorts the elements of a row, greatest first, by a bitonic network in which every
// comparison has the greater one in front: so elements behind the end need not be there.
__global__ void SortKernel(Rank* picked, int64_t rows, int64_t k) {
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    Rank* const ranks = picked + row * k;
    const auto in_order = [&](int64_t front, int64_t back) {
      if (back >= k || !(ranks[front] < ranks[back])) return;
      const Rank moved = ranks[front];
      ranks[front] = ranks[back];
      ranks[back] = moved;
    };
    int64_t whole = 1;
    while (whole < k) whole *= 2;
    for (int64_t size = 2; size <= whole; size *= 2) {
      for (int64_t i = threadIdx.x; i < whole / 2; i += kThreads) {
        const int64_t begin = i / (size / 2) * size, at = i % (size / 2);
        in_order(begin + at, begin + size - 1 - at);
      }
      __syncthreads();
      for (int64_t half = size / 4; half >= 1; half /= 2) {
        for (int64_t i = threadIdx.x; i < whole / 2; i += kThreads) {
          const int64_t front = i / half * half * 2 + i % half;
          in_order(front, front + half);
        }
        __syncthreads();
      }
    }
  }
}

template <typename T>
__global__ void WriteKernel(const T* x, const Rank* picked, int64_t n, int64_t k, int64_t count,
                            T* values, void* columns, int index_bytes) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += step) {
    const uint32_t column = 0xffffffffu - picked[i].column;
    values[i] = x[i / k * n + column];
    if (index_bytes == 2)
      static_cast<int16_t*>(columns)[i] = static_cast<int16_t>(column);
    else if (index_bytes == 4)
      static_cast<int32_t*>(columns)[i] = static_cast<int32_t>(column);
    else
      static_cast<int64_t*>(columns)[i] = column;
  }
}

}  // namespace

cudaError_t LaunchTopK(Element element, const void* x, int64_t rows, int64_t n, int64_t k,
                       void* values, void* columns, int index_bytes, void* scratch,
                       cudaStream_t stream) {
  if (rows == 0) return cudaSuccess;
  constexpr int64_t kMostBlocks = 8 * 132;
  const dim3 grid(static_cast<unsigned>(std::min(rows, kMostBlocks)));
  constexpr size_t kShared = sizeof(Search) + kDigits * sizeof(unsigned);
  auto* picked = static_cast<Rank*>(scratch);
  return Visit(RealElements{}, element, [&]<typename T>(Type<T>) {
    const auto* from = static_cast<const T*>(x);
    cudaError_t error =
        Launch(&PickKernel<T>, grid, dim3(kThreads), kShared, stream, from, rows, n, k, picked);
    if (error != cudaSuccess) return error;
    error = Launch(&SortKernel, grid, dim3(kThreads), 0, stream, picked, rows, k);
    if (error != cudaSuccess) return error;
    const Span1D span = BlocksFor(rows * k);
    return Launch(&WriteKernel<T>, span.grid, span.block, 0, stream, from, picked, n, k, rows * k,
                  static_cast<T*>(values), columns, index_bytes);
  });
}

}  // namespace sluice::cuda
