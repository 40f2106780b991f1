// SPDX-License-Identifier: Apache-2.0
// Broadcasts: CollectiveBcastSend on the member that has the value, CollectiveBcastRecv on the
// others.
#include <optional>

#include "kernels/common/axis.h"
#include "kernels/cpu/collective/add_collective.h"
#include "kernels/cpu/collective/membership.h"
#include "kernels/cpu/collective/register.h"

namespace sluice::kernels {
namespace {

// The shape of the value, which the first version has as an attribute.
absl::StatusOr<std::optional<Shape>> DeclaredShape(const NodeSpec& node) {
  const auto declared = node.Get<PartialShape>("shape");
  if (!declared.ok()) return std::nullopt;
  return declared->ToShape();
}

struct BroadcastSend {
  Membership membership;
  std::string name;
  std::optional<Shape> declared;

  static absl::StatusOr<BroadcastSend> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Membership membership, Membership::Create(node));
    SLUICE_ASSIGN(std::optional<Shape> declared, DeclaredShape(node));
    return BroadcastSend{std::move(membership), node.name, std::move(declared)};
  }

  void Start(KernelContext& ctx, Done done) const {
    StartCollective(ctx, Prepare(ctx), std::move(done));
  }

  absl::StatusOr<CollectiveCall> Prepare(KernelContext& ctx) const {
    SLUICE_ASSIGN(CollectiveCall call, membership.Call(ctx, CollectiveOp::kBroadcast));
    call.source = true;
    call.input = ctx.input(0);
    if (declared && *declared != call.input.shape()) {
      return Internal("Declared shape of op ", name,
                      ": Broadcast(1) does not match shape of input: ", *declared, " and ",
                      call.input.shape());
    }
    call.output = call.input;
    ctx.SetOutput(0, call.input);
    return call;
  }
};

struct BroadcastReceive {
  Membership membership;
  std::optional<Shape> declared;  // else the shape is an input

  static absl::StatusOr<BroadcastReceive> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Membership membership, Membership::Create(node));
    SLUICE_ASSIGN(std::optional<Shape> declared, DeclaredShape(node));
    return BroadcastReceive{std::move(membership), std::move(declared)};
  }

  void Start(KernelContext& ctx, Done done) const {
    StartCollective(ctx, Prepare(ctx), std::move(done));
  }

  absl::StatusOr<CollectiveCall> Prepare(KernelContext& ctx) const {
    SLUICE_ASSIGN(CollectiveCall call, membership.Call(ctx, CollectiveOp::kBroadcast));
    Shape shape;
    if (declared) {
      shape = *declared;
    } else {
      constexpr int kShapeInput = 3;
      SLUICE_ASSIGN(const Shape::Dims sizes, IntVector(ctx.input(kShapeInput)));
      SLUICE_ASSIGN(shape, Shape::Create(sizes));
    }
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
    call.output = *output;
    return call;
  }
};

}  // namespace

void RegisterBroadcast(KernelRegistry& kernels) {
  const TypeConstraint types = {"T", {kBool, kHalf, kFloat, kDouble, kInt32, kInt64}};
  for (const char* op : {"CollectiveBcastSend", "CollectiveBcastSendV2"})
    AddCollective<BroadcastSend>(kernels, op, {types});
  for (const char* op : {"CollectiveBcastRecv", "CollectiveBcastRecvV2"})
    AddCollective<BroadcastReceive>(kernels, op, {types});
}

}  // namespace sluice::kernels
