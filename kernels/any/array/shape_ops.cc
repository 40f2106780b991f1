// SPDX-License-Identifier: Apache-2.0
// Ops on shapes, and ops that change only a shape: the output has the input's bytes.
#include "kernels/any/array/register.h"
#include "kernels/common/array/reshaped.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"

namespace sluice::kernels {
namespace {

// Writes integers to an int32 or int64 vector output.
absl::Status SetIntegers(KernelContext& ctx, int output, absl::Span<const int64_t> values,
                         const Shape& shape) {
  SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(output, shape));
  if (out->dtype() == kInt64) {
    std::copy(values.begin(), values.end(), out->mutable_data<int64_t>());
    return absl::OkStatus();
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] > std::numeric_limits<int32_t>::max()) {
      return InvalidArgument("size ", values[i], " does not fit int32; ask for out_type int64");
    }
    out->mutable_data<int32_t>()[i] = static_cast<int32_t>(values[i]);
  }
  return absl::OkStatus();
}
absl::Status SetVector(KernelContext& ctx, int output, absl::Span<const int64_t> values) {
  return SetIntegers(ctx, output, values, Shape{static_cast<int64_t>(values.size())});
}

struct ShapeOf {  // Shape and ShapeN
  absl::Status Run(KernelContext& ctx) const {
    for (int i = 0; i < ctx.num_inputs(); ++i)
      SLUICE_RETURN_IF_ERROR(SetVector(ctx, i, ctx.input(i).shape().dims()));
    return absl::OkStatus();
  }
};
struct SizeOfTensor {
  absl::Status Run(KernelContext& ctx) const {
    return SetIntegers(ctx, 0, {ctx.input(0).num_elements()}, Shape{});
  }
};
struct RankOf {
  absl::Status Run(KernelContext& ctx) const {
    return SetIntegers(ctx, 0, {ctx.input(0).rank()}, Shape{});
  }
};

absl::Status ShareAs(KernelContext& ctx, const Shape& shape) {
  SLUICE_ASSIGN(Tensor out, ctx.input(0).Reshaped(shape));
  ctx.SetOutput(0, std::move(out));
  return absl::OkStatus();
}

struct Reshape {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Shape shape, ReshapedShape(ctx.input(0).shape(), ctx.input(1)));
    return ShareAs(ctx, shape);
  }
};

struct ExpandDims {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    if (ctx.input(1).num_elements() != 1)
      return InvalidArgument("'dim' must be a tensor with a single value");
    SLUICE_ASSIGN(int64_t dim, IntScalar(ctx.input(1)));
    int axis;
    if (!NormalizeAxis(dim, input.rank() + 1, &axis)) {
      return InvalidArgument("Tried to expand dim index ", dim, " for tensor with ", input.rank(),
                             " dimensions.");
    }
    if (input.rank() >= kMaxRank)
      return InvalidArgument("a tensor has at most ", kMaxRank, " dimensions");
    Shape shape = input.shape();
    shape.InsertDim(axis, 1);
    return ShareAs(ctx, shape);
  }
};

struct Squeeze {
  std::vector<int64_t> dims;  // if empty, all dimensions of size 1

  static absl::StatusOr<Squeeze> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(std::vector<int64_t> dims, node.Get<std::vector<int64_t>>("squeeze_dims"));
    return Squeeze{std::move(dims)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Shape& input = ctx.input(0).shape();
    absl::InlinedVector<bool, 8> drop(input.rank(), dims.empty());
    for (int64_t dim : dims) {
      int axis;
      if (!NormalizeAxis(dim, input.rank(), &axis)) {
        return InvalidArgument("Tried to squeeze dim index ", dim, " for tensor with ",
                               input.rank(), " dimensions.");
      }
      if (input.dim(axis) != 1) {
        return InvalidArgument("Can not squeeze dim[", axis, "], expected a dimension of 1, got ",
                               input.dim(axis));
      }
      drop[axis] = true;
    }
    Shape shape;
    for (int d = 0; d < input.rank(); ++d) {
      if (!drop[d] || input.dim(d) != 1) shape.AddDim(input.dim(d));
    }
    return ShareAs(ctx, shape);
  }
};

// The same bits as another type. A wider output merges the last dimension, a narrower one adds a
// last dimension.
struct Bitcast {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& input = ctx.input(0);
    const DType to = ctx.output_type(0);
    const int64_t from_size = static_cast<int64_t>(SizeOf(input.dtype())),
                  to_size = static_cast<int64_t>(SizeOf(to));
    if (from_size == 0 || to_size == 0)
      return InvalidArgument("cannot bitcast ", input.dtype(), " to ", to);
    Shape::Dims dims(input.shape().dims().begin(), input.shape().dims().end());
    if (from_size > to_size) {
      dims.push_back(from_size / to_size);
    } else if (from_size < to_size) {
      if (dims.empty() || dims.back() * from_size != to_size) {
        return InvalidArgument("Cannot bitcast from ", static_cast<int>(input.dtype()), " to ",
                               static_cast<int>(to), " (", input.dtype(), " of shape ",
                               input.shape(), " to ", to, ")");
      }
      dims.pop_back();
    }
    SLUICE_ASSIGN(Shape shape, Shape::Create(dims));
    ctx.SetOutput(0, Tensor(to, shape, input.buffer()));
    return absl::OkStatus();
  }
};

// The offset of each tensor that ConcatV2 joins.
struct ConcatOffset {
  absl::Status Run(KernelContext& ctx) const {
    if (ctx.input(0).num_elements() != 1) {
      return InvalidArgument("Concat dim tensor should be a scalar integer, but got shape ",
                             ctx.input(0).shape());
    }
    SLUICE_ASSIGN(int64_t dim, IntScalar(ctx.input(0)));
    const int count = ctx.num_inputs() - 1;
    std::vector<Shape::Dims> shapes(count);
    for (int i = 0; i < count; ++i) {
      if (ctx.input(i + 1).rank() != 1)
        return InvalidArgument("input ", i + 1, " should be a vector, but got shape ",
                               ctx.input(i + 1).shape());
      SLUICE_ASSIGN(shapes[i], IntVector(ctx.input(i + 1)));
      if (shapes[i].size() != shapes[0].size()) {
        return InvalidArgument("input ", i, " should contain ", shapes[0].size(),
                               " elements, but got ", shapes[i].size());
      }
    }
    int axis;
    const int rank = static_cast<int>(shapes[0].size());
    if (!NormalizeAxis(dim, rank, &axis)) {
      return InvalidArgument("Concat dim is out of range: ", dim, " vs. ", rank);
    }
    Shape::Dims offset(rank, 0);
    for (int i = 0; i < count; ++i) {
      for (int d = 0; d < rank; ++d) {
        if (d != axis && shapes[i][d] != shapes[0][d]) {
          return InvalidArgument("All dimensions except ", axis, " must match. Input ", i,
                                 " has shape [", absl::StrJoin(shapes[i], " "),
                                 "] and doesn't match input 0 with shape [",
                                 absl::StrJoin(shapes[0], " "), "].");
        }
      }
      SLUICE_RETURN_IF_ERROR(SetVector(ctx, i, offset));
      if (!AddFits(offset[axis], shapes[i][axis], &offset[axis]))
        return InvalidArgument("concatenated size overflows");
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterShapeOps(KernelRegistry& kernels, const Primitives& on) {
  const std::vector<TypeConstraint> types = {{"out_type", kIndex}};
  const std::vector<TypeConstraint> of_int32 = {{"T", kInt32}, {"out_type", kIndex}};
  const HostMemory out{"output"}, both{"input", "output"};
  // A host tensor is not copied to the device only for its shape.
  AddOnHost<ShapeOf>(kernels, on, "Shape", of_int32, both, kCheap);
  AddOnHost<ShapeOf>(kernels, on, "ShapeN", of_int32, both, kCheap);
  AddOnHost<SizeOfTensor>(kernels, on, "Size", of_int32, both, kCheap);
  AddOnHost<RankOf>(kernels, on, "Rank", {{"T", kInt32}}, both, kCheap);
  AddOn<ShapeOf>(kernels, on, "Shape", types, out, kCheap);
  AddOn<ShapeOf>(kernels, on, "ShapeN", types, out, kCheap);
  AddOn<SizeOfTensor>(kernels, on, "Size", types, out, kCheap);
  AddOn<RankOf>(kernels, on, "Rank", {}, out, kCheap);

  AddOnHost<Reshape>(kernels, on, "Reshape", {{"T", kInt32}, {"Tshape", kIndex}},
                     HostMemory{"tensor", "shape", "output"}, kCheap);
  AddOnHost<ExpandDims>(kernels, on, "ExpandDims", {{"T", kInt32}, {"Tdim", kIndex}},
                        HostMemory{"input", "dim", "output"}, kCheap);
  AddOnHost<Squeeze>(kernels, on, "Squeeze", {{"T", kInt32}}, both, kCheap);
  AddOn<Reshape>(kernels, on, "Reshape", {{"Tshape", kIndex}}, HostMemory{"shape"}, kCheap);
  AddOn<ExpandDims>(kernels, on, "ExpandDims", {{"Tdim", kIndex}}, HostMemory{"dim"}, kCheap);
  AddOn<Squeeze>(kernels, on, "Squeeze", {}, {}, kCheap);
  AddOn<Bitcast>(kernels, on, "Bitcast", {}, {}, kCheap);
  AddOn<ConcatOffset>(kernels, on, "ConcatOffset", {}, HostMemory{"concat_dim", "shape", "offset"},
                      kCheap);
}

}  // namespace sluice::kernels
