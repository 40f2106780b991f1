// SPDX-License-Identifier: Apache-2.0
#include "transport/poll/poll_loop.h"

#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <xmmintrin.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/time/clock.h"

namespace sluice::transport {

PollLoop::PollLoop(const std::string& name, absl::Duration spin)
    : spin_ns_(absl::ToInt64Nanoseconds(spin)),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  // Each write is reported once, so the bytes need not be read.
  epoll_event event = {.events = EPOLLIN | EPOLLET, .data = {.u64 = 0}};
  epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &event);
  thread_ = std::thread([this] { Loop(); });
  pthread_setname_np(thread_.native_handle(), name.substr(0, 15).c_str());
}

PollLoop::~PollLoop() {
  Run([this] { stopping_ = true; });
  thread_.join();
}

absl::Status PollLoop::Watch(int fd, uint32_t events, std::shared_ptr<Watcher> watcher,
                             uint64_t* id) {
  uint64_t mine = 0;
  {
    absl::MutexLock lock(&mu_);
    mine = *id = ++last_id_;
    watchers_[mine] = std::move(watcher);
  }
  epoll_event event = {.events = events, .data = {.u64 = mine}};
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0) return absl::OkStatus();
  const int why = errno;
  absl::MutexLock lock(&mu_);
  watchers_.erase(mine);
  return ResourceExhausted("cannot watch a descriptor: ", strerror(why));
}

void PollLoop::Change(uint64_t id, int fd, uint32_t events) {
  epoll_event event = {.events = events, .data = {.u64 = id}};
  epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event);
}

void PollLoop::Forget(uint64_t id, int fd) {
  epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
  std::shared_ptr<Watcher> forgotten;  // destroyed outside the lock
  absl::MutexLock lock(&mu_);
  auto it = watchers_.find(id);
  if (it == watchers_.end()) return;
  forgotten = std::move(it->second);
  watchers_.erase(it);
}

void PollLoop::Add(std::shared_ptr<Spinner> spinner) {
  {
    absl::MutexLock lock(&mu_);
    spinners_.push_back(std::move(spinner));
  }
  spinners_changed_.store(true, std::memory_order_release);
  Wake();
}

void PollLoop::Remove(const Spinner* spinner) {
  {
    absl::MutexLock lock(&mu_);
    std::erase_if(spinners_, [&](const auto& one) { return one.get() == spinner; });
  }
  spinners_changed_.store(true, std::memory_order_release);
}

void PollLoop::Run(absl::AnyInvocable<void()> task) {
  if (InLoop()) return task();
  {
    absl::MutexLock lock(&mu_);
    tasks_.push_back(std::move(task));
  }
  has_tasks_.store(true, std::memory_order_release);
  Wake();
}

void PollLoop::Wake() {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof(one));
}

void PollLoop::Loop() {
  // While the loop does not sleep, it checks descriptors, the clock and other threads only after
  // this number of rounds without work, consecutive or in all. A round with work counts as several.
  // So the answer of a fast peer does not wait for a poll. Work often wakes a thread of this
  // processor, the one that waits for a step: it gets the processor after a few quiet rounds.
  constexpr int kQuietRounds = 128, kRounds = 1024, kRoundsOfWork = 16, kRoundsToYield = 32;
  int64_t last_work = 0;
  bool lingers = false;  // there was work within spin_ns_ before the last poll
  bool worked = false;   // since the last poll
  int quiet = 0, rounds = 0;
  while (true) {
    RunTasks();
    if (stopping_) return;
    const bool found = Poll();
    worked = worked || found;
    quiet = found ? 0 : quiet + 1;
    rounds += found ? kRoundsOfWork : 1;
    if ((found || lingers) && !looked_at_.empty() && quiet < kQuietRounds && rounds < kRounds) {
      if (quiet == kRoundsToYield && worked) {
        std::this_thread::yield();
      } else if (!found) {
        _mm_pause();
      }
      continue;
    }
    quiet = rounds = 0;
    const int64_t now = spin_ns_ > 0 ? absl::GetCurrentTimeNanos() : 0;
    if (worked) last_work = now;
    lingers = now - last_work < spin_ns_;
    if (found || lingers) {
      Wait(0);
      if (!worked) std::this_thread::yield();
      worked = false;
    } else if (MaySleep()) {
      Wait(-1);
      worked = true;
    }
  }
}

void PollLoop::RunTasks() {
  if (!has_tasks_.load(std::memory_order_acquire)) return;
  has_tasks_.store(false, std::memory_order_relaxed);  // before the lock, so that no task is missed
  std::vector<absl::AnyInvocable<void()>> tasks;
  {
    absl::MutexLock lock(&mu_);
    tasks.swap(tasks_);
  }
  for (auto& task : tasks) task();
}

bool PollLoop::Poll() {
  if (spinners_changed_.load(std::memory_order_acquire)) {
    spinners_changed_.store(false, std::memory_order_relaxed);
    absl::MutexLock lock(&mu_);
    looked_at_ = spinners_;
  }
  bool worked = false;
  for (const auto& spinner : looked_at_) worked = spinner->Look() || worked;
  return worked;
}

bool PollLoop::MaySleep() {
  if (has_tasks_.load(std::memory_order_acquire) ||
      spinners_changed_.load(std::memory_order_acquire))
    return false;
  return std::all_of(looked_at_.begin(), looked_at_.end(),
                     [](const auto& spinner) { return spinner->Rest(); });
}

void PollLoop::Wait(int timeout_ms) {
  epoll_event events[64];
  const int count = epoll_wait(epoll_.get(), events, 64, timeout_ms);
  for (int i = 0; i < count; ++i) {
    if (events[i].data.u64 == 0) continue;  // a wake-up: the loop checks for its reason anyway
    std::shared_ptr<Watcher> watcher;
    {
      absl::MutexLock lock(&mu_);
      auto it = watchers_.find(events[i].data.u64);
      if (it == watchers_.end()) continue;  // forgotten after it was ready
      watcher = it->second;
    }
    watcher->Ready(events[i].events);
  }
}

}  // namespace sluice::transport
