// SPDX-License-Identifier: Apache-2.0
// MaskedMatmul and WALSComputePartialLhsAndRhs, with which tf.contrib.factorization factors
// matrices by weighted alternating least squares (Hu, Koren and Volinsky, "Collaborative filtering
// for implicit feedback datasets").
#include <algorithm>

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/training/register.h"

namespace sluice::kernels {
namespace {

absl::Status CheckRank(const KernelContext& ctx, int input, int rank, absl::string_view name) {
  constexpr absl::string_view kNames[] = {"scalar", "vector", "matrix"};
  if (ctx.input(input).rank() == rank) return absl::OkStatus();
  return InvalidArgument("Input ", name, " should be a ", kNames[rank], ".");
}

struct MaskedMatmul {
  static absl::StatusOr<MaskedMatmul> Create(const NodeSpec&) { return MaskedMatmul{}; }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckRank(ctx, 0, 2, "a"));
    SLUICE_RETURN_IF_ERROR(CheckRank(ctx, 1, 2, "b"));
    SLUICE_RETURN_IF_ERROR(CheckRank(ctx, 2, 2, "mask_indices"));
    SLUICE_RETURN_IF_ERROR(CheckRank(ctx, 3, 0, "transpose_a"));
    SLUICE_RETURN_IF_ERROR(CheckRank(ctx, 4, 0, "transpose_b"));
    const Tensor &a = ctx.input(0), &b = ctx.input(1), &mask = ctx.input(2);
    const bool a_columns = ctx.input(3).scalar<bool>(), b_columns = !ctx.input(4).scalar<bool>();
    const int64_t rows = a.dim(a_columns), inner = a.dim(!a_columns), columns = b.dim(b_columns);
    if (inner != b.dim(!b_columns)) {
      return InvalidArgument("Matrix shapes are incompatible: a has shape ", a.shape(),
                             ", while b has shape ", b.shape(), ".");
    }
    if (mask.dim(1) != 2) {
      return InvalidArgument(
          "mask_indices should be a matrix of shape [nnz 2], where nnz is the number of non-zero "
          "elements.");
    }
    const int64_t count = mask.dim(0);
    const int64_t* at = mask.data<int64_t>();
    for (int64_t i = 0; i < count; ++i) {
      if (at[2 * i] < 0 || at[2 * i] >= rows) {
        return InvalidArgument("In mask_indices[", i, ", :], the row index ", at[2 * i],
                               " is out of bounds [0, ", rows, ").");
      }
      if (at[2 * i + 1] < 0 || at[2 * i + 1] >= columns) {
        return InvalidArgument("In mask_indices[", i, ", :], the column index ", at[2 * i + 1],
                               " is out of bounds [0, ", columns, ").");
      }
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{count}));
    // Where the elements of a row of a, and of a column of b, are apart.
    const int64_t a_row = a_columns ? 1 : inner, a_step = a_columns ? rows : 1;
    const int64_t b_column = b_columns ? 1 : inner, b_step = b_columns ? columns : 1;
    ParallelFor(ctx.pool(), count, static_cast<double>(inner), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const float* row = a.data<float>() + at[2 * i] * a_row;
        const float* column = b.data<float>() + at[2 * i + 1] * b_column;
        float sum = 0;
        for (int64_t k = 0; k < inner; ++k) sum += row[k * a_step] * column[k * b_step];
        out->mutable_data<float>()[i] = sum;
      }
    });
    return absl::OkStatus();
  }
};

// The normal equations of a block of rows, without the part that all rows share: for each row, the
// sums over its entries of w f f' and (w + w0) v f, where f are the factors of the entry's column.
struct WalsPartialSums {
  enum Input {
    kFactors,
    kFactorWeights,
    kUnobserved,
    kInputWeights,
    kIndices,
    kValues,
    kEntryWeights,
    kBlockSize,
    kTransposed
  };

  static absl::StatusOr<WalsPartialSums> Create(const NodeSpec&) { return WalsPartialSums{}; }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckRanks(ctx));
    const Tensor &factors = ctx.input(kFactors), &indices = ctx.input(kIndices);
    const auto of_factors = ctx.input(kFactorWeights).flat<float>(),
               of_rows = ctx.input(kInputWeights).flat<float>(),
               of_entries = ctx.input(kEntryWeights).flat<float>(),
               values = ctx.input(kValues).flat<float>();
    const int64_t block = ctx.input(kBlockSize).scalar<int64_t>(), size = factors.dim(1);
    const bool transposed = ctx.input(kTransposed).scalar<bool>();
    const int64_t count = indices.dim(0);
    const int64_t* at = indices.data<int64_t>();
    if (block < 0) return InvalidArgument("Input input_block_size must not be negative.");
    const int64_t rows =
        of_rows.empty() ? block : std::min<int64_t>(block, static_cast<int64_t>(of_rows.size()));
    for (int64_t i = 0; i < count; ++i) {
      const int64_t row = at[2 * i + transposed], column = at[2 * i + !transposed];
      if (row < 0 || row >= rows || column < 0 || column >= factors.dim(0)) {
        return InvalidArgument("input_indices[", i, "] is out of bounds: ", rows, " rows, ",
                               factors.dim(0), " factors");
      }
    }
    SLUICE_ASSIGN(const Shape left_shape, Shape::Create({block, size, size}));
    SLUICE_ASSIGN(Tensor * left, ctx.AllocateOutput(0, left_shape));
    SLUICE_ASSIGN(const Shape right_shape, Shape::Create({block, size}));
    SLUICE_ASSIGN(Tensor * right, ctx.AllocateOutput(1, right_shape));
    const float unobserved = ctx.input(kUnobserved).scalar<float>();
    const double entries =
        static_cast<double>(count) / static_cast<double>(std::max<int64_t>(1, block));
    const double cost = (entries + 1) * static_cast<double>(size * size + 10);
    ParallelFor(ctx.pool(), block, cost, [&](int64_t begin, int64_t end) {
      float* lhs = left->mutable_data<float>();
      float* rhs = right->mutable_data<float>();
      std::fill(lhs + begin * size * size, lhs + end * size * size, 0.0f);
      std::fill(rhs + begin * size, rhs + end * size, 0.0f);
      for (int64_t i = 0; i < count; ++i) {
        const int64_t row = at[2 * i + transposed], column = at[2 * i + !transposed];
        if (row < begin || row >= end) continue;
        const float weight = of_entries.empty() ? of_rows[row] * of_factors[column] : of_entries[i];
        AddEntry(factors.data<float>() + column * size, size, weight,
                 (weight + unobserved) * values[i], lhs + row * size * size, rhs + row * size);
      }
    });
    return absl::OkStatus();
  }

 private:
  static void AddEntry(const float* factor, int64_t size, float left_weight, float right_weight,
                       float* lhs, float* rhs) {
    for (int64_t r = 0; r < size; ++r) {
      const float scaled = left_weight * factor[r];
      for (int64_t c = 0; c < size; ++c) lhs[r * size + c] += scaled * factor[c];
      rhs[r] += right_weight * factor[r];
    }
  }

  static absl::Status CheckRanks(const KernelContext& ctx) {
    SLUICE_RETURN_IF_ERROR(CheckRank(ctx, kFactors, 2, "factors"));
    SLUICE_RETURN_IF_ERROR(CheckRank(ctx, kFactorWeights, 1, "factor_weights"));
    SLUICE_RETURN_IF_ERROR(CheckRank(ctx, kUnobserved, 0, "unobserved_weights"));
    SLUICE_RETURN_IF_ERROR(CheckRank(ctx, kInputWeights, 1, "input_weights"));
    SLUICE_RETURN_IF_ERROR(CheckRank(ctx, kIndices, 2, "input_indices"));
    SLUICE_RETURN_IF_ERROR(CheckRank(ctx, kValues, 1, "input_values"));
    SLUICE_RETURN_IF_ERROR(CheckRank(ctx, kEntryWeights, 1, "entry_weights"));
    SLUICE_RETURN_IF_ERROR(CheckRank(ctx, kBlockSize, 0, "input_block_size"));
    SLUICE_RETURN_IF_ERROR(CheckRank(ctx, kTransposed, 0, "input_is_transpose"));
    const int64_t count = ctx.input(kIndices).dim(0);
    if (ctx.input(kIndices).dim(1) != 2)
      return InvalidArgument("Input input_indices should have shape (?, 2).");
    if (ctx.input(kValues).dim(0) != count) {
      return InvalidArgument(
          "Input input_values' length should match the first dimension of Input input_indices ");
    }
    const int64_t factors = ctx.input(kFactorWeights).dim(0),
                  rows = ctx.input(kInputWeights).dim(0), entries = ctx.input(kEntryWeights).dim(0);
    const bool by_entry = entries == count && factors == 0 && rows == 0;
    const bool by_row = entries == 0 && rows > 0 && factors == ctx.input(kFactors).dim(0);
    if (by_entry || by_row) return absl::OkStatus();
    return InvalidArgument(
        "To specify the weights for observed entries, either (1) entry_weights must be set or (2) "
        "input_weights and factor_weights must be set, but not both.");
  }
};

}  // namespace

void RegisterFactorization(KernelRegistry& kernels) {
  kernels.Add<MaskedMatmul>("MaskedMatmul", kCpu);
  kernels.Add<WalsPartialSums>("WALSComputePartialLhsAndRhs", kCpu);
}

}  // namespace sluice::kernels
