// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/collective/nccl_operation.h"

#include <utility>

#include "absl/algorithm/container.h"

namespace sluice::kernels {

absl::Status NcclOperation::Check(const NcclSignature& signature, const NcclPart& part) const {
  if (ended_) {
    if (!why_.ok()) return why_;
    return InvalidArgument("more than the ", signature_.members, " members of ", name_,
                           " have joined");
  }
  if (members_.empty()) return absl::OkStatus();
  if (signature != signature_) {
    return InvalidArgument("members of ", name_, " disagree: one has ", signature_.ToString(),
                           ", another ", signature.ToString());
  }
  if (absl::c_any_of(members_, [&](const Member& m) { return m.part.gpu == part.gpu; }))
    return InvalidArgument("two members of ", name_, " are on one GPU, number ", part.gpu);
  return absl::OkStatus();
}

void NcclOperation::Join(const NcclSignature& signature, const NcclPart& part, CancelToken& cancel,
                         Done done) {
  const RefPtr<NcclOperation> self(this);
  const int64_t cancel_id = cancel.Register([self](const absl::Status& why) { self->End(why); });
  absl::Status status;
  std::vector<Member> all;
  {
    absl::MutexLock lock(&mu_);
    status = cancel_id == 0 ? cancel.status() : Check(signature, part);
    if (status.ok()) {
      signature_ = signature;
      members_.push_back({part, &cancel, cancel_id, std::move(done)});
      if (static_cast<int>(members_.size()) < signature.members) return;
      all = std::move(members_);
      ended_ = true;
    }
  }
  if (!status.ok()) {
    if (cancel_id != 0) cancel.Deregister(cancel_id);
    End(status);
    return done(status);
  }
  std::vector<NcclPart> parts;
  for (const Member& member : all) parts.push_back(member.part);
  Finish(std::move(all), LaunchNccl(signature, std::move(parts)));
}

void NcclOperation::End(const absl::Status& status) {
  std::vector<Member> waiting;
  {
    absl::MutexLock lock(&mu_);
    if (ended_) return;
    ended_ = true;
    why_ = status;
    waiting = std::move(members_);
  }
  Finish(std::move(waiting), status);
}

void NcclOperation::Finish(std::vector<Member> members, const absl::Status& status) {
  // A failed operation stays, so that those who come later see why.
  if (status.ok()) forget_();
  for (Member& member : members) {
    member.cancel->Deregister(member.cancel_id);
    member.done(status);
  }
}

void JoinNcclOperation(KernelContext& ctx, const std::string& name, const NcclSignature& signature,
                       const NcclPart& part, Done done) {
  ResourceStore& store = ctx.step_resources();
  const std::string key = Cat(name, ";", ctx.frame(), ":", ctx.iteration());
  const auto operation = store.LookupOrCreate<NcclOperation>(
      ResourceStore::kDefaultContainer, key, [&]() -> absl::StatusOr<RefPtr<NcclOperation>> {
        return MakeRefCounted<NcclOperation>(name, [&store, key] {
          (void)store.Delete(ResourceStore::kDefaultContainer, NcclOperation::kTypeName, key);
        });
      });
  if (!operation.ok()) return done(operation.status());
  (*operation)->Join(signature, part, ctx.cancel(), std::move(done));
}

}  // namespace sluice::kernels
