// SPDX-License-Identifier: Apache-2.0
// RaggedFillEmptyRows: rows without values get a default value.
#include <algorithm>

#include "core/tensor/variant.h"
#include "core/threads/cancel_scope.h"
#include "kernels/any/ragged/ragged.h"
#include "kernels/common/array/fill_empty_rows.h"

namespace sluice::kernels {
namespace {

// value_rowids, values, nrows, default_value -> output_value_rowids, output_values,
// empty_row_indicator, reverse_index_map.
struct RaggedFillEmptyRows {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &ids = ctx.input(0), &values = ctx.input(1), &count = ctx.input(2);
    if (ids.rank() != 1)
      return InvalidArgument("value_rowids must be a vector, saw: ", ids.shape());
    if (values.rank() != 1)
      return InvalidArgument("values must be a vector, saw: ", values.shape());
    if (ids.dim(0) != values.dim(0)) {
      return InvalidArgument("The length of `values` (", values.dim(0),
                             ") must match the first dimension of `value_rowids` (", ids.dim(0),
                             ").");
    }
    if (count.rank() != 0) return InvalidArgument("nrows must be a scalar, saw: ", count.shape());
    if (ctx.input(3).rank() != 0)
      return InvalidArgument("default_value must be a scalar, saw: ", ctx.input(3).shape());
    const int64_t rows = count.scalar<int64_t>();
    if (rows < 0 || rows == INT64_MAX)
      return InvalidArgument("nrows must be a number of rows, got ", rows);
    if (rows == 0 && ids.dim(0) != 0) {
      return InvalidArgument("Received SparseTensor with dense_shape[0] = 0 but indices.shape[0] ",
                             "= ", ids.dim(0));
    }
    return Fill(ctx, rows);
  }

 private:
  static absl::Status Fill(KernelContext& ctx, int64_t rows) {
    const Tensor &ids = ctx.input(0), &values = ctx.input(1);
    const int64_t size = ids.dim(0);
    SLUICE_ASSIGN(Tensor * empty, ctx.AllocateOutput(2, Shape{rows}));
    SLUICE_ASSIGN(Tensor * reverse, ctx.AllocateOutput(3, Shape{size}));
    SLUICE_ASSIGN(Tensor places, ctx.AllocateTemporary(kInt64, Shape{rows + 1}));
    int64_t* next = places.mutable_data<int64_t>();  // where a row's next value goes
    std::fill_n(next, rows + 1, 0);
    for (const int64_t i : Cancellable(size)) {
      const int64_t row = ids.data<int64_t>()[i];
      if (row < 0 || row >= rows)
        return InvalidArgument("indices(", i, ", 0) is invalid: ", row, " >= ", rows);
      ++next[row + 1];
    }
    for (const int64_t row : Cancellable(rows)) {
      empty->mutable_data<bool>()[row] = next[row + 1] == 0;
      next[row + 1] = next[row] + std::max<int64_t>(next[row + 1], 1);
    }
    SLUICE_ASSIGN(Tensor * out_ids, ctx.AllocateOutput(0, Shape{next[rows]}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(1, Shape{next[rows]}));
    return VisitWidth(values.dtype(), [&]<typename T>(Type<T>) {
      for (const int64_t row : Cancellable(rows)) {
        if (!empty->data<bool>()[row]) continue;
        out_ids->mutable_data<int64_t>()[next[row]] = row;
        out->mutable_data<T>()[next[row]] = *ctx.input(3).data<T>();
      }
      for (const int64_t i : Cancellable(size)) {
        const int64_t row = ids.data<int64_t>()[i], at = next[row]++;
        reverse->mutable_data<int64_t>()[i] = at;
        out_ids->mutable_data<int64_t>()[at] = row;
        out->mutable_data<T>()[at] = values.data<T>()[i];
      }
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterRaggedFill(KernelRegistry& kernels) {
  kernels.Add<RaggedFillEmptyRows>("RaggedFillEmptyRows", kCpu, {{"T", kAnyType}});
  kernels.Add<FillEmptyRowsGrad>("RaggedFillEmptyRowsGrad", kCpu, {{"T", kNumeric}});
}

}  // namespace sluice::kernels
