// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/nn/window.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "absl/strings/match.h"
#include "kernels/common/nn/data_format.h"

namespace sluice::kernels {
namespace {

// The list's values for the dimensions of space; those of batch and channels must be 1.
absl::StatusOr<std::array<int64_t, 3>> Spatial(const NodeSpec& node, absl::string_view attr,
                                               const WindowAttrs& attrs) {
  SLUICE_ASSIGN(const auto values, node.Get<std::vector<int64_t>>(attr));
  // TensorFlow's name of the dilations of volumes.
  const bool rates = attr == "dilations" && attrs.spaces == 3;
  if (static_cast<int>(values.size()) != attrs.rank()) {
    return InvalidArgument(rates ? "Dilation rates" : Cat("Sliding window ", attr),
                           " field must specify ", attrs.rank(), " dimensions, got ",
                           values.size());
  }
  if (values[0] != 1 || values[attrs.channel_dim()] != 1) {
    if (absl::StartsWith(node.op, "Dilation2D")) {
      return Unimplemented(attr == "rates" ? "Rate" : "Stride",
                           " is only supported across spatial dimensions.");
    }
    return InvalidArgument("Current implementation does not yet support ",
                           rates ? "dilation rates" : attr, " in the batch and depth dimensions.");
  }
  std::array<int64_t, 3> spatial{1, 1, 1};
  for (int d = 0; d < attrs.spaces; ++d) {
    spatial[d] = values[attrs.first_space() + d];
    if (spatial[d] >= 1) continue;
    if (attr != "strides") {
      return InvalidArgument("Dilated rates should be larger than 0, got ", spatial[d]);
    }
    return InvalidArgument(attrs.spaces == 3 ? "Spatial" : "Row and column",
                           " strides should be larger than 0. Stride must be > 0, but got ",
                           spatial[d]);
  }
  return spatial;
}

absl::Status ReadExplicit(const NodeSpec& node, WindowAttrs& attrs) {
  SLUICE_ASSIGN(const auto pads, node.Get<std::vector<int64_t>>("explicit_paddings"));
  if (attrs.padding != Padding::kExplicit) {
    if (pads.empty()) return absl::OkStatus();
    return InvalidArgument(
        "explicit_paddings attribute must be empty if the padding attribute is not EXPLICIT");
  }
  if (static_cast<int>(pads.size()) != 2 * attrs.rank()) {
    return InvalidArgument("explicit_paddings attribute must contain ", 2 * attrs.rank(),
                           " values, but got: ", pads.size());
  }
  for (int64_t pad : pads) {
    if (pad < 0) return InvalidArgument("All elements of explicit_paddings must be nonnegative");
  }
  const int channel = attrs.channel_dim();
  if (pads[0] != 0 || pads[1] != 0 || pads[2 * channel] != 0 || pads[2 * channel + 1] != 0) {
    return InvalidArgument(
        "Nonzero explicit padding in the batch or depth dimensions is not supported");
  }
  for (int d = 0; d < attrs.spaces; ++d) {
    attrs.pad_before[d] = pads[2 * (attrs.first_space() + d)];
    attrs.pad_after[d] = pads[2 * (attrs.first_space() + d) + 1];
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<WindowAttrs> WindowAttrs::Create(const NodeSpec& node) {
  WindowAttrs attrs;
  attrs.spaces = absl::StrContains(node.op, "3D") ? 3 : 2;
  SLUICE_ASSIGN(attrs.channels_first, ChannelsFirst(node));
  SLUICE_ASSIGN(const auto padding, node.Get<std::string>("padding"));
  const absl::string_view text = padding;
  if (text == "SAME") {
    attrs.padding = Padding::kSame;
  } else if (text == "EXPLICIT") {
    attrs.padding = Padding::kExplicit;
  } else if (text != "VALID") {
    return InvalidArgument("Invalid padding ", padding);
  }
  if (node.attrs.contains("explicit_paddings")) {
    SLUICE_RETURN_IF_ERROR(ReadExplicit(node, attrs));
  }
  if (node.attrs.contains("strides") && !node.attrs.contains("ksize")) {
    SLUICE_ASSIGN(attrs.stride, Spatial(node, "strides", attrs));
  }
  for (const char* dilations : {"dilations", "rates"}) {
    if (!node.attrs.contains(dilations)) continue;
    SLUICE_ASSIGN(attrs.dilation, Spatial(node, dilations, attrs));
  }
  return attrs;
}

absl::StatusOr<Shape> WindowAttrs::ImageShape(int64_t batch, absl::Span<const int64_t> space,
                                              int64_t channels) const {
  Shape::Dims dims(space.begin(), space.end());
  dims.insert(channels_first ? dims.begin() : dims.end(), channels);
  dims.insert(dims.begin(), batch);
  return Shape::Create(dims);
}

absl::StatusOr<Window> PlaceWindow(const WindowAttrs& attrs, int dimension, int64_t in,
                                   int64_t kernel) {
  Window w;
  w.in = in;
  w.kernel = kernel;
  w.stride = attrs.stride[dimension];
  w.dilation = attrs.dilation[dimension];
  w.pad_before = attrs.pad_before[dimension];
  w.pad_after = attrs.pad_after[dimension];
  // Within 31 bits, no sum or product below overflows.
  for (int64_t size : {w.in, w.kernel, w.stride, w.dilation, w.pad_before, w.pad_after}) {
    if (size < 0 || size > std::numeric_limits<int32_t>::max()) {
      return InvalidArgument("size of a sliding window out of range: ", size);
    }
  }
  if (kernel < 1) {
    return InvalidArgument(
        "filter must not have zero elements (i.e. all dimensions must be non-zero)");
  }
  const int64_t reach = (kernel - 1) * w.dilation + 1;
  if (attrs.padding == Padding::kSame) {
    w.out = (in + w.stride - 1) / w.stride;
    const int64_t pad = std::max<int64_t>(0, (w.out - 1) * w.stride + reach - in);
    w.pad_before = pad / 2;
    w.pad_after = pad - w.pad_before;
    return w;
  }
  const int64_t room = in + w.pad_before + w.pad_after - reach + w.stride;
  // TensorFlow rounds towards 0: a window slightly larger than the image has no position, which is
  // not an error.
  w.out = room / w.stride;
  if (w.out < 0) {
    return InvalidArgument("Computed output size would be negative: ", w.out, " [input_size: ", in,
                           ", effective_filter_size: ", reach, ", stride: ", w.stride, "]");
  }
  return w;
}

}  // namespace sluice::kernels
