// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/nn/pool_plan.h"

#include <limits>
#include <utility>

#include "absl/strings/match.h"

namespace sluice::kernels {
namespace {

absl::Status CheckWindow(absl::Span<const int64_t> ksize, absl::Span<const int64_t> strides,
                         int rank) {
  if (static_cast<int>(ksize.size()) != rank) {
    return InvalidArgument("Sliding window ksize field must specify ", rank, " dimensions");
  }
  if (static_cast<int>(strides.size()) != rank) {
    return InvalidArgument("Sliding window stride field must specify ", rank, " dimensions");
  }
  for (int d = 0; d < rank; ++d) {
    if (ksize[d] < 1) {
      return InvalidArgument("Sliding window ksize for dimension ", d,
                             ksize[d] == 0 ? " was zero." : " was negative.");
    }
    if (strides[d] < 1) {
      return InvalidArgument("Sliding window strides for dimension ", d,
                             strides[d] == 0 ? " was zero." : " was negative.");
    }
  }
  if (ksize[0] != 1 || strides[0] != 1) {
    return Unimplemented("Pooling is not yet supported on the batch dimension.");
  }
  return absl::OkStatus();
}

// Explicit padding is narrower than the window, or some windows would have no pixels.
absl::Status CheckPadding(const WindowAttrs& attrs, int dimension, int64_t kernel) {
  if (attrs.padding != Padding::kExplicit) return absl::OkStatus();
  const bool rows = dimension == 0;
  const std::pair<const char*, int64_t> sides[] = {
      {rows ? "Top" : "Left", attrs.pad_before[dimension]},
      {rows ? "Bottom" : "Right", attrs.pad_after[dimension]},
  };
  for (const auto& [side, width] : sides) {
    if (width >= kernel) {
      return InvalidArgument(side, " padding ", width, " needs to be smaller than the window size ",
                             kernel);
    }
  }
  return absl::OkStatus();
}

// The error for windows over channels.
const char* NotOverChannels(absl::string_view op) {
  if (op == "MaxPool3DGradGrad") {
    return "MaxPooling3dGradGrad is not yet supported on the depth dimension.";
  }
  if (absl::StrContains(op, "3D")) return "Pooling is not yet supported on the depth dimension.";
  if (absl::StartsWith(op, "MaxPoolGradGrad")) {
    return "MaxPoolingGradGrad is not yet supported on the depth dimension.";
  }
  return "Non-spatial pooling is not yet supported. Volunteers? :)";
}

}  // namespace

absl::StatusOr<PoolOp> PoolOp::Create(const NodeSpec& node) {
  PoolOp pool;
  SLUICE_ASSIGN(pool.attrs, WindowAttrs::Create(node));
  pool.not_over_channels = NotOverChannels(node.op);
  if (!node.attrs.contains("ksize")) return pool;
  SLUICE_ASSIGN(pool.ksize, node.Get<std::vector<int64_t>>("ksize"));
  SLUICE_ASSIGN(pool.strides, node.Get<std::vector<int64_t>>("strides"));
  SLUICE_RETURN_IF_ERROR(CheckWindow(pool.ksize, pool.strides, pool.attrs.rank()));
  return pool;
}

absl::StatusOr<PoolSizes> PoolOp::Sizes(const KernelContext& ctx, const Shape& input,
                                        bool depthwise) const {
  if (!ksize.empty()) return SizesOf(input, ksize, strides, depthwise);
  SLUICE_ASSIGN(const Shape::Dims k, IntVector(ctx.input(ctx.num_inputs() - 2)));
  SLUICE_ASSIGN(const Shape::Dims s, IntVector(ctx.input(ctx.num_inputs() - 1)));
  SLUICE_RETURN_IF_ERROR(CheckWindow(k, s, 4));
  return SizesOf(input, k, s, depthwise);
}

absl::StatusOr<PoolSizes> PoolOp::SizesOf(const Shape& input, absl::Span<const int64_t> k,
                                          absl::Span<const int64_t> s, bool depthwise) const {
  if (input.rank() != attrs.rank()) {
    return InvalidArgument("tensor_in must be ", attrs.rank(), "-dimensional", input,
                           ": tensor_in_shape must have ", attrs.spaces, " spatial dimensions.");
  }
  const int h = attrs.height_dim(), w = attrs.width_dim(), c = attrs.channel_dim();
  WindowAttrs placed = attrs;
  // With pooling over depth every pixel is pooled, whatever the strides of width and height.
  for (int d = 0; d < attrs.spaces; ++d) {
    placed.stride[d] = k[c] == 1 ? s[attrs.first_space() + d] : 1;
  }
  SLUICE_RETURN_IF_ERROR(CheckPadding(attrs, attrs.spaces - 2, k[h]));
  SLUICE_RETURN_IF_ERROR(CheckPadding(attrs, attrs.spaces - 1, k[w]));
  PoolSizes sizes;
  sizes.batch = input.dim(0);
  sizes.channels = input.dim(c);
  if (attrs.spaces == 3) {
    SLUICE_ASSIGN(sizes.planes, PlaceWindow(placed, 0, input.dim(h - 1), k[h - 1]));
  }
  SLUICE_ASSIGN(sizes.height, PlaceWindow(placed, attrs.spaces - 2, input.dim(h), k[h]));
  SLUICE_ASSIGN(sizes.width, PlaceWindow(placed, attrs.spaces - 1, input.dim(w), k[w]));
  sizes.depth.kernel = k[c];
  if (k[c] == 1) return sizes;
  if (attrs.spaces == 3) return Unimplemented(not_over_channels);
  if (k[h] != 1 || k[w] != 1) {
    return Unimplemented(
        "MaxPooling supports exactly one of pooling across depth or pooling across "
        "width/height.");
  }
  if (sizes.channels % k[c] != 0) {
    return Unimplemented(
        "Depthwise max pooling requires the depth window to evenly divide the input depth");
  }
  if (k[c] != s[c]) {
    return Unimplemented(
        "Depthwise max pooling requires the depth window to equal the depth stride");
  }
  if (!depthwise) return Unimplemented(not_over_channels);
  return sizes;
}

absl::Status CheckShape(absl::string_view name, absl::string_view ranked, const Shape& found,
                        const Shape& expected) {
  if (found == expected) return absl::OkStatus();
  const int rank = expected.rank();
  return InvalidArgument(
      "Expected ", name, " shape to be ", expected, ", but got ", found,
      found.rank() == rank ? "" : Cat(": ", ranked, " must be ", rank, "-dimensional"));
}

absl::StatusOr<Shape> PoolOp::OutputShape(const PoolSizes& s) const {
  const int64_t space[] = {s.planes.out, s.height.out, s.width.out};
  return attrs.ImageShape(s.batch, absl::MakeSpan(space).last(attrs.spaces), s.out_channels());
}

absl::StatusOr<Shape> PooledImageShape(const PoolOp& op, const Tensor& sizes) {
  const int rank = op.attrs.rank();
  if (sizes.rank() != 1 || sizes.dim(0) != rank) {
    return InvalidArgument(rank == 4 ? "out_backprop" : "tensor_in", " must be 1-dimensional and ",
                           rank, " elements");
  }
  return ShapeFrom(sizes);
}

absl::Status CheckPixels(const PoolSizes& s) {
  int64_t pixels;
  if (MulFits(s.height.in, s.width.in, &pixels) && MulFits(pixels, s.planes.in, &pixels) &&
      pixels <= std::numeric_limits<int32_t>::max()) {
    return absl::OkStatus();
  }
  return InvalidArgument("image too large: ", s.height.in, " by ", s.width.in);
}

}  // namespace sluice::kernels
