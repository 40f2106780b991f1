// SPDX-License-Identifier: Apache-2.0
// BipartiteMatch: pairs of rows and columns, the nearest first.
#include <algorithm>
#include <limits>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/cpu/image/register.h"

namespace sluice::kernels {
namespace {

struct BipartiteMatch {
  int64_t top_k;  // pairs at most; 0 or negative: as many as there are

  static absl::StatusOr<BipartiteMatch> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t top_k, node.Get<int64_t>("top_k"));
    return BipartiteMatch{top_k};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor distances = ctx.input(0);
    if (distances.rank() != 2) {
      return InvalidArgument("distance_mat should be 2-dimensional, but got ", distances.shape());
    }
    const int64_t rows = distances.dim(0), columns = distances.dim(1);
    if (std::max(rows, columns) > std::numeric_limits<int32_t>::max())
      return InvalidArgument("distance_mat is too large: ", distances.shape());
    SLUICE_ASSIGN(const int64_t valid, ValidRows(ctx.input(1), rows));
    SLUICE_ASSIGN(Tensor * of_rows, ctx.AllocateOutput(0, Shape{rows}));
    SLUICE_ASSIGN(Tensor * of_columns, ctx.AllocateOutput(1, Shape{columns}));
    auto* row_match = of_rows->mutable_data<int32_t>();
    auto* column_match = of_columns->mutable_data<int32_t>();
    std::fill_n(row_match, rows, -1);
    std::fill_n(column_match, columns, -1);
    std::vector<Pair> pairs;
    pairs.reserve(valid * columns);
    for (const int64_t r : Cancellable(valid)) {
      for (int64_t c = 0; c < columns; ++c) {
        pairs.push_back({static_cast<int32_t>(r), static_cast<int32_t>(c),
                         distances.data<float>()[r * columns + c]});
      }
    }
    // NaN is last: without a fixed position it would break the order.
    CancelPoints points(1 << 16);
    std::sort(pairs.begin(), pairs.end(), [&](const Pair& a, const Pair& b) {
      points.Pass();
      return a.distance < b.distance || (b.distance != b.distance && a.distance == a.distance);
    });
    int64_t left = std::min(valid, columns);
    if (top_k > 0) left = std::min(left, top_k);
    for (const Pair& pair : pairs) {
      if (left == 0) break;
      if (row_match[pair.row] >= 0 || column_match[pair.column] >= 0) continue;
      row_match[pair.row] = pair.column;
      column_match[pair.column] = pair.row;
      --left;
    }
    return absl::OkStatus();
  }

 private:
  struct Pair {
    int32_t row, column;
    float distance;
  };

  // A negative number: all rows.
  static absl::StatusOr<int64_t> ValidRows(const Tensor& given, int64_t rows) {
    if (given.num_elements() != 1) {
      return InvalidArgument("num_valid_rows argument should be a tensor with 1 element, but got ",
                             given.num_elements());
    }
    const float count = given.scalar<float>();
    if (!(count >= 0)) return rows;
    if (count >= static_cast<float>(rows) + 1) {
      return InvalidArgument("There should be at least ", count,
                             " rows in distance_mat, but only got ", rows, " rows.");
    }
    return std::min(static_cast<int64_t>(count), rows);
  }
};

}  // namespace

void RegisterBipartiteMatch(KernelRegistry& kernels) {
  kernels.Add<BipartiteMatch>("BipartiteMatch", kCpu);
}

}  // namespace sluice::kernels
