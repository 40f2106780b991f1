#include "kernels/cpu/window.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "kernels/cpu/layout.h"

namespace sluice::kernels {
namespace {

// The list's values for height and width; those of batch and channels must be 1.
absl::StatusOr<std::array<int64_t, 2>> Spatial(const NodeSpec& node, absl::string_view attr,
                                               bool channels_first) {
  SLUICE_ASSIGN(const auto values, node.Get<std::vector<int64_t>>(attr));
  if (values.size() != 4) {
    return InvalidArgument("Sliding window ", attr, " field must specify 4 dimensions, got ",
                           values.size());
  }
  const int at = channels_first ? 2 : 1;
  if (values[0] != 1 || values[channels_first ? 1 : 3] != 1) {
    return InvalidArgument("Current implementation does not yet support ", attr,
                           " in the batch and depth dimensions.");
  }
  if (values[at] < 1 || values[at + 1] < 1) {
    return InvalidArgument(attr, " must be positive, got ", values[at], " and ", values[at + 1]);
  }
  return std::array<int64_t, 2>{values[at], values[at + 1]};
}

absl::Status ReadExplicit(const NodeSpec& node, WindowAttrs& attrs) {
  SLUICE_ASSIGN(const auto pads, node.Get<std::vector<int64_t>>("explicit_paddings"));
  if (attrs.padding != Padding::kExplicit) {
    if (pads.empty()) return absl::OkStatus();
    return InvalidArgument(
        "explicit_paddings attribute must be empty if the padding attribute is not EXPLICIT");
  }
  if (pads.size() != 8) {
    return InvalidArgument("explicit_paddings attribute must contain 8 values, but got: ",
                           pads.size());
  }
  for (int64_t pad : pads) {
    if (pad < 0) return InvalidArgument("All elements of explicit_paddings must be nonnegative");
  }
  const int channel = attrs.channel_dim();
  if (pads[0] != 0 || pads[1] != 0 || pads[2 * channel] != 0 || pads[2 * channel + 1] != 0) {
    return InvalidArgument(
        "Nonzero explicit padding in the batch or depth dimensions is not supported");
  }
  for (int d = 0; d < 2; ++d) {
    attrs.pad_before[d] = pads[2 * (attrs.height_dim() + d)];
    attrs.pad_after[d] = pads[2 * (attrs.height_dim() + d) + 1];
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<WindowAttrs> WindowAttrs::Create(const NodeSpec& node) {
  WindowAttrs attrs;
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
    SLUICE_ASSIGN(attrs.stride, Spatial(node, "strides", attrs.channels_first));
  }
  if (node.attrs.contains("dilations")) {
    SLUICE_ASSIGN(attrs.dilation, Spatial(node, "dilations", attrs.channels_first));
  }
  return attrs;
}

absl::StatusOr<Shape> WindowAttrs::ImageShape(int64_t batch, int64_t height, int64_t width,
                                              int64_t channels) const {
  if (channels_first) return Shape::Create({batch, channels, height, width});
  return Shape::Create({batch, height, width, channels});
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
  // Within 31 bits no sum or product below overflows.
  for (int64_t size : {w.in, w.kernel, w.stride, w.dilation, w.pad_before, w.pad_after}) {
    if (size < 0 || size > std::numeric_limits<int32_t>::max()) {
      return InvalidArgument("size of a sliding window out of range: ", size);
    }
  }
  if (kernel < 1)
    return InvalidArgument("filter must have positive height and width, got ", kernel);
  const int64_t reach = (kernel - 1) * w.dilation + 1;
  if (attrs.padding == Padding::kSame) {
    w.out = (in + w.stride - 1) / w.stride;
    const int64_t pad = std::max<int64_t>(0, (w.out - 1) * w.stride + reach - in);
    w.pad_before = pad / 2;
    w.pad_after = pad - w.pad_before;
    return w;
  }
  const int64_t room = in + w.pad_before + w.pad_after - reach + w.stride;
  w.out = room >= 0 ? room / w.stride : -1;
  if (w.out < 0) {
    return InvalidArgument("Computed output size would be negative: ", room / w.stride,
                           " [input_size: ", in, ", effective_filter_size: ", reach,
                           ", stride: ", w.stride, "]");
  }
  return w;
}

}  // namespace sluice::kernels
