// SPDX-License-Identifier: Apache-2.0
// Binomial random numbers: from a generator whose state is a variable, or from two seeds.
#include <cmath>
#include <limits>

#include "kernels/common/broadcast.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/random/generator_state.h"
#include "kernels/cpu/random/random_fill.h"
#include "kernels/cpu/random/register.h"
#include "kernels/cpu/random/rejection.h"

namespace sluice::kernels {
namespace {

// Counts geometric waiting times within `count` trials. REQUIRES: 0 < p <= 1/2.
double ByWaiting(double count, double p, BlockSource source) {
  Backwards<double, Uniform> uniform(source);
  double waited = 0;
  for (double successes = 0;; ++successes) {
    waited += std::ceil(std::log(uniform.Next()) / std::log1p(-p));
    if (!(waited <= count)) return successes;
  }
}

// log(k!) minus Stirling's approximation to it.
double StirlingRest(double k) {
  constexpr double kSmall[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983,
                               0.02079067210376509, 0.0166446911898211, 0.0138761288230707,
                               0.0118967099458917,  0.0104112652619720, 0.00925546218271273,
                               0.00833056343336287};
  if (k <= 9) return kSmall[static_cast<int>(k)];
  const double square = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

// Hörmann, "The generation of binomial random variates", 1993: algorithm BTRS.
double ByRejection(double count, double p, BlockSource source) {
  Backwards<double, Uniform> uniform(source);
  const double deviation = std::sqrt(count * p * (1 - p));
  const double b = 1.15 + 2.53 * deviation;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double c = count * p + 0.5;
  const double tight = 0.92 - 4.2 / b;
  const double odds = p / (1 - p);
  const double alpha = (2.83 + 5.1 / b) * deviation;
  const double mode = std::floor((count + 1) * p);
  while (true) {
    const double u = uniform.Next() - 0.5;
    double v = uniform.Next();
    const double shifted = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / shifted + b) * u + c);
    if (shifted >= 0.07 && v <= tight) return k;
    if (!(k >= 0) || k > count) continue;
    v = std::log(v * alpha / (a / (shifted * shifted) + b));
    const double bound = (mode + 0.5) * std::log((mode + 1) / (odds * (count - mode + 1))) +
                         (count + 1) * std::log((count - mode + 1) / (count - k + 1)) +
                         (k + 0.5) * std::log(odds * (count - k + 1) / (k + 1)) +
                         StirlingRest(mode) + StirlingRest(count - mode) - StirlingRest(k) -
                         StirlingRest(count - k);
    if (v <= bound) return k;
  }
}

double BinomialSample(double count, double p, const Philox& philox, uint64_t index) {
  if (count <= 0 || p <= 0) return 0;
  if (p >= 1) return count;
  if (std::isnan(p) || !std::isfinite(count)) return std::numeric_limits<double>::quiet_NaN();
  const double rarer = p <= 0.5 ? p : 1 - p;
  const double k = count * rarer >= 10 ? ByRejection(count, rarer, BlockSource(philox, 256 * index))
                                       : ByWaiting(count, rarer, BlockSource(philox, 42 * index));
  return p <= 0.5 ? k : count - k;
}

using BinomialTypes = TypeList<Half, float, double, int32_t, int64_t>;

// Samples of `shape`, which ends with the shape that counts and probabilities broadcast to.
struct BinomialPlan {
  const Tensor& counts;
  const Tensor& probabilities;
  Shape shape;
  BroadcastPlan plan;

  static absl::StatusOr<BinomialPlan> Of(const Tensor& counts, const Tensor& probabilities,
                                         Shape shape) {
    SLUICE_ASSIGN(BroadcastPlan plan, PlanBroadcast({&counts.shape(), &probabilities.shape()}));
    if (!EndsWith(shape, plan.shape))
      return InvalidArgument("Shape passed in must end with broadcasted shape.");
    return BinomialPlan{counts, probabilities, std::move(shape), std::move(plan)};
  }
  int64_t batch() const { return plan.shape.num_elements(); }
  int64_t samples() const { return shape.num_elements() / batch(); }

  absl::Status Fill(KernelContext& ctx, const Philox& philox, Tensor& out) const {
    return VisitDType(BinomialTypes{}, counts.dtype(), [&]<typename T>(Type<T>) {
      std::vector<double> count(batch()), p(batch());
      const auto& inner = plan.dims.back();
      WalkRuns(plan, 0, batch(), [&](int64_t to, const Offsets& at, int64_t n) {
        for (int64_t i = 0; i < n; ++i) {
          count[to + i] = static_cast<double>(counts.data<T>()[at[0] + i * inner.stride[0]]);
          p[to + i] = static_cast<double>(probabilities.data<T>()[at[1] + i * inner.stride[1]]);
        }
      });
      return VisitDType(BinomialTypes{}, out.dtype(), [&]<typename U>(Type<U>) {
        ParallelFor(ctx.pool(), out.num_elements(), 200, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            const int64_t one = i / samples();
            out.mutable_data<U>()[i % samples() * batch() + one] = static_cast<U>(
                BinomialSample(count[one], p[one], philox, static_cast<uint64_t>(i)));
          }
        });
        return absl::OkStatus();
      });
    });
  }
};

struct StatefulRandomBinomial {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(2)));
    SLUICE_ASSIGN(const BinomialPlan plan, BinomialPlan::Of(ctx.input(3), ctx.input(4), shape));
    SLUICE_ASSIGN(const int64_t algorithm, AlgorithmOf(ctx, 1));
    SLUICE_RETURN_IF_ERROR(CheckAlgorithm(algorithm));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    const auto reserved = static_cast<uint64_t>(plan.batch() * 2 * 100 * (plan.samples() + 3) / 4);
    SLUICE_ASSIGN(const Philox philox, TakeFromVariable(ctx, 0, false, reserved * 256));
    return plan.Fill(ctx, philox, *out);
  }
};

struct StatelessRandomBinomial {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Philox philox, StreamOfSeeds(ctx.input(1)));
    SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(0)));
    SLUICE_ASSIGN(const BinomialPlan plan, BinomialPlan::Of(ctx.input(2), ctx.input(3), shape));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return shape.num_elements() == 0 ? absl::OkStatus() : plan.Fill(ctx, philox, *out);
  }
};

}  // namespace

void RegisterRandomBinomial(KernelRegistry& kernels) {
  const DTypeSet types = SetOf(BinomialTypes{});
  const std::vector<TypeConstraint> constraints{{"T", types}, {"dtype", types}};
  kernels.Add<StatefulRandomBinomial>("StatefulRandomBinomial", kCpu, constraints);
  kernels.Add<StatelessRandomBinomial>("StatelessRandomBinomial", kCpu, constraints);
}

}  // namespace sluice::kernels
