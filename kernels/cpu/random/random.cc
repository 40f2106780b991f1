// SPDX-License-Identifier: Apache-2.0
// Random ops with a state. The state belongs to the node. Each run advances it by the blocks that
// TensorFlow would reserve.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/tensor/resource.h"
#include "core/tensor/variant.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/random/multinomial_plan.h"
#include "kernels/common/random/node_stream.h"
#include "kernels/common/random/rng_algorithm.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/random/distributions.h"
#include "kernels/cpu/random/random_fill.h"
#include "kernels/cpu/random/register.h"
#include "kernels/cpu/random/shares.h"

namespace sluice::kernels {
namespace {

bool IsShuffledAlready(const Tensor& input) {
  return input.rank() == 0 || input.dim(0) <= 1 || input.num_elements() == 0;
}

// Fisher and Yates' shuffle of the rows of input 0.
absl::Status ShuffleRows(KernelContext& ctx, const Philox& philox) {
  const Tensor& input = ctx.input(0);
  const int64_t n = input.dim(0);
  PhiloxWords words(philox, 0);
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (const int64_t i : Cancellable(n - 1))
    std::swap(order[i], order[i + words.Next() % static_cast<uint64_t>(n - i)]);
  SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, input.shape()));
  const int64_t row = input.num_elements() / n;
  return VisitWidth(input.dtype(), [&]<typename T>(Type<T>) {
    T* to = output->mutable_data<T>();
    CancelPoints points(1 << 16);
    for (int64_t from : order) {
      points.Pass(row);
      to = std::copy_n(input.data<T>() + from * row, row, to);
    }
    return absl::OkStatus();
  });
}

struct RandomShuffle {
  NodeStream stream;

  explicit RandomShuffle(const NodeSpec& node) : stream(node) {}
  static absl::StatusOr<std::unique_ptr<RandomShuffle>> Create(const NodeSpec& node) {
    return std::make_unique<RandomShuffle>(node);
  }
  absl::Status Run(KernelContext& ctx) const {
    if (IsShuffledAlready(ctx.input(0))) {
      ctx.ForwardSlot(0, 0);
      return absl::OkStatus();
    }
    return ShuffleRows(ctx, stream.Take(static_cast<uint64_t>(ctx.input(0).dim(0) - 1 + 3) / 4));
  }
};

struct StatelessShuffle {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Philox philox, StreamOfKey(ctx, 1));
    if (IsShuffledAlready(ctx.input(0))) {
      ctx.ForwardSlot(0, 0);
      return absl::OkStatus();
    }
    return ShuffleRows(ctx, philox);
  }
};

struct StatelessRandomUniformFullInt {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(0)));
    SLUICE_ASSIGN(const Philox philox, StreamOfSeeds(ctx.input(1)));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
    return CpuRandomFiller().FillFullInts(ctx, philox, *output);
  }
};

// The number of the algorithm for this device.
struct StatelessRandomGetAlg {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Tensor * algorithm, ctx.AllocateOutput(0, Shape{}));
    algorithm->mutable_data<int32_t>()[0] = kPhiloxAlgorithm;
    return absl::OkStatus();
  }
};

// The key, the counter and the algorithm for the keyed ops, from two seeds.
struct StatelessRandomGetKeyCounterAlg {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(SetKeyAndCounter(ctx));
    SLUICE_ASSIGN(Tensor * algorithm, ctx.AllocateOutput(2, Shape{}));
    algorithm->mutable_data<int32_t>()[0] = kPhiloxAlgorithm;
    return absl::OkStatus();
  }
};

// Running sums of exp(logit - max); logits that are not finite have weight 0.
template <typename T>
void RunningSums(const T* logits, int64_t n, std::vector<double>& sums) {
  double largest = -std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < n; ++i) {
    const auto logit = static_cast<double>(logits[i]);
    if (std::isfinite(logit)) largest = std::max(largest, logit);
  }
  double total = 0;
  for (int64_t i = 0; i < n; ++i) {
    const auto logit = static_cast<double>(logits[i]);
    if (std::isfinite(logit)) total += std::exp(logit - largest);
    sums[i] = total;
  }
}

// Each shard of the rows has a stream, with two words per sample.
absl::Status FillMultinomial(WorkQueue* pool, const Philox& philox, const Tensor& logits,
                             Tensor& output) {
  const int64_t rows = logits.dim(0), classes = logits.dim(1), samples = output.dim(1);
  return VisitDType(RealTypes{}, logits.dtype(), [&]<typename T>(Type<T>) {
    return VisitDType(IndexTypes{}, output.dtype(), [&]<typename I>(Type<I>) {
      return ForEachShare(
          pool, rows, MultinomialCycles(classes, samples), [&](int64_t begin, int64_t end) {
            PhiloxWords words(philox, static_cast<uint64_t>(begin * (samples + 3) / 4));
            std::vector<double> sums(classes);
            I* out = output.mutable_data<I>() + begin * samples;
            for (int64_t row = begin; row < end; ++row) {
              RunningSums(logits.data<T>() + row * classes, classes, sums);
              for ([[maybe_unused]] const int64_t i : Cancellable(samples)) {
                const uint32_t w0 = words.Next(), w1 = words.Next();
                const double at = UniformDouble(w0, w1) * sums.back();
                *out++ =
                    static_cast<I>(std::upper_bound(sums.begin(), sums.end(), at) - sums.begin());
              }
            }
            return absl::OkStatus();
          });
    });
  });
}

struct Multinomial {
  NodeStream stream;

  explicit Multinomial(const NodeSpec& node) : stream(node) {}
  static absl::StatusOr<std::unique_ptr<Multinomial>> Create(const NodeSpec& node) {
    return std::make_unique<Multinomial>(node);
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Tensor * output, MultinomialOutput(ctx));
    if (output->num_elements() == 0) return absl::OkStatus();
    const Philox philox = stream.Take(MultinomialBlocks(output->shape()));
    return FillMultinomial(ctx.pool(), philox, ctx.input(0), *output);
  }
};

struct StatelessMultinomial {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Philox philox, StreamOfSeeds(ctx.input(2)));
    SLUICE_ASSIGN(Tensor * output, MultinomialOutput(ctx));
    return output->num_elements() == 0 ? absl::OkStatus()
                                       : FillMultinomial(ctx.pool(), philox, ctx.input(0), *output);
  }
};

}  // namespace

void RegisterRandom(KernelRegistry& kernels) {
  RegisterRandomOps(kernels, CpuRandomFiller());
  kernels.Add<RandomShuffle>("RandomShuffle", kCpu);
  kernels.Add<StatelessShuffle>("StatelessShuffle", kCpu);
  kernels.Add<StatelessRandomUniformFullInt>("StatelessRandomUniformFullInt", kCpu,
                                             {{"dtype", SetOf(FullIntTypes{})}});
  kernels.Add<StatelessRandomGetAlg>("StatelessRandomGetAlg", kCpu);
  kernels.Add<StatelessRandomGetKeyCounterAlg>("StatelessRandomGetKeyCounterAlg", kCpu);
  kernels.Add<Multinomial>("Multinomial", kCpu, {{"T", kReal}});
  kernels.Add<StatelessMultinomial>("StatelessMultinomial", kCpu, {{"T", kReal}});
}

}  // namespace sluice::kernels
