// SPDX-License-Identifier: Apache-2.0
// Spectra of sound: magnitudes of short Fourier transforms, and mel-frequency cepstral coefficients
// (Davis and Mermelstein 1980).
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/signal/register.h"

namespace sluice::kernels {
namespace {

using Complex = std::complex<double>;

// Fourier transforms of a power of two, in place: halves of even and odd positions (Cooley and
// Tukey).
class Fourier {
 public:
  explicit Fourier(size_t size) : roots_(size / 2), places_(size) {
    for (size_t i = 0; i < size / 2; ++i) {
      roots_[i] = std::polar(
          1.0, -2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(size));
    }
    for (size_t i = 0; i < size; ++i) {
      places_[i] = (places_[i / 2] / 2) | (i % 2 == 1 ? size / 2 : 0);
    }
  }

  void Transform(std::vector<Complex>& x) const {
    for (size_t i = 0; i < x.size(); ++i) {
      if (i < places_[i]) std::swap(x[i], x[places_[i]]);
    }
    for (size_t half = 1; half < x.size(); half *= 2) {
      const size_t step = x.size() / (2 * half);
      for (size_t begin = 0; begin < x.size(); begin += 2 * half) {
        for (size_t k = 0; k < half; ++k) {
          const Complex &root = roots_[k * step], odd = x[begin + half + k];
          const Complex turned(odd.real() * root.real() - odd.imag() * root.imag(),
                               odd.real() * root.imag() + odd.imag() * root.real());
          x[begin + half + k] = x[begin + k] - turned;
          x[begin + k] += turned;
        }
      }
    }
  }

 private:
  std::vector<Complex> roots_;
  std::vector<size_t> places_;  // bits reversed
};

struct AudioSpectrogram {
  int64_t window, stride;
  bool squared;

  static absl::StatusOr<AudioSpectrogram> Create(const NodeSpec& node) {
    AudioSpectrogram op;
    SLUICE_ASSIGN(op.window, node.Get<int64_t>("window_size"));
    SLUICE_ASSIGN(op.stride, node.Get<int64_t>("stride"));
    SLUICE_ASSIGN(op.squared, node.Get<bool>("magnitude_squared"));
    return op;
  }

  absl::Status Run(KernelContext& ctx) const {
    constexpr int64_t kMaxWindow = int64_t{1} << 28;
    const Tensor& in = ctx.input(0);
    if (in.rank() != 2) return InvalidArgument("input must be 2-dimensional", in.shape());
    if (window < 2 || window > kMaxWindow || stride < 1) {
      return InvalidArgument("Spectrogram initialization failed for window size ", window,
                             " and stride ", stride);
    }
    const int64_t samples = in.dim(0), channels = in.dim(1);
    const int64_t frames = samples < window ? 0 : 1 + (samples - window) / stride;
    const auto size = std::bit_ceil(static_cast<uint64_t>(window));
    const auto bins = static_cast<int64_t>(size / 2 + 1);
    SLUICE_ASSIGN(const Shape shape, Shape::Create({channels, frames, bins}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    const Fourier fourier(size);
    std::vector<double> hann(window);
    for (int64_t i = 0; i < window; ++i) {
      hann[i] = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(i) /
                                     static_cast<double>(window));
    }
    const auto cost = 5.0 * static_cast<double>(size * std::bit_width(size));
    ParallelFor(ctx.pool(), channels * frames, cost, [&](int64_t begin, int64_t end) {
      std::vector<Complex> x(size);
      for (int64_t frame = begin; frame < end; ++frame) {
        const float* from = in.data<float>() + frame % frames * stride * channels + frame / frames;
        std::fill(x.begin(), x.end(), Complex());
        for (int64_t i = 0; i < window; ++i) x[i] = from[i * channels] * hann[i];
        fourier.Transform(x);
        float* const to = out->mutable_data<float>() + frame * bins;
        for (int64_t i = 0; i < bins; ++i) {
          const auto power = static_cast<float>(std::norm(x[i]));
          to[i] = squared ? power : std::sqrt(power);
        }
      }
    });
    return absl::OkStatus();
  }
};

double Mel(double frequency) { return 1127.0 * std::log1p(frequency / 700.0); }

// Overlapping triangles on the mel scale: each bin adds to the falling triangle over it, and with
// the rest of its weight to the rising one.
class MelBank {
 public:
  MelBank(int64_t bins, double rate, int64_t channels, double low, double high)
      : channels_(channels) {
    const double spacing = (Mel(high) - Mel(low)) / static_cast<double>(channels + 1);
    const auto centre = [&](int64_t i) { return Mel(low) + spacing * static_cast<double>(i + 1); };
    const double per_bin = 0.5 * rate / static_cast<double>(bins - 1);
    first_ = static_cast<int64_t>(std::min(1.5 + low / per_bin, static_cast<double>(bins)));
    last_ = static_cast<int64_t>(std::min(high / per_bin, static_cast<double>(bins)));
    int64_t channel = 0;
    for (int64_t i = first_; i <= last_ && i < bins; ++i) {
      const double mel = Mel(static_cast<double>(i) * per_bin);
      while (channel < channels && centre(channel) < mel) ++channel;
      falling_.push_back(channel - 1);
      weights_.push_back((centre(channel) - mel) / (centre(channel) - centre(channel - 1)));
    }
  }

  // The last bin that it reads.
  int64_t last() const { return last_; }

  void Sum(const float* spectrum, std::vector<double>& bands) const {
    bands.assign(channels_, 0);
    for (size_t i = 0; i < weights_.size(); ++i) {
      const double value = std::sqrt(static_cast<double>(spectrum[first_ + i]));
      const int64_t channel = falling_[i];
      if (channel >= 0) bands[channel] += value * weights_[i];
      if (channel + 1 < channels_) bands[channel + 1] += value - value * weights_[i];
    }
  }

 private:
  int64_t channels_, first_, last_;
  std::vector<int64_t> falling_;
  std::vector<double> weights_;
};

struct Mfcc {
  float high, low;
  int64_t bands, coefficients;

  static absl::StatusOr<Mfcc> Create(const NodeSpec& node) {
    Mfcc op;
    SLUICE_ASSIGN(op.high, node.Get<float>("upper_frequency_limit"));
    SLUICE_ASSIGN(op.low, node.Get<float>("lower_frequency_limit"));
    SLUICE_ASSIGN(op.bands, node.Get<int64_t>("filterbank_channel_count"));
    SLUICE_ASSIGN(op.coefficients, node.Get<int64_t>("dct_coefficient_count"));
    return op;
  }

  absl::Status Check(int64_t bins, int64_t rate) const {
    constexpr int64_t kMax = 1 << 12;  // the size of the table is the square of this
    if (bands >= 1 && bands <= kMax && coefficients >= 1 && coefficients <= bands && rate > 0 &&
        bins >= 2 && low >= 0 && high > low) {
      return absl::OkStatus();
    }
    return InvalidArgument("Mfcc initialization failed for channel count ", bins,
                           " and sample rate ", rate, ", lower_frequency_limit ", low,
                           ", upper_frequency_limit ", high, ", filterbank_channel_count ", bands,
                           ", dct_coefficient_count ", coefficients);
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &in = ctx.input(0), &rate = ctx.input(1);
    if (in.rank() != 3) return InvalidArgument("spectrogram must be 3-dimensional", in.shape());
    if (rate.num_elements() != 1) {
      return InvalidArgument("Input sample_rate should be a scalar tensor, got ", rate.shape(),
                             " instead.");
    }
    const int64_t bins = in.dim(2), per_second = rate.scalar<int32_t>();
    SLUICE_RETURN_IF_ERROR(Check(bins, per_second));
    SLUICE_ASSIGN(const Shape shape, Shape::Create({in.dim(0), in.dim(1), coefficients}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const MelBank bank(bins, static_cast<double>(per_second), bands, low, high);
    std::vector<double> cosines(coefficients * bands);  // of the discrete transform
    for (int64_t i = 0; i < coefficients; ++i) {
      for (int64_t j = 0; j < bands; ++j) {
        cosines[i * bands + j] =
            std::sqrt(2.0 / static_cast<double>(bands)) *
            std::cos(static_cast<double>(i) * std::numbers::pi / static_cast<double>(bands) *
                     (static_cast<double>(j) + 0.5));
      }
    }
    const double cost = 2.0 * bins + 20.0 * bands + 1.0 * coefficients * bands;
    ParallelFor(ctx.pool(), in.dim(0) * in.dim(1), cost, [&](int64_t begin, int64_t end) {
      std::vector<double> sums(bands);
      for (int64_t frame = begin; frame < end; ++frame) {
        float* const to = out->mutable_data<float>() + frame * coefficients;
        // Frequencies beyond the spectrum: no band can be summed, so no logarithm exists.
        if (bank.last() < bins) {
          bank.Sum(in.data<float>() + frame * bins, sums);
        } else {
          sums.clear();
        }
        for (double& sum : sums) sum = std::log(std::max(sum, 1e-12));
        for (int64_t i = 0; i < coefficients; ++i) {
          double value = 0;
          for (size_t j = 0; j < sums.size(); ++j) value += cosines[i * bands + j] * sums[j];
          to[i] = static_cast<float>(value);
        }
      }
    });
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSpectrograms(KernelRegistry& kernels) {
  kernels.Add<AudioSpectrogram>("AudioSpectrogram", kCpu);
  kernels.Add<Mfcc>("Mfcc", kCpu);
}

}  // namespace sluice::kernels
