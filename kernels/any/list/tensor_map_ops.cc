// SPDX-License-Identifier: Apache-2.0
// Maps from tensors to tensors as values.
#include "kernels/any/list/register.h"
#include "kernels/any/list/tensor_map.h"
#include "kernels/common/summarize.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {
namespace {

// Makes output 0 a map like that of input 0, to be changed. It is the same object if nothing else
// refers to it. Input 0 is moved from.
absl::StatusOr<TensorMap*> MapToChange(KernelContext& ctx) {
  SLUICE_ASSIGN(const TensorMap* map, MapOf(ctx, 0));
  Tensor input = ctx.TakeInput(0);
  if (OwnsBytes(input)) {
    if (TensorMap* mine = input.mutable_data<Variant>()->get_if_unique<TensorMap>()) {
      ctx.SetOutput(0, std::move(input));
      return mine;
    }
  }
  auto copy = MakeRefCounted<TensorMap>(*map);
  TensorMap* result = copy.get();
  ctx.SetOutput(0, Tensor::Scalar<Variant>(Variant(std::move(copy))));
  return result;
}

absl::Status NoSuchKey(absl::string_view trial, const Tensor& key) {
  return InvalidArgument("Trying to ", trial, ". Could not find key \"", Summarize(key, 100),
                         "\".");
}

struct EmptyMap {
  absl::Status Run(KernelContext& ctx) const {
    ctx.SetOutput(0, Tensor::Scalar<Variant>(Variant(MakeRefCounted<TensorMap>())));
    return absl::OkStatus();
  }
};

struct Size {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const TensorMap* map, MapOf(ctx, 0));
    ctx.SetOutput(0, Tensor::Scalar<int32_t>(static_cast<int32_t>(map->size())));
    return absl::OkStatus();
  }
};

struct Insert {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Tensor key, CopyHere(ctx, CpuPrimitives(), ctx.input(1)));
    SLUICE_ASSIGN(Tensor value, Kept(ctx, CpuPrimitives(), ctx.input(2)));
    SLUICE_ASSIGN(TensorMap * map, MapToChange(ctx));
    return map->Insert(key, std::move(value));
  }
};

struct Lookup {
  DType value_dtype;

  static absl::StatusOr<Lookup> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("value_dtype"));
    return Lookup{dtype};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const TensorMap* map, MapOf(ctx, 0));
    const Tensor* value = map->Find(ctx.input(1));
    if (value == nullptr) return NoSuchKey("lookup non-existent key", ctx.input(1));
    if (value->dtype() != value_dtype) {
      return InvalidArgument("Invalid data types; the op's value is ", value_dtype,
                             " but the map's is ", value->dtype());
    }
    ctx.SetOutput(0, *value);
    return absl::OkStatus();
  }
};

struct Erase {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const TensorMap* map, MapOf(ctx, 0));
    if (map->Find(ctx.input(1)) == nullptr)
      return NoSuchKey("erase non-existent item", ctx.input(1));
    SLUICE_ASSIGN(TensorMap * changed, MapToChange(ctx));
    changed->Erase(ctx.input(1));
    return absl::OkStatus();
  }
};

struct HasKey {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const TensorMap* map, MapOf(ctx, 0));
    ctx.SetOutput(0, Tensor::Scalar<bool>(map->Find(ctx.input(1)) != nullptr));
    return absl::OkStatus();
  }
};

struct StackKeys {
  DType key_dtype;

  static absl::StatusOr<StackKeys> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("key_dtype"));
    return StackKeys{dtype};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const TensorMap* map, MapOf(ctx, 0));
    if (map->size() == 0)
      return InvalidArgument("TensorMapStackKeys cannot be called on empty map.");
    const Shape& key_shape = map->entries().begin()->second.first.shape();
    Shape::Dims dims{map->size()};
    dims.insert(dims.end(), key_shape.dims().begin(), key_shape.dims().end());
    SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
    SLUICE_ASSIGN(Tensor * keys, ctx.AllocateOutput(0, shape));
    int64_t at = 0;
    for (const auto& [text, entry] : map->entries()) {
      const Tensor& key = entry.first;
      if (key.dtype() != key_dtype) return InvalidArgument("Key does not match requested dtype.");
      if (key.shape() != key_shape) return InvalidArgument("Keys must all have the same shape.");
      SLUICE_RETURN_IF_ERROR(VisitWidth(key_dtype, [&]<typename T>(Type<T>) {
        std::copy_n(key.data<T>(), key.num_elements(),
                    keys->mutable_data<T>() + at * key.num_elements());
        return absl::OkStatus();
      }));
      ++at;
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterTensorMaps(KernelRegistry& kernels) {
  kernels.Add<EmptyMap>("EmptyTensorMap", kCpu, {}, kCheap);
  kernels.Add<Size>("TensorMapSize", kCpu, {}, kCheap);
  kernels.Add<Insert>("TensorMapInsert", kCpu);
  kernels.Add<Lookup>("TensorMapLookup", kCpu);
  kernels.Add<Erase>("TensorMapErase", kCpu);
  kernels.Add<HasKey>("TensorMapHasKey", kCpu);
  kernels.Add<StackKeys>("TensorMapStackKeys", kCpu);
}

}  // namespace sluice::kernels
