// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_DEVICE_CUDA_COMPLETIONS_H_
#define SLUICE_CORE_DEVICE_CUDA_COMPLETIONS_H_

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "core/device/cuda_gpu.h"
#include "core/tensor/tensor.h"

namespace sluice::cuda {

// CudaCompletions calls back when the work that a stream had at a given time is done. It has one
// thread and a line of events for each stream.
//
// The thread polls the first event of each line. For 100 us after a completion it only yields in
// between, because a sleep would be a large part of a short wait. Then it sleeps for 1/128 of
// the time since the last completion, at most 200 us. It does not block on an event, because another
// stream's event may come first: a copy in pieces would then wait for the kernels that it is to
// overlap. Callbacks by the stream itself (cudaLaunchHostFunc) do not come after an error.
//
// Owner:    its device.
// Threads:  any.
class CudaCompletions {
 public:
  enum Line { kCompute, kToDevice, kToHost };
  using Then = absl::AnyInvocable<void(absl::Status)>;

  // The streams of the lines. All outlive this.
  CudaCompletions(CudaGpu* gpu, const std::array<cudaStream_t, 3>& streams);
  ~CudaCompletions();

  // Records an event on the line's stream. `then` runs on the thread when the stream has passed the
  // event, or failed; in both cases it no longer uses the caller's memory. `held` is dropped just
  // before. Without an event, waits for the stream, and `then` gets the error. An error that loses
  // the GPU names the node of the caller's AllocationLabel.
  void After(Line line, Tensor held, Then then);
  // `task` runs on the thread.
  void Post(absl::AnyInvocable<void()> task);

  // Waits until the stream of a line is empty, and drops the tensors that its callbacks hold,
  // without running them. For a caller without memory.
  void DropHeld(Line line);
  // Runs all callbacks, then ends the thread.
  // REQUIRES: not called by the thread.
  void Stop();

 private:
  struct Pending {
    cudaEvent_t event;
    absl::Status status;  // OK if the event was recorded
    std::string node;     // for the error that loses the GPU
    Tensor held;
    Then then;
  };

  void Loop();
  bool RunTask();
  bool RunFirst(Line line);
  bool Empty() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool HasNews() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return news_ || stopping_; }

  CudaGpu* const gpu_;
  const std::array<cudaStream_t, 3> streams_;

  absl::Mutex mu_;
  std::array<std::deque<Pending>, 3> lines_ ABSL_GUARDED_BY(mu_);
  std::deque<absl::AnyInvocable<void()>> tasks_ ABSL_GUARDED_BY(mu_);
  bool news_ ABSL_GUARDED_BY(mu_) = false;  // set since the thread's last poll
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace sluice::cuda

#endif  // SLUICE_CORE_DEVICE_CUDA_COMPLETIONS_H_
