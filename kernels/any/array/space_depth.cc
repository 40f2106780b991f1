// SPDX-License-Identifier: Apache-2.0
// Moves between space and channels (SpaceToDepth, DepthToSpace) or space and batch (SpaceToBatch,
// BatchToSpace).
#include "absl/strings/ascii.h"
#include "kernels/any/array/register.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/strided_copy.h"

namespace sluice::kernels {
namespace {

struct DepthLayout {
  int64_t block;
  bool channels_last;

  static absl::StatusOr<DepthLayout> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(int64_t block, node.Get<int64_t>("block_size"));
    SLUICE_ASSIGN(std::string format, node.Get<std::string>("data_format"));
    if (block < 2) return InvalidArgument("Block size should be > 1, but was: ", block);
    if (block > INT32_MAX)
      return InvalidArgument("Attr block_size has value ", block, " out of range for an int32");
    if (format != "NHWC" && format != "NCHW")
      return Unimplemented("data_format ", format, " is not supported on CPU");
    return DepthLayout{block, format == "NHWC"};
  }
};

// The sizes of the tensor with few channels and large space, which may be the input or the output.
struct Image {
  int64_t batch, height, width, channels;
};

// Strides of [batch, y, block row, x, block column, channel] for the side with the blocks in space,
// and for the side with the blocks in the channels.
CopyDims DepthDims(const Image& n, int64_t b, bool channels_last, bool to_depth) {
  const int64_t rows = n.height / b, columns = n.width / b, deep = n.channels * b * b;
  Shape::Dims space, depth;
  if (channels_last) {
    space = {n.height * n.width * n.channels,
             b * n.width * n.channels,
             n.width * n.channels,
             b * n.channels,
             n.channels,
             1};
    depth = {rows * columns * deep, columns * deep, b * n.channels, deep, n.channels, 1};
  } else {
    space = {n.height * n.width * n.channels, b * n.width, n.width, b, 1, n.height * n.width};
    depth = {rows * columns * deep,       columns,       b * n.channels * rows * columns, 1,
             n.channels * rows * columns, rows * columns};
  }
  const int64_t sizes[] = {n.batch, rows, b, columns, b, n.channels};
  CopyDims dims;
  for (int d = 0; d < 6; ++d)
    dims.push_back({sizes[d], to_depth ? space[d] : depth[d], to_depth ? depth[d] : space[d]});
  // Walks the target in order.
  std::sort(dims.begin(), dims.end(),
            [](const CopyDim& x, const CopyDim& y) { return x.to > y.to; });
  return dims;
}

template <bool kToDepth>
struct SpaceDepth {
  DepthLayout layout;
  const Primitives* on = nullptr;

  static absl::StatusOr<SpaceDepth> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(DepthLayout layout, DepthLayout::Create(node));
    return SpaceDepth{layout};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    if (x.rank() != 4) {
      return kToDepth ? InvalidArgument("Input rank should be 4 instead of ", x.rank())
                      : InvalidArgument("Input rank should be: 4 instead of: ", x.rank());
    }
    const int h = layout.channels_last ? 1 : 2, c = layout.channels_last ? 3 : 1;
    const int64_t b = layout.block;
    Image n{x.dim(0), x.dim(h), x.dim(h + 1), x.dim(c)};
    Shape shape = x.shape();
    if (kToDepth) {
      if (n.height % b != 0 || n.width % b != 0) {
        return InvalidArgument("Image width ", n.width, " and height ", n.height,
                               " should be divisible by block_size: ", b);
      }
      SLUICE_RETURN_IF_ERROR(Resize(shape, h, c, n.height / b, n.width / b, n.channels, b));
    } else {
      if (n.channels % b != 0 || n.channels / b % b != 0) {
        return InvalidArgument("Input depth dimension ", n.channels,
                               " should be divisible by: ", b * b);
      }
      n.channels /= b * b;
      if (!MulFits(n.height, b, &n.height) || !MulFits(n.width, b, &n.width))
        return InvalidArgument("image size overflows");
      SLUICE_RETURN_IF_ERROR(Resize(shape, h, c, n.height, n.width, n.channels, 1));
    }
    SLUICE_ASSIGN(Tensor * y, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    return on->StridedCopy(ctx, x.dtype(), DepthDims(n, b, layout.channels_last, kToDepth), x.raw(),
                           y->raw());
  }

 private:
  static absl::Status Resize(Shape& shape, int h, int c, int64_t height, int64_t width,
                             int64_t channels, int64_t b) {
    int64_t deep;
    if (!MulFits(channels, b, &deep) || !MulFits(deep, b, &deep))
      return InvalidArgument("depth overflows");
    Shape::Dims dims(shape.dims().begin(), shape.dims().end());
    dims[h] = height;
    dims[h + 1] = width;
    dims[c] = deep;
    SLUICE_ASSIGN(shape, Shape::Create(dims));
    return absl::OkStatus();
  }
};

struct BlockDim {
  int64_t block, before, after;  // padding or crop
};
using Blocks = absl::InlinedVector<BlockDim, 4>;

absl::StatusOr<Blocks> ReadBlocks(const KernelContext& ctx, int64_t block_size,
                                  absl::string_view what) {
  const Tensor& input = ctx.input(0);
  const Tensor& pairs = ctx.input(ctx.num_inputs() - 1);
  Shape::Dims sizes{block_size, block_size};
  if (ctx.num_inputs() == 3) {
    if (ctx.input(1).rank() != 1)
      return InvalidArgument("block_shape rank should be 1 instead of ", ctx.input(1).rank());
    SLUICE_ASSIGN(sizes, IntVector(ctx.input(1)));
  } else if (input.rank() != 4) {
    return InvalidArgument("Input rank should be: 4 instead of: ", input.rank());
  }
  const int64_t count = static_cast<int64_t>(sizes.size());
  if (input.rank() < 1 + count)
    return InvalidArgument("input rank should be >= ", 1 + count, " instead of ", input.rank());
  if (pairs.rank() != 2 || pairs.dim(0) != count || pairs.dim(1) != 2) {
    return InvalidArgument(absl::AsciiStrToLower(what), " should have shape [", count,
                           ", 2] instead of ", pairs.shape());
  }
  SLUICE_ASSIGN(Shape::Dims values, IntVector(pairs));
  Blocks blocks(count);
  for (int64_t i = 0; i < count; ++i) {
    blocks[i] = {sizes[i], values[2 * i], values[2 * i + 1]};
    if (sizes[i] < 1)
      return InvalidArgument("All values in block_shape must be positive, got value, ", sizes[i],
                             " at index ", i, ".");
    if (blocks[i].before < 0 || blocks[i].after < 0)
      return InvalidArgument(what, " must be non-negative, got ", blocks[i].before, ", ",
                             blocks[i].after);
  }
  return blocks;
}

// For each position within a block, copies the elements of that position between the tensor in
// space and its batch entries. `space` is [batch, s..., rest...] and `batched` [blocks * batch,
// s'..., rest...]. Index j of a batched dimension is at j * block + offset - before in space.
absl::Status CopyBlocks(KernelContext& ctx, const Primitives& on, DType dtype, const Shape& space,
                        const Shape& batched, const Blocks& blocks, const void* from, void* to,
                        bool to_batch) {
  const Shape::Dims space_strides = DenseStrides(space), batch_strides = DenseStrides(batched);
  const int64_t entries = space.dim(0);
  int64_t places = 1;
  for (const BlockDim& b : blocks) places *= b.block;
  const size_t element = ElementSize(dtype);
  for (int64_t place = 0; place < places; ++place) {
    CopyDims dims{{entries, space_strides[0], batch_strides[0]}};
    int64_t in_space = 0, in_batch = place * entries * batch_strides[0], rest = place;
    bool empty = false;
    Shape::Dims offsets(blocks.size());
    for (int i = static_cast<int>(blocks.size()) - 1; i >= 0; --i) {
      offsets[i] = rest % blocks[i].block;
      rest /= blocks[i].block;
    }
    for (int i = 0; i < static_cast<int>(blocks.size()); ++i) {
      const int64_t b = blocks[i].block, shift = blocks[i].before - offsets[i],
                    n = space.dim(i + 1);
      const int64_t first = shift > 0 ? (shift + b - 1) / b : 0;
      const int64_t end =
          n + shift <= 0 ? 0 : std::min(batched.dim(i + 1), (n + shift - 1) / b + 1);
      if (first >= end) {
        empty = true;
        break;
      }
      dims.push_back({end - first, b * space_strides[i + 1], batch_strides[i + 1]});
      in_space += (first * b - shift) * space_strides[i + 1];
      in_batch += first * batch_strides[i + 1];
    }
    if (empty) continue;
    for (int d = static_cast<int>(blocks.size()) + 1; d < space.rank(); ++d)
      dims.push_back({space.dim(d), space_strides[d], batch_strides[d]});
    if (!to_batch) {
      for (CopyDim& dim : dims) std::swap(dim.from, dim.to);
    }
    SLUICE_RETURN_IF_ERROR(on.StridedCopy(ctx, dtype, dims,
                                          At(from, to_batch ? in_space : in_batch, element),
                                          At(to, to_batch ? in_batch : in_space, element)));
  }
  return absl::OkStatus();
}

int64_t BlockSize(const NodeSpec& node) { return GetAttrOr<int64_t>(node.attrs, "block_size", 1); }

struct SpaceToBatch {
  int64_t block_size;
  const Primitives* on = nullptr;

  static absl::StatusOr<SpaceToBatch> Create(const NodeSpec& node) {
    return SpaceToBatch{BlockSize(node)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(Blocks blocks, ReadBlocks(ctx, block_size, "Paddings"));
    Shape::Dims sizes(x.shape().dims().begin(), x.shape().dims().end());
    for (size_t i = 0; i < blocks.size(); ++i) {
      int64_t padded;
      if (!AddFits(x.dim(static_cast<int>(i) + 1), blocks[i].before, &padded) ||
          !AddFits(padded, blocks[i].after, &padded) ||
          !MulFits(sizes[0], blocks[i].block, &sizes[0])) {
        return InvalidArgument("padded size overflows");
      }
      if (padded % blocks[i].block != 0) {
        return InvalidArgument("padded_shape[", i, "]=", padded,
                               " is not divisible by block_shape[", i, "]=", blocks[i].block);
      }
      sizes[i + 1] = padded / blocks[i].block;
    }
    SLUICE_ASSIGN(Shape shape, Shape::Create(sizes));
    SLUICE_ASSIGN(Tensor * y, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    SLUICE_RETURN_IF_ERROR(on->Zero(ctx, x.dtype(), y->raw(), shape.num_elements()));
    if (x.num_elements() == 0) return absl::OkStatus();
    return CopyBlocks(ctx, *on, x.dtype(), x.shape(), shape, blocks, x.raw(), y->raw(), true);
  }
};

struct BatchToSpace {
  int64_t block_size;
  const Primitives* on = nullptr;

  static absl::StatusOr<BatchToSpace> Create(const NodeSpec& node) {
    return BatchToSpace{BlockSize(node)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(Blocks blocks, ReadBlocks(ctx, block_size, "Crops"));
    Shape::Dims sizes(x.shape().dims().begin(), x.shape().dims().end());
    int64_t places = 1;
    for (size_t i = 0; i < blocks.size(); ++i) {
      int64_t size;
      if (!MulFits(places, blocks[i].block, &places) ||
          !MulFits(sizes[i + 1], blocks[i].block, &size)) {
        return InvalidArgument("block_shape is too large");
      }
      int64_t crop;
      if (!AddFits(blocks[i].before, blocks[i].after, &crop))
        return InvalidArgument("crops are too large");
      sizes[i + 1] = size - crop;
      if (sizes[i + 1] < 0)
        return InvalidArgument("cropped_shape[", i, "]=", sizes[i + 1], " must be non-negative");
    }
    if (sizes[0] % places != 0) {
      return InvalidArgument("Input batch dimension (", sizes[0],
                             ") is not divisible by product of block sizes (", places, ")");
    }
    sizes[0] /= places;
    SLUICE_ASSIGN(Shape shape, Shape::Create(sizes));
    SLUICE_ASSIGN(Tensor * y, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    return CopyBlocks(ctx, *on, x.dtype(), shape, x.shape(), blocks, x.raw(), y->raw(), false);
  }
};

}  // namespace

void RegisterSpaceDepth(KernelRegistry& kernels, const Primitives& on) {
  const DTypeSet moved = TypesOn(on, kAnyType);
  AddOn<SpaceDepth<true>>(kernels, on, "SpaceToDepth", {{"T", moved}});
  AddOn<SpaceDepth<false>>(kernels, on, "DepthToSpace", {{"T", moved}});
  const DTypeSet types = kNumeric | DTypeSet(kBool);
  AddOn<SpaceToBatch>(kernels, on, "SpaceToBatch", {{"T", types}}, HostMemory{"paddings"});
  AddOn<SpaceToBatch>(kernels, on, "SpaceToBatchND", {{"T", types}},
                      HostMemory{"block_shape", "paddings"});
  AddOn<BatchToSpace>(kernels, on, "BatchToSpace", {{"T", types}}, HostMemory{"crops"});
  AddOn<BatchToSpace>(kernels, on, "BatchToSpaceND", {{"T", types}},
                      HostMemory{"block_shape", "crops"});
}

}  // namespace sluice::kernels
