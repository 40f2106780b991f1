// SPDX-License-Identifier: Apache-2.0
// Random numbers whose state belongs to the program: a variable of a tf.random.Generator, or the
// key and the counter of a stateless op.
#include <random>

#include "kernels/common/round_each.h"
#include "kernels/cpu/random/generator_state.h"
#include "kernels/cpu/random/random_fill.h"
#include "kernels/cpu/random/register.h"

namespace sluice::kernels {
namespace {

constexpr uint64_t kBlocksPerOutput = 256;
using FullTypes = TypeList<int32_t, int64_t, uint32_t, uint64_t>;

// Outputs of `shape`, and the stream their blocks were taken from.
struct Outputs {
  Tensor* tensor;
  Philox philox;
};

// Inputs: the variable, the algorithm unless the variable contains it, the shape.
absl::StatusOr<Outputs> TakeOutputs(KernelContext& ctx, bool tagged = false) {
  if (!tagged) {
    SLUICE_ASSIGN(const int64_t algorithm, AlgorithmOf(ctx, 1));
    SLUICE_RETURN_IF_ERROR(CheckAlgorithm(algorithm));
  }
  SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(tagged ? 1 : 2)));
  SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
  SLUICE_ASSIGN(const Philox philox,
                TakeFromVariable(ctx, 0, tagged,
                                 static_cast<uint64_t>(shape.num_elements()) * kBlocksPerOutput));
  return Outputs{output, philox};
}

template <template <typename> typename Distribution, bool kTagged = false>
struct StatefulFloating {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Outputs outputs, TakeOutputs(ctx, kTagged));
    return FillFloating<Distribution>(outputs.philox, *outputs.tensor, ctx.pool());
  }
};

struct StatefulUniformInt {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckBounds(ctx.input(3), ctx.input(4)));
    SLUICE_ASSIGN(const Outputs outputs, TakeOutputs(ctx));
    return FillInts(outputs.philox, ctx.input(3), ctx.input(4), *outputs.tensor, ctx.pool());
  }
};

absl::Status FillFullInts(const Philox& philox, Tensor& output, WorkQueue* pool) {
  return VisitDType(FullTypes{}, output.dtype(), [&]<typename T>(Type<T>) {
    FillAll<T>(UniformFullInt<T>{}, philox, output, pool);
    return absl::OkStatus();
  });
}

struct StatefulUniformFullInt {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Outputs outputs, TakeOutputs(ctx));
    return FillFullInts(outputs.philox, *outputs.tensor, ctx.pool());
  }
};

struct RngSkip {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const int64_t algorithm, AlgorithmOf(ctx, 1));
    SLUICE_RETURN_IF_ERROR(CheckAlgorithm(algorithm));
    if (ctx.input(2).rank() != 0)
      return InvalidArgument("input 2 (0-based) must have shape [], not ", ctx.input(2).shape());
    const auto delta = static_cast<uint64_t>(ctx.input(2).scalar<int64_t>());
    return TakeFromVariable(ctx, 0, false, delta * kBlocksPerOutput).status();
  }
};

// The previous state, in the format of the stateless ops of later clients.
struct RngReadAndSkip {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const int64_t algorithm, AlgorithmOf(ctx, 1));
    SLUICE_RETURN_IF_ERROR(CheckAlgorithm(algorithm));
    if (ctx.input(2).rank() != 0)
      return InvalidArgument("delta must have shape [], not ", ctx.input(2).shape());
    SLUICE_ASSIGN(
        const Philox before,
        TakeFromVariable(ctx, 0, false, ctx.input(2).scalar<uint64_t>() * kBlocksPerOutput));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, Shape{3}));
    auto* state = output->mutable_data<int64_t>();
    state[0] = static_cast<int64_t>(before.low());
    state[1] = static_cast<int64_t>(before.high());
    state[2] = static_cast<int64_t>(before.key());
    return absl::OkStatus();
  }
};

struct NonDeterministicInts {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(0)));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
    std::random_device source;
    const auto word = [&] { return static_cast<uint64_t>(source()) << 32 | source(); };
    return FillFullInts(Philox(word(), word()), *output, ctx.pool());
  }
};

// The key and counter for the ops below, from two seeds.
struct StatelessRandomGetKeyCounter {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Philox philox, StreamOf(ctx.input(0)));
    SLUICE_ASSIGN(Tensor * key, ctx.AllocateOutput(0, Shape{1}));
    SLUICE_ASSIGN(Tensor * counter, ctx.AllocateOutput(1, Shape{2}));
    key->mutable_data<uint64_t>()[0] = philox.key();
    counter->mutable_data<uint64_t>()[0] = philox.low();
    counter->mutable_data<uint64_t>()[1] = philox.high();
    return absl::OkStatus();
  }
};

// Inputs: shape, key, counter, algorithm.
absl::StatusOr<Outputs> KeyedOutputs(KernelContext& ctx) {
  SLUICE_ASSIGN(const int64_t algorithm, AlgorithmOf(ctx, 3));
  SLUICE_RETURN_IF_ERROR(CheckAlgorithm(algorithm));
  const Tensor &key = ctx.input(1), &counter = ctx.input(2);
  if (key.rank() != 1 || key.dim(0) != 1)
    return InvalidArgument("key must have shape [1], not ", key.shape());
  if (counter.rank() != 1 || counter.dim(0) < 2)
    return InvalidArgument("counter must be a vector of at least 2 elements, not ",
                           counter.shape());
  SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(0)));
  SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
  return Outputs{output, Philox(key.data<uint64_t>()[0], counter.data<uint64_t>()[0],
                                counter.data<uint64_t>()[1])};
}

template <template <typename> typename Distribution>
struct KeyedFloating {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Outputs outputs, KeyedOutputs(ctx));
    return FillFloating<Distribution>(outputs.philox, *outputs.tensor, ctx.pool());
  }
};

struct KeyedUniformInt {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckBounds(ctx.input(4), ctx.input(5)));
    SLUICE_ASSIGN(const Outputs outputs, KeyedOutputs(ctx));
    return FillInts(outputs.philox, ctx.input(4), ctx.input(5), *outputs.tensor, ctx.pool());
  }
};

struct KeyedUniformFullInt {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Outputs outputs, KeyedOutputs(ctx));
    return FillFullInts(outputs.philox, *outputs.tensor, ctx.pool());
  }
};

}  // namespace

void RegisterStatefulRandom(KernelRegistry& kernels) {
  constexpr DTypeSet full = SetOf(FullTypes{});
  kernels.Add<StatefulFloating<Normal, true>>("StatefulStandardNormal", kCpu,
                                              {{"dtype", kFloating}});
  kernels.Add<StatefulFloating<Normal>>("StatefulStandardNormalV2", kCpu, {{"dtype", kFloating}});
  kernels.Add<StatefulFloating<Uniform>>("StatefulUniform", kCpu, {{"dtype", kFloating}});
  kernels.Add<StatefulFloating<TruncatedNormal>>("StatefulTruncatedNormal", kCpu,
                                                 {{"dtype", kFloating}});
  kernels.Add<StatefulUniformInt>("StatefulUniformInt", kCpu, {{"dtype", full}});
  kernels.Add<StatefulUniformFullInt>("StatefulUniformFullInt", kCpu, {{"dtype", full}});
  kernels.Add<RngSkip>("RngSkip", kCpu);
  kernels.Add<RngReadAndSkip>("RngReadAndSkip", kCpu);
  kernels.Add<NonDeterministicInts>("NonDeterministicInts", kCpu, {{"dtype", full}});

  kernels.Add<StatelessRandomGetKeyCounter>("StatelessRandomGetKeyCounter", kCpu);
  kernels.Add<KeyedFloating<Uniform>>("StatelessRandomUniformV2", kCpu, {{"dtype", kFloating}});
  kernels.Add<KeyedFloating<Normal>>("StatelessRandomNormalV2", kCpu, {{"dtype", kFloating}});
  kernels.Add<KeyedFloating<TruncatedNormal>>("StatelessTruncatedNormalV2", kCpu,
                                              {{"dtype", kFloating}});
  kernels.Add<KeyedUniformInt>("StatelessRandomUniformIntV2", kCpu, {{"dtype", full}});
  kernels.Add<KeyedUniformFullInt>("StatelessRandomUniformFullIntV2", kCpu, {{"dtype", full}});
}

}  // namespace sluice::kernels
