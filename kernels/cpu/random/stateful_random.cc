// SPDX-License-Identifier: Apache-2.0
// Random numbers whose state is a variable: tf.random.Generator.
#include <random>

#include "kernels/common/round_each.h"
#include "kernels/cpu/random/generator_state.h"
#include "kernels/cpu/random/random_fill.h"
#include "kernels/cpu/random/register.h"

namespace sluice::kernels {
namespace {

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

template <RandomDistribution kDistribution, bool kTagged = false>
struct StatefulFloating {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Outputs outputs, TakeOutputs(ctx, kTagged));
    return CpuRandomFiller().Fill(ctx, kDistribution, outputs.philox, *outputs.tensor);
  }
};

struct StatefulUniformInt {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckBounds(ctx.input(3), ctx.input(4)));
    SLUICE_ASSIGN(const Outputs outputs, TakeOutputs(ctx));
    SLUICE_RETURN_IF_ERROR(CheckOrder(ctx.input(3), ctx.input(4)));
    return CpuRandomFiller().FillInts(ctx, outputs.philox, ctx.input(3), ctx.input(4),
                                      *outputs.tensor);
  }
};

struct StatefulUniformFullInt {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Outputs outputs, TakeOutputs(ctx));
    return CpuRandomFiller().FillFullInts(ctx, outputs.philox, *outputs.tensor);
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
    return CpuRandomFiller().FillFullInts(ctx, Philox(word(), word()), *output);
  }
};

}  // namespace

void RegisterStatefulRandom(KernelRegistry& kernels) {
  constexpr DTypeSet full = SetOf(FullIntTypes{});
  using enum RandomDistribution;
  kernels.Add<StatefulFloating<kNormal, true>>("StatefulStandardNormal", kCpu,
                                               {{"dtype", kFloating}});
  kernels.Add<StatefulFloating<kNormal>>("StatefulStandardNormalV2", kCpu, {{"dtype", kFloating}});
  kernels.Add<StatefulFloating<kUniform>>("StatefulUniform", kCpu, {{"dtype", kFloating}});
  kernels.Add<StatefulFloating<kTruncatedNormal>>("StatefulTruncatedNormal", kCpu,
                                                  {{"dtype", kFloating}});
  kernels.Add<StatefulUniformInt>("StatefulUniformInt", kCpu, {{"dtype", full}});
  kernels.Add<StatefulUniformFullInt>("StatefulUniformFullInt", kCpu, {{"dtype", full}});
  kernels.Add<RngSkip>("RngSkip", kCpu);
  kernels.Add<RngReadAndSkip>("RngReadAndSkip", kCpu);
  kernels.Add<NonDeterministicInts>("NonDeterministicInts", kCpu, {{"dtype", full}});
}

}  // namespace sluice::kernels
