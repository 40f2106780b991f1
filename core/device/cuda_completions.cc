// SPDX-License-Identifier: Apache-2.0
#include "core/device/cuda_completions.h"

#include <pthread.h>
#include <sys/prctl.h>

#include <algorithm>
#include <utility>

#include "absl/time/clock.h"
#include "core/tensor/allocation_label.h"

namespace sluice::cuda {
namespace {

constexpr absl::Duration kBusy = absl::Microseconds(100);
constexpr absl::Duration kLongestSleep = absl::Microseconds(200);
// the default, 50 us, is longer than most sleeps here
constexpr unsigned long kTimerSlackNs = 1'000;

}  // namespace

CudaCompletions::CudaCompletions(CudaGpu* gpu, const std::array<cudaStream_t, 3>& streams)
    : gpu_(gpu), streams_(streams), thread_([this] { Loop(); }) {}

CudaCompletions::~CudaCompletions() { Stop(); }

void CudaCompletions::After(Line line, Tensor held, Then then) {
  // Recorded and queued under the lock, so that the line has the stream's order.
  absl::MutexLock lock(&mu_);
  const absl::StatusOr<cudaEvent_t> event = gpu_->Record(streams_[line]);
  lines_[line].push_back({event.ok() ? *event : nullptr, event.status(),
                          std::string(AllocationLabel::OfThread()), std::move(held),
                          std::move(then)});
  news_ = true;
}

void CudaCompletions::Post(absl::AnyInvocable<void()> task) {
  absl::MutexLock lock(&mu_);
  tasks_.push_back(std::move(task));
  news_ = true;
}

void CudaCompletions::DropHeld(Line line) {
  std::vector<Tensor> dropped;  // released without the lock
  absl::MutexLock lock(&mu_);
  if (lines_[line].empty()) return;
  if (!gpu_->Finish(streams_[line], "waiting for memory that copies use").ok() && !gpu_->lost())
    return;
  for (Pending& pending : lines_[line]) dropped.push_back(std::move(pending.held));
}

void CudaCompletions::Stop() {
  {
    absl::MutexLock lock(&mu_);
    stopping_ = true;
  }
  if (thread_.joinable()) thread_.join();
}

bool CudaCompletions::Empty() const {
  return tasks_.empty() &&
         std::all_of(lines_.begin(), lines_.end(), [](const auto& line) { return line.empty(); });
}

bool CudaCompletions::RunTask() {
  absl::AnyInvocable<void()> task;
  {
    absl::MutexLock lock(&mu_);
    if (tasks_.empty()) return false;
    task = std::move(tasks_.front());
    tasks_.pop_front();
  }
  std::move(task)();
  return true;
}

bool CudaCompletions::RunFirst(Line line) {
  cudaEvent_t event = nullptr;
  absl::Status status;
  absl::string_view node;
  {
    // Only this thread removes entries, and a deque leaves the others in place.
    absl::MutexLock lock(&mu_);
    if (lines_[line].empty()) return false;
    event = lines_[line].front().event;
    status = lines_[line].front().status;
    node = lines_[line].front().node;
  }
  if (event != nullptr) {
    const AllocationLabel label(node);
    const cudaError_t error = gpu_->lost() ? cudaSuccess : cudaEventQuery(event);
    if (error == cudaErrorNotReady) {
      (void)cudaGetLastError();  // the runtime stores this error too
      return false;
    }
    status = gpu_->lost() ? gpu_->WhyLost() : gpu_->Check(error, "asking for an event");
    // The stream may still run, so the memory that its work uses must not be freed.
    if (!status.ok()) (void)gpu_->Finish(streams_[line], "waiting in place of an event");
    gpu_->GiveBack(event);
  }
  Pending first;
  {
    absl::MutexLock lock(&mu_);
    first = std::move(lines_[line].front());
    lines_[line].pop_front();
  }
  first.held = Tensor();
  std::move(first.then)(std::move(status));
  return true;
}

void CudaCompletions::Loop() {
  pthread_setname_np(pthread_self(), "sluice-gpu");
  prctl(PR_SET_TIMERSLACK, kTimerSlackNs, 0, 0, 0);
  absl::Time last = absl::Now();
  for (;;) {
    gpu_->MakeCurrent();  // a callback may have chosen another GPU
    bool ran = RunTask();
    for (Line line : {kCompute, kToDevice, kToHost}) ran |= RunFirst(line);
    if (ran) {
      last = absl::Now();
      continue;
    }
    const absl::Duration waited = absl::Now() - last;
    if (waited < kBusy) std::this_thread::yield();
    absl::MutexLock lock(&mu_);
    if (!tasks_.empty()) continue;
    if (Empty()) {
      if (stopping_) return;
      news_ = false;
      mu_.Await(absl::Condition(this, &CudaCompletions::HasNews));
      last = absl::Now();
      continue;
    }
    news_ = false;
    if (waited < kBusy) continue;
    mu_.AwaitWithTimeout(absl::Condition(&news_), std::min(waited / 128, kLongestSleep));
  }
}

}  // namespace sluice::cuda
