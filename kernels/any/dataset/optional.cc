// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/dataset/optional.h"

#include "core/codec/codec.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {
namespace {

absl::StatusOr<RefPtr<Variant::Object>> Decode(const OpaqueVariant& from) {
  if (from.metadata().size() != 1) return InvalidArgument("malformed optional");
  if (from.metadata()[0] == 0) return RefPtr<Variant::Object>(MakeRefCounted<Optional>());
  SLUICE_ASSIGN(RefPtr<Optional> made, Optional::Of(from.tensors()));
  return RefPtr<Variant::Object>(made);
}

absl::StatusOr<const Optional*> OptionalOf(const KernelContext& ctx, absl::string_view op) {
  const Tensor& input = ctx.input(0);
  if (input.rank() == 0) {
    if (auto optional = OptionalIn(input.scalar<Variant>()); optional.ok()) return optional;
  }
  return InvalidArgument("Input to ", op,
                         " must be a scalar tensor containing an OptionalVariant object.");
}

struct FromValue {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Element components, KeptInputs(ctx, {0, ctx.num_inputs()}));
    SLUICE_ASSIGN(RefPtr<Optional> made, Optional::Of(std::move(components)));
    ctx.SetOutput(0, Tensor::Scalar<Variant>(Variant(std::move(made))));
    return absl::OkStatus();
  }
};

struct None {
  absl::Status Run(KernelContext& ctx) const {
    ctx.SetOutput(0, Tensor::Scalar<Variant>(Variant(MakeRefCounted<Optional>())));
    return absl::OkStatus();
  }
};

struct HasValue {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Optional* optional, OptionalOf(ctx, "OptionalHasValue"));
    ctx.SetOutput(0, Tensor::Scalar<bool>(optional->components().has_value()));
    return absl::OkStatus();
  }
};

struct GetValue {
  ElementSpec spec;

  static absl::StatusOr<GetValue> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return GetValue{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Optional* optional, OptionalOf(ctx, "OptionalGetValue"));
    if (!optional->components()) {
      return InvalidArgument("The given optional does not have a value.");
    }
    return SetElement(ctx, spec, *optional->components());
  }
};

}  // namespace

absl::StatusOr<RefPtr<Optional>> Optional::Of(std::vector<Tensor> components) {
  auto made = MakeRefCounted<Optional>();
  for (const Tensor& component : components) {
    made->depth_ = std::max(made->depth_, 1 + DepthOf(component));
  }
  if (made->depth_ > Variant::kMaxDepth) {
    return InvalidArgument("optionals are nested deeper than ", Variant::kMaxDepth);
  }
  made->components_ = std::move(components);
  return made;
}

absl::Status Optional::Encode(std::string* metadata, std::vector<Tensor>* tensors) const {
  metadata->assign(1, components_ ? '\1' : '\0');
  if (components_) *tensors = *components_;
  return absl::OkStatus();
}

absl::StatusOr<const Optional*> OptionalIn(const Variant& variant) {
  if (const auto* optional = variant.get_if<Optional>()) return optional;
  const auto* opaque = variant.get_if<OpaqueVariant>();
  if (opaque != nullptr && opaque->type_name() == Optional::kTypeName) {
    SLUICE_ASSIGN(const Variant::Object* decoded, opaque->Decoded(Decode));
    return static_cast<const Optional*>(decoded);
  }
  return InvalidArgument("not an optional: '",
                         variant.empty() ? "<empty>" : variant.get()->type_name(), "'");
}

void RegisterOptionals(KernelRegistry& kernels) {
  kernels.Add<FromValue>("OptionalFromValue", kCpu, {}, kCheap);
  kernels.Add<None>("OptionalNone", kCpu, {}, kCheap);
  kernels.Add<HasValue>("OptionalHasValue", kCpu, {}, kCheap);
  kernels.Add<GetValue>("OptionalGetValue", kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
