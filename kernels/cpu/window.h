#ifndef SLUICE_KERNELS_CPU_WINDOW_H_
#define SLUICE_KERNELS_CPU_WINDOW_H_

#include <array>

#include "core/kernel.h"

namespace sluice::kernels {

// How a window slides along one dimension. Output i covers inputs i * stride - pad_before + j *
// dilation for 0 <= j < kernel; those outside [0, in) are padding.
struct Window {
  int64_t in = 1, kernel = 1, stride = 1, dilation = 1, pad_before = 0, pad_after = 0, out = 1;

  int64_t begin(int64_t i) const { return i * stride - pad_before; }
};

enum class Padding { kSame, kValid, kExplicit };

// What the attributes of 2-D convolutions and poolings say about height and width.
struct WindowAttrs {
  bool channels_first = false;
  Padding padding = Padding::kValid;
  std::array<int64_t, 2> stride{1, 1}, dilation{1, 1};
  std::array<int64_t, 2> pad_before{}, pad_after{};  // kExplicit

  // Reads data_format, padding, explicit_paddings and, where the op has them, strides and
  // dilations.
  static absl::StatusOr<WindowAttrs> Create(const NodeSpec& node);

  int height_dim() const { return channels_first ? 2 : 1; }
  int width_dim() const { return channels_first ? 3 : 2; }
  int channel_dim() const { return channels_first ? 1 : 3; }
  // Sizes in this layout.
  absl::StatusOr<Shape> ImageShape(int64_t batch, int64_t height, int64_t width,
                                   int64_t channels) const;
};

// Places the window of dimension 0 (height) or 1 (width). INVALID_ARGUMENT for sizes that make no
// sense.
absl::StatusOr<Window> PlaceWindow(const WindowAttrs& attrs, int dimension, int64_t in,
                                   int64_t kernel);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_WINDOW_H_
