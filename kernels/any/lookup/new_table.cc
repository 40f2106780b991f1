// SPDX-License-Identifier: Apache-2.0
// The ops that make tables, with handles of both kinds.
#include <atomic>

#include "core/runtime/device.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/lookup/register.h"
#include "kernels/any/lookup/tables.h"
#include "kernels/common/resource_handle.h"

namespace sluice::kernels {
namespace {

using Making = absl::StatusOr<RefPtr<Table>> (*)(const NodeSpec& node, const PairType& type,
                                                 const KernelContext& ctx);

absl::StatusOr<RefPtr<Table>> NewStatic(const NodeSpec&, const PairType& type,
                                        const KernelContext&) {
  return MakeStaticTable(type);
}

absl::StatusOr<RefPtr<Table>> NewMutable(const NodeSpec&, const PairType& type,
                                         const KernelContext&) {
  return MakeMutableTable(type);
}

absl::StatusOr<RefPtr<Table>> NewOfTensors(const NodeSpec&, const PairType& type,
                                           const KernelContext&) {
  if (type.value_shape.rank() == 1) return MakeMutableTable(type);
  return InvalidArgument("Default value must be a vector, got shape ", type.value_shape);
}

// empty_key, deleted_key. The V1 op has no deleted_key.
absl::StatusOr<RefPtr<Table>> NewDense(const NodeSpec& node, const PairType& type,
                                       const KernelContext& ctx) {
  DenseOptions options;
  SLUICE_ASSIGN(options.empty_key, ctx.input(0).Copy());
  if (ctx.num_inputs() > 1) {
    SLUICE_ASSIGN(options.deleted_key, ctx.input(1).Copy());
  }
  SLUICE_ASSIGN(options.buckets, node.Get<int64_t>("initial_num_buckets"));
  SLUICE_ASSIGN(options.max_load, node.Get<float>("max_load_factor"));
  return MakeDenseTable(type, options);
}

absl::StatusOr<PairType> PairTypeOf(const NodeSpec& node) {
  PairType type;
  SLUICE_ASSIGN(type.key, node.Get<DType>("key_dtype"));
  SLUICE_ASSIGN(type.value, node.Get<DType>("value_dtype"));
  const auto shape = GetAttrOr<PartialShape>(node.attrs, "value_shape", PartialShape());
  if (!shape.rank_known()) return type;  // a scalar, as in TensorFlow
  if (!shape.fully_known()) return InvalidArgument("Shape ", shape, " is not fully defined");
  SLUICE_ASSIGN(type.value_shape, shape.ToShape());
  return type;
}

template <Making kMake>
struct NewTable {
  NodeSpec node;
  PairType type;
  NamedResource<Table> table;

  NewTable(const NodeSpec& node, PairType type, ResourcePlace place)
      : node(node), type(std::move(type)), table(std::move(place)) {}

  static absl::StatusOr<std::unique_ptr<NewTable>> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(PairType type, PairTypeOf(node));
    SLUICE_ASSIGN(
        ResourcePlace place,
        ResourcePlace::Create(node, GetAttrOr(node.attrs, "use_node_name_sharing", false)));
    return std::make_unique<NewTable>(node, std::move(type), std::move(place));
  }
  absl::Status Run(KernelContext& ctx) const {
    return table.HandOut(
        ctx, [&](const std::string&) { return kMake(node, type, ctx); },
        [&](const Table& found) {
          if (found.type().key == type.key && found.type().value == type.value)
            return absl::OkStatus();
          return InvalidArgument("Conflicting key/value dtypes ", type.key, "->", type.value,
                                 " with ", found.type().key, "-", found.type().value, " for table ",
                                 GetAttrOr(node.attrs, "shared_name", node.name));
        });
  }
};

// A table of its own in each step. It lives as long as its handle.
template <Making kMake>
struct NewAnonymousTable {
  NodeSpec node;
  PairType type;

  static absl::StatusOr<NewAnonymousTable> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(PairType type, PairTypeOf(node));
    return NewAnonymousTable{node, std::move(type)};
  }
  absl::Status Run(KernelContext& ctx) const {
    static std::atomic<int64_t> count{0};
    ResourceHandle handle;
    SLUICE_ASSIGN(handle.object, kMake(node, type, ctx));
    handle.device = ctx.device().name();
    handle.container = std::string(ResourceStore::kDefaultContainer);
    handle.name = absl::StrCat("_anonymous_", count.fetch_add(1), "_", node.name);
    handle.type_name = std::string(Table::kTypeName);
    ctx.SetOutput(0, Tensor::Scalar<ResourceHandle>(std::move(handle)));
    return absl::OkStatus();
  }
};

// The dtypes of values for each dtype of keys: at least TensorFlow's.
struct TypesOfKey {
  DType key;
  DTypeSet values;
};
constexpr DTypeSet kNumbers{kFloat, kDouble, kInt32};
constexpr TypesOfKey kStatic[] = {
    {kInt32, kNumbers | DTypeSet{kString}},
    {kInt64, kNumbers | DTypeSet{kInt64, kString}},
    {kString, kNumbers | DTypeSet{kInt64, kString, kBool}},
};
constexpr TypesOfKey kMutable[] = {
    {kInt32, kNumbers | DTypeSet{kVariant}},
    {kInt64, kNumbers | DTypeSet{kInt64, kString, kBool, kVariant}},
    {kString, kNumbers | DTypeSet{kInt64, kString, kBool, kVariant}},
};

template <Making kMake>
void Add(KernelRegistry& kernels, const std::string& op, absl::Span<const TypesOfKey> types) {
  for (const TypesOfKey& row : types) {
    const std::vector<TypeConstraint> of{{"key_dtype", row.key}, {"value_dtype", row.values}};
    kernels.Add<NewTable<kMake>>(op, kCpu, of, kCheap);
    kernels.Add<NewTable<kMake>>(op + "V2", kCpu, of, kCheap);
    kernels.Add<NewAnonymousTable<kMake>>("Anonymous" + op, kCpu, of, kCheap);
  }
}

}  // namespace

void RegisterNewTables(KernelRegistry& kernels) {
  Add<NewStatic>(kernels, "HashTable", kStatic);
  Add<NewMutable>(kernels, "MutableHashTable", kMutable);
  Add<NewOfTensors>(kernels, "MutableHashTableOfTensors", kMutable);
  Add<NewDense>(kernels, "MutableDenseHashTable", kMutable);
}

}  // namespace sluice::kernels
