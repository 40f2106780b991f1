// SPDX-License-Identifier: Apache-2.0
// SparseSlice and SparseFillEmptyRows, which remove or add values; and their gradients.
#include <algorithm>

#include "core/runtime/kernel_registry.h"
#include "core/tensor/variant.h"
#include "core/tensor/wrapping.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/array/fill_empty_rows.h"
#include "kernels/cpu/sparse/register.h"
#include "kernels/cpu/sparse/sparse.h"

namespace sluice::kernels {
namespace {

struct SparseSlice {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const SparseTensor x, SparseTensor::At(ctx, 0));
    for (int i : {3, 4}) {
      const Shape& given = ctx.input(i).shape();
      const char* const what = i == 3 ? "start" : "size";
      if (given.rank() != 1)
        return InvalidArgument("Input ", what, " should be a vector but received shape ", given);
      if (given.dim(0) != x.rank()) {
        return InvalidArgument("Expected ", what, " to be a vector of length ", x.rank(),
                               " but got length ", given.dim(0));
      }
    }
    const int64_t *start = ctx.input(3).data<int64_t>(), *size = ctx.input(4).data<int64_t>();
    Shape::Dims sizes(x.rank());
    for (int d = 0; d < x.rank(); ++d) {
      if (start[d] < 0 || size[d] < 0)
        return InvalidArgument("start and size must not be negative, got ", start[d], " and ",
                               size[d]);
      sizes[d] = std::min(size[d], std::max<int64_t>(x.shape.dim(d) - start[d], 0));
    }
    std::vector<int64_t> rows, picks;  // rows and numbers of the values that stay
    for (const int64_t i : Cancellable(x.count())) {
      const int64_t* row = x.row(i);
      bool inside = true;
      for (int d = 0; d < x.rank() && inside; ++d)
        inside = row[d] >= start[d] && row[d] - start[d] < sizes[d];
      if (!inside) continue;
      for (int d = 0; d < x.rank(); ++d) rows.push_back(row[d] - start[d]);
      picks.push_back(i);
    }
    SLUICE_RETURN_IF_ERROR(SetRows(ctx, 0, rows, x.rank()));
    SLUICE_RETURN_IF_ERROR(SetPicked(ctx, 1, x.values, picks));
    return SetSizes(ctx, 2, sizes);
  }
};

// Gradients go to the values that were taken, zeros elsewhere. Both index lists are in order.
struct SparseSliceGrad {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &grad = ctx.input(0), &from = ctx.input(1), &start = ctx.input(2),
                 &taken = ctx.input(3);
    if (from.rank() != 2 || taken.rank() != 2) {
      return InvalidArgument("Input and output indices should be matrices but received shapes: ",
                             from.shape(), " and ", taken.shape());
    }
    if (grad.rank() != 1)
      return InvalidArgument("Input backprop_val_grad should be a vector but received shape: ",
                             grad.shape());
    if (start.rank() != 1)
      return InvalidArgument("The input_start should be a vector but received shape ",
                             start.shape());
    const int rank = static_cast<int>(from.dim(1));
    if (taken.dim(1) != rank || start.dim(0) != rank)
      return InvalidArgument("The input and output should have the same ndims: got: ", rank,
                             " and ", taken.dim(1));
    if (grad.dim(0) != taken.dim(0)) {
      return InvalidArgument("# elements of backprop_val_grad and # rows of output_indices should",
                             " match (#nnz of sum): got ", grad.dim(0), " and ", taken.dim(0));
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{from.dim(0)}));
    const auto same = [&](int64_t i, int64_t j) {
      for (int d = 0; d < rank; ++d) {
        if (from.data<int64_t>()[i * rank + d] !=
            SumOf(taken.data<int64_t>()[j * rank + d], start.data<int64_t>()[d]))
          return false;
      }
      return true;
    };
    return VisitWidth(grad.dtype(), [&]<typename T>(Type<T>) {
      int64_t j = 0;
      for (const int64_t i : Cancellable(from.dim(0))) {
        const bool was_taken = j < taken.dim(0) && same(i, j);
        out->mutable_data<T>()[i] = was_taken ? grad.data<T>()[j++] : T();
      }
      return absl::OkStatus();
    });
  }
};

struct SparseFillEmptyRows {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &indices = ctx.input(0), &values = ctx.input(1), &shape = ctx.input(2),
                 &fallback = ctx.input(3);
    if (shape.rank() != 1)
      return InvalidArgument("dense_shape must be a vector, saw: ", shape.shape());
    if (indices.rank() != 2)
      return InvalidArgument("indices must be a matrix, saw: ", indices.shape());
    if (values.rank() != 1)
      return InvalidArgument("values must be a vector, saw: ", values.shape());
    if (fallback.rank() != 0)
      return InvalidArgument("default_value must be a scalar, saw: ", fallback.shape());
    if (indices.dim(0) != values.dim(0)) {
      return InvalidArgument("The length of `values` (", values.dim(0),
                             ") must match the first dimension of `indices` (", indices.dim(0),
                             ").");
    }
    if (shape.dim(0) != indices.dim(1)) {
      return InvalidArgument("The length of `dense_shape` (", shape.dim(0),
                             ") must match the second dimension of `indices` (", indices.dim(1),
                             ").");
    }
    if (shape.dim(0) == 0) return InvalidArgument("Dense shape cannot be empty.");
    if (indices.dim(1) < 1) return InvalidArgument("indices must have at least one column");
    return Fill(ctx, shape.data<int64_t>()[0]);
  }

 private:
  static absl::Status Fill(KernelContext& ctx, int64_t rows) {
    const Tensor &indices = ctx.input(0), &values = ctx.input(1);
    const int64_t count = indices.dim(0);
    const int rank = static_cast<int>(indices.dim(1));
    if (rows < 0 || rows == INT64_MAX)
      return InvalidArgument("dense_shape[0] must be a size, got ", rows);
    if (rows == 0 && count != 0) {
      return InvalidArgument("Received SparseTensor with dense_shape[0] = 0 but indices.shape[0] ",
                             "= ", count);
    }
    SLUICE_ASSIGN(Tensor * empty, ctx.AllocateOutput(2, Shape{rows}));
    SLUICE_ASSIGN(Tensor * reverse, ctx.AllocateOutput(3, Shape{count}));
    SLUICE_ASSIGN(const Shape next_shape, Shape::Create({rows + 1}));
    SLUICE_ASSIGN(Tensor places, ctx.AllocateTemporary(kInt64, next_shape));
    int64_t* next = places.mutable_data<int64_t>();  // where a row's next value goes
    std::fill_n(next, rows + 1, 0);
    for (const int64_t i : Cancellable(count)) {
      const int64_t row = indices.data<int64_t>()[i * rank];
      if (row < 0 || row >= rows)
        return InvalidArgument("indices(", i, ", 0) is invalid: ", row, " >= ", rows);
      ++next[row + 1];
    }
    for (const int64_t row : Cancellable(rows)) {
      empty->mutable_data<bool>()[row] = next[row + 1] == 0;
      next[row + 1] = next[row] + std::max<int64_t>(next[row + 1], 1);
    }
    std::vector<int64_t> source(next[rows], -1);
    for (const int64_t i : Cancellable(count)) {
      const int64_t at = next[indices.data<int64_t>()[i * rank]]++;
      reverse->mutable_data<int64_t>()[i] = at;
      source[at] = i;
    }
    const auto total = static_cast<int64_t>(source.size());
    SLUICE_ASSIGN(Tensor * out_indices, ctx.AllocateOutput(0, Shape{total, rank}));
    SLUICE_ASSIGN(Tensor * out_values, ctx.AllocateOutput(1, Shape{total}));
    int64_t* to = out_indices->mutable_data<int64_t>();
    int64_t row = -1;  // rows rise: an empty row follows the row of the value before it
    for (int64_t at = 0; at < total; ++at, to += rank) {
      if (source[at] >= 0) {
        std::copy_n(indices.data<int64_t>() + source[at] * rank, rank, to);
        row = to[0];
      } else {
        std::fill_n(to, rank, 0);
        to[0] = ++row;
      }
    }
    return VisitWidth(values.dtype(), [&]<typename T>(Type<T>) {
      for (const int64_t at : Cancellable(total)) {
        out_values->mutable_data<T>()[at] =
            source[at] >= 0 ? values.data<T>()[source[at]] : *ctx.input(3).data<T>();
      }
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterSparseSlice(KernelRegistry& kernels) {
  kernels.Add<SparseSlice>("SparseSlice", kCpu, {{"T", kAnyType}});
  kernels.Add<SparseSliceGrad>("SparseSliceGrad", kCpu, {{"T", kNumeric}});
  kernels.Add<SparseFillEmptyRows>("SparseFillEmptyRows", kCpu, {{"T", kAnyType}});
  kernels.Add<FillEmptyRowsGrad>("SparseFillEmptyRowsGrad", kCpu, {{"T", kNumeric}});
}

}  // namespace sluice::kernels
