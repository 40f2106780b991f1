// SPDX-License-Identifier: Apache-2.0
// The ops of accumulators: dense ones with handles of both kinds, sparse ones with references.
#include "kernels/any/data_flow/accumulator.h"
#include "kernels/any/data_flow/register.h"
#include "kernels/any/data_flow/signature_text.h"
#include "kernels/common/resource_handle.h"

namespace sluice::kernels {
namespace {

constexpr size_t kLargeBytes = 64 << 10;  // larger gradients are added in the pool

template <typename T>
struct NewAccumulator {
  Accumulator::Options options;
  NamedResource<Accumulator> accumulator;

  explicit NewAccumulator(ResourcePlace place) : accumulator(std::move(place)) {}

  static absl::StatusOr<std::unique_ptr<NewAccumulator>> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ResourcePlace place, ResourcePlace::Create(node));
    auto made = std::make_unique<NewAccumulator>(std::move(place));
    SLUICE_ASSIGN(made->options.dtype, node.Get<DType>("dtype"));
    SLUICE_ASSIGN(made->options.shape, node.Get<PartialShape>("shape"));
    made->options.mean = GetAttrOr(node.attrs, "reduction_type", std::string("MEAN")) == "MEAN";
    return made;
  }

  absl::Status Run(KernelContext& ctx) const {
    return accumulator.HandOut(
        ctx,
        [&](const std::string& name) -> absl::StatusOr<RefPtr<Accumulator>> {
          return RefPtr<Accumulator>(MakeRefCounted<T>(name, options));
        },
        [&](const Accumulator& found) {
          if (dynamic_cast<const T*>(&found) != nullptr && found.dtype() == options.dtype)
            return absl::OkStatus();
          return InvalidArgument("Shared ", found, " is of ", found.dtype(),
                                 " or of another kind than the one asked for");
        });
  }
};

template <typename T>
absl::StatusOr<RefPtr<T>> AccumulatorOf(KernelContext& ctx) {
  SLUICE_ASSIGN(const RefPtr<Accumulator> found, ResourceOf<Accumulator>(ctx, 0));
  if (T* accumulator = dynamic_cast<T*>(found.get())) return RefPtr<T>(accumulator);
  return InvalidArgument(*found, " is dense where a sparse one is asked for, or sparse for dense");
}

absl::StatusOr<int64_t> Scalar(const Tensor& tensor, absl::string_view name) {
  if (tensor.rank() != 0) {
    return InvalidArgument("Argument ", name, " must be scalar, but had bad shape ",
                           tensor.shape());
  }
  return IntScalar(tensor);
}

absl::Status AddTo(DenseAccumulator& accumulator, int64_t step, std::vector<Tensor> inputs) {
  return accumulator.ApplyGradient(step, std::move(inputs[1]));
}
absl::Status AddTo(SparseAccumulator& accumulator, int64_t step, std::vector<Tensor> inputs) {
  return accumulator.ApplyGradient(step, {inputs[1], inputs[2], inputs[3]});
}

// handle, local_step, gradient; or handle, local_step, indices, values, shape.
template <typename T>
struct ApplyGradient {
  static constexpr bool kDense = std::is_same_v<T, DenseAccumulator>;
  bool has_known_shape;

  static absl::StatusOr<ApplyGradient> Create(const NodeSpec& node) {
    return ApplyGradient{GetAttrOr(node.attrs, "has_known_shape", false)};
  }

  void Start(KernelContext& ctx, Done done) const {
    KeepInputs(
        ctx, 1, kDense ? 2 : 4,
        [this, &ctx, done = std::move(done)](absl::StatusOr<std::vector<Tensor>> inputs) mutable {
          if (!inputs.ok()) return done(inputs.status());
          const Tensor& gradient = (*inputs)[kDense ? 1 : 2];
          const bool large = IsPlain(gradient.dtype()) && gradient.bytes() > kLargeBytes;
          if (!large || ctx.pool() == nullptr) return done(Apply(ctx, *std::move(inputs)));
          ctx.pool()->Schedule(
              [this, &ctx, inputs = *std::move(inputs), done = std::move(done)]() mutable {
                done(Apply(ctx, std::move(inputs)));
              });
        });
  }

  absl::Status Apply(KernelContext& ctx, std::vector<Tensor> inputs) const {
    SLUICE_ASSIGN(const RefPtr<T> accumulator, AccumulatorOf<T>(ctx));
    const DType dtype = inputs[kDense ? 1 : 2].dtype();
    if (dtype != accumulator->dtype()) {
      return SignatureMismatch(ctx, {kInt64, dtype}, {kInt64, accumulator->dtype()}, *accumulator);
    }
    SLUICE_ASSIGN(const int64_t step, Scalar(inputs[0], "local_step"));
    if (!kDense && !has_known_shape) inputs[3] = Tensor();
    return AddTo(*accumulator, step, std::move(inputs));
  }
};

// handle, num_required
template <typename T>
struct TakeGradient {
  void Start(KernelContext& ctx, Done done) const {
    KeepInputs(ctx, 1, 1,
               [&ctx, done = std::move(done)](absl::StatusOr<std::vector<Tensor>> inputs) mutable {
                 if (!inputs.ok()) return done(inputs.status());
                 const absl::StatusOr<RefPtr<T>> accumulator = AccumulatorOf<T>(ctx);
                 if (!accumulator.ok()) return done(accumulator.status());
                 const absl::StatusOr<int64_t> required =
                     Required(ctx, **accumulator, (*inputs)[0]);
                 if (!required.ok()) return done(required.status());
                 (*accumulator)->Take(ctx, *required, std::move(done));
               });
  }
  static absl::StatusOr<int64_t> Required(const KernelContext& ctx, const T& accumulator,
                                          const Tensor& input) {
    std::vector<DType> given = {accumulator.dtype()};
    if (ctx.num_outputs() > 1) given = {kInt64, accumulator.dtype(), kInt64};
    SLUICE_RETURN_IF_ERROR(CheckGiven(ctx, given, accumulator));
    SLUICE_ASSIGN(const int64_t required, Scalar(input, "num_required"));
    if (required > 0) return required;
    return InvalidArgument("Argument num_required must be positive, but was ", required);
  }
};

// handle, new_global_step
struct SetGlobalStep {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Accumulator> accumulator, ResourceOf<Accumulator>(ctx, 0));
    SLUICE_ASSIGN(const int64_t step, Scalar(ctx.input(1), "new_global_step"));
    accumulator->SetGlobalStep(step);
    return absl::OkStatus();
  }
};

struct NumAccumulated {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Accumulator> accumulator, ResourceOf<Accumulator>(ctx, 0));
    ctx.SetOutput(0, Tensor::Scalar<int32_t>(static_cast<int32_t>(accumulator->count())));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterAccumulators(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> types = {{"dtype", kFloating}};
  for (const char* prefix : {"", "Resource"}) {
    const auto op = [&](absl::string_view name) { return absl::StrCat(prefix, name); };
    kernels.Add<NewAccumulator<DenseAccumulator>>(op("ConditionalAccumulator"), kCpu, types,
                                                  kCheap);
    kernels.Add<ApplyGradient<DenseAccumulator>>(op("AccumulatorApplyGradient"), kCpu, {}, kCheap);
    kernels.Add<TakeGradient<DenseAccumulator>>(op("AccumulatorTakeGradient"), kCpu, {}, kCheap);
    kernels.Add<SetGlobalStep>(op("AccumulatorSetGlobalStep"), kCpu, {}, kCheap);
    kernels.Add<NumAccumulated>(op("AccumulatorNumAccumulated"), kCpu, {}, kCheap);
  }
  kernels.Add<NewAccumulator<SparseAccumulator>>("SparseConditionalAccumulator", kCpu, types,
                                                 kCheap);
  kernels.Add<ApplyGradient<SparseAccumulator>>("SparseAccumulatorApplyGradient", kCpu, {}, kCheap);
  kernels.Add<TakeGradient<SparseAccumulator>>("SparseAccumulatorTakeGradient", kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
