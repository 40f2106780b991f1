// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/common/moves.h"

#include <algorithm>
#include <cstring>

#include "core/device/cuda_launch.h"
#include "kernels/cuda/common/bytes.h"

namespace sluice::cuda {
namespace {

__device__ inline int64_t FirstIndex() {
  return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline int64_t IndexStep() { return static_cast<int64_t>(gridDim.x) * blockDim.x; }

// The first `wide` groups of 16 bytes by `pattern`, the rest by single elements.
template <typename T>
__global__ void FillKernel(Bytes16 pattern, T value, T* to, int64_t wide, int64_t n) {
  constexpr int64_t kPerGroup = sizeof(Bytes16) / sizeof(T);
  for (int64_t i = FirstIndex(); i < wide; i += IndexStep())
    reinterpret_cast<Bytes16*>(to)[i] = pattern;
  for (int64_t i = wide * kPerGroup + FirstIndex(); i < n; i += IndexStep()) to[i] = value;
}

template <typename T>
__global__ void StridedCopyKernel(const T* from, T* to, const __grid_constant__ Layout<2> layout) {
  for (int64_t i = FirstIndex(); i < layout.elements; i += IndexStep()) {
    const auto at = layout.OffsetsOf(i);
    to[at.at[1]] = from[at.at[0]];
  }
}

// The two loops of a transposition: the source is contiguous along `rows`, the target along
// `columns`. The outer loops give the places of the matrices.
struct Transposition {
  CopyLoop rows, columns;
  Layout<2> matrices;
};

constexpr int kSquare = 32;     // side of the squares that pass through shared memory
constexpr int kSquareRows = 8;  // rows of a square that a block moves at once

template <typename T>
__global__ void TransposeKernel(const T* from, T* to, const __grid_constant__ Transposition plan) {
  T* const square = SharedMemory<T>();  // [kSquare][kSquare + 1]: no two rows in one bank
  const int64_t tiles_r = (plan.rows.size + kSquare - 1) / kSquare;
  const int64_t tiles_c = (plan.columns.size + kSquare - 1) / kSquare;
  const int64_t tiles = tiles_r * tiles_c * plan.matrices.elements;
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const int64_t matrix = tile / (tiles_r * tiles_c), rest = tile % (tiles_r * tiles_c);
    const int64_t row = rest / tiles_c * kSquare, column = rest % tiles_c * kSquare;
    const auto place = plan.matrices.OffsetsOf(matrix);
    for (int k = y; k < kSquare; k += kSquareRows) {
      if (column + k >= plan.columns.size || row + x >= plan.rows.size) continue;
      square[k * (kSquare + 1) + x] =
          from[place.at[0] + (column + k) * plan.columns.from + row + x];
    }
    __syncthreads();
    for (int k = y; k < kSquare; k += kSquareRows) {
      if (row + k >= plan.rows.size || column + x >= plan.columns.size) continue;
      to[place.at[1] + (row + k) * plan.rows.to + column + x] = square[x * (kSquare + 1) + k];
    }
    __syncthreads();  // before the next square overwrites this one
  }
}

Layout<2> LayoutOf(const CopyLoop* loops, int count) {
  Layout<2> layout;
  for (int d = count - 1; d >= 0; --d) {
    const int64_t stride[2] = {loops[d].from, loops[d].to};
    layout.AddDim(loops[d].size, stride);
  }
  return layout;
}

// The loop along which the source is contiguous, when that is not the innermost one; else -1.
int RowsOfTransposition(const CopyLoop* loops, int count) {
  const CopyLoop& inner = loops[count - 1];
  if (inner.to != 1 || inner.from == 1 || inner.from == 0 || inner.size < 4) return -1;
  for (int d = 0; d + 1 < count; ++d) {
    if (loops[d].from == 1 && loops[d].size >= 4) return d;
  }
  return -1;
}

cudaError_t LaunchTranspose(int element_size, const CopyLoop* loops, int count, int rows,
                            const void* from, void* to, cudaStream_t stream) {
  Transposition plan;
  plan.rows = loops[rows];
  plan.columns = loops[count - 1];
  for (int d = count - 2; d >= 0; --d) {
    const int64_t stride[2] = {loops[d].from, loops[d].to};
    if (d != rows) plan.matrices.AddDim(loops[d].size, stride);
  }
  const auto squares = [](int64_t n) { return (n + kSquare - 1) / kSquare; };
  const int64_t tiles =
      squares(plan.rows.size) * squares(plan.columns.size) * plan.matrices.elements;
  constexpr int64_t kMostBlocks = 32 * 132;
  const dim3 grid(static_cast<unsigned>(std::min(tiles, kMostBlocks)));
  return VisitBytes(element_size, [&]<typename T>(Type<T>) {
    return Launch(&TransposeKernel<T>, grid, dim3(kSquare, kSquareRows),
                  sizeof(T) * kSquare * (kSquare + 1), stream, static_cast<const T*>(from),
                  static_cast<T*>(to), plan);
  });
}

// Of a row of a result: where each part of a launch begins, counted from the launch's first.
struct RowParts {
  static constexpr int kMost = 64;
  const void* from[kMost];
  int64_t begin[kMost + 1];
  int32_t count;
};

template <typename T>
__global__ void JoinKernel(T* to, const __grid_constant__ RowParts parts, int64_t rows,
                           Divisor wide, int64_t width) {
  const int64_t n = rows * wide.divisor();
  for (int64_t i = FirstIndex(); i < n; i += IndexStep()) {
    const int64_t row =
        n <= INT32_MAX ? wide.DivideSmall(static_cast<uint32_t>(i)) : i / wide.divisor();
    const int64_t column = i - row * wide.divisor();
    int low = 0, high = parts.count;  // the part with begin <= column
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (parts.begin[middle] <= column ? low : high) = middle;
    }
    const auto* from = static_cast<const T*>(parts.from[low]);
    const int64_t size = parts.begin[low + 1] - parts.begin[low];
    to[row * width + column] = from == nullptr ? T{} : from[row * size + column - parts.begin[low]];
  }
}

}  // namespace

cudaError_t LaunchFill(int element_size, const void* value, void* to, int64_t n,
                       cudaStream_t stream) {
  if (n <= 0) return cudaSuccess;
  Bytes16 pattern;
  for (int at = 0; at < 16; at += element_size)
    std::memcpy(reinterpret_cast<char*>(&pattern) + at, value, static_cast<size_t>(element_size));
  const int64_t per_group = 16 / element_size;
  const int64_t wide = reinterpret_cast<uintptr_t>(to) % 16 == 0 ? n / per_group : 0;
  return VisitBytes(element_size, [&]<typename T>(Type<T>) {
    T one;
    std::memcpy(&one, value, sizeof(T));
    const Span1D span = BlocksFor(std::max(wide, n - wide * per_group));
    return Launch(&FillKernel<T>, span.grid, span.block, 0, stream, pattern, one,
                  static_cast<T*>(to), wide, n);
  });
}

cudaError_t LaunchStridedCopy(int element_size, const CopyLoop* loops, int count, const void* from,
                              void* to, cudaStream_t stream) {
  const int rows = RowsOfTransposition(loops, count);
  if (rows >= 0) return LaunchTranspose(element_size, loops, count, rows, from, to, stream);
  CopyLoop wider[Layout<2>::kMaxRank];
  std::copy_n(loops, count, wider);
  CopyLoop& inner = wider[count - 1];
  if (inner.from == 1 && inner.to == 1) {
    // Every place must be a whole number of the wider elements.
    int64_t all = inner.size;
    for (int d = 0; d + 1 < count; ++d) all |= wider[d].from | wider[d].to;
    const int factor = WidestMove(element_size, from, to, all);
    element_size *= factor;
    inner.size /= factor;
    for (int d = 0; d + 1 < count; ++d) {
      wider[d].from /= factor;
      wider[d].to /= factor;
    }
  }
  const Layout<2> layout = LayoutOf(wider, count);
  const Span1D span = BlocksFor(layout.elements);
  return VisitBytes(element_size, [&]<typename T>(Type<T>) {
    return Launch(&StridedCopyKernel<T>, span.grid, span.block, 0, stream,
                  static_cast<const T*>(from), static_cast<T*>(to), layout);
  });
}

cudaError_t LaunchJoin(int element_size, const RowPart* parts, int64_t count, int64_t rows,
                       int64_t width, void* to, cudaStream_t stream) {
  if (rows <= 0) return cudaSuccess;
  int factor = 16 / element_size;
  for (int64_t i = 0; i < count; ++i)
    factor = std::min(factor, WidestMove(element_size, parts[i].from, to, parts[i].size));
  const int size = element_size * factor;
  char* at = static_cast<char*>(to);
  for (int64_t first = 0; first < count; first += RowParts::kMost) {
    RowParts some{};
    some.count = static_cast<int32_t>(std::min<int64_t>(RowParts::kMost, count - first));
    for (int32_t i = 0; i < some.count; ++i) {
      some.from[i] = parts[first + i].from;
      some.begin[i + 1] = some.begin[i] + parts[first + i].size / factor;
    }
    const int64_t wide = some.begin[some.count];
    const Span1D span = BlocksFor(rows * wide);
    const cudaError_t error = VisitBytes(size, [&]<typename T>(Type<T>) {
      return Launch(&JoinKernel<T>, span.grid, span.block, 0, stream, reinterpret_cast<T*>(at),
                    some, rows, Divisor(wide), width / factor);
    });
    if (error != cudaSuccess) return error;
    at += wide * size;
  }
  return cudaSuccess;
}

}  // namespace sluice::cuda
