// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_NN_CONV_WINOGRAD_PLANES_H_
#define SLUICE_KERNELS_CPU_NN_CONV_WINOGRAD_PLANES_H_

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kernels/cpu/nn/conv/winograd_lines.h"

// Tiles of images, transformed to planes and back, and products of planes. A plane holds one of the
// 36 elements of many transformed tiles, as a matrix with a row for each tile and a column for each
// channel. Templates take the number of floats in a vector.

namespace sluice::kernels::winograd {

constexpr int kWindow = 3, kTile = 4, kPatch = kTile + kWindow - 1, kPlanes = kPatch * kPatch;
constexpr int64_t kChannelStep = 16;  // numbers of channels are its multiples

// ---- vectors

template <int kLanes>
struct VectorOf {
  typedef float Type __attribute__((vector_size(kLanes * sizeof(float))));
  typedef float Unaligned
      __attribute__((vector_size(kLanes * sizeof(float)), aligned(sizeof(float)), may_alias));
};

template <int kLanes>
typename VectorOf<kLanes>::Type Load(const float* from) {
  return *reinterpret_cast<const typename VectorOf<kLanes>::Unaligned*>(from);
}

template <int kLanes>
void Store(float* to, const typename VectorOf<kLanes>::Type& value) {
  *reinterpret_cast<typename VectorOf<kLanes>::Unaligned*>(to) = value;
}

// Calls fn with std::integral_constant<int, 0> to <int, kCount - 1>.
template <int kCount, typename Fn>
void Unrolled(const Fn& fn) {
  [&]<int... kIndex>(std::integer_sequence<int, kIndex...>) {
    (fn(std::integral_constant<int, kIndex>{}), ...);
  }
  (std::make_integer_sequence<int, kCount>{});
}

// Applies a line to the columns of a square and then to its rows: load(i, j), store(i, j, vector).
template <typename Line, int kLanes, typename LoadFn, typename StoreFn>
void Transform(const LoadFn& load, const StoreFn& store) {
  typename VectorOf<kLanes>::Type half[Line::kOut][Line::kIn];
  for (int j = 0; j < Line::kIn; ++j) {
    Line::Apply([&](int i) { return load(i, j); },
                [&](int i, const auto& value) { half[i][j] = value; });
  }
  for (int i = 0; i < Line::kOut; ++i) {
    Line::Apply([&](int j) { return half[i][j]; },
                [&](int j, const auto& value) { store(i, j, value); });
  }
}

// ---- products

// A matrix whose element (i, j) is at data[i * row + j * column].
struct Strided {
  const float* data;
  int64_t row, column;
};

// result[kRows, kColumns * kLanes] = a[kRows, steps] b[steps, ...], or is added to it.
template <int kLanes, int kRows, int kColumns>
void MultiplyPart(int64_t steps, const Strided& a, const float* b, int64_t b_row, float* result,
                  int64_t result_row, bool add) {
  using Vector = typename VectorOf<kLanes>::Type;
  Vector sum[kRows][kColumns];
  Unrolled<kRows>([&](auto i) {
    Unrolled<kColumns>([&](auto j) {
      sum[i][j] = add ? Load<kLanes>(result + i * result_row + j * kLanes) : Vector{};
    });
  });
  const float* a_step = a.data;
  for (int64_t step = 0; step < steps; ++step, a_step += a.column, b += b_row) {
    Vector right[kColumns];
    Unrolled<kColumns>([&](auto j) { right[j] = Load<kLanes>(b + j * kLanes); });
    Unrolled<kRows>([&](auto i) {
      const Vector left = a_step[i * a.row] + Vector{};
      Unrolled<kColumns>([&](auto j) { sum[i][j] += left * right[j]; });
    });
  }
  Unrolled<kRows>([&](auto i) {
    Unrolled<kColumns>(
        [&](auto j) { Store<kLanes>(result + i * result_row + j * kLanes, sum[i][j]); });
  });
}

template <int kLanes, int kColumns>
void MultiplyRows(int64_t rows, int64_t steps, Strided a, const float* b, int64_t b_row,
                  float* result, int64_t result_row, bool add) {
  const auto with = [&](auto count) {
    for (; rows >= count; rows -= count) {
      MultiplyPart<kLanes, count, kColumns>(steps, a, b, b_row, result, result_row, add);
      a.data += count * a.row;
      result += count * result_row;
    }
  };
  with(std::integral_constant<int, 6>{});
  with(std::integral_constant<int, 4>{});
  with(std::integral_constant<int, 2>{});
  with(std::integral_constant<int, 1>{});
}

// The columns of a panel: as many as the registers hold with six rows.
template <int kLanes>
constexpr int64_t kPanel = kLanes == 16 ? 64 : 16;

template <int kLanes>
void MultiplyPanel(int64_t rows, int64_t columns, int64_t steps, const Strided& a, const float* b,
                   int64_t b_row, float* result, int64_t result_row, bool add) {
  Unrolled<kPanel<kLanes> / kLanes>([&](auto more) {
    constexpr int kColumns = more + 1;
    if (columns != kColumns * kLanes) return;
    MultiplyRows<kLanes, kColumns>(rows, steps, a, b, b_row, result, result_row, add);
  });
}

// ---- tiles

// An image tensor, with channels last.
template <typename Element>
struct Images {
  Element* data;
  int64_t height, width, channels;

  Element* pixel(int64_t image, int64_t y, int64_t x) const {
    return data + ((image * height + y) * width + x) * channels;
  }
};

// The tiles of images: 4 x 4 pixels each, beside each other; those of the last row and column may
// reach over the edge.
struct Tiles {
  int64_t images, height, width;

  int64_t rows_of_image() const { return (height + kTile - 1) / kTile; }
  int64_t rows() const { return images * rows_of_image(); }  // of tiles, in all images
  int64_t in_row() const { return (width + kTile - 1) / kTile; }
};

// Rows of tiles that are computed at once.
struct Block {
  int64_t first, rows;
};

// Calls fn(number, pixels) for each tile of a block: the kSide x kSide pixels that its transform
// reads or writes. They begin `above` and `left` of the tile. Those outside the image are `outside`.
template <int kSide, typename Element, typename Fn>
void ForEachTile(const Tiles& tiles, const Block& block, const Images<Element>& images,
                 int64_t above, int64_t left, Element* outside, const Fn& fn) {
  int64_t number = 0;
  for (int64_t row = block.first; row < block.first + block.rows; ++row) {
    const int64_t image = row / tiles.rows_of_image();
    const int64_t top = row % tiles.rows_of_image() * kTile - above;
    for (int64_t column = 0; column < tiles.in_row(); ++column) {
      Element* pixels[kSide][kSide];
      for (int i = 0; i < kSide; ++i) {
        for (int j = 0; j < kSide; ++j) {
          const int64_t y = top + i, x = column * kTile - left + j;
          const bool inside = y >= 0 && y < images.height && x >= 0 && x < images.width;
          pixels[i][j] = inside ? images.pixel(image, y, x) : outside;
        }
      }
      fn(number++, pixels);
    }
  }
}

// Reads kSide x kSide pixels of each tile and writes its transform to the planes.
template <typename Line, int kLanes>
void ToPlanes(const Tiles& tiles, const Block& block, const Images<const float>& images,
              int64_t above, int64_t left, const float* zeros, float* planes, int64_t plane) {
  ForEachTile<Line::kIn>(
      tiles, block, images, above, left, zeros, [&](int64_t tile, const auto& pixels) {
        for (int64_t c = 0; c < images.channels; c += kLanes) {
          float* const to = planes + tile * images.channels + c;
          Transform<Line, kLanes>([&](int i, int j) { return Load<kLanes>(pixels[i][j] + c); },
                                  [&](int i, int j, const auto& v) {
                                    Store<kLanes>(to + (i * kPatch + j) * plane, v);
                                  });
        }
      });
}

template <int kLanes>
void FromPlanes(const Tiles& tiles, const Block& block, const float* planes, int64_t plane,
                const Images<float>& images, float* nowhere) {
  ForEachTile<kTile>(tiles, block, images, 0, 0, nowhere, [&](int64_t tile, const auto& pixels) {
    for (int64_t c = 0; c < images.channels; c += kLanes) {
      const float* const from = planes + tile * images.channels + c;
      Transform<OutputLine, kLanes>(
          [&](int i, int j) { return Load<kLanes>(from + (i * kPatch + j) * plane); },
          [&](int i, int j, const auto& v) { Store<kLanes>(pixels[i][j] + c, v); });
    }
  });
}

// The elements of a plane of matrices. The rest makes planes begin in different cache sets.
inline int64_t PlaneOf(int64_t rows, int64_t columns) { return rows * columns + kChannelStep; }

}  // namespace sluice::kernels::winograd

#endif  // SLUICE_KERNELS_CPU_NN_CONV_WINOGRAD_PLANES_H_
