// SPDX-License-Identifier: Apache-2.0
// Normal deviates between bounds, by rejection. The state belongs to the node, or there is none.
#include <array>
#include <cmath>
#include <compare>

#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/broadcast.h"
#include "kernels/common/random/node_stream.h"
#include "kernels/common/random/random_ops.h"
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

// For each element of `full`, the element of a tensor that broadcasts to it.
absl::StatusOr<std::vector<int64_t>> RepeatedElements(const Shape& full, const Shape& shape) {
  SLUICE_ASSIGN(const BroadcastPlan plan, PlanBroadcast({&full, &shape}));
  std::vector<int64_t> elements(full.num_elements());
  const int64_t stride = plan.dims.back().stride[1];
  WalkRuns(plan, 0, full.num_elements(), [&](int64_t to, const Offsets& at, int64_t n) {
    for (int64_t i = 0; i < n; ++i) elements[to + i] = at[1] + i * stride;
  });
  return elements;
}

// Without a state. The output's shape ends with the shape that the parameters broadcast to.
struct StatelessParameterizedTruncatedNormal {
  static constexpr double kCycles = 175;  // cost of a sample in TensorFlow's estimate

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Philox philox, StreamOfSeeds(ctx.input(1)));
    Shape batch;
    for (int i = 2; i < 6; ++i) {
      absl::StatusOr<Shape> broadcast = BroadcastShape(batch, ctx.input(i).shape());
      if (!broadcast.ok()) {
        return InvalidArgument(
            "means, stddevs, minvals, maxvals must have compatible batch dimensions: ",
            ctx.input(2).shape(), " vs. ", ctx.input(3).shape(), " vs. ", ctx.input(4).shape(),
            " vs. ", ctx.input(5).shape());
      }
      batch = *std::move(broadcast);
    }
    if (ctx.input(0).rank() != 1)
      return InvalidArgument("Input shape should be a vector, got shape: ", ctx.input(0).shape());
    SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(0)));
    if (!EndsWith(shape, batch))
      return InvalidArgument("Shape passed in must end with broadcasted shape.");
    std::array<std::vector<int64_t>, 4> elements;
    for (int i = 0; i < 4; ++i) {
      SLUICE_ASSIGN(elements[i], RepeatedElements(batch, ctx.input(i + 2).shape()));
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    return VisitDType(TypeList<Half, float, double>{}, out->dtype(), [&]<typename T>(Type<T>) {
      return ForEachShare(ctx.pool(), shape.num_elements(), kCycles,
                          [&](int64_t begin, int64_t end) {
                            return FillShare<T>(ctx, philox, elements, begin, end, *out);
                          });
    });
  }

  // Outputs [begin, end) in the order parameter by parameter; in the tensor the samples come first.
  template <typename T>
  static absl::Status FillShare(KernelContext& ctx, const Philox& philox,
                                const std::array<std::vector<int64_t>, 4>& elements, int64_t begin,
                                int64_t end, Tensor& out) {
    using F = typename BoundedSampler<T>::F;
    constexpr int64_t kGroup = kPerBlock<T>;
    const auto batch = static_cast<int64_t>(elements[0].size());
    const int64_t samples = out.num_elements() / batch;
    BoundedSampler<T> sampler(
        philox, static_cast<uint64_t>((begin * 2 * kBlocksPerSample + kGroup - 1) / kGroup));
    std::vector<T> drawn(std::min(samples, end - begin));
    for (int64_t n; begin < end; begin += n) {
      ThrowIfCancelled();
      const int64_t one = begin / samples, first = begin % samples;
      n = std::min(samples - first, end - begin);
      const auto at = [&](int i) {
        return static_cast<F>(ctx.input(i + 2).data<T>()[elements[i][one]]);
      };
      SLUICE_ASSIGN(const auto bounded, Bounded<F>::Of(at(0), at(1), at(2), at(3)));
      SLUICE_RETURN_IF_ERROR(sampler.Fill(bounded, drawn.data(), drawn.data() + n));
      for (int64_t i = 0; i < n; ++i) out.mutable_data<T>()[(first + i) * batch + one] = drawn[i];
    }
    return absl::OkStatus();
  }

 private:
  static constexpr int64_t kBlocksPerSample = 1000;
};

}  // namespace

void RegisterRandomBounded(KernelRegistry& kernels) {
  kernels.Add<ParameterizedTruncatedNormal>("ParameterizedTruncatedNormal", kCpu,
                                            {{"dtype", {kHalf, kFloat, kDouble}}});
  kernels.Add<StatelessParameterizedTruncatedNormal>("StatelessParameterizedTruncatedNormal", kCpu,
                                                     {{"dtype", {kHalf, kFloat, kDouble}}});
}

}  // namespace sluice::kernels
