// SPDX-License-Identifier: Apache-2.0
// Decoding of image files. As in TensorFlow 1.15, the ops of JPEG, PNG and GIF take a file of any
// of these formats.
#include <algorithm>

#include "absl/strings/escaping.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/image/bmp.h"
#include "kernels/common/image/gif.h"
#include "kernels/common/image/jpeg.h"
#include "kernels/common/image/png.h"
#include "kernels/cpu/image/register.h"

namespace sluice::kernels {
namespace {

enum class Op { kJpeg, kCropJpeg, kPng, kGif, kAny };

absl::StatusOr<int> ReadChannels(const NodeSpec& node) {
  SLUICE_ASSIGN(const int64_t channels, node.Get<int64_t>("channels"));
  if (channels == 0 || channels == 1 || channels == 3 || channels == 4) {
    return static_cast<int>(channels);
  }
  return InvalidArgument("channels must be 0, 1, 3, or 4, got ", channels);
}

absl::StatusOr<JpegDecoding> ReadJpegDecoding(const NodeSpec& node) {
  JpegDecoding how;
  SLUICE_ASSIGN(const int64_t ratio, node.Get<int64_t>("ratio"));
  if (ratio != 1 && ratio != 2 && ratio != 4 && ratio != 8) {
    return InvalidArgument("ratio must be 1, 2, 4, or 8, got ", ratio);
  }
  how.ratio = static_cast<int>(ratio);
  SLUICE_ASSIGN(how.fancy_upscaling, node.Get<bool>("fancy_upscaling"));
  SLUICE_ASSIGN(how.recover_truncated, node.Get<bool>("try_recover_truncated"));
  SLUICE_ASSIGN(how.acceptable_fraction, node.Get<float>("acceptable_fraction"));
  SLUICE_ASSIGN(const std::string method, node.Get<std::string>("dct_method"));
  if (!method.empty() && method != "INTEGER_FAST" && method != "INTEGER_ACCURATE") {
    return InvalidArgument("dct_method must be one of {'', 'INTEGER_FAST', 'INTEGER_ACCURATE'}");
  }
  how.accurate = method == "INTEGER_ACCURATE";
  return how;
}

absl::StatusOr<absl::string_view> ReadContents(const Tensor& contents) {
  if (contents.rank() != 0) {
    return InvalidArgument("contents must be scalar, got shape ", contents.shape());
  }
  return absl::string_view(contents.scalar<std::string>());
}

absl::StatusOr<CropWindow> ReadWindow(const Tensor& window) {
  if (window.rank() != 1) {
    return InvalidArgument("crop_window must be 1-D, got shape ", window.shape());
  }
  if (window.dim(0) != 4) {
    return InvalidArgument("crop_size must have four elements ", window.shape());
  }
  const auto* numbers = window.data<int32_t>();
  return CropWindow{numbers[0], numbers[1], numbers[2], numbers[3]};
}

// Converts 8-bit values to T in the memory of T, at whose end they lie.
template <typename T>
void Widen(T* to, int64_t count) {
  const uint8_t* const from = reinterpret_cast<uint8_t*>(to + count) - count;
  for (int64_t i = 0; i < count; ++i) {
    const uint8_t value = from[i];
    if constexpr (std::is_same_v<T, float>) {
      to[i] = static_cast<float>(value) * (1.0F / UINT8_MAX);
    } else {
      to[i] = static_cast<T>(value << 8);
    }
  }
}

// The same for 16-bit values, which only PNG files have.
void WidenToFloat(float* to, int64_t count) {
  const auto* const from = reinterpret_cast<uint16_t*>(to + count) - count;
  for (int64_t i = 0; i < count; ++i) {
    const uint16_t value = from[i];
    to[i] = static_cast<float>(value) * (1.0F / UINT16_MAX);
  }
}

template <Op kOp>
struct DecodeImage {
  JpegDecoding jpeg;
  int channels = 0;
  DType dtype = kUint8;
  bool animates = true;

  static absl::StatusOr<DecodeImage> Create(const NodeSpec& node) {
    DecodeImage op;
    if constexpr (kOp == Op::kGif) {
      op.channels = 3;
    } else {
      SLUICE_ASSIGN(op.channels, ReadChannels(node));
    }
    if constexpr (kOp == Op::kJpeg || kOp == Op::kCropJpeg) {
      SLUICE_ASSIGN(op.jpeg, ReadJpegDecoding(node));
    }
    if constexpr (kOp == Op::kPng || kOp == Op::kAny) {
      SLUICE_ASSIGN(op.dtype, node.Get<DType>("dtype"));
    }
    if constexpr (kOp == Op::kAny) {
      SLUICE_ASSIGN(op.animates, node.Get<bool>("expand_animations"));
    }
    op.jpeg.channels = op.channels;
    return op;
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const absl::string_view bytes, ReadContents(ctx.input(0)));
    if (bytes.size() > INT32_MAX) {
      return InvalidArgument("Input contents are too large for int: ", bytes.size());
    }
    switch (FormatOf(bytes)) {
      case ImageFormat::kJpeg:
        return DecodeJpegFile(ctx, bytes);
      case ImageFormat::kPng:
        return DecodePngFile(ctx, bytes);
      case ImageFormat::kGif:
        return DecodeGifFile(ctx, bytes);
      case ImageFormat::kBmp:
        if (kOp == Op::kAny) return DecodeBmpFile(ctx, bytes);
        break;
      case ImageFormat::kUnknown:
        break;
    }
    return Refuse(bytes);
  }

 private:
  // In the words of TensorFlow 2, then in those of 1.15.
  static absl::Status Refuse(absl::string_view bytes) {
    constexpr absl::string_view kExpected = kOp == Op::kAny
                                                ? " Expected image (JPEG, PNG, GIF, or BMP), got "
                                                : " Expected image (JPEG, PNG, or GIF), got ";
    if (bytes.empty()) return InvalidArgument("Input is empty.", kExpected, "empty file");
    constexpr absl::string_view kUnknown =
        "Unknown image file format. One of JPEG, PNG, GIF, BMP required.";
    constexpr absl::string_view kBmp =
        "Trying to decode BMP format using a wrong op. Use `decode_bmp` or `decode_image` instead.";
    constexpr size_t kShown = 16;
    return InvalidArgument(FormatOf(bytes) == ImageFormat::kBmp ? kBmp : kUnknown, kExpected,
                           "unknown format starting with '", absl::CEscape(bytes.substr(0, kShown)),
                           "'");
  }
  absl::Status DecodeJpegFile(KernelContext& ctx, absl::string_view bytes) const {
    SLUICE_RETURN_IF_ERROR(CheckBits("JPEG"));
    if (channels == 4) {
      return InvalidArgument("channels must be 0, 1, or 3 for JPEG, got ", channels);
    }
    JpegDecoding how = jpeg;
    if constexpr (kOp == Op::kCropJpeg) {
      SLUICE_ASSIGN(how.crop, ReadWindow(ctx.input(1)));
    }
    return Decode(ctx, 1, kOp == Op::kGif,
                  [&](AllocatePixels allocate) { return DecodeJpeg(bytes, how, allocate); });
  }

  absl::Status DecodePngFile(KernelContext& ctx, absl::string_view bytes) const {
    const int width = dtype == kUint8 ? 1 : 2;
    return Decode(ctx, width, kOp == Op::kGif, [&](AllocatePixels allocate) {
      return DecodePng(bytes, channels, 8 * width, allocate);
    });
  }

  absl::Status DecodeGifFile(KernelContext& ctx, absl::string_view bytes) const {
    SLUICE_RETURN_IF_ERROR(CheckBits("GIF"));
    if (channels != 0 && channels != 3) {
      return InvalidArgument("channels must be 0 or 3 for GIF, got ", channels);
    }
    return Decode(
        ctx, 1, kOp == Op::kGif || (kOp == Op::kAny && animates), [&](AllocatePixels allocate) {
          return DecodeGif(bytes, animates, [&](const ImageSize& size) -> absl::StatusOr<void*> {
            if (kOp != Op::kGif && kOp != Op::kAny && size.frames > 1) {
              return InvalidArgument("Got ", size.frames,
                                     " frames, but animated gifs can only be decoded by "
                                     "tf.image.decode_gif or tf.image.decode_image");
            }
            return allocate(size);
          });
        });
  }

  absl::Status DecodeBmpFile(KernelContext& ctx, absl::string_view bytes) const {
    return Decode(ctx, 1, kOp == Op::kGif, [&](AllocatePixels allocate) {
      return DecodeBmp(bytes, channels, true, allocate);
    });
  }

  absl::Status CheckBits(absl::string_view format) const {
    if (kOp == Op::kAny || dtype == kUint8) return absl::OkStatus();
    return InvalidArgument(format, " does not support uint16 output");
  }

  // Gives `decode` the output's memory for values of `width` bytes. Narrower values than the
  // output's go to the end of its memory, and are then converted in place. `has_frames`: the first
  // dimension counts frames.
  template <typename Fn>
  absl::Status Decode(KernelContext& ctx, int64_t width, bool has_frames, const Fn& decode) const {
    Tensor* output = nullptr;
    SLUICE_RETURN_IF_ERROR(decode([&](const ImageSize& size) -> absl::StatusOr<void*> {
      Shape::Dims dims{size.height, size.width, size.channels};
      if (has_frames) dims.insert(dims.begin(), size.frames);
      SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
      SLUICE_ASSIGN(output, ctx.AllocateOutput(0, shape));
      return static_cast<char*>(output->raw()) + output->bytes() - width * output->num_elements();
    }));
    const int64_t count = output->num_elements();
    if (dtype == kUint16 && width == 1) Widen(output->mutable_data<uint16_t>(), count);
    if (dtype == kFloat && width == 1) Widen(output->mutable_data<float>(), count);
    if (dtype == kFloat && width == 2) WidenToFloat(output->mutable_data<float>(), count);
    return absl::OkStatus();
  }
};

struct DecodeBmpImage {
  int channels;

  static absl::StatusOr<DecodeBmpImage> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int channels, ReadChannels(node));
    return DecodeBmpImage{channels};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const absl::string_view bytes, ReadContents(ctx.input(0)));
    return DecodeBmp(bytes, channels, false, [&](const ImageSize& size) -> absl::StatusOr<void*> {
      SLUICE_ASSIGN(Tensor * output,
                    ctx.AllocateOutput(0, {size.height, size.width, size.channels}));
      return output->raw();
    });
  }
};

struct ExtractJpegShape {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const absl::string_view bytes, ReadContents(ctx.input(0)));
    SLUICE_ASSIGN(const ImageSize size, ReadJpegSize(bytes));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, {3}));
    return VisitDType(TypeList<int32_t, int64_t>{}, output->dtype(), [&]<typename T>(Type<T>) {
      T* to = output->mutable_data<T>();
      to[0] = static_cast<T>(size.height);
      to[1] = static_cast<T>(size.width);
      to[2] = static_cast<T>(size.channels);
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterDecodeImage(KernelRegistry& kernels) {
  kernels.Add<DecodeImage<Op::kJpeg>>("DecodeJpeg", kCpu);
  kernels.Add<DecodeImage<Op::kCropJpeg>>("DecodeAndCropJpeg", kCpu);
  kernels.Add<DecodeImage<Op::kPng>>("DecodePng", kCpu, {{"dtype", {kUint8, kUint16}}});
  kernels.Add<DecodeImage<Op::kGif>>("DecodeGif", kCpu);
  kernels.Add<DecodeImage<Op::kAny>>("DecodeImage", kCpu, {{"dtype", {kUint8, kUint16, kFloat}}});
  kernels.Add<DecodeBmpImage>("DecodeBmp", kCpu);
  kernels.Add<ExtractJpegShape>("ExtractJpegShape", kCpu, {{"output_type", {kInt32, kInt64}}});
}

}  // namespace sluice::kernels
