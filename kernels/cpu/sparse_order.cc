// Sparse ops that move values and never look at them: reorder, reshape, concat, split, slice, fill.
#include <algorithm>

#include "absl/strings/str_join.h"
#include "core/kernel_registry.h"
#include "core/variant.h"
#include "kernels/cpu/sparse.h"
#include "kernels/register.h"

namespace sluice::kernels {
namespace {

// Rows of indices that are being collected, and which value each one has.
struct Collected {
  std::vector<int64_t> rows;
  std::vector<int64_t> picks;
};

struct SparseReorder {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const SparseTensor x, SparseTensor::At(ctx, 0));
    SLUICE_RETURN_IF_ERROR(x.CheckBounds());
    const std::vector<int64_t> order = SortedRows(x.indices.data<int64_t>(), x.count(), x.rank());
    if (std::is_sorted(order.begin(), order.end())) {
      ctx.ForwardSlot(0, 0);
      ctx.ForwardSlot(1, 1);
      return absl::OkStatus();
    }
    std::vector<int64_t> rows;
    rows.reserve(x.indices.num_elements());
    for (int64_t i : order) rows.insert(rows.end(), x.row(i), x.row(i) + x.rank());
    SLUICE_RETURN_IF_ERROR(SetRows(ctx, 0, rows, x.rank()));
    return SetPicked(ctx, 1, x.values, order);
  }
};

// The new sizes, the one that is -1 found from the others.
absl::StatusOr<Shape> ResolveSizes(const Shape& from, const Tensor& sizes) {
  SLUICE_ASSIGN(Shape::Dims wanted, IntVector(sizes));
  int unknown = -1;
  int64_t product = 1;
  for (int d = 0; d < static_cast<int>(wanted.size()); ++d) {
    if (wanted[d] == -1) {
      if (unknown >= 0) {
        return InvalidArgument("only one output dimension may be -1, not both ", unknown, " and ",
                               d);
      }
      unknown = d;
      continue;
    }
    if (wanted[d] < 0) return InvalidArgument("size ", d, " must be non-negative, not ", wanted[d]);
    if (!MulFits(product, wanted[d], &product))
      return InvalidArgument("the requested shape has too many elements");
  }
  if (unknown >= 0) {
    if (product <= 0) {
      return InvalidArgument("reshape cannot infer the missing input size for an empty tensor",
                             " unless all specified input sizes are non-zero");
    }
    if (from.num_elements() % product != 0) {
      return InvalidArgument("Input to reshape is a SparseTensor with ", from.num_elements(),
                             " dense values, but the requested shape requires a multiple of ",
                             product);
    }
    wanted[unknown] = from.num_elements() / product;
  }
  SLUICE_ASSIGN(Shape shape, Shape::Create(wanted));
  if (shape.num_elements() != from.num_elements()) {
    return InvalidArgument("Input to reshape is a tensor with ", from.num_elements(),
                           " dense values, but the requested shape has ", shape.num_elements());
  }
  return shape;
}

struct SparseReshape {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& indices = ctx.input(0);
    if (indices.rank() != 2)
      return InvalidArgument("Input indices should be a matrix but received shape ",
                             indices.shape());
    for (int i : {1, 2}) {
      if (ctx.input(i).rank() != 1)
        return InvalidArgument(i == 1 ? "Input" : "Target",
                               " shape should be a vector but received shape ",
                               ctx.input(i).shape());
    }
    SLUICE_ASSIGN(const Shape from, ShapeFrom(ctx.input(1)));
    if (indices.dim(1) != from.rank()) {
      return InvalidArgument("Input tensor rank must match input shape length. Got rank ",
                             indices.dim(1), " and shape length ", from.rank());
    }
    SLUICE_ASSIGN(const Shape to, ResolveSizes(from, ctx.input(2)));
    SLUICE_RETURN_IF_ERROR(SetSizes(ctx, 1, to.dims()));
    if (from == to) {
      ctx.ForwardSlot(0, 0);
      return absl::OkStatus();
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{indices.dim(0), to.rank()}));
    const int64_t* row = indices.data<int64_t>();
    int64_t* moved = out->mutable_data<int64_t>();
    for (int64_t i = 0; i < indices.dim(0); ++i, row += from.rank(), moved += to.rank()) {
      int64_t at = 0;
      for (int d = 0; d < from.rank(); ++d) {
        if (row[d] < 0 || row[d] >= from.dim(d)) {
          return InvalidArgument("indices[", i, ",", d, "] = ", row[d],
                                 " is out of bounds: need 0 <= index < ", from.dim(d));
        }
        at = at * from.dim(d) + row[d];
      }
      for (int d = to.rank() - 1; d >= 0; --d) {
        moved[d] = at % to.dim(d);
        at /= to.dim(d);
      }
    }
    return absl::OkStatus();
  }
};

struct SparseConcat {
  int64_t axis;
  int count;

  static absl::StatusOr<SparseConcat> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(int64_t axis, node.Get<int64_t>("concat_dim"));
    SLUICE_ASSIGN(int64_t count, node.Get<int64_t>("N"));
    return SparseConcat{axis, static_cast<int>(count)};
  }

  absl::Status Run(KernelContext& ctx) const {
    std::vector<SparseTensor> parts;
    for (int i = 0; i < count; ++i) {
      SLUICE_ASSIGN(SparseTensor part,
                    SparseTensor::Of(ctx.input(i), ctx.input(count + i), ctx.input(2 * count + i)));
      parts.push_back(std::move(part));
    }
    const int rank = parts[0].rank();
    const int64_t at = axis < 0 ? axis + rank : axis;
    if (at < 0 || at >= rank)
      return InvalidArgument("Concat dimension must be in range [", -rank, ", ", rank, "), got ",
                             axis);
    SLUICE_ASSIGN(const Shape shape, Joined(parts, static_cast<int>(at)));

    std::vector<int64_t> rows, first = {0};
    int64_t offset = 0;
    for (const SparseTensor& part : parts) {
      for (int64_t i = 0; i < part.count(); ++i) {
        rows.insert(rows.end(), part.row(i), part.row(i) + rank);
        rows[rows.size() - rank + at] += offset;
      }
      offset += part.shape.dim(static_cast<int>(at));
      first.push_back(first.back() + part.count());
    }
    const std::vector<int64_t> order = SortedRows(rows.data(), first.back(), rank);
    SLUICE_ASSIGN(Tensor * indices, ctx.AllocateOutput(0, Shape{first.back(), rank}));
    int64_t* to = indices->mutable_data<int64_t>();
    for (int64_t i : order) to = std::copy_n(rows.data() + i * rank, rank, to);
    SLUICE_RETURN_IF_ERROR(SetSizes(ctx, 2, shape.dims()));
    SLUICE_ASSIGN(Tensor * values, ctx.AllocateOutput(1, Shape{first.back()}));
    return VisitWidth(values->dtype(), [&]<typename T>(Type<T>) {
      std::vector<const T*> from;
      from.reserve(first.back());
      for (const SparseTensor& part : parts) {
        for (int64_t i = 0; i < part.count(); ++i) from.push_back(part.values.data<T>() + i);
      }
      T* value = values->mutable_data<T>();
      for (int64_t i : order) *value++ = *from[i];
      return absl::OkStatus();
    });
  }

 private:
  static absl::StatusOr<Shape> Joined(const std::vector<SparseTensor>& parts, int at) {
    Shape::Dims sizes(parts[0].shape.dims().begin(), parts[0].shape.dims().end());
    for (size_t i = 1; i < parts.size(); ++i) {
      const Shape& shape = parts[i].shape;
      if (shape.rank() != parts[0].rank()) {
        return InvalidArgument("Ranks of all input tensors must match: expected ", parts[0].rank(),
                               " but got ", shape.rank(), " at position ", i);
      }
      for (int d = 0; d < shape.rank(); ++d) {
        if (d != at && shape.dim(d) != sizes[d]) {
          return InvalidArgument("Input shapes must match: expected ", sizes[d], " for dimension ",
                                 d, " but got ", shape.dim(d), " at position ", i);
        }
      }
      if (!AddFits(sizes[at], shape.dim(at), &sizes[at]))
        return InvalidArgument("the concatenated dimension is too large");
    }
    return Shape::Create(sizes);
  }
};

// The first parts are longer by one when the axis does not divide.
struct SparseSplit {
  int64_t count;

  static absl::StatusOr<SparseSplit> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(int64_t count, node.Get<int64_t>("num_split"));
    return SparseSplit{count};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const int64_t given, IntScalar(ctx.input(0)));
    SLUICE_ASSIGN(const SparseTensor x, SparseTensor::At(ctx, 1));
    SLUICE_RETURN_IF_ERROR(x.CheckBounds());
    const int64_t axis = given < 0 ? given + x.rank() : given;
    if (axis < 0 || axis >= x.rank())
      return InvalidArgument("Input axis should be in range [", -x.rank(), ", ", x.rank(),
                             "), got ", given);
    const int64_t size = x.shape.dim(static_cast<int>(axis));
    if (count < 1 || count > size) {
      return InvalidArgument("Input num_split should be between 1 and the splitting dimension ",
                             "size (", size, "), got ", count);
    }
    const int64_t part = size / count, longer = size % count;
    std::vector<Collected> parts(count);
    for (int64_t i = 0; i < x.count(); ++i) {
      const int64_t at = x.row(i)[axis], rest = at - longer * (part + 1);
      const int64_t k = rest < 0 ? at / (part + 1) : longer + rest / part;
      Collected& c = parts[k];
      c.rows.insert(c.rows.end(), x.row(i), x.row(i) + x.rank());
      c.rows[c.rows.size() - x.rank() + axis] -= k * part + std::min(k, longer);
      c.picks.push_back(i);
    }
    for (int64_t k = 0; k < count; ++k) {
      const int output = static_cast<int>(k), all = static_cast<int>(count);
      SLUICE_RETURN_IF_ERROR(SetRows(ctx, output, parts[k].rows, x.rank()));
      SLUICE_RETURN_IF_ERROR(SetPicked(ctx, all + output, x.values, parts[k].picks));
      Shape shape = x.shape;
      shape.SetDim(static_cast<int>(axis), part + (k < longer ? 1 : 0));
      SLUICE_RETURN_IF_ERROR(SetSizes(ctx, 2 * all + output, shape.dims()));
    }
    return absl::OkStatus();
  }
};

struct SparseSlice {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const SparseTensor x, SparseTensor::At(ctx, 0));
    for (int i : {3, 4}) {
      if (ctx.input(i).rank() != 1 || ctx.input(i).dim(0) != x.rank()) {
        return InvalidArgument("Expected start and size to be vectors of length ", x.rank(),
                               ", got shape ", ctx.input(i).shape());
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
    Collected kept;
    for (int64_t i = 0; i < x.count(); ++i) {
      const int64_t* row = x.row(i);
      bool inside = true;
      for (int d = 0; d < x.rank() && inside; ++d)
        inside = row[d] >= start[d] && row[d] - start[d] < sizes[d];
      if (!inside) continue;
      for (int d = 0; d < x.rank(); ++d) kept.rows.push_back(row[d] - start[d]);
      kept.picks.push_back(i);
    }
    SLUICE_RETURN_IF_ERROR(SetRows(ctx, 0, kept.rows, x.rank()));
    SLUICE_RETURN_IF_ERROR(SetPicked(ctx, 1, x.values, kept.picks));
    return SetSizes(ctx, 2, sizes);
  }
};

// Gradients stand where a value was taken, zeros elsewhere. Both index lists are in order.
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
      return InvalidArgument("Input input_start should be a vector but received shape: ",
                             start.shape());
    const int rank = static_cast<int>(from.dim(1));
    if (taken.dim(1) != rank || start.dim(0) != rank)
      return InvalidArgument("The input and output should have the same ndims: got: ", rank,
                             " and ", taken.dim(1));
    if (grad.dim(0) != taken.dim(0)) {
      return InvalidArgument("# elements of backprop_val_grad and # rows of output_indices should",
                             " match (#nnz of output): got #nnz of backprop_val_grad = ",
                             grad.dim(0), ", #nnz of output indices = ", taken.dim(0));
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{from.dim(0)}));
    const auto same = [&](int64_t i, int64_t j) {
      for (int d = 0; d < rank; ++d) {
        if (from.data<int64_t>()[i * rank + d] !=
            taken.data<int64_t>()[j * rank + d] + start.data<int64_t>()[d])
          return false;
      }
      return true;
    };
    return VisitWidth(grad.dtype(), [&]<typename T>(Type<T>) {
      int64_t j = 0;
      for (int64_t i = 0; i < from.dim(0); ++i) {
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
    for (int64_t i = 0; i < count; ++i) {
      const int64_t row = indices.data<int64_t>()[i * rank];
      if (row < 0 || row >= rows)
        return InvalidArgument("indices(", i, ", 0) is invalid: ", row, " >= ", rows);
      ++next[row + 1];
    }
    for (int64_t row = 0; row < rows; ++row) {
      empty->mutable_data<bool>()[row] = next[row + 1] == 0;
      next[row + 1] = next[row] + std::max<int64_t>(next[row + 1], 1);
    }
    std::vector<int64_t> source(next[rows], -1);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t at = next[indices.data<int64_t>()[i * rank]]++;
      reverse->mutable_data<int64_t>()[i] = at;
      source[at] = i;
    }
    const auto total = static_cast<int64_t>(source.size());
    SLUICE_ASSIGN(Tensor * out_indices, ctx.AllocateOutput(0, Shape{total, rank}));
    SLUICE_ASSIGN(Tensor * out_values, ctx.AllocateOutput(1, Shape{total}));
    int64_t* to = out_indices->mutable_data<int64_t>();
    int64_t row = -1;  // rows go up: an empty one follows that of the value before
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
      for (int64_t at = 0; at < total; ++at) {
        out_values->mutable_data<T>()[at] =
            source[at] >= 0 ? values.data<T>()[source[at]] : *ctx.input(3).data<T>();
      }
      return absl::OkStatus();
    });
  }
};

struct SparseFillEmptyRowsGrad {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &reverse = ctx.input(0), &grad = ctx.input(1);
    if (reverse.rank() != 1)
      return InvalidArgument("reverse_index_map must be a vector, saw: ", reverse.shape());
    if (grad.rank() != 1)
      return InvalidArgument("grad_values must be a vector, saw: ", grad.shape());
    SLUICE_ASSIGN(Tensor * values, ctx.AllocateOutput(0, reverse.shape()));
    SLUICE_ASSIGN(Tensor * fallback, ctx.AllocateOutput(1, Shape{}));
    return VisitDType(NumericTypes{}, grad.dtype(), [&]<typename T>(Type<T>) -> absl::Status {
      std::vector<bool> seen(grad.dim(0), false);
      for (int64_t i = 0; i < reverse.dim(0); ++i) {
        const int64_t at = reverse.data<int64_t>()[i];
        if (at < 0 || at >= grad.dim(0)) {
          return InvalidArgument("Elements in reverse index must be in [0, ", grad.dim(0),
                                 ") but got ", at);
        }
        values->mutable_data<T>()[i] = grad.data<T>()[at];
        seen[at] = true;
      }
      ComputeType<T> sum{};
      for (int64_t i = 0; i < grad.dim(0); ++i) {
        if (!seen[i])
          sum = static_cast<ComputeType<T>>(sum + static_cast<ComputeType<T>>(grad.data<T>()[i]));
      }
      *fallback->mutable_data<T>() = static_cast<T>(sum);
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterSparseOrder(KernelRegistry& kernels) {
  kernels.Add<SparseReorder>("SparseReorder", kCpu, {{"T", kAnyType}});
  kernels.Add<SparseReshape>("SparseReshape", kCpu);
  kernels.Add<SparseConcat>("SparseConcat", kCpu, {{"T", kAnyType}});
  kernels.Add<SparseSplit>("SparseSplit", kCpu, {{"T", kAnyType}});
  kernels.Add<SparseSlice>("SparseSlice", kCpu, {{"T", kAnyType}});
  kernels.Add<SparseSliceGrad>("SparseSliceGrad", kCpu, {{"T", kNumeric}});
  kernels.Add<SparseFillEmptyRows>("SparseFillEmptyRows", kCpu, {{"T", kAnyType}});
  kernels.Add<SparseFillEmptyRowsGrad>("SparseFillEmptyRowsGrad", kCpu, {{"T", kNumeric}});
}

}  // namespace sluice::kernels
