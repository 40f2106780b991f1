// Shapes of ops on images and sound.
#include <algorithm>
#include <bit>

#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// Height and width as input i's value states them.
absl::Status ReadSize(const ShapeContext& c, int i, int64_t* height, int64_t* width) {
  SLUICE_ASSIGN(PartialShape vector, c.OfRank(i, 1));
  SLUICE_ASSIGN(const int64_t length, MergedSize(vector.dim(0), 2));
  (void)length;
  *height = c.Int(i, 0).value_or(-1);
  *width = c.Int(i, 1).value_or(-1);
  return absl::OkStatus();
}

absl::Status ResizeShape(ShapeContext& c) {  // images, size
  SLUICE_ASSIGN(PartialShape images, c.OfRank(0, 4));
  int64_t height, width;
  SLUICE_RETURN_IF_ERROR(ReadSize(c, 1, &height, &width));
  return c.Set(0, {images.dim(0), height, width, images.dim(3)});
}

absl::Status ProjectiveTransformShape(ShapeContext& c) {  // images, transforms, output_shape
  SLUICE_ASSIGN(PartialShape images, c.OfRank(0, 4));
  int64_t height, width;
  SLUICE_RETURN_IF_ERROR(ReadSize(c, 2, &height, &width));
  return c.Set(0, {images.dim(0), height, width, images.dim(3)});
}

absl::Status ResamplerShape(ShapeContext& c) {  // data, warp: the channels in the place of (x, y)
  SLUICE_ASSIGN(PartialShape data, c.OfRank(0, 4));
  const PartialShape& warp = c.inputs[1];
  if (!warp.rank_known() || warp.rank() == 0) return absl::OkStatus();
  std::vector<int64_t> sizes(warp.dims().begin(), warp.dims().end());
  sizes.back() = data.dim(3);
  return c.Set(0, sizes);
}

absl::Status CropAndResizeShape(ShapeContext& c) {  // image, boxes, box_ind, crop_size
  SLUICE_ASSIGN(PartialShape image, c.OfRank(0, 4));
  SLUICE_ASSIGN(PartialShape boxes, c.OfRank(1, 2));
  SLUICE_ASSIGN(PartialShape indices, c.OfRank(2, 1));
  SLUICE_ASSIGN(const int64_t count, MergedSize(boxes.dim(0), indices.dim(0)));
  int64_t height, width;
  SLUICE_RETURN_IF_ERROR(ReadSize(c, 3, &height, &width));
  return c.Set(0, {count, height, width, image.dim(3)});
}

absl::Status LikeThird(ShapeContext& c) {
  c.outputs[0] = c.inputs[2];
  return absl::OkStatus();
}

// Indices of as many boxes as there are, or exactly the number asked for; then scores in V5, and
// how many are real.
absl::Status NonMaxSuppressionShape(ShapeContext& c) {
  const bool padded = GetAttrOr<bool>(c.node.attrs, "pad_to_max_output_size", false);
  const int64_t count = padded ? c.Int(2).value_or(-1) : -1;
  for (size_t i = 0; i < c.outputs.size(); ++i) {
    c.outputs[i] = PartialShape{std::max<int64_t>(-1, count)};
  }
  if (c.outputs.size() > 1) c.outputs.back() = Shape{};
  return absl::OkStatus();
}

absl::Status CombinedNonMaxSuppressionShape(ShapeContext& c) {  // boxes, scores, per class, total
  SLUICE_ASSIGN(PartialShape boxes, c.OfRank(0, 4));
  SLUICE_ASSIGN(PartialShape scores, c.OfRank(1, 3));
  int64_t count = c.Int(3).value_or(-1);
  if (count >= 0 && GetAttrOr<bool>(c.node.attrs, "pad_per_class", false)) {
    const int64_t all = SizeProduct(c.Int(2).value_or(-1), scores.dim(2));
    count = all < 0 ? -1 : std::min(count, all);
  }
  SLUICE_RETURN_IF_ERROR(c.Set(0, {boxes.dim(0), count, 4}));
  SLUICE_RETURN_IF_ERROR(c.Set(1, {boxes.dim(0), count}));
  SLUICE_RETURN_IF_ERROR(c.Set(2, {boxes.dim(0), count}));
  return c.Set(3, {boxes.dim(0)});
}

absl::Status ColoursShape(ShapeContext& c) {  // red, green, blue last
  SLUICE_ASSIGN(PartialShape images, c.OfRankAtLeast(0, 1));
  c.outputs[0] = images;
  if (!images.rank_known()) return absl::OkStatus();
  Shape::Dims dims(images.dims().begin(), images.dims().end());
  SLUICE_ASSIGN(dims.back(), MergedSize(dims.back(), 3));
  return c.Set(0, dims);
}

absl::Status ImagesShape(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], c.OfRank(0, 4));
  return absl::OkStatus();
}

absl::Status RandomCropShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape image, c.OfRank(0, 3));
  int64_t height, width;
  SLUICE_RETURN_IF_ERROR(ReadSize(c, 1, &height, &width));
  return c.Set(0, {height, width, image.dim(2)});
}

absl::Status DistortedBoxShape(ShapeContext& c) {  // begin, size, one box
  c.outputs[0] = c.outputs[1] = PartialShape{3};
  c.outputs[2] = PartialShape{1, 1, 4};
  return absl::OkStatus();
}

absl::Status SpectrogramShape(ShapeContext& c) {  // [samples, channels]
  SLUICE_ASSIGN(PartialShape input, c.OfRank(0, 2));
  SLUICE_ASSIGN(const int64_t window, c.Get<int64_t>("window_size"));
  SLUICE_ASSIGN(const int64_t stride, c.Get<int64_t>("stride"));
  if (window < 2 || stride < 1) return absl::OkStatus();  // the kernel says what is wrong
  int64_t frames = input.dim(0);
  if (frames >= 0) frames = frames < window ? 0 : 1 + (frames - window) / stride;
  const auto bins = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(window)) / 2 + 1);
  return c.Set(0, {input.dim(1), frames, bins});
}

absl::Status MfccShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape spectrogram, c.OfRank(0, 3));
  SLUICE_ASSIGN(const int64_t count, c.Get<int64_t>("dct_coefficient_count"));
  return c.Set(0, {spectrogram.dim(0), spectrogram.dim(1), std::max<int64_t>(-1, count)});
}

absl::Status DecodeWavShape(ShapeContext& c) {
  SLUICE_ASSIGN(const int64_t channels, c.Get<int64_t>("desired_channels"));
  SLUICE_ASSIGN(const int64_t samples, c.Get<int64_t>("desired_samples"));
  c.outputs[1] = Shape{};
  return c.Set(0, {std::max<int64_t>(-1, samples), std::max<int64_t>(-1, channels)});
}

constexpr ShapeRule kRules[] = {
    {"AdjustContrast", Unchanged},
    {"AdjustContrastv2", Unchanged},
    {"AdjustHue", Unchanged},
    {"AdjustSaturation", Unchanged},
    {"AudioSpectrogram", SpectrogramShape},
    {"CombinedNonMaxSuppression", CombinedNonMaxSuppressionShape},
    {"CropAndResize", CropAndResizeShape},
    {"CropAndResizeGradBoxes", LikeThird},
    {"CropAndResizeGradImage", StatedOfRank<3, 4>},
    {"DecodeWav", DecodeWavShape},
    {"DrawBoundingBoxes", ImagesShape},
    {"DrawBoundingBoxesV2", ImagesShape},
    {"EncodeWav", AllScalars},
    {"ExtractGlimpse", ResizeShape},
    {"HSVToRGB", ColoursShape},
    {"ImageProjectiveTransform", ImagesShape},
    {"ImageProjectiveTransformV2", ProjectiveTransformShape},
    {"Mfcc", MfccShape},
    {"NonMaxSuppression", NonMaxSuppressionShape},
    {"NonMaxSuppressionV2", NonMaxSuppressionShape},
    {"NonMaxSuppressionV3", NonMaxSuppressionShape},
    {"NonMaxSuppressionV4", NonMaxSuppressionShape},
    {"NonMaxSuppressionV5", NonMaxSuppressionShape},
    {"NonMaxSuppressionWithOverlaps", NonMaxSuppressionShape},
    {"RGBToHSV", ColoursShape},
    {"RandomCrop", RandomCropShape},
    {"Resampler", ResamplerShape},
    {"ResamplerGrad", EachUnchanged},
    {"ResizeArea", ResizeShape},
    {"ResizeBicubic", ResizeShape},
    {"ResizeBicubicGrad", LikeSecond},
    {"ResizeBilinear", ResizeShape},
    {"ResizeBilinearGrad", LikeSecond},
    {"ResizeNearestNeighbor", ResizeShape},
    {"ResizeNearestNeighborGrad", ResizeShape},
    {"SampleDistortedBoundingBox", DistortedBoxShape},
    {"SampleDistortedBoundingBoxV2", DistortedBoxShape},
    {"ScaleAndTranslate", ResizeShape},
    {"ScaleAndTranslateGrad", LikeSecond},
};

}  // namespace

absl::Span<const ShapeRule> ImageRules() { return kRules; }

}  // namespace sluice::graph
