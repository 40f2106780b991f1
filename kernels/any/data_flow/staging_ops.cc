// SPDX-License-Identifier: Apache-2.0
// Staging areas and maps. Every op names its area by container and shared name, or by its own name.
// The first op makes it.
#include "kernels/any/data_flow/register.h"
#include "kernels/any/data_flow/staging.h"
#include "kernels/common/resource_handle.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {
namespace {

// The area of a node.
template <typename T>
struct Area {
  explicit Area(const NodeSpec& node)
      : types(GetAttrOr(node.attrs, "dtypes", std::vector<DType>())) {}
  virtual ~Area() = default;

  template <typename K>
  static absl::StatusOr<std::unique_ptr<K>> Make(const NodeSpec& node) {
    auto made = std::make_unique<K>(node);
    SLUICE_ASSIGN(made->limits, StagingLimits::Create(node));
    SLUICE_ASSIGN(made->place, ResourcePlace::Create(node, /*shared_by_node_name=*/true));
    return made;
  }
  absl::StatusOr<RefPtr<T>> Get(KernelContext& ctx) const {
    auto make = [&]() -> absl::StatusOr<RefPtr<T>> {
      if constexpr (std::is_same_v<T, StagingArea>)
        return MakeRefCounted<T>(place.name, limits);
      else
        return MakeRefCounted<T>(place.name, limits, types.size());
    };
    return cached.Get([&] {
      return ctx.resources().template LookupOrCreate<T>(place.container, place.name, make);
    });
  }

  // Passes the area and the present values of all inputs to `use(area, inputs, done)`, which takes
  // over `done` unless it fails.
  template <typename Use>
  void WithInputs(KernelContext& ctx, Done done, Use use) const {
    const auto area = Get(ctx);
    if (!area.ok()) return done(area.status());
    KeepInputs(
        ctx, 0, ctx.num_inputs(), [area = *area, use, done = std::move(done)](auto inputs) mutable {
          const absl::Status status = inputs.ok() ? use(*area, *inputs, done) : inputs.status();
          if (!status.ok()) done(status);
        });
  }

  const std::vector<DType> types;
  StagingLimits limits;
  ResourcePlace place;
  CachedResource<T> cached;
};

// Sets the outputs. INVALID_ARGUMENT if the node declares other types.
absl::Status SetValues(KernelContext& ctx, int first, StagedTuple& values) {
  const int wanted = ctx.num_outputs() - first;
  if (static_cast<int>(values.size()) != wanted) {
    return InvalidArgument("Mismatch stage/unstage: ", values.size(), " vs. ", wanted);
  }
  for (int i = 0; i < wanted; ++i) {
    if (values[i].dtype() != ctx.output_type(first + i)) {
      return InvalidArgument("Mismatch stage/unstage: value ", i, " is ", values[i].dtype(), ", ",
                             ctx.output_type(first + i), " was asked for");
    }
    ctx.SetOutput(first + i, std::move(values[i]));
  }
  return absl::OkStatus();
}

struct Stage : Area<StagingArea> {
  using Area::Area;
  static absl::StatusOr<std::unique_ptr<Stage>> Create(const NodeSpec& node) {
    return Make<Stage>(node);
  }
  void Start(KernelContext& ctx, Done done) const {
    WithInputs(ctx, std::move(done), [&ctx](StagingArea& area, StagedTuple& values, Done& done) {
      area.Put(ctx, std::move(values), std::move(done));
      return absl::OkStatus();
    });
  }
};

// Unstage; StagePeek: index.
struct Unstage : Area<StagingArea> {
  explicit Unstage(const NodeSpec& node) : Area(node), peeks(node.op == "StagePeek") {}
  static absl::StatusOr<std::unique_ptr<Unstage>> Create(const NodeSpec& node) {
    return Make<Unstage>(node);
  }
  void Start(KernelContext& ctx, Done done) const {
    WithInputs(ctx, std::move(done), [this, &ctx](StagingArea& area, auto& inputs, Done& done) {
      return TakeOrPeek(ctx, area, inputs, done);
    });
  }
  absl::Status TakeOrPeek(KernelContext& ctx, StagingArea& area, const StagedTuple& inputs,
                          Done& done) const {
    int64_t index = 0;
    if (peeks) {
      if (inputs[0].rank() != 0) return InvalidArgument("index must be scalar");
      SLUICE_ASSIGN(index, IntScalar(inputs[0]));
      if (index < 0) return InvalidArgument("index must not be negative, got ", index);
    }
    auto kept = std::make_unique<StagedTuple>();
    StagedTuple* values = kept.get();
    auto ended = [&ctx, kept = std::move(kept), done = std::move(done)](absl::Status s) mutable {
      if (s.ok()) s = SetValues(ctx, 0, *kept);
      done(std::move(s));
    };
    if (peeks)
      area.Peek(ctx, static_cast<size_t>(index), values, std::move(ended));
    else
      area.Take(ctx, values, std::move(ended));
    return absl::OkStatus();
  }

  const bool peeks;
};

template <typename T>
struct Size : Area<T> {
  explicit Size(const NodeSpec& node)
      : Area<T>(node), incomplete(node.op.find("Incomplete") != std::string::npos) {}
  static absl::StatusOr<std::unique_ptr<Size>> Create(const NodeSpec& node) {
    return Area<T>::template Make<Size>(node);
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<T> area, this->Get(ctx));
    int64_t size = area->size();
    if constexpr (!std::is_same_v<T, StagingArea>) {
      if (incomplete) size = area->incomplete_size();
    }
    ctx.SetOutput(0, Tensor::Scalar<int32_t>(static_cast<int32_t>(size)));
    return absl::OkStatus();
  }

  const bool incomplete;
};

template <typename T>
struct Clear : Area<T> {
  using Area<T>::Area;
  static absl::StatusOr<std::unique_ptr<Clear>> Create(const NodeSpec& node) {
    return Area<T>::template Make<Clear>(node);
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<T> area, this->Get(ctx));
    area->Clear();
    return absl::OkStatus();
  }
};

absl::StatusOr<int64_t> KeyOf(const Tensor& key) {
  if (key.rank() == 0) return IntScalar(key);
  return InvalidArgument("key must be an int64 scalar, got tensor with shape: ", key.shape());
}

absl::StatusOr<std::vector<int64_t>> IndicesOf(const Tensor& indices) {
  SLUICE_ASSIGN(const Shape::Dims values, IntVector(indices));
  return std::vector<int64_t>(values.begin(), values.end());
}

// (Ordered)MapStage: key, indices, values.
template <typename T>
struct MapStage : Area<T> {
  using Area<T>::Area;
  static absl::StatusOr<std::unique_ptr<MapStage>> Create(const NodeSpec& node) {
    return Area<T>::template Make<MapStage>(node);
  }
  void Start(KernelContext& ctx, Done done) const {
    this->WithInputs(ctx, std::move(done), [this, &ctx](T& map, StagedTuple& inputs, Done& done) {
      return Put(ctx, map, inputs, done);
    });
  }
  absl::Status Put(KernelContext& ctx, T& map, StagedTuple& inputs, Done& done) const {
    SLUICE_ASSIGN(const int64_t key, KeyOf(inputs[0]));
    SLUICE_ASSIGN(std::vector<int64_t> indices, IndicesOf(inputs[1]));
    StagedTuple values(inputs.begin() + 2, inputs.end());
    for (size_t i = 0; i < std::min(indices.size(), values.size()); ++i) {
      const int64_t index = indices[i];
      if (index < 0 || index >= static_cast<int64_t>(this->types.size())) continue;
      if (values[i].dtype() != this->types[static_cast<size_t>(index)]) {
        return InvalidArgument("value ", i, " is ", values[i].dtype(), ", component ", index,
                               " of the map is ", this->types[static_cast<size_t>(index)]);
      }
    }
    map.Put(ctx, key, std::move(indices), std::move(values), std::move(done));
    return absl::OkStatus();
  }
};

// (Ordered)MapUnstage, MapPeek: key, indices; MapUnstageNoKey: indices, and the key is output 0.
template <typename T>
struct MapUnstage : Area<T> {
  explicit MapUnstage(const NodeSpec& node)
      : Area<T>(node), peeks(node.op.ends_with("Peek")), any_key(node.op.ends_with("NoKey")) {}
  static absl::StatusOr<std::unique_ptr<MapUnstage>> Create(const NodeSpec& node) {
    return Area<T>::template Make<MapUnstage>(node);
  }
  void Start(KernelContext& ctx, Done done) const {
    this->WithInputs(ctx, std::move(done), [this, &ctx](T& map, auto& inputs, Done& done) {
      return Take(ctx, map, inputs, done);
    });
  }
  absl::Status Take(KernelContext& ctx, T& map, const StagedTuple& inputs, Done& done) const {
    auto kept = std::make_unique<StagingMap::Part>();
    StagingMap::Part* part = kept.get();
    if (!any_key) {
      SLUICE_ASSIGN(part->key, KeyOf(inputs[0]));
    }
    SLUICE_ASSIGN(part->indices, IndicesOf(inputs[any_key ? 0 : 1]));
    map.Take(ctx, peeks, part,
             [this, &ctx, kept = std::move(kept), done = std::move(done)](absl::Status s) mutable {
               if (s.ok() && any_key) ctx.SetOutput(0, Tensor::Scalar<int64_t>(*kept->key));
               if (s.ok()) s = SetValues(ctx, any_key ? 1 : 0, kept->values);
               done(std::move(s));
             });
    return absl::OkStatus();
  }

  const bool peeks, any_key;
};

// The elements of the tuples stay in the memory of the device.
template <typename T>
void RegisterMap(KernelRegistry& kernels, absl::string_view device, const std::string& prefix) {
  const HostMemory host = device == kCpu ? HostMemory() : HostMemory{"key", "indices"};
  const HostMemory size = device == kCpu ? HostMemory() : HostMemory{"size"};
  kernels.Add<MapStage<T>>(prefix + "Stage", device, {}, host, kCheap);
  for (auto op : {"Unstage", "UnstageNoKey", "Peek"})
    kernels.Add<MapUnstage<T>>(prefix + op, device, {}, host, kCheap);
  for (auto op : {"Size", "IncompleteSize"})
    kernels.Add<Size<T>>(prefix + op, device, {}, size, kCheap);
  kernels.Add<Clear<T>>(prefix + "Clear", device, {}, kCheap);
}

}  // namespace

void RegisterStaging(KernelRegistry& kernels, absl::string_view device) {
  const bool cpu = device == kCpu;
  kernels.Add<Stage>("Stage", device, {}, kCheap);
  kernels.Add<Unstage>("Unstage", device, {}, kCheap);
  kernels.Add<Unstage>("StagePeek", device, {}, cpu ? HostMemory() : HostMemory{"index"}, kCheap);
  kernels.Add<Size<StagingArea>>("StageSize", device, {}, cpu ? HostMemory() : HostMemory{"size"},
                                 kCheap);
  kernels.Add<Clear<StagingArea>>("StageClear", device, {}, kCheap);
  RegisterMap<StagingMap>(kernels, device, "Map");
  RegisterMap<OrderedStagingMap>(kernels, device, "OrderedMap");
}

}  // namespace sluice::kernels
