// SPDX-License-Identifier: Apache-2.0
// Encoding of images as JPEG and PNG files.
#include "core/op/producer_version.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/image/jpeg.h"
#include "kernels/common/image/png.h"
#include "kernels/cpu/image/register.h"

namespace sluice::kernels {
namespace {

absl::Status SetJpeg(KernelContext& ctx, const ImageSize& size, const JpegEncoding& how) {
  SLUICE_ASSIGN(Tensor * file, ctx.AllocateOutput(0, {}));
  SLUICE_ASSIGN(*file->mutable_data<std::string>(),
                EncodeJpeg(ctx.input(0).data<uint8_t>(), size, how));
  return absl::OkStatus();
}

absl::StatusOr<ImageSize> ReadJpegImageSize(const Tensor& image) {
  if (image.rank() != 3) {
    return InvalidArgument("image must be 3-dimensional", image.shape());
  }
  if (image.num_elements() > INT32_MAX) {
    return InvalidArgument("image cannot have >= int32 max elements");
  }
  return ImageSize{1, image.dim(0), image.dim(1), image.dim(2)};
}

absl::Status CheckQuality(int64_t quality) {
  if (quality >= 0 && quality <= 100) return absl::OkStatus();
  return InvalidArgument("quality must be in [0,100], got ", quality);
}

absl::Status CheckJpegChannels(const Tensor& image) {
  if (image.dim(2) == 1 || image.dim(2) == 3) return absl::OkStatus();
  return InvalidArgument("image must have 1 or 3 channels, got ", image.shape());
}

struct EncodeJpegImage {
  JpegEncoding how;
  int channels;  // 0: 1 or 3, as the image has
  std::string format;

  static absl::StatusOr<EncodeJpegImage> Create(const NodeSpec& node) {
    EncodeJpegImage op;
    SLUICE_ASSIGN(op.format, node.Get<std::string>("format"));
    op.channels = op.format.empty() ? 0 : op.format == "grayscale" ? 1 : 3;
    SLUICE_ASSIGN(const int64_t quality, node.Get<int64_t>("quality"));
    SLUICE_RETURN_IF_ERROR(CheckQuality(quality));
    op.how.quality = static_cast<int>(quality);
    SLUICE_ASSIGN(op.how.progressive, node.Get<bool>("progressive"));
    SLUICE_ASSIGN(op.how.optimize_size, node.Get<bool>("optimize_size"));
    SLUICE_ASSIGN(op.how.chroma_downsampling, node.Get<bool>("chroma_downsampling"));
    SLUICE_ASSIGN(const std::string unit, node.Get<std::string>("density_unit"));
    op.how.density_in_cm = unit == "cm";
    SLUICE_ASSIGN(const int64_t x_density, node.Get<int64_t>("x_density"));
    SLUICE_ASSIGN(const int64_t y_density, node.Get<int64_t>("y_density"));
    op.how.x_density = static_cast<int>(x_density);
    op.how.y_density = static_cast<int>(y_density);
    SLUICE_ASSIGN(op.how.xmp_metadata, node.Get<std::string>("xmp_metadata"));
    return op;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& image = ctx.input(0);
    SLUICE_ASSIGN(const ImageSize size, ReadJpegImageSize(image));
    if (channels == 0) {
      SLUICE_RETURN_IF_ERROR(CheckJpegChannels(image));
    } else if (size.channels != channels) {
      return InvalidArgument("format ", format, " expects ", channels, " channels, got ",
                             image.shape());
    }
    return SetJpeg(ctx, size, how);
  }
};

// The encoder takes 1 for a lower quality and 100 for a higher one. Graphs of 1.x rely on that.
struct EncodeJpegVariableQuality {
  bool as_in_1x;

  static absl::StatusOr<EncodeJpegVariableQuality> Create(const NodeSpec& node) {
    return EncodeJpegVariableQuality{IsFrom1x(node)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& image = ctx.input(0);
    SLUICE_ASSIGN(const ImageSize size, ReadJpegImageSize(image));
    if (ctx.input(1).rank() != 0) {
      return InvalidArgument("quality must be scalar: ", ctx.input(1).shape());
    }
    JpegEncoding how;
    how.quality = ctx.input(1).scalar<int32_t>();
    if (!as_in_1x) SLUICE_RETURN_IF_ERROR(CheckQuality(how.quality));
    SLUICE_RETURN_IF_ERROR(CheckJpegChannels(image));
    return SetJpeg(ctx, size, how);
  }
};

// A file of each image, whose height, width and channels are the last dimensions.
struct EncodePngImages {
  int compression;

  static absl::StatusOr<EncodePngImages> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t compression, node.Get<int64_t>("compression"));
    if (compression < -1 || compression > 9) {
      return InvalidArgument("compression should be in [-1,9], got ", compression);
    }
    return EncodePngImages{static_cast<int>(compression)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& images = ctx.input(0);
    const int rank = images.rank();
    if (rank < 3) {
      return InvalidArgument("images must be at least rank 3, got ", images.shape());
    }
    const ImageSize size{1, images.dim(rank - 3), images.dim(rank - 2), images.dim(rank - 1)};
    if (size.channels < 1 || size.channels > 4) {
      return InvalidArgument("image must have 1, 2, 3, or 4 channels, got ", size.channels);
    }
    SLUICE_ASSIGN(const Shape shape, Shape::Create(images.shape().dims().subspan(0, rank - 3)));
    SLUICE_ASSIGN(Tensor * files, ctx.AllocateOutput(0, shape));
    const int width = images.dtype() == kUint16 ? 2 : 1;
    const auto* from = static_cast<const char*>(images.raw());
    for (int64_t i = 0; i < shape.num_elements(); ++i, from += size.frame() * width) {
      SLUICE_ASSIGN(files->mutable_data<std::string>()[i],
                    EncodePng(from, size, 8 * width, compression));
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterEncodeImage(KernelRegistry& kernels) {
  kernels.Add<EncodeJpegImage>("EncodeJpeg", kCpu);
  kernels.Add<EncodeJpegVariableQuality>("EncodeJpegVariableQuality", kCpu);
  kernels.Add<EncodePngImages>("EncodePng", kCpu, {{"T", {kUint8, kUint16}}});
}

}  // namespace sluice::kernels
