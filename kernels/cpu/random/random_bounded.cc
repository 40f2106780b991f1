// SPDX-License-Identifier: Apache-2.0
// ParameterizedTruncatedNormal: normal deviates between bounds, by rejection. The state belongs to
// the node.
#include <cmath>
#include <compare>

#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/random/node_stream.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/random/register.h"
#include "kernels/cpu/random/rejection.h"
#include "kernels/cpu/random/shares.h"

namespace sluice::kernels {
namespace {

// The type for computing in half: every step is rounded, as in TensorFlow. Rejection depends on it.
class HalfNumber {
 public:
  HalfNumber(Half value) : value_(static_cast<float>(value)) {}
  HalfNumber(double value) : HalfNumber(Half(static_cast<float>(value))) {}
  explicit operator Half() const { return Half(value_); }

  friend HalfNumber operator+(HalfNumber a, HalfNumber b) { return Rounded(a.value_ + b.value_); }
  friend HalfNumber operator-(HalfNumber a, HalfNumber b) { return Rounded(a.value_ - b.value_); }
  friend HalfNumber operator*(HalfNumber a, HalfNumber b) { return Rounded(a.value_ * b.value_); }
  friend HalfNumber operator/(HalfNumber a, HalfNumber b) { return Rounded(a.value_ / b.value_); }
  friend HalfNumber operator-(HalfNumber a) { return Rounded(-a.value_); }
  friend auto operator<=>(HalfNumber a, HalfNumber b) = default;
  friend HalfNumber sqrt(HalfNumber a) { return Rounded(std::sqrt(a.value_)); }
  friend HalfNumber exp(HalfNumber a) { return Rounded(std::exp(a.value_)); }
  friend HalfNumber log(HalfNumber a) { return Rounded(std::log(a.value_)); }
  friend bool isfinite(HalfNumber a) { return std::isfinite(a.value_); }

 private:
  static HalfNumber Rounded(float value) { return HalfNumber(Half(value)); }
  float value_;
};

// One normal distribution between bounds, reflected so that the lower bound is the nearer one.
template <typename F>
struct Bounded {
  F mean, deviation, low, high;  // bounds in deviations from the mean

  static absl::StatusOr<Bounded> Of(F mean, F deviation, F low, F high) {
    using std::isfinite;
    if (!(deviation > 0) || !(low < high) || (!isfinite(low) && !isfinite(high)))
      return InvalidArgument("Invalid parameters");
    if ((!isfinite(low) && low < 0) || high < mean) {
      std::swap(low, high);
      deviation = -deviation;
    }
    return Bounded{mean, deviation, (low - mean) / deviation, (high - mean) / deviation};
  }
};

// Draws the samples of one distribution after the other from one stream; groups are used in order.
template <typename T>
class BoundedSampler {
 public:
  using F = std::conditional_t<std::is_same_v<T, Half>, HalfNumber, T>;

  BoundedSampler(const Philox& philox, uint64_t first_block) : source_(philox, first_block) {}

  absl::Status Fill(const Bounded<F>& d, T* out, T* end) {
    using std::exp, std::sqrt;
    const F root = sqrt(d.low * d.low + 4);
    const F cutoff = 2 * exp(F(0.5) + d.low * (d.low - root) / 4) / (d.low + root);
    const F inside = 1.3;
    if ((d.low < -inside && d.high >= 0) || (d.high > inside && d.low <= 0))
      return Normals(d, out, end);
    if (d.high - d.low < cutoff) return Uniforms(d, out, end);
    return Exponentials(d, out, end);
  }

 private:
  static constexpr int kMaxRejections = 1000;
  static constexpr int kGroup = kPerBlock<T>;

  static absl::Status GaveUp(absl::string_view sampler) {
    return Internal("TruncatedNormal ", sampler, " rejection sampler failed to accept a sample.");
  }

  absl::Status Normals(const Bounded<F>& d, T* out, T* end) {
    int rejected = 0;
    while (out < end) {
      T z[4];
      Normal<T>::FromBlock(source_.Take(), z);
      for (int i = 0; i < kGroup && out < end; ++i) {
        const F value = static_cast<F>(z[i]);
        if (value >= d.low && value <= d.high) {
          *out++ = static_cast<T>(value * d.deviation + d.mean);
          rejected = 0;
        } else if (++rejected > kMaxRejections) {
          return GaveUp("randn");
        }
      }
    }
    return absl::OkStatus();
  }

  absl::Status Uniforms(const Bounded<F>& d, T* out, T* end) {
    using std::exp;
    const F plus = d.low < 0 ? F(0) : d.low * d.low;
    int rejected = 0;
    while (out < end) {
      T place[4], chance[4];
      Uniform<T>::FromBlock(source_.Take(), place);
      Uniform<T>::FromBlock(source_.Take(), chance);
      for (int i = 0; i < kGroup && out < end; ++i) {
        const F z = static_cast<F>(place[i]) * (d.high - d.low) + d.low;
        if (static_cast<F>(chance[i]) <= exp((plus - z * z) / 2)) {
          *out++ = static_cast<T>(z * d.deviation + d.mean);
          rejected = 0;
        } else if (++rejected >= kMaxRejections) {
          return GaveUp("uniform");
        }
      }
    }
    return absl::OkStatus();
  }

  absl::Status Exponentials(const Bounded<F>& d, T* out, T* end) {
    using std::exp, std::log, std::sqrt;
    const F alpha = (d.low + sqrt(d.low * d.low + 4)) / 2;
    int rejected = 0;
    while (out < end) {
      T words[4];
      Uniform<T>::FromBlock(source_.Take(), words);
      for (int i = 0; i < kGroup && out < end; i += 2) {
        const F z = -log(static_cast<F>(words[i])) / alpha + d.low;
        const F x = d.low < alpha ? alpha - z : d.low - alpha;
        if (static_cast<F>(words[i + 1]) <= exp(-x * x / 2) && z < d.high) {
          *out++ = static_cast<T>(z * d.deviation + d.mean);
          rejected = 0;
        } else if (++rejected >= kMaxRejections) {
          return GaveUp("exponential distribution");
        }
      }
    }
    return absl::OkStatus();
  }

  BlockSource source_;
};

// Parameters are scalars, or one for each row of the output.
struct ParameterizedTruncatedNormal {
  static constexpr int64_t kBatch = 100;  // samples of one distribution per batch
  static constexpr double kCycles = 134;  // cost of a sample in TensorFlow's estimate
  NodeStream stream;

  explicit ParameterizedTruncatedNormal(const NodeSpec& node) : stream(node) {}
  static absl::StatusOr<std::unique_ptr<ParameterizedTruncatedNormal>> Create(
      const NodeSpec& node) {
    return std::make_unique<ParameterizedTruncatedNormal>(node);
  }

  absl::Status CheckParameters(KernelContext& ctx, int64_t rows) const {
    constexpr const char* kNames[] = {"", "means", "stddevs", "minvals", "maxvals"};
    for (int i = 1; i <= 4; ++i) {
      const Tensor& parameter = ctx.input(i);
      if (parameter.rank() > 1)
        return InvalidArgument("Input ", kNames[i],
                               " should be a scalar or vector, got shape: ", parameter.shape());
      if (parameter.rank() == 1 && parameter.dim(0) != 1 && parameter.dim(0) != rows)
        return InvalidArgument("Input ", kNames[i],
                               " should have length 1 or shape[0], got shape: ", parameter.shape());
    }
    return absl::OkStatus();
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& shape_tensor = ctx.input(0);
    if (shape_tensor.rank() != 1 || shape_tensor.dim(0) == 0)
      return InvalidArgument("Input shape should be a vector, got shape: ", shape_tensor.shape());
    SLUICE_ASSIGN(const Shape shape, ShapeFrom(shape_tensor));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const int64_t size = shape.num_elements();
    SLUICE_RETURN_IF_ERROR(CheckParameters(ctx, shape.dim(0)));
    if (size == 0) return absl::OkStatus();
    const auto single = [&](int i) { return ctx.input(i).num_elements() == 1; };
    const bool same =
        single(1) && single(2) && ctx.input(3).rank() == 0 && ctx.input(4).rank() == 0;
    const int64_t samples = same ? kBatch : size / shape.dim(0);
    const int64_t batches = (size + samples - 1) / samples;
    const Philox philox = stream.Take(BlocksOf(batches, samples));
    return VisitDType(
        TypeList<Half, float, double>{}, out->dtype(), [&]<typename T>(Type<T>) -> absl::Status {
          using F = typename BoundedSampler<T>::F;
          T* const to = out->mutable_data<T>();
          const auto fill = [&](int64_t begin, int64_t end) -> absl::Status {
            BoundedSampler<T> sampler(philox, BlocksOf(begin, samples));
            for (int64_t i = begin; i < end; ++i) {
              ThrowIfCancelled();
              const auto at = [&](int input) {
                return static_cast<F>(ctx.input(input).data<T>()[single(input) ? 0 : i]);
              };
              SLUICE_ASSIGN(const auto bounded, Bounded<F>::Of(at(1), at(2), at(3), at(4)));
              SLUICE_RETURN_IF_ERROR(
                  sampler.Fill(bounded, to + i * samples, to + std::min(size, (i + 1) * samples)));
            }
            return absl::OkStatus();
          };
          return ForEachShare(ctx.pool(), batches, kCycles * static_cast<double>(samples), fill);
        });
  }

  // The blocks of the stream for a number of batches.
  static uint64_t BlocksOf(int64_t batches, int64_t samples) {
    return static_cast<uint64_t>(batches * 2 * 1000 * (samples + 3) / 4);
  }
};

}  // namespace

void RegisterRandomBounded(KernelRegistry& kernels) {
  kernels.Add<ParameterizedTruncatedNormal>("ParameterizedTruncatedNormal", kCpu,
                                            {{"dtype", {kHalf, kFloat, kDouble}}});
}

}  // namespace sluice::kernels
