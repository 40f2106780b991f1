// Random numbers by rejection: gamma, Poisson, normal between bounds. The state belongs to the
// node.
#include <cmath>
#include <limits>

#include "core/kernel_registry.h"
#include "kernels/cpu/node_stream.h"
#include "kernels/cpu/rejection.h"
#include "kernels/register.h"

namespace sluice::kernels {
namespace {

constexpr uint64_t kBlocksPerOutput = 256;

double LogGamma(double x) {
  int sign;  // std::lgamma would write a global
  return ::lgamma_r(x, &sign);
}

// Marsaglia and Tsang, "A simple method for generating gamma variables", 2000; in double for every
// type. Parameters below one are raised by one; the sample then shrinks by a power of a uniform
// deviate. The parameter one is the exponential distribution.
double GammaSample(double alpha, BlockSource source) {
  Backwards<double, Normal> normal(source);
  Backwards<double, Uniform> uniform(source);
  if (!std::isfinite(alpha) || alpha < 0) return std::numeric_limits<double>::quiet_NaN();
  if (alpha == 1) return -std::log1p(-uniform.Next());
  const bool raised = alpha < 1;
  const double d = alpha + (raised ? 2.0 / 3 : -1.0 / 3);
  const double c = 1.0 / 3 / std::sqrt(d);
  while (true) {
    const double x = normal.Next();
    double v = 1 + c * x;
    if (v <= 0) continue;
    v = v * v * v;
    const double u = uniform.Next();
    if (!(u < 1 - 0.0331 * (x * x) * (x * x)) &&
        !(std::log(u) < 0.5 * x * x + d * (1 - v + std::log(v))))
      continue;
    return raised ? d * v * std::pow(uniform.Next(), 1 / alpha) : d * v;
  }
}

// Below 10, Knuth's product of uniform deviates; else Hörmann, "The transformed rejection method
// for generating Poisson random variables", 1993.
double PoissonSample(double rate, BlockSource source) {
  Backwards<double, Uniform> uniform(source);
  if (std::isnan(rate)) return rate;
  if (std::isinf(rate)) return rate > 0 ? rate : 0;
  if (rate < 10) {
    const double limit = std::exp(-rate);
    double product = 1;
    for (double k = 0;; k += 1) {
      product *= uniform.Next();
      if (product <= limit) return k;
    }
  }
  const double log_rate = std::log(rate);
  const double b = 0.931 + 2.53 * std::sqrt(rate);
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  while (true) {
    const double u = uniform.Next() - 0.5, v = uniform.Next();
    const double shifted = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / shifted + b) * u + rate + 0.43);
    if (shifted >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2)) return k;
    if (k < 0 || (shifted < 0.013 && v > shifted)) continue;
    const double s = std::log(v * inverse_alpha / (a / (shifted * shifted) + b));
    if (s <= -rate + k * log_rate - LogGamma(k + 1)) return k;
  }
}

// Samples of each parameter: the output is [shape of samples, shape of parameters], its streams are
// numbered parameter by parameter.
struct SampleShape {
  Shape shape;
  int64_t samples = 0, parameters = 0;

  static absl::StatusOr<SampleShape> Of(KernelContext& ctx) {
    if (ctx.input(0).rank() != 1)
      return InvalidArgument("shape must be a vector of {int32,int64}, got shape ",
                             ctx.input(0).shape());
    SLUICE_ASSIGN(const Shape samples, ShapeFrom(ctx.input(0)));
    const Shape& parameters = ctx.input(1).shape();
    Shape::Dims dims(samples.dims().begin(), samples.dims().end());
    dims.insert(dims.end(), parameters.dims().begin(), parameters.dims().end());
    SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
    return SampleShape{shape, samples.num_elements(), parameters.num_elements()};
  }
};

template <typename T, typename U, typename Sample>
void FillSamples(KernelContext& ctx, const Philox& philox, const SampleShape& shape, Tensor& out,
                 Sample sample) {
  ParallelFor(ctx.pool(), out.num_elements(), 150, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t parameter = i / shape.samples, at = i % shape.samples;
      out.mutable_data<U>()[at * shape.parameters + parameter] =
          static_cast<U>(sample(ctx.input(1).data<T>()[parameter],
                                BlockSource(philox, kBlocksPerOutput * static_cast<uint64_t>(i))));
    }
  });
}

struct RandomGamma {
  NodeStream stream;

  explicit RandomGamma(const NodeSpec& node) : stream(node) {}
  static absl::StatusOr<std::unique_ptr<RandomGamma>> Create(const NodeSpec& node) {
    return std::make_unique<RandomGamma>(node);
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const SampleShape shape, SampleShape::Of(ctx));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape.shape));
    if (out->num_elements() == 0) return absl::OkStatus();
    const Philox philox =
        stream.Take(static_cast<uint64_t>(out->num_elements()) * kBlocksPerOutput);
    return VisitDType(FloatingTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      FillSamples<T, T>(ctx, philox, shape, *out, [](T a, BlockSource source) {
        return GammaSample(static_cast<double>(a), source);
      });
      return absl::OkStatus();
    });
  }
};

struct RandomPoisson {
  using Types = TypeList<Half, float, double, int32_t, int64_t>;
  NodeStream stream;

  explicit RandomPoisson(const NodeSpec& node) : stream(node) {}
  static absl::StatusOr<std::unique_ptr<RandomPoisson>> Create(const NodeSpec& node) {
    return std::make_unique<RandomPoisson>(node);
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const SampleShape shape, SampleShape::Of(ctx));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape.shape));
    if (out->num_elements() == 0) return absl::OkStatus();
    const Philox philox =
        stream.Take(static_cast<uint64_t>(out->num_elements()) * kBlocksPerOutput);
    return VisitDType(Types{}, ctx.input(1).dtype(), [&]<typename T>(Type<T>) {
      return VisitDType(Types{}, out->dtype(), [&]<typename U>(Type<U>) {
        FillSamples<T, U>(ctx, philox, shape, *out, [](T rate, BlockSource source) {
          // Whatever the type of the rates: TensorFlow draws in double.
          return PoissonSample(static_cast<double>(rate), source);
        });
        return absl::OkStatus();
      });
    });
  }
};

// One normal distribution between bounds, moved so that the lower bound is the nearer one.
template <typename F>
struct Bounded {
  F mean, deviation, low, high;  // bounds in deviations from the mean

  static absl::StatusOr<Bounded> Of(F mean, F deviation, F low, F high) {
    if (!(deviation > 0) || !(low < high) || (!std::isfinite(low) && !std::isfinite(high)))
      return InvalidArgument("Invalid parameters");
    if ((std::isinf(low) && low < 0) || high < mean) {
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
  using F = std::conditional_t<std::is_same_v<T, double>, double, float>;

  BoundedSampler(const Philox& philox) : source_(philox, 0) {}

  absl::Status Fill(const Bounded<F>& d, T* out, T* end) {
    const F root = std::sqrt(d.low * d.low + 4);
    const F cutoff = 2 * std::exp(F(0.5) + d.low * (d.low - root) / 4) / (d.low + root);
    constexpr F kInside = F(1.3);
    if ((d.low < -kInside && d.high >= 0) || (d.high > kInside && d.low <= 0))
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
    const F plus = d.low < 0 ? 0 : d.low * d.low;
    int rejected = 0;
    while (out < end) {
      T place[4], chance[4];
      Uniform<T>::FromBlock(source_.Take(), place);
      Uniform<T>::FromBlock(source_.Take(), chance);
      for (int i = 0; i < kGroup && out < end; ++i) {
        const F z = static_cast<F>(place[i]) * (d.high - d.low) + d.low;
        if (static_cast<F>(chance[i]) <= std::exp((plus - z * z) / 2)) {
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
    const F alpha = (d.low + std::sqrt(d.low * d.low + 4)) / 2;
    int rejected = 0;
    while (out < end) {
      T words[4];
      Uniform<T>::FromBlock(source_.Take(), words);
      for (int i = 0; i < kGroup && out < end; i += 2) {
        const F z = -std::log(static_cast<F>(words[i])) / alpha + d.low;
        const F x = d.low < alpha ? alpha - z : d.low - alpha;
        if (static_cast<F>(words[i + 1]) <= std::exp(-x * x / 2) && z < d.high) {
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
  static constexpr int64_t kShareSize = 100;  // samples of one distribution are dealt in shares
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
    const int64_t share = same ? kShareSize : size / shape.dim(0);
    const auto shares = static_cast<uint64_t>((size + share - 1) / share);
    const Philox philox = stream.Take(shares * 2 * 1000 * static_cast<uint64_t>(share + 3) / 4);
    return VisitDType(
        TypeList<Half, float, double>{}, out->dtype(), [&]<typename T>(Type<T>) -> absl::Status {
          using F = typename BoundedSampler<T>::F;
          BoundedSampler<T> sampler(philox);
          for (int64_t i = 0; i * share < size; ++i) {
            const auto at = [&](int input) {
              return static_cast<F>(ctx.input(input).data<T>()[single(input) ? 0 : i]);
            };
            SLUICE_ASSIGN(const auto bounded, Bounded<F>::Of(at(1), at(2), at(3), at(4)));
            T* to = out->mutable_data<T>();
            SLUICE_RETURN_IF_ERROR(
                sampler.Fill(bounded, to + i * share, to + std::min(size, (i + 1) * share)));
          }
          return absl::OkStatus();
        });
  }
};

}  // namespace

void RegisterRandomGamma(KernelRegistry& kernels) {
  kernels.Add<RandomGamma>("RandomGamma", kCpu, {{"T", kFloating}});
  const DTypeSet rates{kHalf, kFloat, kDouble, kInt32, kInt64};
  kernels.Add<RandomPoisson>("RandomPoisson", kCpu, {{"dtype", {kHalf, kFloat, kDouble}}});
  kernels.Add<RandomPoisson>("RandomPoissonV2", kCpu, {{"R", rates}, {"dtype", rates}});
  kernels.Add<ParameterizedTruncatedNormal>("ParameterizedTruncatedNormal", kCpu,
                                            {{"dtype", {kHalf, kFloat, kDouble}}});
}

}  // namespace sluice::kernels
