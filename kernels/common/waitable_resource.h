// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_WAITABLE_RESOURCE_H_
#define SLUICE_KERNELS_COMMON_WAITABLE_RESOURCE_H_

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "core/runtime/kernel.h"
#include "core/tensor/resource.h"

namespace sluice::kernels {

// A WaitableResource is a resource that kernels wait for (a queue, a barrier, an accumulator). A
// kernel that waits holds no thread. Its request stays in a line of the resource, first come, first
// served, until its attempt succeeds, its step is cancelled, or the resource cancels the line.
//
// Owner:    its store; every waiter holds a reference too.
// Threads:  any; `mu_` guards the lines and the members of a subclass. No callback runs under it.
// Errors:   CANCELLED "<operation> operation was cancelled", with the pending request;
//           DEADLINE_EXCEEDED with the same words if the step's deadline ended it.
class WaitableResource : public Resource {
 public:
  // The progress of an attempt.
  enum class Progress { kNone, kSome, kEnded };

  // A kernel's request to the resource. Both functions run with `mu_` held; `attempt` sets the
  // kernel's outputs.
  struct Request {
    absl::string_view operation;  // "Dequeue"; a literal
    absl::AnyInvocable<Progress(absl::Status& result)> attempt;
    // may be null: returns the elements that a cancelled attempt had taken
    absl::AnyInvocable<void()> give_back;
  };

  explicit WaitableResource(int num_lines);
  ~WaitableResource() override;

 protected:
  // Requests of this line may succeed before earlier ones. Call it when the resource is made.
  void AllowBypass(int line) { lines_[static_cast<size_t>(line)].bypass = true; }
  // Puts the kernel in a line, and makes the attempts that can succeed. May call `done` before it
  // returns.
  void Join(int line, KernelContext& ctx, Request request, Done done) ABSL_LOCKS_EXCLUDED(mu_);
  // Applies `change` to the guarded state, and makes the attempts that can succeed.
  void Change(absl::FunctionRef<void()> change) ABSL_LOCKS_EXCLUDED(mu_);
  // For use inside a change: ends every kernel in the line with "<operation> operation was
  // cancelled".
  void CancelAll(int line) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  mutable absl::Mutex mu_;

 private:
  struct Waiter;
  struct Line : std::list<RefPtr<Waiter>> {
    bool bypass = false;
  };
  using Ended = std::vector<RefPtr<Waiter>>;

  void Advance() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool AdvanceLine(Line& line) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Leave(const RefPtr<Waiter>& waiter, absl::Status result) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void StepCancelled(const RefPtr<Waiter>& waiter, const absl::Status& why);
  absl::Status CancelledWait(const Waiter& waiter, absl::string_view why) const;
  static void Deliver(Ended ended);

  std::vector<Line> lines_ ABSL_GUARDED_BY(mu_);
  // have left their line; their `done` runs once the lock is free
  Ended ended_ ABSL_GUARDED_BY(mu_);
};

// The values that `inputs` [first, first + count) hold now, in host memory that is no longer
// written, so a kernel may keep them. `next` runs here, or on the device's thread if the bytes are
// still to come.
void KeepInputs(KernelContext& ctx, int first, int count,
                absl::AnyInvocable<void(absl::StatusOr<std::vector<Tensor>>)> next);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_WAITABLE_RESOURCE_H_
