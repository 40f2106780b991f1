// SPDX-License-Identifier: Apache-2.0
// ZerosLike of variants. Unset elements of a list stay unset. A map becomes an empty one.
#include "core/runtime/kernel_registry.h"
#include "kernels/any/array/register.h"
#include "kernels/any/dataset/optional.h"
#include "kernels/any/list/tensor_list.h"
#include "kernels/any/list/tensor_map.h"
#include "kernels/any/ragged/ragged.h"
#include "kernels/common/number_variant.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {
namespace {

absl::StatusOr<Variant> ZerosLikeVariant(KernelContext& ctx, const Variant& x);

absl::StatusOr<Tensor> ZerosLikeTensor(KernelContext& ctx, const Tensor& x) {
  if (!x.valid()) return x;
  SLUICE_ASSIGN(Tensor zeros, ZerosOf(ctx, CpuPrimitives(), x.dtype(), x.shape()));
  if (x.dtype() != kVariant) return zeros;
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    SLUICE_ASSIGN(zeros.mutable_data<Variant>()[i], ZerosLikeVariant(ctx, x.flat<Variant>()[i]));
  }
  return zeros;
}

absl::Status NoUnary(const Variant& x) {
  return Internal("No unary variant unary_op function found for unary variant op enum: 1 Variant ",
                  "type_name: ", x.empty() ? "" : x.get()->type_name(), " for device type: CPU");
}

absl::StatusOr<Variant> ZerosLikeVariant(KernelContext& ctx, const Variant& x) {
  if (x.empty()) return x;
  if (auto list = ListIn(x); list.ok()) {
    auto zeros = MakeRefCounted<TensorList>((*list)->dtype, (*list)->element_shape);
    for (const Tensor& element : (*list)->tensors()) {
      SLUICE_ASSIGN(Tensor zero, ZerosLikeTensor(ctx, element));
      SLUICE_RETURN_IF_ERROR(zeros->PushBack(std::move(zero)));
    }
    return Variant(std::move(zeros));
  }
  if (MapIn(x).ok()) return Variant(MakeRefCounted<TensorMap>());
  if (auto ragged = RaggedIn(x); ragged.ok()) {
    SLUICE_ASSIGN(Tensor zeros, ZerosLikeTensor(ctx, (*ragged)->values()));
    return Variant(MakeRefCounted<RaggedVariant>((*ragged)->splits(), std::move(zeros)));
  }
  auto optional = OptionalIn(x);
  if (!optional.ok()) {
    if (std::optional<Variant> zero = ZeroLikeNumber(x)) return *std::move(zero);
    return NoUnary(x);
  }
  if (!(*optional)->components()) return x;
  std::vector<Tensor> zeros;
  for (const Tensor& component : *(*optional)->components()) {
    SLUICE_ASSIGN(Tensor zero, ZerosLikeTensor(ctx, component));
    zeros.push_back(std::move(zero));
  }
  SLUICE_ASSIGN(RefPtr<Optional> made, Optional::Of(std::move(zeros)));
  return Variant(std::move(made));
}

struct ZerosLike {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Tensor zeros, ZerosLikeTensor(ctx, ctx.input(0)));
    ctx.SetOutput(0, std::move(zeros));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterZerosLikeVariants(KernelRegistry& kernels) {
  kernels.Add<ZerosLike>("ZerosLike", kCpu, {{"T", kVariant}});
}

}  // namespace sluice::kernels
