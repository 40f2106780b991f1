// SPDX-License-Identifier: Apache-2.0
// RaggedCross: every combination of one value from each input, per row, as text or as a hash. The
// inputs are ragged, sparse and dense.
#include <algorithm>

#include "core/threads/cancel_scope.h"
#include "kernels/any/ragged/ragged.h"
#include "kernels/common/array/feature_cross.h"

namespace sluice::kernels {
namespace {

constexpr char kTwoDimensions[] = "tf.ragged.cross only supports inputs with rank=2.";

struct RaggedCross {
  NodeSpec::Range values, splits, sparse_indices, sparse_values, sparse_shapes, dense;
  std::string order;  // of the inputs: R, S or D for each
  uint64_t buckets, key;
  DType splits_type;

  static absl::StatusOr<RaggedCross> Create(const NodeSpec& node) {
    RaggedCross made;
    SLUICE_ASSIGN(made.values, node.InputRange("ragged_values"));
    SLUICE_ASSIGN(made.splits, node.InputRange("ragged_row_splits"));
    SLUICE_ASSIGN(made.sparse_indices, node.InputRange("sparse_indices"));
    SLUICE_ASSIGN(made.sparse_values, node.InputRange("sparse_values"));
    SLUICE_ASSIGN(made.sparse_shapes, node.InputRange("sparse_shape"));
    SLUICE_ASSIGN(made.dense, node.InputRange("dense_inputs"));
    SLUICE_ASSIGN(made.order, node.Get<std::string>("input_order"));
    SLUICE_ASSIGN(const int64_t buckets, node.Get<int64_t>("num_buckets"));
    SLUICE_ASSIGN(const int64_t key, node.Get<int64_t>("hash_key"));
    SLUICE_ASSIGN(made.splits_type, node.Get<DType>("out_row_splits_type"));
    made.buckets = static_cast<uint64_t>(buckets);
    made.key = static_cast<uint64_t>(key);
    if (made.values.size() != made.splits.size())
      return InvalidArgument("ragged values and splits must have the same length");
    if (made.sparse_indices.size() != made.sparse_values.size())
      return InvalidArgument("sparse indices and values must have the same length");
    SLUICE_RETURN_IF_ERROR(made.CheckInputOrder());
    return made;
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckShapes(ctx));
    SLUICE_ASSIGN(const int64_t rows, CountRows(ctx));
    FeatureCross cross;
    cross.buckets = buckets;
    cross.key = key;
    int ragged = 0, sparse = 0, next_dense = 0;
    for (const char kind : order) {
      FeatureColumn column;
      if (kind == 'R') {
        SLUICE_ASSIGN(column, RaggedColumn(ctx, ragged++));
      } else if (kind == 'S') {
        SLUICE_ASSIGN(column, SparseColumn(ctx, sparse++, rows));
      } else {
        SLUICE_ASSIGN(column, DenseColumn(ctx, ctx.input(dense.begin + next_dense++)));
      }
      cross.columns.push_back(std::move(column));
    }
    SLUICE_ASSIGN(const Tensor starts, cross.Starts(ctx, rows));
    const int64_t* first = starts.data<int64_t>();
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{first[rows]}));
    SLUICE_RETURN_IF_ERROR(SetSplits(ctx, 1, splits_type, absl::MakeConstSpan(first, rows + 1)));
    ParallelFor(ctx.pool(), rows, 5000, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row)
        cross.WriteRow(row, first[row], first[row + 1], *out);
    });
    return absl::OkStatus();
  }

 private:
  absl::Status CheckInputOrder() const {
    if (static_cast<int>(order.size()) != values.size() + sparse_values.size() + dense.size())
      return InvalidArgument("Invalid length for input_order");
    const std::pair<char, int> counts[] = {
        {'R', values.size()}, {'S', sparse_values.size()}, {'D', dense.size()}};
    int known = 0;
    for (const auto& [kind, count] : counts) {
      const auto found = static_cast<int>(std::count(order.begin(), order.end(), kind));
      known += found;
      if (found > count) {
        return InvalidArgument("input_order \"", order, "\" has ", found, " inputs ",
                               std::string(1, kind), " of ", count);
      }
    }
    if (known != static_cast<int>(order.size()))
      return InvalidArgument("Unexpected input_order value.");
    return absl::OkStatus();
  }

  absl::Status CheckShapes(const KernelContext& ctx) const {
    for (int i = 0; i < values.size(); ++i) {
      if (ctx.input(values.begin + i).rank() != 1 || ctx.input(splits.begin + i).rank() != 1)
        return InvalidArgument(kTwoDimensions);
    }
    for (int i = 0; i < sparse_indices.size(); ++i) {
      const Tensor &indices = ctx.input(sparse_indices.begin + i),
                   &shape = ctx.input(sparse_shapes.begin + i),
                   &flat = ctx.input(sparse_values.begin + i);
      if (indices.rank() != 2 || flat.rank() != 1 || shape.rank() != 1)
        return InvalidArgument("Invalid SparseTensor ", i);
      if (shape.dim(0) != 2) return InvalidArgument(kTwoDimensions);
      if (indices.dim(0) != flat.dim(0) || indices.dim(1) != 2)
        return InvalidArgument("Invalid SparseTensor ", i);
    }
    for (int i = dense.begin; i < dense.end; ++i) {
      if (ctx.input(i).rank() != 2) return InvalidArgument(kTwoDimensions);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<int64_t> CountRows(const KernelContext& ctx) const {
    std::vector<int64_t> counts;
    for (int i = splits.begin; i < splits.end; ++i) counts.push_back(ctx.input(i).dim(0) - 1);
    for (int i = dense.begin; i < dense.end; ++i) counts.push_back(ctx.input(i).dim(0));
    for (int i = sparse_shapes.begin; i < sparse_shapes.end; ++i)
      counts.push_back(ctx.input(i).data<int64_t>()[0]);
    for (const int64_t count : counts) {
      if (count != counts[0])
        return InvalidArgument("inputs must all have the same batch dimension size.");
    }
    const int64_t rows = counts.empty() ? 0 : counts[0];
    if (rows < 0 || rows > int64_t{1} << 26)
      return InvalidArgument("a batch cannot have ", rows, " rows");
    return rows;
  }

  absl::StatusOr<FeatureColumn> RaggedColumn(KernelContext& ctx, int i) const {
    const Tensor& given = ctx.input(splits.begin + i);
    const int64_t size = given.num_elements();
    if (size == 0) return InvalidArgument("Ragged splits may not be empty");
    FeatureColumn column{ctx.input(values.begin + i), Tensor()};
    SLUICE_ASSIGN(column.first, ctx.AllocateTemporary(kInt64, Shape{size}));
    SLUICE_RETURN_IF_ERROR(
        VisitDType(TypeList<int32_t, int64_t>{}, given.dtype(), [&]<typename T>(Type<T>) {
          std::copy_n(given.data<T>(), size, column.first.mutable_data<int64_t>());
          return absl::OkStatus();
        }));
    const auto first = column.first.flat<int64_t>();
    if (first[0] != 0) return InvalidArgument("Ragged splits must start with 0");
    if (!std::is_sorted(first.begin(), first.end()))
      return InvalidArgument("Ragged splits must be sorted in ascending order");
    if (first.back() != column.values.dim(0)) {
      return InvalidArgument("Invalid ragged splits: last element must equal number of values, ",
                             column.values.dim(0), ", got ", first.back());
    }
    return column;
  }

  absl::StatusOr<FeatureColumn> SparseColumn(KernelContext& ctx, int i, int64_t rows) const {
    FeatureColumn column{ctx.input(sparse_values.begin + i), Tensor()};
    SLUICE_ASSIGN(column.first, ctx.AllocateTemporary(kInt64, Shape{rows + 1}));
    int64_t* first = column.first.mutable_data<int64_t>();
    first[0] = 0;
    const int64_t* indices = ctx.input(sparse_indices.begin + i).data<int64_t>();
    int64_t at = 0;
    for (const int64_t row : Cancellable(rows)) {
      while (at < column.values.dim(0) && indices[2 * at] <= row) ++at;
      first[row + 1] = at;
    }
    return column;
  }
};

}  // namespace

void RegisterRaggedCross(KernelRegistry& kernels) {
  kernels.Add<RaggedCross>("RaggedCross", kCpu, {{"out_row_splits_type", {kInt32, kInt64}}});
}

}  // namespace sluice::kernels
