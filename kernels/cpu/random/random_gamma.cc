// SPDX-License-Identifier: Apache-2.0
// Random numbers by rejection: gamma, Poisson. The state belongs to the node.
#include <cmath>
#include <limits>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/random/node_stream.h"
#include "kernels/common/random/random_ops.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/random/register.h"
#include "kernels/cpu/random/rejection.h"

namespace sluice::kernels {
namespace {

double LogGamma(double x) {
  int sign;  // std::lgamma writes a global
  return ::lgamma_r(x, &sign);
}

// Marsaglia and Tsang, "A simple method for generating gamma variables", 2000; in double for every
// type. A parameter below one is raised by one, and the sample is multiplied by a power of a
// uniform deviate. Parameter one is the exponential distribution.
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

// Samples of each parameter: the output is [shape of samples, shape of parameters]; its streams are
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
void FillSamples(KernelContext& ctx, const Tensor& parameters, const Philox& philox,
                 const SampleShape& shape, Tensor& out, Sample sample) {
  ParallelFor(ctx.pool(), out.num_elements(), 150, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t parameter = i / shape.samples, at = i % shape.samples;
      out.mutable_data<U>()[at * shape.parameters + parameter] =
          static_cast<U>(sample(static_cast<double>(parameters.data<T>()[parameter]),
                                BlockSource(philox, kBlocksPerOutput * static_cast<uint64_t>(i))));
    }
  });
}

absl::Status FillGamma(KernelContext& ctx, const Tensor& alpha, const Philox& philox,
                       const SampleShape& shape, Tensor& out) {
  return VisitDType(FloatingTypes{}, out.dtype(), [&]<typename T>(Type<T>) {
    FillSamples<T, T>(ctx, alpha, philox, shape, out, GammaSample);
    return absl::OkStatus();
  });
}

using PoissonTypes = TypeList<Half, float, double, int32_t, int64_t>;

// For all types of the rates, TensorFlow draws in double.
absl::Status FillPoisson(KernelContext& ctx, const Tensor& rates, const Philox& philox,
                         const SampleShape& shape, Tensor& out) {
  return VisitDType(PoissonTypes{}, rates.dtype(), [&]<typename T>(Type<T>) {
    return VisitDType(PoissonTypes{}, out.dtype(), [&]<typename U>(Type<U>) {
      FillSamples<T, U>(ctx, rates, philox, shape, out, PoissonSample);
      return absl::OkStatus();
    });
  });
}

using FillFunction = absl::Status(KernelContext&, const Tensor&, const Philox&, const SampleShape&,
                                  Tensor&);

// Samples from the stream of the node. Inputs: the shape of the samples of each parameter, and the
// parameters.
template <FillFunction kFill>
struct SamplesOfNode {
  NodeStream stream;

  explicit SamplesOfNode(const NodeSpec& node) : stream(node) {}
  static absl::StatusOr<std::unique_ptr<SamplesOfNode>> Create(const NodeSpec& node) {
    return std::make_unique<SamplesOfNode>(node);
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const SampleShape shape, SampleShape::Of(ctx));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape.shape));
    if (out->num_elements() == 0) return absl::OkStatus();
    const Philox philox =
        stream.Take(static_cast<uint64_t>(out->num_elements()) * kBlocksPerOutput);
    return kFill(ctx, ctx.input(1), philox, shape, *out);
  }
};

// Samples without a state. Inputs: the shape of the output, which ends with that of the parameters;
// the seeds, or a key, a counter and an algorithm; the parameters.
template <FillFunction kFill, bool kKeyed>
struct SamplesOfSeeds {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& parameters = ctx.input(kKeyed ? 4 : 2);
    SLUICE_ASSIGN(const Philox philox, kKeyed ? StreamOfKey(ctx, 1) : StreamOfSeeds(ctx.input(1)));
    SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(0)));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    if (!EndsWith(shape, parameters.shape()))
      return InvalidArgument("Shape passed in must end with broadcasted shape.");
    const int64_t count = parameters.num_elements();
    return kFill(ctx, parameters, philox, {shape, shape.num_elements() / count, count}, *out);
  }
};

}  // namespace

void RegisterRandomGamma(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> floating{{"dtype", kFloating}};
  kernels.Add<SamplesOfNode<FillGamma>>("RandomGamma", kCpu, {{"T", kFloating}});
  kernels.Add<SamplesOfSeeds<FillGamma, false>>("StatelessRandomGammaV2", kCpu, floating);
  kernels.Add<SamplesOfSeeds<FillGamma, true>>("StatelessRandomGammaV3", kCpu, floating);
  const DTypeSet rates = SetOf(PoissonTypes{});
  kernels.Add<SamplesOfNode<FillPoisson>>("RandomPoisson", kCpu,
                                          {{"dtype", {kHalf, kFloat, kDouble}}});
  kernels.Add<SamplesOfNode<FillPoisson>>("RandomPoissonV2", kCpu,
                                          {{"R", rates}, {"dtype", rates}});
  kernels.Add<SamplesOfSeeds<FillPoisson, false>>("StatelessRandomPoisson", kCpu,
                                                  {{"Rtype", rates}, {"dtype", rates}});
}

}  // namespace sluice::kernels
