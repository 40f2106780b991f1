// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/common/gemm.h"

#include <dnnl.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <type_traits>

#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "core/threads/cancel_scope.h"
#include "kernels/cpu/common/try_each.h"

namespace sluice::kernels {

void UseOneOpenMpThread() {
  thread_local bool done = false;
  if (done) return;
  omp_set_num_threads(1);
  done = true;
}

namespace {

// Up to this many multiplications, a plain loop is faster than a call to oneDNN or packing.
template <typename T>
inline constexpr int64_t kSmall = std::is_same_v<T, float> ? 512 : 2048;
// Multiplications per nanosecond, roughly. Waking a thread pays from about 20 us of work.
template <typename T>
inline constexpr int64_t kRate = std::is_same_v<T, float> ? 64 : 8;
constexpr int64_t kShardNs = 20000;
// A cancelled step ends between two tiles of a large product.
constexpr int64_t kTileNs = 100'000'000;

template <typename T>
inline constexpr bool kIsComplex = false;
template <typename R>
inline constexpr bool kIsComplex<std::complex<R>> = true;

// Integers are multiplied as unsigned integers, whose overflow wraps.
template <typename T, bool = std::is_integral_v<T>>
struct Wrapping {
  using type = T;
};
template <typename T>
struct Wrapping<T, true> {
  using type = std::make_unsigned_t<T>;
};

template <typename T>
T Read(const Operand<T>& x, int64_t row, int64_t col) {
  const T v = x.transposed ? x.data[col * x.stride + row] : x.data[row * x.stride + col];
  if constexpr (kIsComplex<T>) return x.conjugated ? std::conj(v) : v;
  return v;
}

template <typename T>
T Times(T a, T b) {
  if constexpr (kIsComplex<T>) {  // without the checks for infinities that operator* makes
    return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  } else {
    return a * b;
  }
}

template <typename T>
void SmallGemm(int64_t m, int64_t n, int64_t k, const Operand<T>& a, const Operand<T>& b, T* c,
               int64_t ldc, bool accumulate) {
  using W = typename Wrapping<T>::type;
  for (int64_t i = 0; i < m; ++i) {
    T* row = c + i * ldc;
    if (!accumulate) std::fill_n(row, n, T());
    if (!b.transposed && !b.conjugated) {
      for (int64_t p = 0; p < k; ++p) {
        const W left = W(Read(a, i, p));
        const T* right = b.data + p * b.stride;
        for (int64_t j = 0; j < n; ++j) row[j] = T(W(row[j]) + Times<W>(left, W(right[j])));
      }
    } else {
      for (int64_t j = 0; j < n; ++j) {
        W sum = W(row[j]);
        for (int64_t p = 0; p < k; ++p) sum += Times<W>(W(Read(a, i, p)), W(Read(b, p, j)));
        row[j] = T(sum);
      }
    }
  }
}

// The packed product for the types that oneDNN lacks (Goto and van de Geijn, "Anatomy of
// high-performance matrix multiplication", 2008). Blocks of a and b are copied into the order in
// which the innermost loop reads them. Complex numbers become a plane of real and a plane of
// imaginary parts.
template <typename T>
struct Packed {
  static constexpr bool kComplex = kIsComplex<T>;
  static constexpr auto RealOf() {
    if constexpr (kComplex)
      return typename T::value_type();
    else
      return typename Wrapping<T>::type();
  }
  using R = decltype(RealOf());
  static constexpr int kLanes = 32 / sizeof(R);
  typedef R Lanes __attribute__((vector_size(32)));
  static constexpr int kPlanes = kComplex ? 2 : 1;
  static constexpr int kRows = kComplex ? 2 : 4;  // size of the innermost block
  static constexpr int kVectors = 2;
  static constexpr int kCols = kVectors * kLanes;
  static constexpr int64_t kDepth = 256;  // a block of b stays in the second-level cache
  static constexpr int64_t kWidth = 512;
  static constexpr int64_t kHeight = 64;
  static constexpr int64_t kBytes =
      kPlanes * kDepth * (kWidth + kHeight) * static_cast<int64_t>(sizeof(R));

  static void Put(R* at, int64_t plane_step, T v) {
    if constexpr (kComplex) {
      at[0] = v.real();
      at[plane_step] = v.imag();
    } else {
      at[0] = static_cast<R>(v);
    }
  }

  // Columns [j0, j0+width) of rows [p0, p0+depth), in panels of kCols columns that are padded with
  // zeros.
  static void PackB(const Operand<T>& b, int64_t p0, int64_t depth, int64_t j0, int64_t width,
                    R* out) {
    for (int64_t j = 0; j < width; j += kCols) {
      const int64_t cols = std::min<int64_t>(kCols, width - j);
      for (int64_t p = 0; p < depth; ++p, out += kPlanes * kCols) {
        for (int64_t q = 0; q < kCols; ++q)
          Put(out + q, kCols, q < cols ? Read(b, p0 + p, j0 + j + q) : T());
      }
    }
  }
  static void PackA(const Operand<T>& a, int64_t i0, int64_t height, int64_t p0, int64_t depth,
                    R* out) {
    for (int64_t i = 0; i < height; i += kRows) {
      const int64_t rows = std::min<int64_t>(kRows, height - i);
      for (int64_t p = 0; p < depth; ++p, out += kPlanes * kRows) {
        for (int64_t q = 0; q < kRows; ++q)
          Put(out + q, kRows, q < rows ? Read(a, i0 + i + q, p0 + p) : T());
      }
    }
  }

  // Computes kRows x kCols values of c from one panel of each operand.
  static void Block(const R* a, const R* b, int64_t depth, T* c, int64_t ldc, int64_t rows,
                    int64_t cols) {
    Lanes sum[kPlanes][kRows][kVectors] = {};
    for (int64_t p = 0; p < depth; ++p, a += kPlanes * kRows, b += kPlanes * kCols) {
      const Lanes* right = reinterpret_cast<const Lanes*>(b);
      for (int i = 0; i < kRows; ++i) {
        for (int v = 0; v < kVectors; ++v) {
          sum[0][i][v] += a[i] * right[v];
          if constexpr (kComplex) {
            sum[0][i][v] -= a[kRows + i] * right[kVectors + v];
            sum[1][i][v] += a[i] * right[kVectors + v];
            sum[1][i][v] += a[kRows + i] * right[v];
          }
        }
      }
    }
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < cols; ++j) {
        T& out = c[i * ldc + j];
        if constexpr (kComplex) {
          out += T(sum[0][i][j / kLanes][j % kLanes], sum[1][i][j / kLanes][j % kLanes]);
        } else {
          out = static_cast<T>(static_cast<R>(out) + sum[0][i][j / kLanes][j % kLanes]);
        }
      }
    }
  }

  // Adds to c. `buffer` has kBytes.
  static void Multiply(int64_t m, int64_t n, int64_t k, const Operand<T>& a, const Operand<T>& b,
                       T* c, int64_t ldc, void* buffer) {
    R* const packed_b = static_cast<R*>(buffer);
    R* const packed_a = packed_b + kPlanes * kDepth * kWidth;
    for (int64_t j0 = 0; j0 < n; j0 += kWidth) {
      const int64_t width = std::min(kWidth, n - j0);
      for (int64_t p0 = 0; p0 < k; p0 += kDepth) {
        const int64_t depth = std::min(kDepth, k - p0);
        PackB(b, p0, depth, j0, width, packed_b);
        for (int64_t i0 = 0; i0 < m; i0 += kHeight) {
          const int64_t height = std::min(kHeight, m - i0);
          ThrowIfCancelled();
          PackA(a, i0, height, p0, depth, packed_a);
          for (int64_t j = 0; j < width; j += kCols) {
            for (int64_t i = 0; i < height; i += kRows) {
              Block(packed_a + i * depth * kPlanes, packed_b + j * depth * kPlanes, depth,
                    c + (i0 + i) * ldc + j0 + j, ldc, std::min<int64_t>(kRows, height - i),
                    std::min<int64_t>(kCols, width - j));
            }
          }
        }
      }
    }
  }
};

template <typename T>
absl::Status LargeGemm(int64_t m, int64_t n, int64_t k, const Operand<T>& a, const Operand<T>& b,
                       T* c, int64_t ldc, bool accumulate) {
  if constexpr (std::is_same_v<T, float>) {
    UseOneOpenMpThread();
    const dnnl_status_t status =
        dnnl_sgemm(a.transposed ? 'T' : 'N', b.transposed ? 'T' : 'N', m, n, k, 1.0f, a.data,
                   a.stride, b.data, b.stride, accumulate ? 1.0f : 0.0f, c, ldc);
    if (status == dnnl_out_of_memory) return ResourceExhausted("no memory for a matrix product");
    return status == dnnl_success ? absl::OkStatus()
                                  : Internal("matrix product failed: oneDNN status ", int{status});
  } else {
    SLUICE_ASSIGN(Tensor buffer,
                  Tensor::Allocate(CpuAllocator(), kUint8, Shape{Packed<T>::kBytes}));
    if (!accumulate) {
      for (int64_t i = 0; i < m; ++i) std::fill_n(c + i * ldc, n, T());
    }
    Packed<T>::Multiply(m, n, k, a, b, c, ldc, buffer.raw());
    return absl::OkStatus();
  }
}

// Rows of op(x) from `row` on, or columns from `col` on.
template <typename T>
Operand<T> From(const Operand<T>& x, int64_t row, int64_t col) {
  Operand<T> part = x;
  part.data += x.transposed ? col * x.stride + row : row * x.stride + col;
  return part;
}

// Cuts a product that takes many times kTileNs. Its tiles are as square as they can be, so that
// packing the operands again for each costs little.
template <typename T>
absl::Status TiledGemm(WorkQueue* pool, int64_t m, int64_t n, int64_t k, const Operand<T>& a,
                       const Operand<T>& b, T* c, int64_t ldc, bool accumulate) {
  constexpr int64_t kWork = kRate<T> * kTileNs;
  const int64_t area = std::max<int64_t>(kWork / k, 1);  // of a tile of c
  const auto side = static_cast<int64_t>(std::sqrt(static_cast<double>(area)));
  const auto blocks = [](int64_t size) { return std::max<int64_t>(size / 16, 1) * 16; };
  const int64_t most_rows = std::min(m, blocks(side));
  const int64_t cols = std::min(n, blocks(area / most_rows));
  const int64_t rows = std::min(m, blocks(area / cols));
  const int64_t across = (n + cols - 1) / cols;
  const int64_t tiles = (m + rows - 1) / rows * across;
  return TryEach(pool, tiles, kTileNs, [&](int64_t i) {
    const int64_t row = i / across * rows, col = i % across * cols;
    return LargeGemm(std::min(rows, m - row), std::min(cols, n - col), k, From(a, row, 0),
                     From(b, 0, col), c + row * ldc + col, ldc, accumulate);
  });
}

template <typename T>
absl::Status GemmOf(WorkQueue* pool, int64_t m, int64_t n, int64_t k, const Operand<T>& a,
                    const Operand<T>& b, T* c, int64_t ldc, bool accumulate) {
  if (m == 0 || n == 0) return absl::OkStatus();
  const double work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  if (work <= kSmall<T>) {
    SmallGemm(m, n, k, a, b, c, ldc, accumulate);
    return absl::OkStatus();
  }
  const int64_t threads = pool == nullptr ? 1 : pool->num_threads();
  if (work > static_cast<double>(4 * std::max<int64_t>(threads, 2) * kRate<T> * kTileNs))
    return TiledGemm(pool, m, n, k, a, b, c, ldc, accumulate);
  const bool by_rows = m >= n;
  const int64_t extent = by_rows ? m : n;
  // The pieces are whole innermost blocks and the same in every run, so that results do not depend
  // on the number of idle threads.
  const int64_t wanted =
      std::min<int64_t>(threads, static_cast<int64_t>(work / (kRate<T> * kShardNs)));
  if (wanted < 2) return LargeGemm(m, n, k, a, b, c, ldc, accumulate);
  const int64_t piece = (extent / wanted + 15) / 16 * 16;
  const int64_t pieces = (extent + piece - 1) / piece;
  return TryEach(pool, pieces, work / static_cast<double>(pieces * kRate<T>), [&](int64_t i) {
    const int64_t from = i * piece;
    const int64_t size = std::min(piece, extent - from);
    return by_rows ? LargeGemm(size, n, k, From(a, from, 0), b, c + from * ldc, ldc, accumulate)
                   : LargeGemm(m, size, k, a, From(b, 0, from), c + from, ldc, accumulate);
  });
}

// A copy in float. Rows keep their order but have no gaps.
template <typename T>
absl::StatusOr<Tensor> Widened(const Operand<T>& x, int64_t rows, int64_t cols) {
  if (x.transposed) std::swap(rows, cols);
  SLUICE_ASSIGN(Tensor wide, Tensor::Allocate(CpuAllocator(), kFloat, Shape{rows, cols}));
  float* out = wide.mutable_data<float>();
  for (const int64_t i : Cancellable(rows)) {
    for (int64_t j = 0; j < cols; ++j)
      out[i * cols + j] = static_cast<float>(x.data[i * x.stride + j]);
  }
  return wide;
}

template <typename T>
absl::Status NarrowGemm(WorkQueue* pool, int64_t m, int64_t n, int64_t k, const Operand<T>& a,
                        const Operand<T>& b, T* c, int64_t ldc, bool accumulate) {
  SLUICE_ASSIGN(Tensor left, Widened(a, m, k));
  SLUICE_ASSIGN(Tensor right, Widened(b, k, n));
  SLUICE_ASSIGN(Tensor product, Widened(Operand<T>{c, ldc}, accumulate ? m : 0, n));
  if (!accumulate) {
    SLUICE_ASSIGN(product, Tensor::Allocate(CpuAllocator(), kFloat, Shape{m, n}));
  }
  float* const sum = product.mutable_data<float>();
  SLUICE_RETURN_IF_ERROR(
      GemmOf<float>(pool, m, n, k, {left.data<float>(), a.transposed ? m : k, a.transposed},
                    {right.data<float>(), b.transposed ? k : n, b.transposed}, sum, n, accumulate));
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) c[i * ldc + j] = T(sum[i * n + j]);
  }
  return absl::OkStatus();
}

}  // namespace

template <typename T>
absl::Status Gemm(WorkQueue* pool, int64_t m, int64_t n, int64_t k, const Operand<T>& a,
                  const Operand<T>& b, T* c, int64_t ldc, bool accumulate) {
  if constexpr (kIsNarrowFloat<T>) {
    return NarrowGemm(pool, m, n, k, a, b, c, ldc, accumulate);
  } else {
    return GemmOf(pool, m, n, k, a, b, c, ldc, accumulate);
  }
}

#define SLUICE_GEMM(T)                                                                    \
  template absl::Status Gemm<T>(WorkQueue*, int64_t, int64_t, int64_t, const Operand<T>&, \
                                const Operand<T>&, T*, int64_t, bool)
SLUICE_GEMM(float);
SLUICE_GEMM(double);
SLUICE_GEMM(Half);
SLUICE_GEMM(Bfloat16);
SLUICE_GEMM(int32_t);
SLUICE_GEMM(int64_t);
SLUICE_GEMM(Complex64);
SLUICE_GEMM(Complex128);
#undef SLUICE_GEMM

}  // namespace sluice::kernels
