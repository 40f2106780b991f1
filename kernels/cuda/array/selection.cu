// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/array/selection.h"

#include "core/device/cuda_launch.h"
#include "kernels/cuda/common/bytes.h"
#include "kernels/cuda/common/layout.h"
#include "kernels/cuda/common/number.cuh"

namespace sluice::cuda {
namespace {

constexpr int kBlock = 256;
constexpr int kWarp = 32;
constexpr int kWarps = kBlock / kWarp;
constexpr unsigned kAll = 0xffffffff;

// The sum of `value` over the threads before this one, and over all in *total. Every thread of a
// block of kBlock calls it. `shared` holds kWarps numbers.
template <typename T>
__device__ inline T SumBefore(T value, T* shared, T* total) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  T sum = value;
  for (int d = 1; d < kWarp; d *= 2) {
    const T other = __shfl_up_sync(kAll, sum, d);
    if (lane >= d) sum += other;
  }
  __syncthreads();  // the last call's sums have been read
  if (lane == kWarp - 1) shared[warp] = sum;
  __syncthreads();
  T before = sum - value;
  *total = 0;
  for (int w = 0; w < kWarps; ++w) {
    if (w < warp) before += shared[w];
    *total += shared[w];
  }
  return before;
}

__global__ void SumBeforeKernel(long long* counts, int64_t n) {
  long long* const shared = SharedMemory<long long>();
  long long carry = 0;
  for (int64_t first = 0; first < n; first += kBlock) {
    const int64_t i = first + threadIdx.x;
    long long total = 0;
    const long long before = SumBefore<long long>(i < n ? counts[i] : 0, shared, &total);
    if (i < n) counts[i] = carry + before;
    carry += total;
  }
  if (threadIdx.x == 0) counts[n] = carry;
}

template <typename T>
__device__ inline bool IsZero(T x) {
  return Widen(x) == Wide<T>(0);
}

template <typename T>
__global__ void CountNonZeroKernel(const T* x, int64_t n, int64_t* counts) {
  int* const shared = SharedMemory<int>();
  const int64_t pieces = (n + kSelectionPiece - 1) / kSelectionPiece;
  for (int64_t piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    int mine = 0, total = 0;
    for (int64_t k = threadIdx.x; k < kSelectionPiece; k += kBlock) {
      const int64_t i = piece * kSelectionPiece + k;
      if (i < n && !IsZero(x[i])) ++mine;
    }
    SumBefore(mine, shared, &total);
    if (threadIdx.x == 0) counts[piece] = total;
  }
}

template <typename T>
__global__ void WriteNonZeroKernel(const T* x, int64_t n, const int64_t* before,
                                   const __grid_constant__ ArrayShape shape, int64_t* rows) {
  int* const shared = SharedMemory<int>();
  const int64_t pieces = (n + kSelectionPiece - 1) / kSelectionPiece;
  for (int64_t piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
    int64_t row = before[piece];
    for (int64_t k = threadIdx.x; k < kSelectionPiece; k += kBlock) {
      const int64_t i = piece * kSelectionPiece + k;
      const bool chosen = i < n && !IsZero(x[i]);
      int total = 0;
      const int at = SumBefore(chosen ? 1 : 0, shared, &total);
      if (chosen) {
        int64_t* const out = rows + (row + at) * shape.rank;
        int64_t rest = i;
        for (int d = shape.rank - 1; d >= 0; --d) {
          out[d] = rest % shape.dims[d];
          rest /= shape.dims[d];
        }
      }
      row += total;
    }
  }
}

// One thread for each piece: the numbers of a part keep their order.
__global__ void CountPartsKernel(const int32_t* parts, int64_t n, int64_t part_count,
                                 int64_t pieces, int64_t* counts) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t c = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; c < pieces;
       c += step) {
    const int64_t end = (c + 1) * kPartitionPiece;
    for (int64_t i = c * kPartitionPiece; i < n && i < end; ++i) {
      const int64_t part = parts[i];
      if (part >= 0 && part < part_count) ++counts[part * pieces + c];
    }
  }
}

__global__ void PartStartsKernel(const int64_t* counts, int64_t part_count, int64_t pieces,
                                 int64_t* starts) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t p = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; p <= part_count;
       p += step) {
    starts[p] = counts[p * pieces];
  }
}

__global__ void PartOrderKernel(const int32_t* parts, int64_t n, int64_t part_count, int64_t pieces,
                                int64_t* before, int64_t* order) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t c = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; c < pieces;
       c += step) {
    const int64_t end = (c + 1) * kPartitionPiece;
    for (int64_t i = c * kPartitionPiece; i < n && i < end; ++i) {
      const int64_t part = parts[i];
      if (part >= 0 && part < part_count) order[before[part * pieces + c]++] = i;
    }
  }
}

template <typename T>
__global__ void RowsFromKernel(const uint64_t* sources, Divisor inner, T* out, int64_t n) {
  const bool small = n <= INT32_MAX;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const int64_t row = small ? inner.DivideSmall(static_cast<uint32_t>(i)) : i / inner.divisor();
    const auto* source = reinterpret_cast<const T*>(static_cast<uintptr_t>(sources[row]));
    out[i] = source == nullptr ? T{} : source[i - row * inner.divisor()];
  }
}

using SelectableElements =
    Joined<Joined<RealElements, ComplexElements>, ElementList<Element::kBool>>;

int64_t PiecesOf(int64_t n, int64_t piece) { return (n + piece - 1) / piece; }

}  // namespace

cudaError_t LaunchSumBefore(int64_t* counts, int64_t n, cudaStream_t stream) {
  return Launch(&SumBeforeKernel, dim3(1), dim3(kBlock), kWarps * sizeof(long long), stream,
                reinterpret_cast<long long*>(counts), n);
}

cudaError_t LaunchCountNonZero(Element element, const void* x, int64_t n, int64_t* counts,
                               cudaStream_t stream) {
  const Span1D span = BlocksFor(PiecesOf(n, kSelectionPiece) * kBlock, kBlock);
  return Visit(SelectableElements{}, element, [&]<typename T>(Type<T>) {
    return Launch(&CountNonZeroKernel<T>, span.grid, span.block, kWarps * sizeof(int), stream,
                  static_cast<const T*>(x), n, counts);
  });
}

cudaError_t LaunchWriteNonZero(Element element, const void* x, int64_t n, const int64_t* before,
                               const ArrayShape& shape, int64_t* rows, cudaStream_t stream) {
  const Span1D span = BlocksFor(PiecesOf(n, kSelectionPiece) * kBlock, kBlock);
  return Visit(SelectableElements{}, element, [&]<typename T>(Type<T>) {
    return Launch(&WriteNonZeroKernel<T>, span.grid, span.block, kWarps * sizeof(int), stream,
                  static_cast<const T*>(x), n, before, shape, rows);
  });
}

cudaError_t LaunchCountParts(const int32_t* parts, int64_t n, int64_t part_count, int64_t* counts,
                             cudaStream_t stream) {
  const int64_t pieces = PiecesOf(n, kPartitionPiece);
  const Span1D span = BlocksFor(pieces, 64);
  return Launch(&CountPartsKernel, span.grid, span.block, 0, stream, parts, n, part_count, pieces,
                counts);
}

cudaError_t LaunchPartStarts(const int64_t* counts, int64_t part_count, int64_t pieces,
                             int64_t* starts, cudaStream_t stream) {
  const Span1D span = BlocksFor(part_count + 1);
  return Launch(&PartStartsKernel, span.grid, span.block, 0, stream, counts, part_count, pieces,
                starts);
}

cudaError_t LaunchPartOrder(const int32_t* parts, int64_t n, int64_t part_count, int64_t* before,
                            int64_t* order, cudaStream_t stream) {
  const int64_t pieces = PiecesOf(n, kPartitionPiece);
  const Span1D span = BlocksFor(pieces, 64);
  return Launch(&PartOrderKernel, span.grid, span.block, 0, stream, parts, n, part_count, pieces,
                before, order);
}

cudaError_t LaunchRowsFrom(int element_size, const uint64_t* sources, int64_t rows, int64_t inner,
                           void* out, cudaStream_t stream) {
  if (rows * inner == 0) return cudaSuccess;
  const Span1D span = BlocksFor(rows * inner);
  return VisitBytes(element_size, [&]<typename T>(Type<T>) {
    return Launch(&RowsFromKernel<T>, span.grid, span.block, 0, stream, sources, Divisor(inner),
                  static_cast<T*>(out), rows * inner);
  });
}

}  // namespace sluice::cuda
