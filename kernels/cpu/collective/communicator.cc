// SPDX-License-Identifier: Apache-2.0
// CollectiveInitializeCommunicator: a group as a resource. It ends when all members have come: they
// gather nothing.
#include "absl/strings/str_format.h"
#include "core/runtime/device.h"
#include "kernels/cpu/collective/add_collective.h"
#include "kernels/cpu/collective/membership.h"
#include "kernels/cpu/collective/register.h"

namespace sluice::kernels {
namespace {

constexpr absl::string_view kContainer = "collective_op_group";

absl::StatusOr<int> ScalarInput(const KernelContext& ctx, int input, absl::string_view argument) {
  if (ctx.input(input).rank() > 0) {
    return InvalidArgument("Unexpected dimensions on input ", argument,
                           ". It must be a scalar, got tensor with shape ",
                           ctx.input(input).shape());
  }
  return KeyIn(ctx, input, argument);
}

struct InitializeCommunicator {
  std::string name, hint;
  absl::Duration timeout;

  static absl::StatusOr<InitializeCommunicator> Create(const NodeSpec& node) {
    return InitializeCommunicator{GetAttrOr(node.attrs, "_collective_name", std::string()),
                                  GetAttrOr(node.attrs, "communication_hint", std::string("auto")),
                                  TimeoutOf(node)};
  }

  void Start(KernelContext& ctx, Done done) const {
    StartCollective(ctx, Prepare(ctx), std::move(done));
  }

  absl::StatusOr<CollectiveCall> Prepare(KernelContext& ctx) const {
    SLUICE_ASSIGN(const int key, ScalarInput(ctx, 0, "group_key"));
    SLUICE_ASSIGN(const int rank, ScalarInput(ctx, 1, "rank"));
    SLUICE_ASSIGN(const int size, ScalarInput(ctx, 2, "group_size"));
    SLUICE_RETURN_IF_ERROR(CheckGroupSize(size));
    if (rank < 0) return InvalidArgument("rank must be non-negative integer but got ", rank);
    if (rank >= size)
      return InvalidArgument("rank must be less than group size but got ", rank, " >= ", size);
    SLUICE_ASSIGN(const RefPtr<Communicator> group, MakeResource(ctx, key, rank, size));
    CollectiveCall call;
    call.op = CollectiveOp::kAllGather;
    call.group_key = key;
    call.group_size = size;
    call.rank = rank;
    call.instance_key = group->NextInstanceKey();
    call.name = name;
    call.timeout = timeout;
    call.frame = ctx.frame();
    call.iteration = ctx.iteration();
    call.input = call.output = Tensor(kInt32, Shape{0});
    return call;
  }

  // A client that starts again gets a new resource, whose operations have their first numbers.
  absl::StatusOr<RefPtr<Communicator>> MakeResource(KernelContext& ctx, int key, int rank,
                                                    int size) const {
    ResourceHandle handle;
    handle.device = ctx.device().name();
    handle.container = std::string(kContainer);
    handle.name = absl::StrFormat("%d:r%04d", key, rank);
    handle.type_name = std::string(Communicator::kTypeName);
    (void)ctx.resources().Delete(kContainer, handle.type_name, handle.name);
    SLUICE_ASSIGN(RefPtr<Communicator> group,
                  ctx.resources().LookupOrCreate<Communicator>(
                      kContainer, handle.name, [&]() -> absl::StatusOr<RefPtr<Communicator>> {
                        return MakeRefCounted<Communicator>(key, size, rank, hint, timeout);
                      }));
    handle.object = group;
    ctx.SetOutput(0, Tensor::Scalar<ResourceHandle>(std::move(handle)));
    return group;
  }
};

}  // namespace

void RegisterCommunicator(KernelRegistry& kernels) {
  AddCollective<InitializeCommunicator>(kernels, "CollectiveInitializeCommunicator");
}

}  // namespace sluice::kernels
