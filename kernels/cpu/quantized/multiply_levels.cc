// SPDX-License-Identifier: Apache-2.0
// The product of integer matrices. Two neighbours along k are multiplied at once as 16-bit numbers,
// which one instruction of the processor adds to a 32-bit sum. Both matrices are copied into the
// order in which the innermost loop reads them.
#include "kernels/cpu/quantized/multiply_levels.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstring>
#include <vector>

namespace sluice::kernels {
namespace {

constexpr int64_t kLanes = 8, kVectors = 2, kCols = kLanes * kVectors;
constexpr int64_t kRows = 4;         // size of the innermost block, with kCols
constexpr int64_t kRowBlock = 64;    // rows that one task packs
constexpr int64_t kPanelBlock = 32;  // panels of kCols columns that one task reads

typedef uint32_t Lanes __attribute__((vector_size(32)));

int64_t Up(int64_t size, int64_t step) { return (size + step - 1) / step; }

// For each lane, the sum of the products of both numbers.
Lanes PairProducts(Lanes a, Lanes b) {
#if defined(__AVX2__)
  return reinterpret_cast<Lanes>(
      _mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#else
  const auto low = [](uint32_t v) { return static_cast<int32_t>(static_cast<int16_t>(v)); };
  Lanes out;
  for (int i = 0; i < kLanes; ++i)
    out[i] = static_cast<uint32_t>(low(a[i]) * low(b[i]) + low(a[i] >> 16) * low(b[i] >> 16));
  return out;
#endif
}

// Columns of b in panels of kCols: for each pair of rows, the pairs of all columns. Zeros pad both.
void PackPanel(const LevelMatrix& b, int64_t panel, int64_t n, int64_t k, uint32_t* out) {
  const int64_t cols = std::min(kCols, n - panel * kCols);
  std::fill_n(out, Up(k, 2) * kCols, 0);
  for (int64_t p = 0; p < k; ++p) {
    uint32_t* row = out + p / 2 * kCols;
    for (int64_t j = 0; j < cols; ++j) {
      const int64_t col = panel * kCols + j;
      const uint32_t level = b.transposed ? b.data[col * b.stride + p] : b.data[p * b.stride + col];
      row[j] |= level << (p % 2 * 16);
    }
  }
}

// Some rows of a: 16 bits of each value, in blocks of kRows. A value is high * 2^16 + low.
struct PackedRows {
  std::vector<int32_t> row;
  std::vector<uint32_t> low, high;  // pairs
  std::vector<uint32_t> sums;       // of each row
  bool wide;                        // some value has more than 16 bits

  explicit PackedRows(int64_t k) : row(Up(k, 2) * 2), low(Up(k, 2) * kRowBlock), sums(kRowBlock) {}

  void Fill(LevelRow a, int64_t begin, int64_t rows, int64_t k) {
    const int64_t pairs = Up(k, 2);
    std::fill(low.begin(), low.end(), 0);
    wide = false;
    for (int64_t i = 0; i < rows; ++i) {
      a(begin + i, row.data());
      uint32_t sum = 0, more = 0;
      for (int64_t p = 0; p < k; ++p) {
        sum += static_cast<uint32_t>(row[p]);
        more |= static_cast<uint32_t>(row[p] != static_cast<int16_t>(row[p]));
      }
      sums[i] = sum;
      if (more != 0 && !wide) {
        wide = true;
        high.assign(low.size(), 0);
      }
      Put(row.data(), i, pairs);
    }
  }

 private:
  void Put(const int32_t* values, int64_t i, int64_t pairs) {
    const int64_t at = i / kRows * pairs * kRows + i % kRows;
    uint32_t* const to = low.data() + at;
    for (int64_t p = 0; p < pairs; ++p) {
      const auto a = static_cast<uint32_t>(values[2 * p]);
      const auto b = static_cast<uint32_t>(values[2 * p + 1]);
      to[p * kRows] = (a & 0xffff) | b << 16;
      if (wide) high[at + p * kRows] = High(values[2 * p]) | High(values[2 * p + 1]) << 16;
    }
  }
  static uint32_t High(int32_t value) {
    return ((static_cast<uint32_t>(value) - static_cast<uint32_t>(static_cast<int16_t>(value))) >>
            16) &
           0xffff;
  }
};

// Adds the products of kRows rows and of one panel to `sum`.
void Block(const uint32_t* a, const uint32_t* b, int64_t pairs, Lanes (&sum)[kRows][kVectors]) {
  Lanes in_registers[kRows][kVectors];
  std::memcpy(in_registers, sum, sizeof(sum));
  for (int64_t p = 0; p < pairs; ++p, a += kRows, b += kCols) {
    const Lanes* right = reinterpret_cast<const Lanes*>(b);
#pragma GCC unroll 4
    for (int i = 0; i < kRows; ++i) {
      const Lanes left = Lanes{} + a[i];
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) in_registers[i][v] += PairProducts(left, right[v]);
    }
  }
  std::memcpy(sum, in_registers, sizeof(sum));
}

struct LevelProduct {
  int64_t m, n, k;
  uint32_t zero_b;
  const uint32_t* packed_b;
  int32_t* out;

  // Rows [begin, begin + rows) of panels [first, last).
  void Run(const PackedRows& a, int64_t begin, int64_t rows, int64_t first, int64_t last) const {
    const int64_t pairs = Up(k, 2);
    for (int64_t panel = first; panel < last; ++panel) {
      const uint32_t* b = packed_b + panel * pairs * kCols;
      const int64_t cols = std::min(kCols, n - panel * kCols);
      for (int64_t i = 0; i < rows; i += kRows) {
        Lanes sum[kRows][kVectors] = {};
        if (a.wide) {
          Block(a.high.data() + i * pairs, b, pairs, sum);
          for (auto& row : sum) {
            for (Lanes& lanes : row) lanes <<= 16;
          }
        }
        Block(a.low.data() + i * pairs, b, pairs, sum);
        for (int64_t r = 0; r < std::min(kRows, rows - i); ++r) {
          int32_t* to = out + (begin + i + r) * n + panel * kCols;
          const uint32_t shift = zero_b * a.sums[i + r];
          for (int64_t j = 0; j < cols; ++j)
            to[j] = static_cast<int32_t>(sum[r][j / kLanes][j % kLanes] - shift);
        }
      }
    }
  }
};

}  // namespace

absl::Status MultiplyLevels(KernelContext& ctx, int64_t m, int64_t n, int64_t k, LevelRow a,
                            const LevelMatrix& b, int32_t zero_b, int32_t* out) {
  if (m == 0 || n == 0) return absl::OkStatus();
  const int64_t panels = Up(n, kCols), panel_size = Up(k, 2) * kCols;
  SLUICE_ASSIGN(const Shape packed_shape, Shape::Create({panels, panel_size}));
  SLUICE_ASSIGN(Tensor packed, ctx.AllocateTemporary(kUint32, packed_shape));
  auto* const packed_b = packed.mutable_data<uint32_t>();
  ParallelFor(ctx.pool(), panels, 0.5 * static_cast<double>(panel_size),
              [&](int64_t begin, int64_t end) {
                for (int64_t p = begin; p < end; ++p)
                  PackPanel(b, p, n, k, packed_b + p * panel_size);
              });
  const LevelProduct product{m, n, k, static_cast<uint32_t>(zero_b), packed_b, out};
  const int64_t row_blocks = Up(m, kRowBlock), panel_blocks = Up(panels, kPanelBlock);
  const double cost = 0.02 * static_cast<double>(std::min(m, kRowBlock)) *
                      static_cast<double>(std::min(panels, kPanelBlock) * kCols) *
                      static_cast<double>(k);
  ParallelFor(ctx.pool(), row_blocks * panel_blocks, cost, [&](int64_t begin, int64_t end) {
    PackedRows rows(k);
    int64_t packed_block = -1;
    for (int64_t task = begin; task < end; ++task) {
      const int64_t row = task / panel_blocks * kRowBlock, count = std::min(kRowBlock, m - row);
      if (task / panel_blocks != packed_block) rows.Fill(a, row, count, k);
      packed_block = task / panel_blocks;
      const int64_t first = task % panel_blocks * kPanelBlock;
      product.Run(rows, row, count, first, std::min(first + kPanelBlock, panels));
    }
  });
  return absl::OkStatus();
}

}  // namespace sluice::kernels
