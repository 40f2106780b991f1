// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COLLECTIVE_NCCL_OPERATION_H_
#define SLUICE_KERNELS_CUDA_COLLECTIVE_NCCL_OPERATION_H_

#include <functional>
#include <string>
#include <vector>

#include "core/runtime/kernel.h"
#include "core/tensor/resource.h"
#include "core/threads/cancel.h"
#include "kernels/cuda/collective/nccl_launch.h"

namespace sluice::kernels {

// One operation between the GPUs of a task. Its members wait, without a thread, until all have
// joined; the last one enqueues the operation on the streams of all.
//
// Owner:    the step's resources, and the callbacks of the members.
// Threads:  any. `done` of all members runs on the thread of the last one, or of the canceller.
// Errors:   INVALID_ARGUMENT for all members if they disagree, or two have the same GPU; the
//           canceller's reason if the step ends before all have joined.
class NcclOperation final : public Resource {
 public:
  static constexpr absl::string_view kTypeName = "NcclOperation";

  // `forget` is called once, before the first `done`: the operation's name is free for another.
  NcclOperation(std::string name, std::function<void()> forget)
      : name_(std::move(name)), forget_(std::move(forget)) {}

  std::string ToString() const override { return name_; }
  absl::string_view type_name() const override { return kTypeName; }

  // The buffers of `part` stay valid until `done`. When `done` is called without an error, the
  // operation is in the member's stream.
  void Join(const NcclSignature& signature, const NcclPart& part, CancelToken& cancel, Done done);

 private:
  struct Member {
    NcclPart part;
    CancelToken* cancel;
    int64_t cancel_id;
    Done done;
  };

  absl::Status Check(const NcclSignature& signature, const NcclPart& part) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void End(const absl::Status& status);
  void Finish(std::vector<Member> members, const absl::Status& status);

  const std::string name_;
  const std::function<void()> forget_;

  absl::Mutex mu_;
  NcclSignature signature_ ABSL_GUARDED_BY(mu_);  // of the first member
  std::vector<Member> members_ ABSL_GUARDED_BY(mu_);
  bool ended_ ABSL_GUARDED_BY(mu_) = false;
  absl::Status why_ ABSL_GUARDED_BY(mu_);  // if it ended
};

// Joins the operation `name` of the step, which the first member makes.
void JoinNcclOperation(KernelContext& ctx, const std::string& name, const NcclSignature& signature,
                       const NcclPart& part, Done done);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_COLLECTIVE_NCCL_OPERATION_H_
