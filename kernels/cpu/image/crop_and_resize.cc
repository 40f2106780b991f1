// SPDX-License-Identifier: Apache-2.0
// Crops of images, all resized to one size, with gradients towards image and boxes.
#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/image/crop_geometry.h"
#include "kernels/common/image/crop_plan.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/image/register.h"

namespace sluice::kernels {
namespace {

// This check comes last, as in TensorFlow.
absl::Status CheckIndices(const Tensor& indices, int64_t batch) {
  for (int32_t index : indices.flat<int32_t>()) {
    if (index < 0 || index >= batch) {
      return OutOfRange("box_index has values outside [0, batch_size)");
    }
  }
  return absl::OkStatus();
}

// Calls fn(y, x, image_y, image_x) for the pixels of a crop that lie inside the image, and
// outside(y, x) for the others.
template <typename Fn, typename Outside>
void ForEachPixel(const CropSizes& s, const float* box, const Fn& fn, const Outside& outside) {
  const CropPositions rows(box[0], box[2], s.height, s.crop_height);
  const CropPositions columns(box[1], box[3], s.width, s.crop_width);
  for (int64_t y = 0; y < s.crop_height; ++y) {
    ThrowIfCancelled();
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

struct CropAndResize {
  bool nearest;
  float outside;

  static absl::StatusOr<CropAndResize> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool nearest, CropsNearest(node));
    SLUICE_ASSIGN(const float outside, node.Get<float>("extrapolation_value"));
    return CropAndResize{nearest, outside};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &image = ctx.input(0), &boxes = ctx.input(1), &indices = ctx.input(2);
    SLUICE_ASSIGN(const CropSizes s, CheckCrop(ctx));
    SLUICE_RETURN_IF_ERROR(CheckIndices(indices, s.batch));
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
            const T* from = at(NearestInCrop(in_y, s.height), NearestInCrop(in_x, s.width));
            for (int64_t c = 0; c < s.channels; ++c) out[c] = static_cast<float>(from[c]);
            return;
          }
          const CropNeighbours v(in_y, s.height), h(in_x, s.width);
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

struct CropGradImage {
  bool nearest;

  static absl::StatusOr<CropGradImage> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool nearest, CropsNearest(node));
    return CropGradImage{nearest};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &grads = ctx.input(0), &boxes = ctx.input(1), &indices = ctx.input(2);
    SLUICE_ASSIGN(const CropSizes s, CheckCropGradImage(ctx));
    SLUICE_RETURN_IF_ERROR(CheckIndices(indices, s.batch));
    const Shape shape{s.batch, s.height, s.width, s.channels};
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
            T* to = at(NearestInCrop(in_y, s.height), NearestInCrop(in_x, s.width));
            for (int64_t c = 0; c < s.channels; ++c) add(to[c], from[c]);
            return;
          }
          const CropNeighbours v(in_y, s.height), h(in_x, s.width);
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
    SLUICE_ASSIGN(const CropSizes s, CheckCropGradBoxes(ctx));
    SLUICE_RETURN_IF_ERROR(CheckIndices(indices, s.batch));
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

  template <typename T>
  static void Back(const CropSizes& s, const float* crop, const T* image, const float* box,
                   float* grad) {
    std::fill_n(grad, 4, 0.0F);
    const auto at = [&](int64_t y, int64_t x) { return image + (y * s.width + x) * s.channels; };
    ForEachPixel(
        s, box,
        [&](int64_t y, int64_t x, float in_y, float in_x) {
          const CropNeighbours v(in_y, s.height), h(in_x, s.width);
          const T *tl = at(v.low, h.low), *tr = at(v.low, h.high);
          const T *bl = at(v.high, h.low), *br = at(v.high, h.high);
          const float* from = crop + (y * s.crop_width + x) * s.channels;
          const CropShares rows(y, s.height, s.crop_height), columns(x, s.width, s.crop_width);
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
