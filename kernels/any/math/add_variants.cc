// SPDX-License-Identifier: Apache-2.0
// AddN of variants: the sums in gradients of loops and of iterators. Unset elements of a list count
// as zeros.
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/optional.h"
#include "kernels/any/list/tensor_list.h"
#include "kernels/any/list/tensor_map.h"
#include "kernels/any/math/register.h"
#include "kernels/any/ragged/ragged.h"
#include "kernels/common/number_variant.h"
#include "kernels/common/update.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {
namespace {

absl::StatusOr<Variant> AddVariants(KernelContext& ctx, const Variant& a, const Variant& b);

absl::StatusOr<Tensor> AddTensors(KernelContext& ctx, const Tensor& a, const Tensor& b) {
  if (!a.valid()) return b;
  if (!b.valid()) return a;
  if (a.dtype() != b.dtype()) {
    return InvalidArgument("Trying to add two tensors with incompatible element types. One is ",
                           a.dtype(), " and the other is ", b.dtype());
  }
  if (a.shape() != b.shape()) {
    return InvalidArgument("Trying to add two tensors with incompatible element shapes. One is ",
                           a.shape(), " and the other is ", b.shape());
  }
  SLUICE_ASSIGN(Tensor sum, CopyHere(ctx, CpuPrimitives(), a));
  if (a.dtype() != kVariant) {
    SLUICE_RETURN_IF_ERROR(Update(Combine::kAdd, sum, b, ctx.pool()));
    return sum;
  }
  for (int64_t i = 0; i < a.num_elements(); ++i) {
    SLUICE_ASSIGN(sum.mutable_data<Variant>()[i],
                  AddVariants(ctx, a.flat<Variant>()[i], b.flat<Variant>()[i]));
  }
  return sum;
}

absl::StatusOr<Variant> AddLists(KernelContext& ctx, const TensorList& a, const TensorList& b) {
  if (a.dtype != b.dtype) {
    return InvalidArgument("Trying to add two lists of tensors of different dtypes. One is ",
                           a.dtype, " and the other is ", b.dtype);
  }
  if (!a.element_shape.CompatibleWith(b.element_shape)) {
    return InvalidArgument("Trying to add two lists of tensors with incompatible element shapes. ",
                           "One is ", a.element_shape, " and the other is ", b.element_shape);
  }
  if (a.size() != b.size()) {
    return InvalidArgument("Trying to add two lists of tensors with different lengths. One is ",
                           a.size(), " and the other is ", b.size());
  }
  SLUICE_ASSIGN(PartialShape shape, a.element_shape.MergeWith(b.element_shape));
  auto sum = MakeRefCounted<TensorList>(a.dtype, std::move(shape));
  for (size_t i = 0; i < a.tensors().size(); ++i) {
    SLUICE_ASSIGN(Tensor element, AddTensors(ctx, a.tensors()[i], b.tensors()[i]));
    SLUICE_RETURN_IF_ERROR(sum->PushBack(std::move(element)));
  }
  return Variant(std::move(sum));
}

absl::StatusOr<Variant> AddOptionals(KernelContext& ctx, const Optional& a, const Optional& b) {
  if (a.components().has_value() != b.components().has_value()) {
    return InvalidArgument("Cannot add optionals because one has a value and the other doesn't.");
  }
  if (!a.components()) return Variant(MakeRefCounted<Optional>());
  if (a.components()->size() != b.components()->size()) {
    return InvalidArgument("Cannot add optionals because they have different numbers of ",
                           "components (", a.components()->size(), " vs. ", b.components()->size(),
                           ").");
  }
  std::vector<Tensor> sums;
  for (size_t i = 0; i < a.components()->size(); ++i) {
    SLUICE_ASSIGN(Tensor sum, AddTensors(ctx, (*a.components())[i], (*b.components())[i]));
    sums.push_back(std::move(sum));
  }
  SLUICE_ASSIGN(RefPtr<Optional> made, Optional::Of(std::move(sums)));
  return Variant(std::move(made));
}

// Adds only the values: the rows stay the same.
absl::StatusOr<Variant> AddRagged(KernelContext& ctx, const RaggedVariant& a,
                                  const RaggedVariant& b) {
  SLUICE_ASSIGN(Tensor sum, AddTensors(ctx, a.values(), b.values()));
  return Variant(MakeRefCounted<RaggedVariant>(a.splits(), std::move(sum)));
}

// The keys of both; values of common keys are added.
absl::StatusOr<Variant> AddMaps(KernelContext& ctx, const TensorMap& a, const TensorMap& b) {
  auto sum = MakeRefCounted<TensorMap>(a);
  for (const auto& [text, entry] : b.entries()) {
    Tensor value = entry.second;
    if (const Tensor* other = a.Find(entry.first)) {
      SLUICE_ASSIGN(value, AddTensors(ctx, value, *other));
    }
    SLUICE_RETURN_IF_ERROR(sum->Insert(entry.first, std::move(value)));
  }
  return Variant(std::move(sum));
}

// TensorFlow calls the op unary.
absl::Status NoBinary(const Variant& x) {
  return Internal(
      "No unary variant binary_op function found for binary variant op enum: 1 Variant ",
      "type_name: '", x.empty() ? "" : x.get()->type_name(), "' for device type: CPU");
}

absl::StatusOr<Variant> AddVariants(KernelContext& ctx, const Variant& a, const Variant& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  const auto list_a = ListIn(a), list_b = ListIn(b);
  if (list_a.ok() && list_b.ok()) return AddLists(ctx, **list_a, **list_b);
  const auto map_a = MapIn(a), map_b = MapIn(b);
  if (map_a.ok() && map_b.ok()) return AddMaps(ctx, **map_a, **map_b);
  const auto ragged_a = RaggedIn(a), ragged_b = RaggedIn(b);
  if (ragged_a.ok() && ragged_b.ok()) return AddRagged(ctx, **ragged_a, **ragged_b);
  const auto optional_a = OptionalIn(a), optional_b = OptionalIn(b);
  if (optional_a.ok() && optional_b.ok()) return AddOptionals(ctx, **optional_a, **optional_b);
  if (a.get()->type_name() != b.get()->type_name()) {
    return Internal("BinaryOpVariants: Variants a and b have different type ids.  Type names: '",
                    a.get()->type_name(), "' vs. '", b.get()->type_name(), "'");
  }
  if (std::optional<Variant> sum = SumOfNumbers(a, b)) return *std::move(sum);
  return NoBinary(a);
}

struct AddN {
  absl::Status Run(KernelContext& ctx) const {
    Tensor sum = ctx.input(0);
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      if (ctx.input(i).rank() != 0) {
        return InvalidArgument("AddN of non-scalar Tensor with dtype=DT_VARIANT is not supported; ",
                               "inputs[", i, "] has shape: ", ctx.input(i).shape(), ".");
      }
    }
    for (int i = 1; i < ctx.num_inputs(); ++i) {
      SLUICE_ASSIGN(sum, AddTensors(ctx, sum, ctx.input(i)));
    }
    ctx.SetOutput(0, std::move(sum));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterAddVariants(KernelRegistry& kernels) {
  kernels.Add<AddN>("AddN", kCpu, {{"T", kVariant}});
}

}  // namespace sluice::kernels
