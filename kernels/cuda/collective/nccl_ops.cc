// SPDX-License-Identifier: Apache-2.0
// TensorFlow's ops on NCCL, between the GPUs of one task. The master replaces NcclReduce and
// NcclBroadcast by the ops of their members (graph/passes/nccl_members.h), where it can.
#include <string>
#include <utility>

#include "core/device/cuda_status.h"
#include "kernels/cuda/collective/nccl_operation.h"
#include "kernels/cuda/collective/register.h"
#include "kernels/cuda/common/kernel.h"

namespace sluice::kernels {
namespace {

// What an op does for its operation.
struct NcclRole {
  const char* op;
  NcclKind kind;
  bool root, sends, receives;
};
constexpr NcclRole kRoles[] = {
    {"NcclAllReduce", NcclKind::kAllReduce, false, true, true},
    {"_NcclReduceSend", NcclKind::kReduce, false, true, false},
    {"_NcclReduceRecv", NcclKind::kReduce, true, true, true},
    {"_NcclBroadcastSend", NcclKind::kBroadcast, true, true, false},
    {"_NcclBroadcastRecv", NcclKind::kBroadcast, false, false, true},
};

struct NcclMember {
  NcclRole role;
  std::string name;  // of the operation
  NcclSignature signature;

  static absl::StatusOr<NcclMember> Create(const NodeSpec& node) {
    const NcclRole* role = kRoles;
    while (node.op != role->op) ++role;
    NcclMember made{*role, "", {}};
    made.signature.kind = role->kind;
    if (role->kind != NcclKind::kBroadcast) {
      SLUICE_ASSIGN(made.signature.reduction, node.Get<std::string>("reduction"));
    }
    SLUICE_ASSIGN(made.signature.dtype, node.Get<DType>("T"));
    SLUICE_ASSIGN(const int64_t members, node.Get<int64_t>("num_devices"));
    if (members < 1 || members > 1024)
      return InvalidArgument("num_devices must be from 1 to 1024, got ", members);
    made.signature.members = static_cast<int>(members);
    SLUICE_ASSIGN(const std::string shared_name, node.Get<std::string>("shared_name"));
    constexpr absl::string_view kPrefixes[] = {"NcclAllReduce", "NcclReduce", "NcclBroadcast"};
    made.name = Cat(kPrefixes[static_cast<int>(role->kind)], " \"", shared_name, "\"");
    return made;
  }

  void Start(KernelContext& ctx, Done done) const {
    NcclSignature what = signature;
    const absl::StatusOr<NcclPart> part = Prepare(ctx, what);
    if (!part.ok()) return done(part.status());
    JoinNcclOperation(ctx, name, what, *part, std::move(done));
  }

  absl::StatusOr<NcclPart> Prepare(KernelContext& ctx, NcclSignature& what) const {
    NcclPart part;
    SLUICE_RETURN_IF_ERROR(cuda::ToStatus(cudaGetDevice(&part.gpu), "asking for the GPU"));
    part.stream = StreamOf(ctx);
    part.root = role.root;
    if (role.sends) {
      what.count = ctx.input(0).num_elements();
      part.input = ctx.input(0).raw();
      if (!role.receives) return part;
      const Shape shape = ctx.input(0).shape();
      SLUICE_ASSIGN(Tensor * output, ctx.ForwardOrAllocate({0}, 0, shape));
      part.output = output->raw();
      return part;
    }
    SLUICE_ASSIGN(const Shape shape, ShapeFrom(ctx.input(0)));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
    what.count = shape.num_elements();
    part.output = output->raw();
    return part;
  }
};

// An NcclBroadcast that is not replaced: the partitioner copies its output to its readers.
struct NcclBroadcastByCopies {
  absl::Status Run(KernelContext& ctx) const {
    ctx.ForwardSlot(0, 0);
    return absl::OkStatus();
  }
};

// An NcclReduce inside of a function that is called at run time.
struct NcclReduceAlone {
  absl::Status Run(KernelContext&) const {
    return Unimplemented(
        "This op should be replaced during graph optimization. It is not "
        "replaced in the body of a function that is called at run time");
  }
};

}  // namespace

void RegisterNcclOps(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> types{{"T", {kHalf, kFloat, kDouble, kInt32, kInt64}}};
  for (const NcclRole& role : kRoles) {
    if (role.sends)
      kernels.Add<NcclMember>(role.op, kGpu, types);
    else
      kernels.Add<NcclMember>(role.op, kGpu, types, HostMemory{"shape"});
  }
  kernels.Add<NcclBroadcastByCopies>("NcclBroadcast", kGpu, types);
  kernels.Add<NcclReduceAlone>("NcclReduce", kGpu, types);
}

}  // namespace sluice::kernels
