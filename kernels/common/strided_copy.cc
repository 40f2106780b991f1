// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/strided_copy.h"

#include "core/tensor/variant.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/elementwise.h"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace sluice::kernels {
namespace {

constexpr int64_t kTile = 16;  // side of the squares in which a transposition is copied

// Threads copy pieces of long loops: of rows, and of the loops of a transposition.
template <typename T>
constexpr int64_t kRowPiece = std::is_trivially_copyable_v<T> ? 1 << 16 : 4096;
constexpr int64_t kSquarePiece = 1 << 16;

double CostOf(DType dtype) {
  return IsPlain(dtype) ? 0.05 + 0.025 * static_cast<double>(SizeOf(dtype)) : 20;
}

template <typename T>
void CopyRow(const T* from, T* to, const CopyDim& row) {
  if (row.to == 1 && row.from == 1) {
    if (std::is_trivially_copyable_v<T> && row.size >= 16) {
      std::memcpy(static_cast<void*>(to), from, static_cast<size_t>(row.size) * sizeof(T));
    } else {
      for (int64_t i = 0; i < row.size; ++i) to[i] = from[i];
    }
  } else if (row.to == 1 && row.from == 0) {
    std::fill_n(to, row.size, *from);
  } else if (row.to == 1 && row.from == -1) {
#pragma GCC ivdep
    for (int64_t i = 0; i < row.size; ++i) to[i] = from[-i];
  } else {
    for (int64_t i = 0; i < row.size; ++i) to[i * row.to] = from[i * row.from];
  }
}

// Eight rows of eight words become columns: y[i * to + j] = x[j * from + i].
#if defined(__AVX__)
void Transpose8x8(const float* x, int64_t from, float* y, int64_t to) {
  __m256 a[8], b[8];
  for (int j = 0; j < 8; ++j) a[j] = _mm256_loadu_ps(x + j * from);
  for (int j = 0; j < 8; j += 2) {
    b[j] = _mm256_unpacklo_ps(a[j], a[j + 1]);
    b[j + 1] = _mm256_unpackhi_ps(a[j], a[j + 1]);
  }
  for (int j = 0; j < 8; j += 4) {
    a[j] = _mm256_shuffle_ps(b[j], b[j + 2], 0x44);
    a[j + 1] = _mm256_shuffle_ps(b[j], b[j + 2], 0xee);
    a[j + 2] = _mm256_shuffle_ps(b[j + 1], b[j + 3], 0x44);
    a[j + 3] = _mm256_shuffle_ps(b[j + 1], b[j + 3], 0xee);
  }
  for (int j = 0; j < 4; ++j) {
    _mm256_storeu_ps(y + j * to, _mm256_permute2f128_ps(a[j], a[j + 4], 0x20));
    _mm256_storeu_ps(y + (j + 4) * to, _mm256_permute2f128_ps(a[j], a[j + 4], 0x31));
  }
}
constexpr bool kTransposesInRegisters = true;
#else
void Transpose8x8(const float*, int64_t, float*, int64_t) {}
constexpr bool kTransposesInRegisters = false;
#endif

template <typename T>
void CopySquare(const T* from, T* to, const CopyDim& outer, const CopyDim& inner) {
  if constexpr (sizeof(T) == 4 && std::is_trivially_copyable_v<T> && kTransposesInRegisters) {
    if (outer.size == kTile && inner.size == kTile && outer.from == 1 && inner.to == 1) {
      for (int64_t i = 0; i < kTile; i += 8) {
        for (int64_t j = 0; j < kTile; j += 8) {
          Transpose8x8(reinterpret_cast<const float*>(from + i + j * inner.from), inner.from,
                       reinterpret_cast<float*>(to + i * outer.to + j), outer.to);
        }
      }
      return;
    }
  }
  for (int64_t i = 0; i < outer.size; ++i) {
    const T* x = from + i * outer.from;
    T* y = to + i * outer.to;
    for (int64_t j = 0; j < inner.size; ++j) y[j * inner.to] = x[j * inner.from];
  }
}

// The innermost two loops, if one is contiguous in the source and the other in the target. They run
// in squares, so that whole cache lines of both sides are used.
template <typename T>
void CopySquares(const T* from, T* to, const CopyDim& outer, const CopyDim& inner) {
  for (int64_t i = 0; i < outer.size; i += kTile) {
    for (int64_t j = 0; j < inner.size; j += kTile) {
      CopySquare(from + i * outer.from + j * inner.from, to + i * outer.to + j * inner.to,
                 {std::min(kTile, outer.size - i), outer.from, outer.to},
                 {std::min(kTile, inner.size - j), inner.from, inner.to});
    }
  }
}

template <typename T>
class Copier {
 public:
  Copier(const CopyDims& dims, const T* from, T* to) : from_(from), to_(to) {
    outer_ = dims;
    inner_ = outer_.back();
    outer_.pop_back();
    // A transposition: the loop that is contiguous in the source is not contiguous in the target.
    if (inner_.from != 1 && inner_.from != 0 && inner_.size > 1) {
      for (size_t d = 0; d < outer_.size(); ++d) {
        if (outer_[d].from != 1) continue;
        square_ = outer_[d];
        has_square_ = true;
        outer_.erase(outer_.begin() + d);
        break;
      }
    }
    if (has_square_) {
      inner_cut_ = Cut(inner_, kSquarePiece);
      const int64_t rows = std::max<int64_t>(kSquarePiece / inner_.size, 1);
      square_cut_ = Cut(square_, (rows + kTile - 1) / kTile * kTile);
    } else {
      inner_cut_ = Cut(inner_, kRowPiece<T>);
    }
    for (const CopyDim& dim : outer_) units_ *= dim.size;
  }

  int64_t units() const { return units_; }
  int64_t unit_size() const { return inner_.size * (has_square_ ? square_.size : 1); }

  void Copy(int64_t begin, int64_t end) const {
    const int rank = static_cast<int>(outer_.size());
    absl::InlinedVector<int64_t, 8> at(rank);
    int64_t from = 0, to = 0, rest = begin;
    for (int d = rank - 1; d >= 0; --d) {
      at[d] = rest % outer_[d].size;
      rest /= outer_[d].size;
      from += at[d] * outer_[d].from;
      to += at[d] * outer_[d].to;
    }
    CopyDim inner = inner_, square = square_;
    const bool long_units = !std::is_trivially_copyable_v<T> || unit_size() >= kRowPiece<T>;
    for (int64_t unit = begin; unit < end; ++unit) {
      if (long_units) ThrowIfCancelled();
      if (inner_cut_.dim >= 0) inner.size = inner_cut_.SizeAt(at);
      if (square_cut_.dim >= 0) square.size = square_cut_.SizeAt(at);
      if (has_square_)
        CopySquares(from_ + from, to_ + to, square, inner);
      else
        CopyRow(from_ + from, to_ + to, inner);
      for (int d = rank - 1; d >= 0; --d) {
        from += outer_[d].from;
        to += outer_[d].to;
        if (++at[d] < outer_[d].size) break;
        from -= outer_[d].size * outer_[d].from;
        to -= outer_[d].size * outer_[d].to;
        at[d] = 0;
      }
    }
  }

 private:
  // A loop in pieces: `outer_` has the loop over them. The last piece may be shorter.
  struct Pieces {
    int dim = -1;  // of `outer_`; -1: the loop is whole
    int64_t count = 1, size = 0, last_size = 0;

    int64_t SizeAt(absl::Span<const int64_t> at) const {
      return at[dim] == count - 1 ? last_size : size;
    }
  };

  Pieces Cut(CopyDim& loop, int64_t piece) {
    if (loop.size < 2 * piece) return {};
    const int64_t count = (loop.size + piece - 1) / piece;
    const Pieces cut{static_cast<int>(outer_.size()), count, piece,
                     loop.size - (count - 1) * piece};
    outer_.push_back({count, loop.from * piece, loop.to * piece});
    loop.size = piece;
    return cut;
  }

  const T* const from_;
  T* const to_;
  CopyDims outer_;
  CopyDim inner_, square_{};
  Pieces inner_cut_, square_cut_;
  bool has_square_ = false;
  int64_t units_ = 1;
};

template <typename T>
double CostOfOne(DType dtype, const T& value) {
  if constexpr (std::is_same_v<T, std::string>)
    return CostOf(dtype) + 0.1 * static_cast<double>(value.size());
  else
    return CostOf(dtype);
}

}  // namespace

void SimplifyCopy(CopyDims& dims) {
  CopyDims joined;
  for (const CopyDim& dim : dims) {
    if (dim.size == 1) continue;
    if (!joined.empty()) {
      CopyDim& outer = joined.back();
      if (outer.from == dim.from * dim.size && outer.to == dim.to * dim.size) {
        outer = {outer.size * dim.size, dim.from, dim.to};
        continue;
      }
    }
    joined.push_back(dim);
  }
  if (joined.empty()) joined.push_back({1, 1, 1});
  dims = std::move(joined);
}

void StridedCopy(WorkQueue* pool, DType dtype, CopyDims dims, const void* from, void* to) {
  for (const CopyDim& dim : dims) {
    if (dim.size == 0) return;
  }
  SimplifyCopy(dims);
  if (dims.size() == 1 && dims[0].from == 1 && dims[0].to == 1 && IsPlain(dtype)) {
    const int64_t bytes = dims[0].size * static_cast<int64_t>(SizeOf(dtype));
    ParallelFor(pool, bytes, 0.04, [&](int64_t begin, int64_t end) {
      std::memcpy(At(to, begin, 1), At(from, begin, 1), static_cast<size_t>(end - begin));
    });
    return;
  }
  (void)VisitWidth(dtype, [&]<typename T>(Type<T>) {
    const Copier<T> copier(dims, static_cast<const T*>(from), static_cast<T*>(to));
    const double cost = 3 + CostOf(dtype) * static_cast<double>(copier.unit_size());
    ParallelFor(pool, copier.units(), cost,
                [&](int64_t begin, int64_t end) { copier.Copy(begin, end); });
    return absl::OkStatus();
  });
}

Shape::Dims DenseStrides(const Shape& shape) {
  Shape::Dims strides(shape.rank());
  int64_t stride = 1;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    strides[d] = stride;
    stride *= shape.dim(d);
  }
  return strides;
}

void FillElements(WorkQueue* pool, DType dtype, const void* value, void* to, int64_t n) {
  (void)VisitWidth(dtype, [&]<typename T>(Type<T>) {
    const T one = *static_cast<const T*>(value);
    ParallelFor(pool, n, CostOfOne(dtype, one), [&](int64_t begin, int64_t end) {
      std::fill(static_cast<T*>(to) + begin, static_cast<T*>(to) + end, one);
    });
    return absl::OkStatus();
  });
}

}  // namespace sluice::kernels
