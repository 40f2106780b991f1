// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/collective/membership.h"

#include <limits>

#include "core/runtime/device.h"
#include "kernels/common/resource_handle.h"

namespace sluice::kernels {

std::string Communicator::ToString() const {
  return absl::StrCat("Collective Group with group_key = ", group_key,
                      ", group_size = ", group_size, ", rank = ", rank);
}

absl::StatusOr<int> KeyIn(const KernelContext& ctx, int input, absl::string_view argument) {
  const Tensor& key = ctx.input(input);
  if (key.rank() > 0)
    return InvalidArgument("Unexpected dimensions on input ", argument, ", got ", key.shape());
  return key.scalar<int32_t>();
}

absl::Status CheckGroupSize(int64_t size) {
  if (size > 0 && size <= std::numeric_limits<int>::max()) return absl::OkStatus();
  return InvalidArgument("group_size must be positive integer but got ", size);
}

absl::Duration TimeoutOf(const NodeSpec& node) {
  const float seconds = GetAttrOr<float>(node.attrs, "timeout_seconds", 0);
  return seconds > 0 ? absl::Seconds(seconds) : absl::ZeroDuration();
}

absl::StatusOr<Membership> Membership::Create(const NodeSpec& node) {
  Membership made;
  made.name_ = GetAttrOr(node.attrs, "_collective_name", std::string());
  made.fixed_members_ = GetAttrOr(node.attrs, "_collective_fixed_members", false);
  made.hint_ = GetAttrOr(node.attrs, "communication_hint", std::string("auto"));
  made.timeout_ = TimeoutOf(node);
  made.wait_for_ = GetAttrOr(node.attrs, "wait_for", std::vector<int64_t>());
  if (const auto range = node.InputRange("communicator"); range.ok()) {
    made.source_ = Source::kCommunicator;
    made.first_input_ = range->begin;
    return made;
  }
  if (const auto range = node.InputRange("group_size"); range.ok()) {
    made.source_ = Source::kInputs;
    made.first_input_ = range->begin;
    return made;
  }
  SLUICE_ASSIGN(const int64_t size, node.Get<int64_t>("group_size"));
  SLUICE_RETURN_IF_ERROR(CheckGroupSize(size));
  made.group_size_ = static_cast<int>(size);
  SLUICE_ASSIGN(made.group_key_, node.Get<int64_t>("group_key"));
  SLUICE_ASSIGN(made.instance_key_, node.Get<int64_t>("instance_key"));
  return made;
}

absl::StatusOr<CollectiveCall> Membership::Call(KernelContext& ctx, CollectiveOp op) const {
  CollectiveCall call;
  call.op = op;
  call.group_key = group_key_;
  call.group_size = group_size_;
  call.instance_key = instance_key_;
  call.name = name_;
  call.fixed_members = fixed_members_;
  call.hint = hint_;
  call.timeout = timeout_;
  call.wait_for = wait_for_;
  call.frame = ctx.frame();
  call.iteration = ctx.iteration();
  if (source_ == Source::kInputs) {
    SLUICE_RETURN_IF_ERROR(ReadInputs(ctx, call));
  } else if (source_ == Source::kCommunicator) {
    SLUICE_RETURN_IF_ERROR(ReadCommunicator(ctx, call));
  }
  return call;
}

absl::Status Membership::ReadInputs(const KernelContext& ctx, CollectiveCall& call) const {
  SLUICE_ASSIGN(call.group_size, KeyIn(ctx, first_input_, "group_size"));
  SLUICE_ASSIGN(call.group_key, KeyIn(ctx, first_input_ + 1, "group_key"));
  SLUICE_ASSIGN(call.instance_key, KeyIn(ctx, first_input_ + 2, "instance_key"));
  return CheckGroupSize(call.group_size);
}

absl::Status Membership::ReadCommunicator(KernelContext& ctx, CollectiveCall& call) const {
  SLUICE_ASSIGN(const RefPtr<Communicator> group, ResourceOf<Communicator>(ctx, first_input_));
  if (ctx.input(first_input_ + 1).num_elements() > 0)
    return Unimplemented("Group assignments are not supported yet.");
  call.group_key = group->group_key;
  call.group_size = group->group_size;
  call.instance_key = group->NextInstanceKey();
  call.rank = group->rank;
  call.hint = group->hint;
  if (call.timeout == absl::ZeroDuration()) call.timeout = group->timeout;
  return absl::OkStatus();
}

void StartCollective(KernelContext& ctx, absl::StatusOr<CollectiveCall> call, Done done) {
  if (!call.ok()) return done(call.status());
  Collectives* const groups = ctx.step().collectives;
  if (groups == nullptr) return done(Unimplemented("this worker has no collective groups"));
  groups->Start(ctx.device(), *std::move(call), std::move(done));
}

absl::StatusOr<Shape> GatheredShape(const Shape& shape, int group_size) {
  if (shape.rank() == 0)
    return InvalidArgument("input should have rank > 0, received ", shape.rank());
  Shape::Dims dims(shape.dims().begin(), shape.dims().end());
  if (!MulFits(dims[0], group_size, &dims[0]))
    return InvalidArgument(shape, " from each of ", group_size, " members is too large");
  return Shape::Create(dims);
}

absl::StatusOr<Shape> ScatteredShape(const Shape& shape, int group_size) {
  if (shape.rank() == 0)
    return InvalidArgument("input should have rank > 0, received ", shape.rank());
  if (shape.dim(0) % group_size != 0) {
    return InvalidArgument("the first dimension of the input, whose shape is ", shape,
                           ", must be a multiple of the group's size, ", group_size);
  }
  Shape::Dims dims(shape.dims().begin(), shape.dims().end());
  dims[0] /= group_size;
  return Shape::Create(dims);
}

}  // namespace sluice::kernels
