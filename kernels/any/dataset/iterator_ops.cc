// SPDX-License-Identifier: Apache-2.0
// Iterators: their handles, their data sets, their elements.
#include "core/codec/codec.h"
#include "core/op/producer_version.h"
#include "core/runtime/function_caller.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/blocking_threads.h"
#include "kernels/any/dataset/opaque_scalar.h"
#include "kernels/any/dataset/optional.h"
#include "kernels/any/dataset/register.h"
#include "kernels/any/dataset/string_handles.h"
#include "kernels/common/dataset/captured_function.h"
#include "kernels/common/dataset/graph/position_graphs.h"
#include "kernels/common/dataset/graph/recipe.h"
#include "kernels/common/dataset/iterator.h"
#include "kernels/common/dataset/owned_resource.h"
#include "kernels/common/resource_handle.h"

namespace sluice::kernels {
namespace {

// Iterator and IteratorV2.
struct MakeHandle {
  NamedResource<Iterator> kept;
  ElementSpec spec;

  MakeHandle(ResourcePlace place, ElementSpec of) : kept(std::move(place)), spec(std::move(of)) {}
  static absl::StatusOr<std::unique_ptr<MakeHandle>> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(ResourcePlace place, ResourcePlace::Create(node));
    return std::make_unique<MakeHandle>(std::move(place), std::move(spec));
  }
  absl::Status Run(KernelContext& ctx) const {
    return kept.HandOut(
        ctx,
        [&](const std::string& name) -> absl::StatusOr<RefPtr<Iterator>> {
          return MakeRefCounted<Iterator>(name, spec);
        },
        [&](const Iterator& found) { return spec.Accepts(found.spec()); });
  }
};

// AnonymousIterator, V2 and V3: a new one in each step, which lives as long as its handle.
struct Anonymous {
  ElementSpec spec;
  std::string device;

  static absl::StatusOr<Anonymous> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return Anonymous{std::move(spec), node.device};
  }
  absl::Status Run(KernelContext& ctx) const {
    SetOwned(ctx, device, "AnonymousIterator", MakeRefCounted<Iterator>("", spec));
    return absl::OkStatus();
  }
};

// Begins anew. The run is listed for reports.
absl::Status BeginListed(KernelContext& ctx, Iterator& iterator, RefPtr<const DataSet> set) {
  SLUICE_RETURN_IF_ERROR(iterator.Begin(std::move(set)));
  return RunningPipelines::Add(ctx.resources(), iterator.pipeline());
}

struct MakeIterator {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(RefPtr<const DataSet> set, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const RefPtr<Iterator> iterator, ResourceOf<Iterator>(ctx, 1));
    return BeginListed(ctx, *iterator, std::move(set));
  }
};

// An iterator whose data set a function makes when the handle is asked for first. A failure stays.
struct OneShot {
  NamedResource<Iterator> kept;
  ElementSpec spec;
  FunctionRef factory;
  std::string device;
  mutable absl::Mutex mu;
  mutable absl::Status failure ABSL_GUARDED_BY(mu);

  OneShot(ResourcePlace place, ElementSpec of, FunctionRef function, std::string on)
      : kept(std::move(place)),
        spec(std::move(of)),
        factory(std::move(function)),
        device(std::move(on)) {}
  static absl::StatusOr<std::unique_ptr<OneShot>> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(FunctionRef factory, node.Get<FunctionRef>("dataset_factory"));
    SLUICE_ASSIGN(ResourcePlace place, ResourcePlace::Create(node));
    return std::make_unique<OneShot>(std::move(place), std::move(spec), std::move(factory),
                                     node.device);
  }

  absl::StatusOr<RefPtr<const DataSet>> MakeSet(KernelContext& ctx) const {
    FunctionCaller* functions = ctx.step().functions;
    if (functions == nullptr) return FailedPrecondition("the graph has no functions");
    CapturedFunction function;
    SLUICE_ASSIGN(function.function, functions->Find(factory, device));
    RunState state;
    SLUICE_ASSIGN(const StageFunction call, StageFunction::Create(function, {&state, {}}));
    SLUICE_ASSIGN(const Element results, call.Call({}));
    return DataSetOf(results);
  }
  absl::StatusOr<RefPtr<Iterator>> HandOut(KernelContext& ctx) const {
    const auto make = [&](const std::string& name) -> absl::StatusOr<RefPtr<Iterator>> {
      return MakeRefCounted<Iterator>(name, spec);
    };
    SLUICE_RETURN_IF_ERROR(kept.HandOut(ctx, make));
    const ResourceHandle& handle = ctx.outputs()[0].value.scalar<ResourceHandle>();
    return ctx.resources().Resolve<Iterator>(handle);
  }
  // The function that makes the data set may wait.
  absl::Status BeginOnce(KernelContext& ctx, Iterator& iterator) const {
    absl::MutexLock lock(&mu);
    if (!failure.ok() || iterator.begun()) return failure;
    absl::StatusOr<RefPtr<const DataSet>> set = MakeSet(ctx);
    failure = set.ok() ? BeginListed(ctx, iterator, *std::move(set)) : set.status();
    return failure;
  }
  void Start(KernelContext& ctx, Done done) const {
    absl::StatusOr<RefPtr<Iterator>> iterator = HandOut(ctx);
    if (!iterator.ok() || (*iterator)->begun()) return done(iterator.status());
    RunBlocking([this, &ctx, begins = *std::move(iterator), done = std::move(done)]() mutable {
      done(BeginOnce(ctx, *begins));
    });
  }
};

// The elements, as outputs or as an Optional.
struct GetNext {
  ElementSpec spec;
  bool optional;

  static absl::StatusOr<GetNext> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return GetNext{std::move(spec), node.op == "IteratorGetNextAsOptional"};
  }
  absl::Status Give(KernelContext& ctx, NextElement next) const {
    if (!next.ok()) return next.status();
    if (!optional) {
      if (!*next) return OutOfRange("End of sequence");
      return SetElement(ctx, spec, **std::move(next));
    }
    auto made = MakeRefCounted<Optional>();
    if (*next) {
      SLUICE_RETURN_IF_ERROR(spec.AcceptsElement(**next));
      SLUICE_ASSIGN(made, Optional::Of(**std::move(next)));
    }
    ctx.SetOutput(0, Tensor::Scalar<Variant>(Variant(std::move(made))));
    return absl::OkStatus();
  }
  void Start(KernelContext& ctx, Done done) const {
    const absl::StatusOr<RefPtr<Iterator>> iterator = ResourceOf<Iterator>(ctx, 0);
    if (!iterator.ok()) return done(iterator.status());
    (*iterator)->Next(ctx.cancel(),
                      [this, &ctx, kept = *iterator, done = std::move(done)](
                          NextElement next) mutable { done(Give(ctx, std::move(next))); });
  }
};

constexpr absl::string_view kSavedIterator = "tensorflow::Iterator";

// 1.15 saves no position if functions have state. Later releases let the caller say.
bool IsFrom115(const Iterator& iterator) {
  const RefPtr<const DataSet> set = iterator.set();
  const Recipe* recipe = set ? set->recipe() : nullptr;
  return recipe != nullptr && recipe->node->producer_version <= kVersionOf115;
}

// The position of an iterator as a variant, which a checkpoint can hold. The numbers are
// TensorFlow's: a warning, nothing, or an error if functions have state that is not saved.
struct Serialize {
  static constexpr int64_t kErrorForState = 2;
  bool with_functions;

  static absl::StatusOr<Serialize> Create(const NodeSpec& node) {
    return Serialize{GetAttrOr<int64_t>(node.attrs, "external_state_policy", 0) == kErrorForState};
  }
  absl::Status Save(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Iterator> iterator, ResourceOf<Iterator>(ctx, 0));
    SavedState state;
    SLUICE_RETURN_IF_ERROR(iterator->Save(state, with_functions || IsFrom115(*iterator)));
    SLUICE_ASSIGN(std::vector<Tensor> values, DataSetsToGraphs(state.values()));
    ctx.SetOutput(0, Tensor::Scalar<Variant>(Variant(MakeRefCounted<OpaqueVariant>(
                         std::string(kSavedIterator), "", std::move(values)))));
    return absl::OkStatus();
  }
  void Start(KernelContext& ctx, Done done) const {
    RunBlocking([this, &ctx, done = std::move(done)]() mutable { done(Save(ctx)); });
  }
};

struct Deserialize {
  std::string device;

  static absl::StatusOr<Deserialize> Create(const NodeSpec& node) {
    return Deserialize{node.device};
  }
  absl::Status Restore(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<Iterator> iterator, ResourceOf<Iterator>(ctx, 0));
    const Tensor& input = ctx.input(1);
    const OpaqueVariant* saved = OpaqueIn(input, kSavedIterator);
    if (saved == nullptr) {
      return InvalidArgument("`serialized` is not the state of an iterator, but ",
                             input.ToString());
    }
    SLUICE_ASSIGN(std::vector<Tensor> values, GraphsToDataSets(ctx, device, saved->tensors()));
    SavedState state(std::move(values));
    SLUICE_RETURN_IF_ERROR(iterator->Restore(state));
    return RunningPipelines::Add(ctx.resources(), iterator->pipeline());
  }
  void Start(KernelContext& ctx, Done done) const {
    RunBlocking([this, &ctx, done = std::move(done)]() mutable { done(Restore(ctx)); });
  }
};

}  // namespace

void RegisterIterators(KernelRegistry& kernels) {
  for (auto op : {"Iterator", "IteratorV2"}) kernels.Add<MakeHandle>(op, kCpu, {}, kCheap);
  for (auto op : {"AnonymousIterator", "AnonymousIteratorV2", "AnonymousIteratorV3"})
    kernels.Add<Anonymous>(op, kCpu, {}, kCheap);
  kernels.Add<DeleteOwned<Iterator>>("DeleteIterator", kCpu, {}, kCheap);
  kernels.Add<MakeIterator>("MakeIterator", kCpu);
  kernels.Add<Serialize>("SerializeIterator", kCpu);
  kernels.Add<Deserialize>("DeserializeIterator", kCpu);
  kernels.Add<OneShot>("OneShotIterator", kCpu);
  for (auto op : {"IteratorGetNext", "IteratorGetNextSync", "IteratorGetNextAsOptional"})
    kernels.Add<GetNext>(op, kCpu);
  kernels.Add<ToStringHandle<Iterator>>("IteratorToStringHandle", kCpu, {}, kCheap);
  for (auto op : {"IteratorFromStringHandle", "IteratorFromStringHandleV2"})
    kernels.Add<FromStringHandle<Iterator>>(op, kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
