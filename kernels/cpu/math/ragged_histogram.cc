// SPDX-License-Identifier: Apache-2.0
// Counts of the values in each row of a dense, sparse or ragged tensor: SparseBincount and
// RaggedBincount as dense bins, *CountSparseOutput as a sparse tensor of the values that occur.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "core/tensor/wrapping.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/axis.h"
#include "kernels/cpu/math/register.h"

namespace sluice::kernels {
namespace {

using CountTypes = TypeList<int32_t, int64_t, float, double>;

// The values of a tensor, and the row that each belongs to. A vector has one row.
struct Rows {
  Tensor values;
  std::vector<int64_t> row_of;
  int64_t rows = 1;
  bool vector = false;
};

absl::StatusOr<Rows> DenseRows(const Tensor& values) {
  if (values.rank() < 1 || values.rank() > 2) {
    return InvalidArgument("Input must be a 1 or 2-dimensional tensor. Got: ", values.shape());
  }
  Rows found;
  found.values = values;
  found.vector = values.rank() == 1;
  found.rows = found.vector ? 1 : values.dim(0);
  for (int64_t i = 0; i < values.num_elements(); ++i)
    found.row_of.push_back(found.vector ? 0 : i / values.dim(1));
  return found;
}

absl::StatusOr<Rows> SparseRows(const Tensor& indices, const Tensor& values, const Tensor& shape) {
  if (indices.rank() != 2) {
    return InvalidArgument("Input indices must be a 2-dimensional tensor. Got: ", indices.shape());
  }
  if (values.rank() != 1)
    return InvalidArgument("Input values must be a vector. Got: ", values.shape());
  if (values.dim(0) != indices.dim(0)) {
    return InvalidArgument("Number of values must match first dimension of indices. Got ",
                           values.dim(0), " values, indices shape: ", indices.shape());
  }
  if (shape.rank() != 1)
    return InvalidArgument("Input shape must be a vector. Got: ", shape.shape());
  if (shape.dim(0) != indices.dim(1)) {
    return InvalidArgument("Number of dimensions must match second dimension of indices. Got ",
                           shape.dim(0), " dimensions, indices shape: ", indices.shape());
  }
  if (shape.dim(0) < 1) {
    return InvalidArgument("The shape argument requires at least one element.");
  }
  Rows found;
  found.values = values;
  found.vector = shape.dim(0) == 1;
  const int64_t width = shape.dim(0);
  found.rows = found.vector ? 1 : shape.data<int64_t>()[0];
  if (found.rows < 0) return InvalidArgument("Dimension ", found.rows, " must be >= 0");
  for (int64_t i = 0; i < values.dim(0); ++i) {
    const int64_t* index = indices.data<int64_t>() + i * width;
    for (int64_t d = 0; d < width; ++d) {
      if (index[d] >= 0 && index[d] < shape.data<int64_t>()[d]) continue;
      return InvalidArgument("Invalid index value at ", i, ": dimension ", d, " has value ",
                             index[d], " which is not in [0, ", shape.data<int64_t>()[d], ")");
    }
    found.row_of.push_back(found.vector ? 0 : index[0]);
  }
  return found;
}

absl::StatusOr<Rows> RaggedRows(const Tensor& splits, const Tensor& values) {
  if (splits.rank() != 1) return InvalidArgument("Splits must be a vector. Got: ", splits.shape());
  if (values.rank() != 1) return InvalidArgument("Values must be a vector. Got: ", values.shape());
  if (splits.dim(0) < 1) return InvalidArgument("Splits must be non-empty");
  const auto starts = splits.flat<int64_t>();
  const int64_t count = values.dim(0);
  if (starts.front() != 0)
    return InvalidArgument("Splits must start with 0, not with ", starts.front());
  if (starts.back() != count) {
    return InvalidArgument("Splits must end with the number of values, got ", starts.back(),
                           " instead of ", count);
  }
  Rows found;
  found.values = values;
  found.rows = splits.dim(0) - 1;
  for (int64_t row = 0; row < found.rows; ++row) {
    if (starts[row + 1] < starts[row])
      return InvalidArgument("Splits must be sorted, got ", starts[row + 1], " after ",
                             starts[row]);
  }
  // The splits are sorted: the rows have `count` values.
  found.row_of.reserve(count);
  for (int64_t row = 0; row < found.rows; ++row)
    found.row_of.insert(found.row_of.end(), starts[row + 1] - starts[row], row);
  return found;
}

// Of a vector [size], of rows [rows, size].
absl::Status Bin(KernelContext& ctx, const Rows& rows, const Tensor& size, const Tensor& weights,
                 bool binary) {
  if (size.rank() != 0) return InvalidArgument("Shape must be rank 0 but is rank ", size.rank());
  SLUICE_ASSIGN(const int64_t bins, IntScalar(size));
  if (bins < 0) return InvalidArgument("size (", bins, ") must be non-negative");
  const bool weighted = weights.num_elements() > 0;
  if (weighted && weights.shape() != rows.values.shape()) {
    return InvalidArgument("`weights` must be the same shape as `values` or a length-0 `Tensor`, ",
                           "in which case it acts as all weights equal to 1. Received ",
                           weights.shape());
  }
  SLUICE_ASSIGN(const Shape shape,
                rows.vector ? Shape::Create({bins}) : Shape::Create({rows.rows, bins}));
  SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
  return VisitDType(CountTypes{}, out->dtype(), [&]<typename T>(Type<T>) -> absl::Status {
    T* to = out->mutable_data<T>();
    std::fill_n(to, out->num_elements(), T());
    for (const int64_t i : Cancellable(rows.values.num_elements())) {
      const int64_t value = IndexAt(rows.values, i);
      if (value < 0) return InvalidArgument("Input must be non-negative");
      if (value >= bins) continue;
      T& bin = to[rows.row_of[i] * bins + value];
      bin = binary ? T(1) : SumOf(bin, weighted ? weights.data<T>()[i] : T(1));
    }
    return absl::OkStatus();
  });
}

struct SparseBincount {
  bool binary;
  static absl::StatusOr<SparseBincount> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool binary, node.Get<bool>("binary_output"));
    return SparseBincount{binary};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Rows rows, SparseRows(ctx.input(0), ctx.input(1), ctx.input(2)));
    return Bin(ctx, rows, ctx.input(3), ctx.input(4), binary);
  }
};

struct RaggedBincount {
  bool binary;
  static absl::StatusOr<RaggedBincount> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool binary, node.Get<bool>("binary_output"));
    return RaggedBincount{binary};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Rows rows, RaggedRows(ctx.input(0), ctx.input(1)));
    return Bin(ctx, rows, ctx.input(2), ctx.input(3), binary);
  }
};

// The counts of the values that occur, as a sparse tensor.
struct Counting {
  int64_t least, most;  // bounds of the last dimension; -1: none
  bool binary;

  static absl::StatusOr<Counting> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t least, node.Get<int64_t>("minlength"));
    SLUICE_ASSIGN(const int64_t most, node.Get<int64_t>("maxlength"));
    SLUICE_ASSIGN(const bool binary, node.Get<bool>("binary_output"));
    return Counting{least, most, binary};
  }

  absl::Status Count(KernelContext& ctx, const Rows& rows, const Tensor& weights) const {
    const bool weighted = weights.num_elements() > 0;
    if (weighted && weights.shape() != rows.values.shape()) {
      return InvalidArgument("Weights and values must have the same shape. Weight shape: ",
                             weights.shape(), "; values shape: ", rows.values.shape());
    }
    return VisitDType(CountTypes{}, weights.dtype(), [&]<typename T>(Type<T>) -> absl::Status {
      std::map<std::pair<int64_t, int64_t>, T> counts;  // of {row, value}
      int64_t largest = 0;
      for (const int64_t i : Cancellable(rows.values.num_elements())) {
        const int64_t value = IndexAt(rows.values, i);
        if (value < 0) return InvalidArgument("Input values must all be non-negative");
        if (most >= 0 && value >= most) continue;
        T& count = counts[{rows.row_of[i], value}];
        count = binary ? T(1) : SumOf(count, weighted ? weights.data<T>()[i] : T(1));
        largest = std::max(largest, value);
      }
      const auto total = static_cast<int64_t>(counts.size());
      const int width = rows.vector ? 1 : 2;
      SLUICE_ASSIGN(Tensor * indices, ctx.AllocateOutput(0, Shape{total, width}));
      SLUICE_ASSIGN(Tensor * values, ctx.AllocateOutput(1, Shape{total}));
      SLUICE_ASSIGN(Tensor * shape, ctx.AllocateOutput(2, Shape{width}));
      int64_t* index = indices->mutable_data<int64_t>();
      T* to = values->mutable_data<T>();
      for (const auto& [place, count] : counts) {
        if (!rows.vector) *index++ = place.first;
        *index++ = place.second;
        *to++ = count;
      }
      int64_t* dims = shape->mutable_data<int64_t>();
      if (!rows.vector) *dims++ = rows.rows;
      *dims = most >= 0 ? most : std::max(SumOf(largest, int64_t{1}), least);
      return absl::OkStatus();
    });
  }
};

struct DenseCounts {
  Counting counting;
  static absl::StatusOr<DenseCounts> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Counting counting, Counting::Create(node));
    return DenseCounts{counting};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Rows rows, DenseRows(ctx.input(0)));
    return counting.Count(ctx, rows, ctx.input(1));
  }
};

struct SparseCounts {
  Counting counting;
  static absl::StatusOr<SparseCounts> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Counting counting, Counting::Create(node));
    return SparseCounts{counting};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Rows rows, SparseRows(ctx.input(0), ctx.input(1), ctx.input(2)));
    return counting.Count(ctx, rows, ctx.input(3));
  }
};

struct RaggedCounts {
  Counting counting;
  static absl::StatusOr<RaggedCounts> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Counting counting, Counting::Create(node));
    return RaggedCounts{counting};
  }
  absl::Status Run(KernelContext& ctx) const {
    if (ctx.input(0).num_elements() < 2)
      return InvalidArgument("Must provide at least 2 elements for the splits argument");
    SLUICE_ASSIGN(const Rows rows, RaggedRows(ctx.input(0), ctx.input(1)));
    return counting.Count(ctx, rows, ctx.input(2));
  }
};

}  // namespace

void RegisterRaggedHistograms(KernelRegistry& kernels) {
  const DTypeSet counts = {kInt32, kInt64, kFloat, kDouble};
  kernels.Add<SparseBincount>("SparseBincount", kCpu, {{"Tidx", kIndex}, {"T", counts}});
  kernels.Add<RaggedBincount>("RaggedBincount", kCpu, {{"Tidx", kIndex}, {"T", counts}});
  const std::vector<TypeConstraint> counted = {{"T", kIndex}, {"output_type", counts}};
  kernels.Add<DenseCounts>("DenseCountSparseOutput", kCpu, counted);
  kernels.Add<SparseCounts>("SparseCountSparseOutput", kCpu, counted);
  kernels.Add<RaggedCounts>("RaggedCountSparseOutput", kCpu, counted);
}

}  // namespace sluice::kernels
