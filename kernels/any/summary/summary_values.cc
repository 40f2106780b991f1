// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/summary/summary_values.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <vector>

#include "core/tensor/float16.h"
#include "core/threads/cancel_scope.h"
#include "kernels/any/summary/histogram.h"
#include "kernels/common/image/png.h"
#include "proto/summary.pb.h"

namespace sluice::kernels {
namespace {

using Shown = Join<RealTypes, TypeList<bool>>;

template <typename T>
double Real(const T& value) {
  return static_cast<double>(static_cast<ComputeType<T>>(value));
}

// Converts one image's pixels from floats.
template <typename T>
void Normalize(const T* values, int64_t pixels, int channels, const uint8_t* bad, uint8_t* to) {
  auto finite = [&](int64_t p) {
    for (int c = 0; c < channels; ++c) {
      if (!std::isfinite(static_cast<float>(values[p * channels + c]))) return false;
    }
    return true;
  };
  float low = INFINITY, high = -INFINITY;
  for (int64_t p = 0; p < pixels; ++p) {
    if (!finite(p)) continue;
    for (int c = 0; c < channels; ++c) {
      const float value = static_cast<float>(values[p * channels + c]);
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  constexpr float kZero = 1e-6f;
  const float most = low < 0 ? std::max(std::abs(low), std::abs(high)) : high;
  const T scale = static_cast<T>(most < kZero ? 0.0f : (low < 0 ? 127.0f : 255.0f) / most);
  const T offset = static_cast<T>(low < 0 ? 128.0f : 0.0f);
  for (int64_t p = 0; p < pixels; ++p) {
    const bool good = finite(p);
    for (int c = 0; c < channels; ++c) {
      const int64_t i = p * channels + c;
      const T scaled = static_cast<T>(static_cast<T>(values[i] * scale) + offset);
      to[i] = good ? static_cast<uint8_t>(std::clamp(static_cast<float>(scaled), 0.0f, 255.0f))
                   : bad[c];
    }
  }
}

void AppendLittle(uint32_t value, int bytes, std::string* to) {
  for (int i = 0; i < bytes; ++i) to->push_back(static_cast<char>(value >> (8 * i)));
}

std::string EncodeWav(const float* samples, int64_t frames, int64_t channels, uint32_t rate) {
  const auto data_bytes = static_cast<uint32_t>(frames * channels * 2);
  const auto frame_bytes = static_cast<uint32_t>(channels * 2);
  std::string wav = "RIFF";
  AppendLittle(36 + data_bytes, 4, &wav);
  wav += "WAVEfmt ";
  AppendLittle(16, 4, &wav);
  AppendLittle(1, 2, &wav);  // PCM
  AppendLittle(static_cast<uint32_t>(channels), 2, &wav);
  AppendLittle(rate, 4, &wav);
  AppendLittle(rate * frame_bytes, 4, &wav);
  AppendLittle(frame_bytes, 2, &wav);
  AppendLittle(16, 2, &wav);
  wav += "data";
  AppendLittle(data_bytes, 4, &wav);
  for (int64_t i = 0; i < frames * channels; ++i) {
    const float sample = std::clamp(std::round(samples[i] * 32768.0f), -32768.0f, 32767.0f);
    AppendLittle(static_cast<uint32_t>(std::isnan(sample) ? 0 : static_cast<int32_t>(sample)), 2,
                 &wav);
  }
  return wav;
}

std::string NumberedTag(const std::string& tag, absl::string_view kind, int64_t most, int64_t i) {
  return most > 1 ? absl::StrCat(tag, "/", kind, "/", i) : absl::StrCat(tag, "/", kind);
}

}  // namespace

absl::StatusOr<std::string> TagOf(const Tensor& tag, absl::string_view otherwise) {
  if (tag.rank() == 0) return tag.scalar<std::string>();
  return InvalidArgument(otherwise, ", got shape ", tag.shape());
}

absl::StatusOr<double> RealAt(const Tensor& values, int64_t i) {
  double value = 0;
  SLUICE_RETURN_IF_ERROR(VisitDType(Shown{}, values.dtype(), [&]<typename T>(Type<T>) {
    value = Real(values.data<T>()[i]);
    return absl::OkStatus();
  }));
  return value;
}

absl::Status FillHistogram(const Tensor& values, absl::string_view where,
                           proto::HistogramProto* to) {
  Histogram histogram;
  CancelPoints points(1 << 14);
  auto add = [&]<typename T>(Type<T>) {
    for (const T& element : values.flat<T>()) {
      points.Pass();
      const double value = Real(element);
      if (std::isnan(value)) return InvalidArgument("Nan in summary histogram for: ", where);
      if (std::isinf(value)) return InvalidArgument("Infinity in summary histogram for: ", where);
      histogram.Add(value);
    }
    return absl::OkStatus();
  };
  SLUICE_RETURN_IF_ERROR(VisitDType(Shown{}, values.dtype(), add));
  histogram.Fill(to);
  return absl::OkStatus();
}

absl::Status AddImages(const std::string& tag, const Tensor& images, int64_t most,
                       const Tensor& bad_color, proto::Summary* to) {
  const Shape& shape = images.shape();
  if (shape.rank() != 4 || (shape.dim(3) != 1 && shape.dim(3) != 3 && shape.dim(3) != 4)) {
    return InvalidArgument("Tensor must be 4-D with last dim 1, 3, or 4, not ", shape);
  }
  const int64_t height = shape.dim(1), width = shape.dim(2), channels = shape.dim(3);
  int64_t pixels, bytes;
  if (height >= 1 << 30 || width >= 1 << 30 || !MulFits(height, width, &pixels) ||
      !MulFits(pixels, channels, &bytes) || bytes >= INT32_MAX) {
    return InvalidArgument("Tensor too large for summary ", shape);
  }
  if (images.dtype() != kUint8 && bad_color.num_elements() < channels) {
    return InvalidArgument("expected depth <= bad_color.size, got depth = ", channels,
                           ", bad_color.size = ", bad_color.num_elements());
  }
  if (bytes == 0 && shape.dim(0) > 0) return InvalidArgument("images of no pixels: ", shape);
  std::vector<uint8_t> scaled(images.dtype() == kUint8 ? 0 : bytes);
  const int64_t count = std::min(most, shape.dim(0));
  for (int64_t i = 0; i < count; ++i) {
    const uint8_t* image = scaled.data();
    SLUICE_RETURN_IF_ERROR(VisitDType(TypeList<uint8_t, Half, float, double>{}, images.dtype(),
                                      [&]<typename T>(Type<T>) {
                                        const T* from = images.data<T>() + i * bytes;
                                        if constexpr (std::is_same_v<T, uint8_t>) {
                                          image = from;
                                        } else {
                                          Normalize(from, pixels, static_cast<int>(channels),
                                                    bad_color.data<uint8_t>(), scaled.data());
                                        }
                                        return absl::OkStatus();
                                      }));
    SLUICE_ASSIGN(std::string png, EncodePng(image, {1, height, width, channels}, 8));
    auto* value = to->add_value();
    value->set_tag(NumberedTag(tag, "image", most, i));
    value->mutable_image()->set_height(static_cast<int32_t>(height));
    value->mutable_image()->set_width(static_cast<int32_t>(width));
    value->mutable_image()->set_colorspace(static_cast<int32_t>(channels));
    value->mutable_image()->set_encoded_image_string(std::move(png));
  }
  return absl::OkStatus();
}

absl::Status AddAudio(const std::string& tag, const Tensor& sounds, float sample_rate, int64_t most,
                      proto::Summary* to) {
  const Shape& shape = sounds.shape();
  if (shape.rank() != 2 && shape.rank() != 3) {
    return InvalidArgument("Tensor must be 3-D or 2-D, got: ", shape);
  }
  if (!(sample_rate > 0) || sample_rate > 1e9f) {
    return InvalidArgument("sample_rate must be > 0, got ", sample_rate);
  }
  const int64_t frames = shape.dim(1), channels = shape.rank() == 3 ? shape.dim(2) : 1;
  int64_t samples;
  if (!MulFits(frames, channels, &samples) || samples > INT32_MAX / 4 || channels > INT16_MAX) {
    return InvalidArgument("Tensor too large for summary ", shape);
  }
  if (samples == 0 && shape.dim(0) > 0) return InvalidArgument("sounds of no samples: ", shape);
  const int64_t count = std::min(most, shape.dim(0));
  for (int64_t i = 0; i < count; ++i) {
    auto* value = to->add_value();
    value->set_tag(NumberedTag(tag, "audio", most, i));
    auto* audio = value->mutable_audio();
    audio->set_sample_rate(sample_rate);
    audio->set_num_channels(channels);
    audio->set_length_frames(frames);
    audio->set_content_type("audio/wav");
    audio->set_encoded_audio_string(EncodeWav(sounds.data<float>() + i * samples, frames, channels,
                                              static_cast<uint32_t>(sample_rate)));
  }
  return absl::OkStatus();
}

}  // namespace sluice::kernels
