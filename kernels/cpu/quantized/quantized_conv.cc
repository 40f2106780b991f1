// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/nn/window.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/quantized/level_range.h"
#include "kernels/cpu/quantized/multiply_levels.h"
#include "kernels/cpu/quantized/register.h"

namespace sluice::kernels {
namespace {

// Images of levels as the matrix of their patches: one row for each output pixel.
struct Patches {
  const uint8_t* images;
  int64_t channels;
  Window height, width;
  uint32_t zero;
  int32_t padding;  // the value outside an image, less zero

  int64_t row_size() const { return height.kernel * width.kernel * channels; }

  void Row(int64_t row, int32_t* values) const {
    const int64_t y = row / width.out % height.out, image = row / width.out / height.out;
    const int64_t left = width.begin(row % width.out);
    // The columns of the window that lie inside the image.
    const int64_t first = std::clamp<int64_t>(-left, 0, width.kernel);
    const int64_t last = std::clamp<int64_t>(width.in - left, first, width.kernel);
    for (int64_t i = 0; i < height.kernel; ++i, values += width.kernel * channels) {
      const int64_t in_y = height.begin(y) + i;
      if (in_y < 0 || in_y >= height.in) {
        std::fill_n(values, width.kernel * channels, padding);
        continue;
      }
      std::fill_n(values, first * channels, padding);
      const uint8_t* from = images + ((image * height.in + in_y) * width.in + left) * channels;
      for (int64_t j = first * channels; j < last * channels; ++j)
        values[j] = static_cast<int32_t>(from[j] - zero);
      std::fill_n(values + last * channels, (width.kernel - last) * channels, padding);
    }
  }
};

struct QuantizedConv2D {
  WindowAttrs attrs;

  static absl::StatusOr<QuantizedConv2D> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const WindowAttrs attrs, WindowAttrs::Create(node));
    if (attrs.stride[0] != attrs.stride[1]) {
      return InvalidArgument(
          "Current implementation only supports equal length strides in the row and column "
          "dimensions.");
    }
    if (attrs.dilation[0] != 1 || attrs.dilation[1] != 1) {
      return InvalidArgument(
          "Current implementation only supports dilated rate as 1 in the row and column "
          "dimensions.");
    }
    return QuantizedConv2D{attrs};
  }

  // TensorFlow centres the windows on the image, also where they do not cover all of it.
  absl::StatusOr<Window> Place(int dimension, int64_t in, int64_t kernel) const {
    SLUICE_ASSIGN(Window w, PlaceWindow(attrs, dimension, in, kernel));
    if (w.out < 1) return InvalidArgument("a window of ", kernel, " does not fit into ", in);
    const int64_t outside = (w.out - 1) * w.stride + w.kernel - w.in;
    w.pad_before = (attrs.padding == Padding::kValid ? outside + 1 : outside) / 2;
    return w;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &images = ctx.input(0), &filter = ctx.input(1);
    if (images.rank() != 4) return InvalidArgument("input must be 4-dimensional", images.shape());
    if (filter.rank() != 4)
      return InvalidArgument("filter must be 4-dimensional: ", filter.shape());
    SLUICE_ASSIGN(const LevelRange range,
                  LevelRange::ReadScalars(ctx, 2, "min_input", "max_input"));
    SLUICE_ASSIGN(const LevelRange filter_range,
                  LevelRange::ReadScalars(ctx, 4, "min_filter", "max_filter"));
    const int64_t channels = images.dim(3), out_channels = filter.dim(3);
    if (channels != filter.dim(2)) {
      return InvalidArgument("input and filter must have the same depth: ", channels, " vs ",
                             filter.dim(2));
    }
    SLUICE_ASSIGN(const Window height, Place(0, images.dim(1), filter.dim(0)));
    SLUICE_ASSIGN(const Window width, Place(1, images.dim(2), filter.dim(1)));
    if (images.dim(0) == 0 || out_channels == 0)
      return InvalidArgument("input and filter must not be empty");
    SLUICE_ASSIGN(const Shape shape,
                  Shape::Create({images.dim(0), height.out, width.out, out_channels}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const int32_t zero = ZeroLevel<Quint8>(range);
    // Padding is zero. A zero above all levels is cut to 8 bits, as in TensorFlow.
    const int32_t padding = zero < 0 ? 0 : static_cast<uint8_t>(zero) - zero;
    const Patches patches{images.data<uint8_t>(),      channels, height, width,
                          static_cast<uint32_t>(zero), padding};
    SLUICE_RETURN_IF_ERROR(MultiplyLevels(
        ctx, shape.num_elements() / out_channels, out_channels, patches.row_size(),
        [&](int64_t row, int32_t* values) { patches.Row(row, values); },
        {filter.data<uint8_t>(), out_channels}, ZeroLevel<Quint8>(filter_range),
        out->mutable_data<int32_t>()));
    RangeOfProducts<Quint8, Quint8>(range, filter_range).Write(ctx);
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterQuantizedConv(KernelRegistry& kernels) {
  kernels.Add<QuantizedConv2D>("QuantizedConv2D", kCpu,
                               {{"Tinput", kQuint8}, {"Tfilter", kQuint8}, {"out_type", kQint32}});
}

}  // namespace sluice::kernels
