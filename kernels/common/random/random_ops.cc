// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/random/random_ops.h"

#include "core/tensor/resource.h"
#include "core/tensor/variant.h"
#include "kernels/common/random/node_stream.h"
#include "kernels/common/random/rng_algorithm.h"

namespace sluice::kernels {
namespace {

// The stream belongs to the node. Each run advances it by the blocks that TensorFlow would reserve.
struct RandomFloating {
  const RandomFiller& filler;
  const RandomDistribution distribution;
  NodeStream stream;

  RandomFloating(const RandomFiller& filler, RandomDistribution distribution, const NodeSpec& node)
      : filler(filler), distribution(distribution), stream(node) {}

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(0)));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
    const Philox philox =
        stream.Take(static_cast<uint64_t>(shape.num_elements()) * kBlocksPerOutput);
    return filler.Fill(ctx, distribution, philox, *output);
  }
};

struct RandomUniformInt {
  const RandomFiller& filler;
  NodeStream stream;

  RandomUniformInt(const RandomFiller& filler, const NodeSpec& node)
      : filler(filler), stream(node) {}

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &low = ctx.input(1), &high = ctx.input(2);
    SLUICE_RETURN_IF_ERROR(CheckBounds(low, high));
    SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(0)));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    SLUICE_RETURN_IF_ERROR(CheckOrder(low, high));  // a failed run does not advance the stream
    const Philox philox =
        stream.Take(static_cast<uint64_t>(shape.num_elements()) * kBlocksPerOutput);
    return filler.FillInts(ctx, philox, low, high, *output);
  }
};

struct StatelessFloating {
  const RandomFiller* filler;
  RandomDistribution distribution;

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(0)));
    SLUICE_ASSIGN(const Philox philox, StreamOfSeeds(ctx.input(1)));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
    return filler->Fill(ctx, distribution, philox, *output);
  }
};

struct StatelessUniformInt {
  const RandomFiller* filler;

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &low = ctx.input(2), &high = ctx.input(3);
    SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(0)));
    SLUICE_ASSIGN(const Philox philox, StreamOfSeeds(ctx.input(1)));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    SLUICE_RETURN_IF_ERROR(CheckBounds(low, high));
    SLUICE_RETURN_IF_ERROR(CheckOrder(low, high));
    return filler->FillInts(ctx, philox, low, high, *output);
  }
};

// Outputs of `shape`, and the stream their blocks are taken from.
struct Outputs {
  Tensor* tensor;
  Philox philox;
};

// Inputs: shape, key, counter, algorithm.
absl::StatusOr<Outputs> KeyedOutputs(KernelContext& ctx) {
  SLUICE_ASSIGN(const Philox philox, StreamOfKey(ctx, 1));
  SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(0)));
  SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
  return Outputs{output, philox};
}

struct KeyedFloating {
  const RandomFiller* filler;
  RandomDistribution distribution;

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Outputs outputs, KeyedOutputs(ctx));
    return filler->Fill(ctx, distribution, outputs.philox, *outputs.tensor);
  }
};

struct KeyedUniformInt {
  const RandomFiller* filler;

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckBounds(ctx.input(4), ctx.input(5)));
    SLUICE_ASSIGN(const Outputs outputs, KeyedOutputs(ctx));
    SLUICE_RETURN_IF_ERROR(CheckOrder(ctx.input(4), ctx.input(5)));
    return filler->FillInts(ctx, outputs.philox, ctx.input(4), ctx.input(5), *outputs.tensor);
  }
};

struct KeyedUniformFullInt {
  const RandomFiller* filler;

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Outputs outputs, KeyedOutputs(ctx));
    return filler->FillFullInts(ctx, outputs.philox, *outputs.tensor);
  }
};

// All memory of the CPU is host memory.
HostMemory HostArgs(const RandomFiller& filler, HostMemory host) {
  return filler.device_type() == kCpu ? HostMemory() : host;
}

template <typename T>
std::unique_ptr<Kernel> KernelAt(std::unique_ptr<T> kernel) {
  return std::make_unique<sluice::internal::KernelOf<std::unique_ptr<T>, T>>(std::move(kernel));
}

void AddRandom(KernelRegistry& kernels, const RandomFiller& filler, RandomDistribution distribution,
               absl::string_view op) {
  auto create = [&filler,
                 distribution](const NodeSpec& node) -> absl::StatusOr<std::unique_ptr<Kernel>> {
    return KernelAt(std::make_unique<RandomFloating>(filler, distribution, node));
  };
  kernels.AddWith(create, op, filler.device_type(), {{"dtype", kFloating}},
                  HostArgs(filler, {"shape"}));
}

// The key and counter for the keyed ops, from two seeds.
struct StatelessRandomGetKeyCounter {
  absl::Status Run(KernelContext& ctx) const { return SetKeyAndCounter(ctx); }
};

template <typename T>
void AddFilling(KernelRegistry& kernels, absl::string_view op, T kernel,
                std::vector<TypeConstraint> types, HostMemory host) {
  auto create = [kernel](const NodeSpec&) -> absl::StatusOr<std::unique_ptr<Kernel>> {
    return MakeKernel(kernel);
  };
  kernels.AddWith(create, op, kernel.filler->device_type(), std::move(types),
                  HostArgs(*kernel.filler, std::move(host)));
}

}  // namespace

absl::StatusOr<Philox> StreamOfSeeds(const Tensor& seed) {
  if (seed.rank() != 1 || seed.dim(0) != 2)
    return InvalidArgument("seed must have shape [2], not ", seed.shape());
  SLUICE_ASSIGN(const Shape::Dims seeds, IntVector(seed));
  const Philox::Block mixed = Philox::Of(static_cast<uint64_t>(seeds[0]),
                                         static_cast<uint64_t>(seeds[1]), 0x02461E293EC8F720u);
  return Philox(mixed[0] | static_cast<uint64_t>(mixed[1]) << 32,
                mixed[2] | static_cast<uint64_t>(mixed[3]) << 32);
}

absl::Status SetKeyAndCounter(KernelContext& ctx) {
  SLUICE_ASSIGN(const Philox philox, StreamOfSeeds(ctx.input(0)));
  SLUICE_ASSIGN(Tensor * key, ctx.AllocateOutput(0, Shape{1}));
  SLUICE_ASSIGN(Tensor * counter, ctx.AllocateOutput(1, Shape{2}));
  key->mutable_data<uint64_t>()[0] = philox.key();
  counter->mutable_data<uint64_t>()[0] = philox.low();
  counter->mutable_data<uint64_t>()[1] = philox.high();
  return absl::OkStatus();
}

absl::StatusOr<Philox> StreamOfKey(const KernelContext& ctx, int key) {
  SLUICE_ASSIGN(const int64_t algorithm, AlgorithmOf(ctx, key + 2));
  SLUICE_RETURN_IF_ERROR(CheckAlgorithm(algorithm));
  const Tensor &keys = ctx.input(key), &counter = ctx.input(key + 1);
  if (keys.rank() != 1 || keys.dim(0) != 1)
    return InvalidArgument("key must have shape [1], not ", keys.shape());
  if (counter.rank() != 1 || counter.dim(0) < 2)
    return InvalidArgument("counter must be a vector with length at least 2; got shape: ",
                           counter.shape());
  return Philox(keys.data<uint64_t>()[0], counter.data<uint64_t>()[0], counter.data<uint64_t>()[1]);
}

absl::Status CheckOrder(const Tensor& low, const Tensor& high) {
  return VisitDType(FullIntTypes{}, low.dtype(), [&]<typename T>(Type<T>) {
    if (low.scalar<T>() < high.scalar<T>()) return absl::OkStatus();
    return InvalidArgument("Need minval < maxval, got ", low.scalar<T>(), " >= ", high.scalar<T>());
  });
}

absl::Status CheckBounds(const Tensor& low, const Tensor& high) {
  if (low.rank() != 0) return InvalidArgument("minval must be 0-D, got shape ", low.shape());
  if (high.rank() != 0) return InvalidArgument("maxval must be 0-D, got shape ", high.shape());
  return absl::OkStatus();
}

void RegisterRandomOps(KernelRegistry& kernels, const RandomFiller& filler) {
  using enum RandomDistribution;
  AddRandom(kernels, filler, kUniform, "RandomUniform");
  AddRandom(kernels, filler, kNormal, "RandomStandardNormal");
  AddRandom(kernels, filler, kTruncatedNormal, "TruncatedNormal");
  auto create = [&filler](const NodeSpec& node) -> absl::StatusOr<std::unique_ptr<Kernel>> {
    return KernelAt(std::make_unique<RandomUniformInt>(filler, node));
  };
  kernels.AddWith(create, "RandomUniformInt", filler.device_type(), {{"Tout", kIndex}},
                  HostArgs(filler, {"shape", "minval", "maxval"}));

  const RandomFiller* on = &filler;
  const std::vector<TypeConstraint> floating{{"dtype", kFloating}};
  const HostMemory seeded{"shape", "seed"};
  AddFilling(kernels, "StatelessRandomUniform", StatelessFloating{on, kUniform}, floating, seeded);
  AddFilling(kernels, "StatelessRandomNormal", StatelessFloating{on, kNormal}, floating, seeded);
  AddFilling(kernels, "StatelessTruncatedNormal", StatelessFloating{on, kTruncatedNormal}, floating,
             seeded);
  AddFilling(kernels, "StatelessRandomUniformInt", StatelessUniformInt{on}, {{"dtype", kIndex}},
             HostMemory{"shape", "seed", "minval", "maxval"});

  kernels.Add<StatelessRandomGetKeyCounter>("StatelessRandomGetKeyCounter", filler.device_type(),
                                            {}, HostArgs(filler, {"seed", "key", "counter"}));
  const std::vector<TypeConstraint> full{{"dtype", SetOf(FullIntTypes{})}};
  const HostMemory keyed{"shape", "key", "counter", "alg"};
  AddFilling(kernels, "StatelessRandomUniformV2", KeyedFloating{on, kUniform}, floating, keyed);
  AddFilling(kernels, "StatelessRandomNormalV2", KeyedFloating{on, kNormal}, floating, keyed);
  AddFilling(kernels, "StatelessTruncatedNormalV2", KeyedFloating{on, kTruncatedNormal}, floating,
             keyed);
  AddFilling(kernels, "StatelessRandomUniformIntV2", KeyedUniformInt{on}, full,
             HostMemory{"shape", "key", "counter", "alg", "minval", "maxval"});
  AddFilling(kernels, "StatelessRandomUniformFullIntV2", KeyedUniformFullInt{on}, full, keyed);
}

}  // namespace sluice::kernels
