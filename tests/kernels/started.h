// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_KERNELS_STARTED_H_
#define SLUICE_TESTS_KERNELS_STARTED_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {

// A started kernel that may wait. It has its own step, which can be cancelled, or one that the test
// cancels.
class Started {
 public:
  Started(KernelRunner& runner, const TestNode& node, std::vector<Slot> inputs,
          absl::AnyInvocable<void()> then = nullptr, CancelToken* step = nullptr)
      : step_(runner.step()),
        inputs_(std::move(inputs)),
        outputs_(node.spec.output_types.size()),
        then_(std::move(then)) {
    step_.cancel = step != nullptr ? step : &cancel_;
    ctx_.emplace(step_, absl::MakeSpan(inputs_), absl::MakeSpan(outputs_),
                 node.spec.output_types.data(), 0, 0);
    node.kernel->Start(*ctx_, [this](absl::Status status) {
      if (then_) then_();
      absl::MutexLock lock(&mu_);
      status_ = std::move(status);
      ended_ = true;
    });
  }
  // REQUIRES: it has ended.
  ~Started() = default;

  bool ended() const {
    absl::MutexLock lock(&mu_);
    return ended_;
  }
  // "waits", the first output, or the error.
  std::string Text() const {
    absl::MutexLock lock(&mu_);
    if (!ended_) return "waits";
    if (!status_.ok()) return std::string(status_.message());
    return outputs_.empty() ? "OK" : outputs_[0].value.ToString(16);
  }
  absl::StatusCode code() const {
    absl::MutexLock lock(&mu_);
    return status_.code();
  }
  std::string Await() const {
    {
      absl::MutexLock lock(&mu_);
      mu_.AwaitWithTimeout(absl::Condition(&ended_), absl::Seconds(30));
    }
    return Text();
  }
  void Cancel(absl::Status why = absl::CancelledError("the client went away")) {
    cancel_.Cancel(std::move(why));
  }
  const std::vector<Slot>& outputs() const { return outputs_; }

 private:
  StepContext step_;
  CancelToken cancel_;
  std::vector<Slot> inputs_, outputs_;
  absl::AnyInvocable<void()> then_;
  std::optional<KernelContext> ctx_;
  mutable absl::Mutex mu_;
  absl::Status status_ ABSL_GUARDED_BY(mu_);
  bool ended_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace sluice::kernels

#endif  // SLUICE_TESTS_KERNELS_STARTED_H_
