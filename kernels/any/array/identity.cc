// SPDX-License-Identifier: Apache-2.0
// Ops that output a constant or their input: Const, Placeholder, Identity and similar ops.
#include "core/runtime/kernel_registry.h"
#include "kernels/any/array/register.h"
#include "kernels/common/forward.h"

namespace sluice::kernels {
namespace {

struct Const {
  Tensor value;

  static absl::StatusOr<Const> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Tensor value, node.Get<Tensor>("value"));
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("dtype"));
    if (value.dtype() != dtype) {
      return InvalidArgument("Type mismatch between value (", value.dtype(), ") and dtype (", dtype,
                             ")");
    }
    return Const{std::move(value)};
  }
  absl::Status Run(KernelContext& ctx) const {
    ctx.SetOutput(0, value);
    return absl::OkStatus();
  }
};

struct Placeholder {
  absl::Status missing;

  static absl::StatusOr<Placeholder> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("dtype"));
    const auto shape = GetAttrOr(node.attrs, "shape", PartialShape());
    const std::string suffix = shape.rank() > 0 ? Cat(" and shape ", shape) : "";
    return Placeholder{InvalidArgument("You must feed a value for placeholder tensor '", node.name,
                                       "' with dtype ", dtype, suffix)};
  }
  absl::Status Run(KernelContext&) const { return missing; }
};

struct EnsureShape {
  PartialShape shape;
  std::string tensor;

  static absl::StatusOr<EnsureShape> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(PartialShape shape, node.Get<PartialShape>("shape"));
    return EnsureShape{std::move(shape), node.inputs[0]};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Shape& actual = ctx.input(0).shape();
    if (!shape.CompatibleWith(actual)) {
      return InvalidArgument("Shape of tensor ", tensor, " ", actual,
                             " is not compatible with expected shape ", shape, ".");
    }
    ctx.ForwardSlot(0, 0);
    return absl::OkStatus();
  }
};

struct GuaranteeConst {
  absl::Status Run(KernelContext& ctx) const {
    if (ctx.input(0).dtype() == kResource)
      return InvalidArgument("Input tensor cannot be a resource variable handle.");
    ctx.ForwardSlot(0, 0);
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterIdentity(KernelRegistry& kernels, absl::string_view device) {
  if (device != kCpu) {  // what TensorFlow keeps in host memory stays there
    const HostMemory both{"input", "output"};
    kernels.Add<Forward>("PlaceholderWithDefault", device, {{"dtype", kInt32}}, both, kCheap);
    kernels.Add<EnsureShape>("EnsureShape", device, {{"T", kInt32}}, both, kCheap);
  }
  kernels.Add<Const>("Const", device, {}, kCheap);
  for (auto op : {"Placeholder", "PlaceholderV2"}) kernels.Add<Placeholder>(op, device, {}, kCheap);
  for (auto op : {"Identity", "RefIdentity", "IdentityN", "StopGradient", "PreventGradient",
                  "DebugGradientIdentity", "DebugGradientRefIdentity", "PlaceholderWithDefault"}) {
    kernels.Add<Forward>(op, device, {}, kCheap);
  }
  kernels.Add<GuaranteeConst>("GuaranteeConst", device, {}, kCheap);
  kernels.Add<EnsureShape>("EnsureShape", device, {}, kCheap);
}

}  // namespace sluice::kernels
