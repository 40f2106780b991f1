// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_NN_WINDOW_H_
#define SLUICE_KERNELS_COMMON_NN_WINDOW_H_

#include <array>

#include "core/runtime/kernel.h"

namespace sluice::kernels {

// The positions of a window along one dimension. Output i covers inputs i * stride - pad_before + j
// * dilation for 0 <= j < kernel; those outside [0, in) are padding.
struct Window {
  int64_t in = 1, kernel = 1, stride = 1, dilation = 1, pad_before = 0, pad_after = 0, out = 1;

  int64_t begin(int64_t i) const { return i * stride - pad_before; }
};

enum class Padding { kSame, kValid, kExplicit };

// The attributes of convolutions and poolings for the dimensions of space: height and width, and
// before them planes in the ops on volumes (whose names contain 3D).
struct WindowAttrs {
  int spaces = 2;
  bool channels_first = false;
  Padding padding = Padding::kValid;
  std::array<int64_t, 3> stride{1, 1, 1}, dilation{1, 1, 1};
  std::array<int64_t, 3> pad_before{}, pad_after{};  // kExplicit

  // Reads data_format, padding, explicit_paddings and, if the op has them, strides and dilations
  // (or rates).
  static absl::StatusOr<WindowAttrs> Create(const NodeSpec& node);

  int rank() const { return spaces + 2; }
  int first_space() const { return channels_first ? 2 : 1; }
  int height_dim() const { return first_space() + spaces - 2; }
  int width_dim() const { return height_dim() + 1; }
  int channel_dim() const { return channels_first ? 1 : spaces + 1; }
  // Sizes in this layout.
  absl::StatusOr<Shape> ImageShape(int64_t batch, absl::Span<const int64_t> space,
                                   int64_t channels) const;
};

// Computes the window positions along a dimension of space, counted from 0. INVALID_ARGUMENT for
// impossible sizes.
absl::StatusOr<Window> PlaceWindow(const WindowAttrs& attrs, int dimension, int64_t in,
                                   int64_t kernel);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_NN_WINDOW_H_
