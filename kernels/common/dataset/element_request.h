// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_ELEMENT_REQUEST_H_
#define SLUICE_KERNELS_COMMON_DATASET_ELEMENT_REQUEST_H_

#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "core/threads/cancel.h"
#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {

// The next element of an iterator; empty at the end.
using NextElement = absl::StatusOr<std::optional<Element>>;
using ElementAnswer = absl::AnyInvocable<void(NextElement)>;

// A kernel's request for an element. It is answered once: with an element, or with the reason why
// its step was cancelled.
//
// Owner:    the line of an iterator, and the callback of the step's cancellation.
// Threads:  any.
class ElementRequest {
 public:
  // Null if the step is cancelled already, which is then the answer. `step` outlives the request.
  static std::shared_ptr<ElementRequest> Make(CancelToken& step, ElementAnswer answer) {
    auto request = std::make_shared<ElementRequest>(step, std::move(answer));
    request->registered_ = step.Register([request](const absl::Status& why) {
      if (request->Take()) request->Deliver(why);
    });
    if (request->registered_ != 0) return request;
    request->Deliver(step.status());
    return nullptr;
  }
  ElementRequest(CancelToken& step, ElementAnswer answer)
      : step_(step), answer_(std::move(answer)) {}

  bool answered() const { return answered_.load(); }
  // Claims the answer. False if the request is answered.
  bool Take() { return !answered_.exchange(true); }
  // REQUIRES: Take returned true.
  void Answer(NextElement next) {
    step_.Deregister(registered_);
    Deliver(std::move(next));
  }

 private:
  // Destroys the answer, which may hold the iterator: a thread may keep the request for long.
  void Deliver(NextElement next) {
    ElementAnswer answer = std::move(answer_);
    answer(std::move(next));
  }

  CancelToken& step_;
  ElementAnswer answer_;
  std::atomic<bool> answered_{false};
  int64_t registered_ = 0;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_ELEMENT_REQUEST_H_
