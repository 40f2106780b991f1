// SPDX-License-Identifier: Apache-2.0
// Shapes of ops on images.
#include <algorithm>
#include <bit>

#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// Height and width from input i's value.
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

// Indices of at most as many boxes as there are, or exactly the requested number. In V5, scores and
// the number of valid ones follow.
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

absl::Status PatchesShape(ShapeContext& c) {
  SLUICE_ASSIGN(const auto sizes, c.Get<std::vector<int64_t>>("ksizes"));
  SLUICE_ASSIGN(const auto strides, c.Get<std::vector<int64_t>>("strides"));
  SLUICE_ASSIGN(const auto padding, c.Get<std::string>("padding"));
  const auto rank = static_cast<int>(sizes.size());
  const auto rates = GetAttrOr(c.node.attrs, "rates", std::vector<int64_t>(rank, 1));
  SLUICE_ASSIGN(const PartialShape input, c.OfRank(0, rank));
  if (static_cast<int>(strides.size()) != rank || static_cast<int>(rates.size()) != rank)
    return InvalidArgument("ksizes, strides and rates must have ", rank, " numbers");
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  for (int d = 1; d + 1 < rank; ++d) {
    // As in TensorFlow, sizes that no dimension can be checked against are left to the kernel.
    if ((dims[d] >= 0 || dims[rank - 1] >= 0) && (sizes[d] < 1 || strides[d] < 1 || rates[d] < 1))
      return InvalidArgument("ksizes, strides and rates must be positive");
    dims[rank - 1] = SizeProduct(dims[rank - 1], sizes[d]);
    if (dims[d] < 0) continue;
    const int64_t reach = SizeSum(SizeProduct(sizes[d] - 1, rates[d]), 1);
    if (padding == "SAME") {
      dims[d] = (dims[d] + strides[d] - 1) / strides[d];
    } else {
      // A window that exceeds the image by less than two strides gives no patches.
      const int64_t room = reach < 0 ? reach : dims[d] - reach;
      const int64_t out = room >= 0 ? room / strides[d] + 1 : (room + strides[d]) / strides[d];
      if (reach < 0 || out < 0)
        return InvalidArgument("patches of size ", reach, " do not fit into ", dims[d]);
      dims[d] = out;
    }
  }
  return c.Set(0, dims);
}

// Height, width and channels of the image in a file.
absl::Status ImageFileShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(c.OfRank(0, 0).status());
  SLUICE_ASSIGN(const auto channels, c.Get<int64_t>("channels"));
  if (channels < 0) return InvalidArgument("channels must be non-negative, got ", channels);
  if (GetAttrOr<bool>(c.node.attrs, "expand_animations", false)) return absl::OkStatus();
  return c.Set(0, {-1, -1, channels == 0 ? -1 : channels});
}

absl::Status CroppedFileShape(ShapeContext& c) {  // contents, (y, x, height, width)
  SLUICE_RETURN_IF_ERROR(ImageFileShape(c));
  SLUICE_ASSIGN(PartialShape window, c.OfRank(1, 1));
  SLUICE_RETURN_IF_ERROR(MergedSize(window.dim(0), 4).status());
  const auto size = [&](int i) { return std::max<int64_t>(-1, c.Int(1, i).value_or(-1)); };
  return c.Set(0, {size(2), size(3), c.outputs[0].dim(2)});
}

absl::Status AnimationShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(c.OfRank(0, 0).status());
  return c.Set(0, {-1, -1, -1, 3});
}

absl::Status JpegSizeShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(c.OfRank(0, 0).status());
  return c.Set(0, {3});
}

absl::Status EncodedJpegShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(c.OfRank(0, 3).status());
  c.outputs[0] = Shape{};
  return absl::OkStatus();
}

absl::Status EncodedPngShape(ShapeContext& c) {  // a file of each image
  SLUICE_ASSIGN(const PartialShape images, c.OfRankAtLeast(0, 3));
  if (!images.rank_known()) return absl::OkStatus();
  return c.Set(0, Shape::Dims(images.dims().begin(), images.dims().end() - 3));
}

absl::Status BipartiteMatchShape(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape distances, c.OfRank(0, 2));
  SLUICE_RETURN_IF_ERROR(c.Set(0, {distances.dim(0)}));
  return c.Set(1, {distances.dim(1)});
}

constexpr ShapeRule kRules[] = {
    {"AdjustContrast", Unchanged},
    {"AdjustContrastv2", Unchanged},
    {"AdjustHsvInYiq", Unchanged},
    {"AdjustHue", Unchanged},
    {"AdjustSaturation", Unchanged},
    {"BipartiteMatch", BipartiteMatchShape},
    {"CombinedNonMaxSuppression", CombinedNonMaxSuppressionShape},
    {"CropAndResize", CropAndResizeShape},
    {"CropAndResizeGradBoxes", LikeThird},
    {"CropAndResizeGradImage", StatedOfRank<3, 4>},
    {"DecodeAndCropJpeg", CroppedFileShape},
    {"DecodeBmp", ImageFileShape},
    {"DecodeGif", AnimationShape},
    {"DecodeImage", ImageFileShape},
    {"DecodeJpeg", ImageFileShape},
    {"DecodePng", ImageFileShape},
    {"DrawBoundingBoxes", ImagesShape},
    {"DrawBoundingBoxesV2", ImagesShape},
    {"EncodeJpeg", EncodedJpegShape},
    {"EncodeJpegVariableQuality", EncodedJpegShape},
    {"EncodePng", EncodedPngShape},
    {"ExtractGlimpse", ResizeShape},
    {"ExtractGlimpseV2", ResizeShape},
    {"ExtractImagePatches", PatchesShape},
    {"ExtractJpegShape", JpegSizeShape},
    {"ExtractVolumePatches", PatchesShape},
    {"HSVToRGB", ColoursShape},
    {"ImageConnectedComponents", Unchanged},
    {"ImageProjectiveTransform", ImagesShape},
    {"ImageProjectiveTransformV2", ProjectiveTransformShape},
    {"ImageProjectiveTransformV3", ProjectiveTransformShape},
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
    {"StatelessSampleDistortedBoundingBox", DistortedBoxShape},
};

}  // namespace

absl::Span<const ShapeRule> ImageRules() { return kRules; }

}  // namespace sluice::graph
