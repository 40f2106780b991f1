// SPDX-License-Identifier: Apache-2.0
// Sparse ops that move values without reading them: reorder, reshape, concat, split.
#include <algorithm>

#include "absl/strings/str_join.h"
#include "core/runtime/kernel_registry.h"
#include "core/tensor/variant.h"
#include "core/threads/cancel_scope.h"
#include "kernels/cpu/sparse/register.h"
#include "kernels/cpu/sparse/sparse.h"

namespace sluice::kernels {
namespace {

// Collects rows of indices, each with the number of its value.
struct Collected {
  std::vector<int64_t> rows;
  std::vector<int64_t> picks;
};

struct SparseReorder {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const SparseTensor x, SparseTensor::At(ctx, 0));
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

// The new sizes. The size -1 is computed from the others.
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
    wanted[unknown] = from.num_elements() / product;
    if (from.num_elements() % product != 0) {
      return InvalidArgument("Input to reshape is a SparseTensor with ", from.num_elements(),
                             " dense values, but the requested shape requires a multiple of ",
                             product, ". input_shape=", from, " output_shape=[",
                             absl::StrJoin(wanted, ","), "]");
    }
  }
  SLUICE_ASSIGN(Shape shape, Shape::Create(wanted));
  if (shape.num_elements() != from.num_elements()) {
    return InvalidArgument("Input to reshape is a tensor with ", from.num_elements(),
                           " dense values, but the requested shape has ", shape.num_elements(),
                           ". input_shape=", from, " output_shape=", shape);
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
    CancelPoints points(1 << 16);
    for (int64_t i = 0; i < indices.dim(0); ++i, row += from.rank(), moved += to.rank()) {
      points.Pass(1 + from.rank() + to.rank());
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
      SLUICE_RETURN_IF_ERROR(part.CheckBounds());
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
      for (const int64_t i : Cancellable(part.count())) {
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
        for (const int64_t i : Cancellable(part.count())) from.push_back(part.values.data<T>() + i);
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

// If the axis does not divide evenly, the first parts are longer by one.
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
      return InvalidArgument("Input split_dim should be between 0 and rank (", x.rank(), "), got ",
                             given);
    const int64_t size = x.shape.dim(static_cast<int>(axis));
    if (count < 1 || count > size) {
      return InvalidArgument("Input num_split should be between 1 and the splitting dimension ",
                             "size (", size, "), got ", count);
    }
    const int64_t part = size / count, longer = size % count;
    std::vector<Collected> parts(count);
    for (const int64_t i : Cancellable(x.count())) {
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

}  // namespace

void RegisterSparseOrder(KernelRegistry& kernels) {
  kernels.Add<SparseReorder>("SparseReorder", kCpu, {{"T", kAnyType}});
  kernels.Add<SparseReshape>("SparseReshape", kCpu);
  kernels.Add<SparseConcat>("SparseConcat", kCpu, {{"T", kAnyType}});
  kernels.Add<SparseSplit>("SparseSplit", kCpu, {{"T", kAnyType}});
}

}  // namespace sluice::kernels
