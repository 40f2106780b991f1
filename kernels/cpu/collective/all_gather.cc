// SPDX-License-Identifier: Apache-2.0
// CollectiveGather: the values of all members, joined along dimension 0 in the order of the ranks.
#include "kernels/cpu/collective/add_collective.h"
#include "kernels/cpu/collective/membership.h"
#include "kernels/cpu/collective/register.h"

namespace sluice::kernels {
namespace {

struct AllGather {
  Membership membership;
  PartialShape declared;  // of the output, in the first version; clients leave it empty

  static absl::StatusOr<AllGather> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Membership membership, Membership::Create(node));
    return AllGather{std::move(membership), GetAttrOr(node.attrs, "shape", PartialShape())};
  }

  void Start(KernelContext& ctx, Done done) const {
    StartCollective(ctx, Prepare(ctx), std::move(done));
  }

  absl::StatusOr<CollectiveCall> Prepare(KernelContext& ctx) const {
    SLUICE_ASSIGN(CollectiveCall call, membership.Call(ctx, CollectiveOp::kAllGather));
    call.input = ctx.input(0);
    SLUICE_ASSIGN(const Shape shape, GatheredShape(call.input.shape(), call.group_size));
    SLUICE_RETURN_IF_ERROR(CheckDeclared(shape));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
    call.output = *output;
    return call;
  }

  // The text and the code are those of TensorFlow 1.15. Later versions do not check.
  absl::Status CheckDeclared(const Shape& shape) const {
    const auto known = declared.ToShape();
    if (!known.ok() || known->num_elements() == 0 || *known == shape) return absl::OkStatus();
    return Internal("Inconsistent output shapes, got ", shape, ", but expected is ", *known, ".");
  }
};

}  // namespace

void RegisterAllGather(KernelRegistry& kernels) {
  for (const char* op : {"CollectiveGather", "CollectiveGatherV2"})
    AddCollective<AllGather>(kernels, op, {{"T", {kHalf, kFloat, kDouble, kInt32, kInt64}}});
}

}  // namespace sluice::kernels
