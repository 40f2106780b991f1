// SPDX-License-Identifier: Apache-2.0
// Shapes of Fourier transforms, spectrograms and audio formats.
#include <algorithm>
#include <bit>

#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// The dimensions before the transformed ones are kept; fft_length gives the others.
absl::Status RealTransformShape(ShapeContext& c) {
  const std::string& op = c.node.op();
  const int rank = op.ends_with("3D") ? 3 : op.ends_with("2D") ? 2 : 1;
  SLUICE_ASSIGN(PartialShape input, c.OfRankAtLeast(0, rank));
  if (!input.rank_known()) return absl::OkStatus();
  const KnownInts* lengths = c.ints[1];
  Shape::Dims inner(rank, -1);
  for (int i = 0; i < rank && lengths != nullptr && static_cast<int>(lengths->size()) == rank;
       ++i) {
    const int64_t length = (*lengths)[i];
    if (length < 0) continue;
    inner[i] = op[0] == 'R' && i == rank - 1 && length > 0 ? length / 2 + 1 : length;
  }
  SLUICE_ASSIGN(const PartialShape last, PartialShape::Create(inner));
  SLUICE_ASSIGN(c.outputs[0], Concatenated(SubShape(input, 0, input.rank() - rank), last));
  return absl::OkStatus();
}

absl::Status SpectrogramShape(ShapeContext& c) {  // [samples, channels]
  SLUICE_ASSIGN(PartialShape input, c.OfRank(0, 2));
  SLUICE_ASSIGN(const int64_t window, c.Get<int64_t>("window_size"));
  SLUICE_ASSIGN(const int64_t stride, c.Get<int64_t>("stride"));
  if (window < 2 || stride < 1) return absl::OkStatus();  // the kernel reports the error
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
    {"AudioSpectrogram", SpectrogramShape},
    {"BatchFFT", Unchanged},
    {"BatchFFT2D", Unchanged},
    {"BatchFFT3D", Unchanged},
    {"BatchIFFT", Unchanged},
    {"BatchIFFT2D", Unchanged},
    {"BatchIFFT3D", Unchanged},
    {"DecodeWav", DecodeWavShape},
    {"EncodeWav", AllScalars},
    {"FFT", Unchanged},
    {"FFT2D", Unchanged},
    {"FFT3D", Unchanged},
    {"IFFT", Unchanged},
    {"IFFT2D", Unchanged},
    {"IFFT3D", Unchanged},
    {"IRFFT", RealTransformShape},
    {"IRFFT2D", RealTransformShape},
    {"IRFFT3D", RealTransformShape},
    {"Mfcc", MfccShape},
    {"RFFT", RealTransformShape},
    {"RFFT2D", RealTransformShape},
    {"RFFT3D", RealTransformShape},
};

}  // namespace

absl::Span<const ShapeRule> SignalRules() { return kRules; }

}  // namespace sluice::graph
