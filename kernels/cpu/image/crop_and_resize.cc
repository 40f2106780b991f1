// SPDX-License-Identifier: Apache-2.0
// Crops of images, all resized to one size, with gradients towards image and boxes.
#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/image/register.h"

namespace sluice::kernels {
namespace {

// Sizes of images [batch, height, width, channels] and of the crops [boxes, ..., channels].
struct CropSizes {
  int64_t batch, height, width, channels;
  int64_t boxes, crop_height, crop_width;
  int64_t image() const { return height * width * channels; }
  int64_t crop() const { return crop_height * crop_width * channels; }
};

absl::Status CheckBoxes(const Tensor& boxes, const Tensor& indices) {
  if (boxes.rank() != 2) return InvalidArgument("boxes must be 2-D", boxes.shape());
  if (boxes.dim(1) != 4) return InvalidArgument("boxes must have 4 columns");
  if (indices.rank() != 1) return InvalidArgument("box_index must be 1-D", indices.shape());
  if (indices.dim(0) != boxes.dim(0)) {
    return InvalidArgument("box_index has incompatible shape");
  }
  return absl::OkStatus();
}

// This check comes last, as in TensorFlow.
absl::Status CheckIndices(const Tensor& indices, int64_t batch) {
  for (int32_t index : indices.flat<int32_t>()) {
    if (index < 0 || index >= batch) {
      return OutOfRange("box_index has values outside [0, batch_size)");
    }
  }
  return absl::OkStatus();
}

// The positions of a crop's pixels along one dimension of the image.
struct Positions {
  float first, step, last;

  // Computed from the normalised edges of a box.
  Positions(float from, float to, int64_t in, int64_t out)
      : first(out > 1 ? from * static_cast<float>(in - 1)
                      : 0.5F * __builtin_assoc_barrier(from + to) * static_cast<float>(in - 1)),
        step(out > 1 ? (to - from) * static_cast<float>(in - 1) / static_cast<float>(out - 1) : 0),
        last(static_cast<float>(in - 1)) {}

  // This must not be fused: it decides whether the last pixel lies inside.
  float at(int64_t i) const {
    return first + __builtin_assoc_barrier(static_cast<float>(i) * step);
  }
  bool inside(float x) const { return x >= 0 && x <= last; }
};

// The two neighbours of a position and the weight of the second.
struct Neighbours {
  int64_t low, high;
  float part;
  Neighbours(float x, int64_t in)  // large sizes are rounded to float
      : low(std::min(static_cast<int64_t>(std::floor(x)), in - 1)),
        high(std::min(static_cast<int64_t>(std::ceil(x)), in - 1)),
        part(x - std::floor(x)) {}
};

int64_t Nearest(float x, int64_t in) { return std::min<int64_t>(std::lround(x), in - 1); }

// Calls fn(y, x, image_y, image_x) for the pixels of a crop that lie inside the image, and
// outside(y, x) for the others.
template <typename Fn, typename Outside>
void ForEachPixel(const CropSizes& s, const float* box, const Fn& fn, const Outside& outside) {
  const Positions rows(box[0], box[2], s.height, s.crop_height);
  const Positions columns(box[1], box[3], s.width, s.crop_width);
  for (int64_t y = 0; y < s.crop_height; ++y) {
    const float in_y = rows.at(y);
    for (int64_t x = 0; x < s.crop_width; ++x) {
      const float in_x = columns.at(x);
      if (rows.inside(in_y) && columns.inside(in_x)) {
        fn(y, x, in_y, in_x);
      } else {
        outside(y, x);
      }
    }
  }
}

void Nothing(int64_t, int64_t) {}

absl::StatusOr<bool> IsNearest(const NodeSpec& node) {
  SLUICE_ASSIGN(const auto method, node.Get<std::string>("method"));
  return method == "nearest";
}

struct CropAndResize {
  bool nearest;
  float outside;

  static absl::StatusOr<CropAndResize> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool nearest, IsNearest(node));
    SLUICE_ASSIGN(const float outside, node.Get<float>("extrapolation_value"));
    return CropAndResize{nearest, outside};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &image = ctx.input(0), &boxes = ctx.input(1), &indices = ctx.input(2);
    const Tensor& size = ctx.input(3);
    if (image.rank() != 4) return InvalidArgument("input image must be 4-D", image.shape());
    if (image.dim(1) == 0 || image.dim(2) == 0) {
      return InvalidArgument("image dimensions must be positive");
    }
    if (size.rank() != 1) return InvalidArgument("crop_size must be 1-D", size.shape());
    if (size.dim(0) != 2) {
      return InvalidArgument("crop_size must have two elements", size.shape());
    }
    const int32_t* wanted = size.data<int32_t>();
    if (wanted[0] <= 0 || wanted[1] <= 0) {
      return InvalidArgument("crop dimensions must be positive");
    }
    SLUICE_RETURN_IF_ERROR(CheckBoxes(boxes, indices));
    SLUICE_RETURN_IF_ERROR(CheckIndices(indices, image.dim(0)));
    const CropSizes s{image.dim(0), image.dim(1), image.dim(2), image.dim(3),
                      boxes.dim(0), wanted[0],    wanted[1]};
    SLUICE_ASSIGN(const Shape shape,
                  Shape::Create({s.boxes, s.crop_height, s.crop_width, s.channels}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    return VisitDType(RealTypes{}, image.dtype(), [&]<typename T>(Type<T>) {
      ParallelFor(ctx.pool(), s.boxes, 5.0 * s.crop(), [&](int64_t begin, int64_t end) {
        for (int64_t b = begin; b < end; ++b) {
          Crop(s, image.data<T>() + indices.data<int32_t>()[b] * s.image(),
               boxes.data<float>() + 4 * b, out->mutable_data<float>() + b * s.crop());
        }
      });
      return absl::OkStatus();
    });
  }

  template <typename T>
  void Crop(const CropSizes& s, const T* image, const float* box, float* crop) const {
    const auto to = [&](int64_t y, int64_t x) {
      return crop + (y * s.crop_width + x) * s.channels;
    };
    const auto at = [&](int64_t y, int64_t x) { return image + (y * s.width + x) * s.channels; };
    ForEachPixel(
        s, box,
        [&](int64_t y, int64_t x, float in_y, float in_x) {
          float* const out = to(y, x);
          if (nearest) {
            const T* from = at(Nearest(in_y, s.height), Nearest(in_x, s.width));
            for (int64_t c = 0; c < s.channels; ++c) out[c] = static_cast<float>(from[c]);
            return;
          }
          const Neighbours v(in_y, s.height), h(in_x, s.width);
          const T *tl = at(v.low, h.low), *tr = at(v.low, h.high);
          const T *bl = at(v.high, h.low), *br = at(v.high, h.high);
          for (int64_t c = 0; c < s.channels; ++c) {
            const auto left_top = static_cast<float>(tl[c]),
                       left_bottom = static_cast<float>(bl[c]);
            const float top = left_top + (static_cast<float>(tr[c]) - left_top) * h.part;
            const float bottom = left_bottom + (static_cast<float>(br[c]) - left_bottom) * h.part;
            out[c] = top + (bottom - top) * v.part;
          }
        },
        [&](int64_t y, int64_t x) { std::fill_n(to(y, x), s.channels, outside); });
  }
};

absl::Status CheckGradients(const Tensor& grads) {
  if (grads.rank() != 4) return InvalidArgument("grads image must be 4-D", grads.shape());
  if (grads.dim(1) == 0 || grads.dim(2) == 0) {
    return InvalidArgument("grads dimensions must be positive");
  }
  return absl::OkStatus();
}

struct CropGradImage {
  bool nearest;

  static absl::StatusOr<CropGradImage> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool nearest, IsNearest(node));
    return CropGradImage{nearest};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &grads = ctx.input(0), &boxes = ctx.input(1), &indices = ctx.input(2);
    const Tensor& size = ctx.input(3);
    SLUICE_RETURN_IF_ERROR(CheckGradients(grads));
    if (size.rank() != 1) return InvalidArgument("image_size must be 1-D", size.shape());
    if (size.dim(0) != 4) {
      return InvalidArgument("image_size must have 4 elements", size.shape());
    }
    SLUICE_ASSIGN(const Shape shape, ShapeFrom(size));
    if (shape.dim(1) == 0 || shape.dim(2) == 0) {
      return InvalidArgument("image dimensions must be positive");
    }
    SLUICE_RETURN_IF_ERROR(CheckBoxes(boxes, indices));
    if (grads.dim(0) != boxes.dim(0)) {
      return InvalidArgument("boxes and grads have incompatible shape");
    }
    if (grads.dim(3) != shape.dim(3)) {
      return InvalidArgument("image_size and grads are incompatible");
    }
    SLUICE_RETURN_IF_ERROR(CheckIndices(indices, shape.dim(0)));
    const CropSizes s{shape.dim(0), shape.dim(1), shape.dim(2), shape.dim(3),
                      boxes.dim(0), grads.dim(1), grads.dim(2)};
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return VisitDType(FloatingTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      T* const images = out->mutable_data<T>();
      std::fill_n(images, shape.num_elements(), T(0));
      for (int64_t b = 0; b < s.boxes; ++b) {
        Back(s, grads.data<float>() + b * s.crop(), boxes.data<float>() + 4 * b,
             images + indices.data<int32_t>()[b] * s.image());
      }
      return absl::OkStatus();
    });
  }

  template <typename T>
  void Back(const CropSizes& s, const float* crop, const float* box, T* image) const {
    const auto at = [&](int64_t y, int64_t x) { return image + (y * s.width + x) * s.channels; };
    const auto add = [](T& to, float value) { to += T(value); };
    ForEachPixel(
        s, box,
        [&](int64_t y, int64_t x, float in_y, float in_x) {
          const float* from = crop + (y * s.crop_width + x) * s.channels;
          if (nearest) {
            T* to = at(Nearest(in_y, s.height), Nearest(in_x, s.width));
            for (int64_t c = 0; c < s.channels; ++c) add(to[c], from[c]);
            return;
          }
          const Neighbours v(in_y, s.height), h(in_x, s.width);
          T *tl = at(v.low, h.low), *tr = at(v.low, h.high);
          T *bl = at(v.high, h.low), *br = at(v.high, h.high);
          for (int64_t c = 0; c < s.channels; ++c) {
            const float top = (1 - v.part) * from[c], bottom = v.part * from[c];
            add(tl[c], (1 - h.part) * top);
            add(tr[c], h.part * top);
            add(bl[c], (1 - h.part) * bottom);
            add(br[c], h.part * bottom);
          }
        },
        Nothing);
  }
};

struct CropGradBoxes {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &grads = ctx.input(0), &image = ctx.input(1), &boxes = ctx.input(2);
    const Tensor& indices = ctx.input(3);
    SLUICE_RETURN_IF_ERROR(CheckGradients(grads));
    if (image.rank() != 4) return InvalidArgument("input image must be 4-D", image.shape());
    if (image.dim(1) == 0 || image.dim(2) == 0) {
      return InvalidArgument("image dimensions must be positive");
    }
    if (image.dim(3) != grads.dim(3)) return InvalidArgument("image, grads depth differ");
    SLUICE_RETURN_IF_ERROR(CheckBoxes(boxes, indices));
    if (grads.dim(0) != boxes.dim(0)) {
      return InvalidArgument("boxes and grads have incompatible shape");
    }
    SLUICE_RETURN_IF_ERROR(CheckIndices(indices, image.dim(0)));
    const CropSizes s{image.dim(0), image.dim(1), image.dim(2), image.dim(3),
                      boxes.dim(0), grads.dim(1), grads.dim(2)};
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, boxes.shape()));
    return VisitDType(RealTypes{}, image.dtype(), [&]<typename T>(Type<T>) {
      ParallelFor(ctx.pool(), s.boxes, 8.0 * s.crop(), [&](int64_t begin, int64_t end) {
        for (int64_t b = begin; b < end; ++b) {
          Back(s, grads.data<float>() + b * s.crop(),
               image.data<T>() + indices.data<int32_t>()[b] * s.image(),
               boxes.data<float>() + 4 * b, out->mutable_data<float>() + 4 * b);
        }
      });
      return absl::OkStatus();
    });
  }

  // The amount that an edge at either end of a dimension adds to position i: d position / d edge.
  struct Shares {
    float first, last;
    Shares(int64_t i, int64_t in, int64_t out) {
      const auto span = static_cast<float>(in - 1);
      const float ratio = out > 1 ? span / static_cast<float>(out - 1) : 0;
      last = out > 1 ? static_cast<float>(i) * ratio : 0.5F * span;
      first = out > 1 ? span - last : last;
    }
  };

  template <typename T>
  static void Back(const CropSizes& s, const float* crop, const T* image, const float* box,
                   float* grad) {
    std::fill_n(grad, 4, 0.0F);
    const auto at = [&](int64_t y, int64_t x) { return image + (y * s.width + x) * s.channels; };
    ForEachPixel(
        s, box,
        [&](int64_t y, int64_t x, float in_y, float in_x) {
          const Neighbours v(in_y, s.height), h(in_x, s.width);
          const T *tl = at(v.low, h.low), *tr = at(v.low, h.high);
          const T *bl = at(v.high, h.low), *br = at(v.high, h.high);
          const float* from = crop + (y * s.crop_width + x) * s.channels;
          const Shares rows(y, s.height, s.crop_height), columns(x, s.width, s.crop_width);
          for (int64_t c = 0; c < s.channels; ++c) {
            const auto a = static_cast<float>(tl[c]), b = static_cast<float>(tr[c]);
            const auto d = static_cast<float>(bl[c]), e = static_cast<float>(br[c]);
            const float dy = from[c] * ((1 - h.part) * (d - a) + h.part * (e - b));
            const float dx = from[c] * ((1 - v.part) * (b - a) + v.part * (e - d));
            grad[0] += dy * rows.first;
            grad[1] += dx * columns.first;
            grad[2] += dy * rows.last;
            grad[3] += dx * columns.last;
          }
        },
        Nothing);
  }
};

}  // namespace

void RegisterCropAndResize(KernelRegistry& kernels) {
  kernels.Add<CropAndResize>("CropAndResize", kCpu, {{"T", kReal}});
  kernels.Add<CropGradImage>("CropAndResizeGradImage", kCpu, {{"T", kFloating}});
  kernels.Add<CropGradBoxes>("CropAndResizeGradBoxes", kCpu, {{"T", kReal}});
}

}  // namespace sluice::kernels
