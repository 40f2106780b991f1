// SPDX-License-Identifier: Apache-2.0
#include "core/threads/thread_pool.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "core/tensor/memory_budget.h"
#include "core/tensor/ref.h"
#include "core/threads/cached_object.h"
#include "core/threads/cancel_scope.h"
#include "core/threads/flush_denormals.h"
#include "core/threads/relieved_pool.h"
#include "core/threads/work_deque.h"

namespace sluice {
namespace {

using Task = WorkQueue::Task;

inline void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// A scheduled task.
struct Item : CachedObject {
  explicit Item(Task task) : task(std::move(task)) {}
  static void Run(Item* item) {
    Task task = std::move(item->task);
    delete item;
    std::move(task)();
  }

  Task task;
};

// Threads look for work in their own deque (newest first), in the injector (tasks from outside),
// and at the far ends of the other deques. A thread that finds none spins for about 10 us, then
// sleeps.
//
// No wake-up is lost: a thread announces that it sleeps before it looks a last time, and a
// scheduler publishes the task before it looks for sleepers; both are sequentially consistent.
// While some thread is still searching, none is woken: the searcher finds the task, and the last
// thread that stops searching with a task wakes the next.
//
// A pool with helpers has places for them behind its threads, and a watcher that starts and ends
// them. It sleeps while the pool has nothing to do. As with the threads, it announces that before it
// looks a last time, and a scheduler wakes it.
class ThreadPool final : public WorkQueue {
 public:
  ThreadPool(int threads, int helpers, std::string name);
  ~ThreadPool() override;
  void Schedule(Task task) override;
  int num_threads() const override { return static_cast<int>(own_); }
  bool InWorker() const override { return current_pool == this; }

 private:
  struct PoolThread {
    WorkDeque<Item> deque;
    uint64_t random = 0;
    std::atomic<uint64_t> runs{0};  // odd while it runs a task
    std::atomic<pid_t> id{0};
    std::atomic<bool> slow{false};  // it has a low priority, which it cannot raise: it shall leave
    bool left = true;               // guarded by mu_: no thread is at this place
    std::thread thread;

    // Only the thread itself writes the number, so that it needs no atomic addition.
    void CountRun() {
      runs.store(runs.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
  };

  // What the watcher knows.
  struct Watch {
    std::vector<uint64_t> runs;  // of each thread at the last look
    absl::Time starved = absl::InfinitePast();
    absl::Duration pause = absl::ZeroDuration();
    absl::Time next = absl::InfinitePast();  // look; infinite future: when a task is scheduled
  };

  void Loop(size_t index);
  Item* Find(PoolThread& self);
  Item* Search(PoolThread& self);
  Item* TakeInjected(PoolThread& self);
  Item* StealFrom(size_t victim) { return threads_[victim]->deque.Steal(); }
  bool HasWork() const;
  void WakeOne();
  void WakeAll();
  void WakeWatcher();
  void Sleep(size_t index);
  void Start(size_t index) {
    threads_[index]->thread = std::thread([this, index] { Loop(index); });
  }
  bool Leaves(size_t index);
  bool LeavesIfSlow(size_t index);
  void StartThoseThatLeft();
  void WatchLoop();
  void Look(Watch& watch, absl::Time now);

  static thread_local const ThreadPool* current_pool;
  static thread_local PoolThread* current_thread;

  const std::string name_;
  const size_t own_;                                  // threads; the others are places of helpers
  std::vector<std::unique_ptr<PoolThread>> threads_;  // constant after construction
  std::atomic<size_t> used_;     // the first ones of threads_, which may have work
  std::atomic<size_t> allowed_;  // those of them that shall go on
  std::atomic<bool> stopping_{false};
  alignas(64) std::atomic<int> searching_{0};
  std::atomic<int> sleeping_{0};
  std::atomic<uint32_t> wakes_{0};  // sleeping threads wait on it
  alignas(64) std::atomic<int64_t> injected_{0};
  absl::Mutex mu_;
  std::deque<Item*> injector_ ABSL_GUARDED_BY(mu_);
  bool watches_ ABSL_GUARDED_BY(mu_) = false;
  bool slow_left_ ABSL_GUARDED_BY(mu_) = false;  // since the watcher's last look
  bool watcher_woken_ ABSL_GUARDED_BY(mu_) = false;
  std::atomic<bool> watcher_sleeps_{false};
  std::thread watcher_;
};

thread_local const ThreadPool* ThreadPool::current_pool = nullptr;
thread_local ThreadPool::PoolThread* ThreadPool::current_thread = nullptr;

ThreadPool::ThreadPool(int threads, int helpers, std::string name)
    : name_(std::move(name)),
      own_(static_cast<size_t>(std::max(threads, 1))),
      used_(own_),
      allowed_(own_) {
  threads_.resize(own_ + static_cast<size_t>(helpers));
  for (size_t i = 0; i < threads_.size(); ++i) {
    threads_[i] = std::make_unique<PoolThread>();
    threads_[i]->random = 0x9e3779b97f4a7c15u * (i + 1);
  }
  for (size_t i = 0; i < own_; ++i) {
    threads_[i]->left = false;
    Start(i);
  }
  if (helpers == 0) return;
  absl::MutexLock lock(&mu_);
  watches_ = true;
  watcher_ = std::thread([this] { WatchLoop(); });
}

ThreadPool::~ThreadPool() {
  {
    absl::MutexLock lock(&mu_);
    watches_ = false;
  }
  if (watcher_.joinable()) watcher_.join();
  stopping_.store(true, std::memory_order_seq_cst);
  WakeAll();
  for (auto& thread : threads_) {
    if (thread->thread.joinable()) thread->thread.join();
  }
}

void ThreadPool::Schedule(Task task) {
  Item* item = new Item(std::move(task));
  if (current_pool != this || !current_thread->deque.Push(item)) {
    absl::MutexLock lock(&mu_);
    injector_.push_back(item);
    injected_.fetch_add(1, std::memory_order_seq_cst);
  }
  if (searching_.load(std::memory_order_seq_cst) == 0) WakeOne();
  if (watcher_sleeps_.load(std::memory_order_seq_cst)) WakeWatcher();
}

void ThreadPool::WakeWatcher() {
  if (!watcher_sleeps_.exchange(false, std::memory_order_seq_cst)) return;
  absl::MutexLock lock(&mu_);
  watcher_woken_ = true;
}

void ThreadPool::WakeOne() {
  if (sleeping_.load(std::memory_order_seq_cst) == 0) return;
  wakes_.fetch_add(1, std::memory_order_seq_cst);
  wakes_.notify_one();
}

void ThreadPool::WakeAll() {
  wakes_.fetch_add(1, std::memory_order_seq_cst);
  wakes_.notify_all();
}

// Takes the oldest task, and moves a fair part of the rest into the thread's own deque (which is
// empty), so that the lock is taken rarely.
Item* ThreadPool::TakeInjected(PoolThread& self) {
  constexpr size_t kBatch = 16;
  if (injected_.load(std::memory_order_seq_cst) == 0) return nullptr;
  absl::MutexLock lock(&mu_);
  if (injector_.empty()) return nullptr;
  Item* const item = injector_.front();
  injector_.pop_front();
  size_t more = std::min(kBatch, injector_.size() / own_);
  int64_t taken = 1;
  for (; more > 0 && self.deque.Push(injector_.front()); --more, ++taken) injector_.pop_front();
  injected_.fetch_sub(taken, std::memory_order_seq_cst);
  return item;
}

bool ThreadPool::HasWork() const {
  if (injected_.load(std::memory_order_seq_cst) != 0) return true;
  const auto end = threads_.begin() + static_cast<std::ptrdiff_t>(used_.load());
  return std::any_of(threads_.begin(), end, [](const auto& w) { return !w->deque.empty(); });
}

// Takes tasks from outside, then the oldest tasks of other threads, from a random one on.
Item* ThreadPool::Find(PoolThread& self) {
  if (Item* item = TakeInjected(self)) return item;
  self.random ^= self.random << 13;
  self.random ^= self.random >> 7;
  self.random ^= self.random << 17;
  const size_t n = used_.load(std::memory_order_acquire);
  size_t victim = self.random % n;
  for (size_t i = 0; i < n; ++i, victim = victim + 1 == n ? 0 : victim + 1) {
    if (threads_[victim].get() == &self) continue;
    if (Item* item = StealFrom(victim)) return item;
  }
  return nullptr;
}

Item* ThreadPool::Search(PoolThread& self) {
  constexpr int kRounds = 40, kPauses = 4;  // a pause is about 50 ns
  searching_.fetch_add(1, std::memory_order_seq_cst);
  Item* item = nullptr;
  for (int round = 0; round < kRounds && item == nullptr; ++round) {
    item = Find(self);
    for (int i = 0; item == nullptr && i < kPauses; ++i) Pause();
  }
  const bool last = searching_.fetch_sub(1, std::memory_order_seq_cst) == 1;
  if (item != nullptr && last && HasWork()) WakeOne();
  return item;
}

void ThreadPool::Sleep(size_t index) {
  const uint32_t seen = wakes_.load(std::memory_order_seq_cst);
  sleeping_.fetch_add(1, std::memory_order_seq_cst);
  if (!HasWork() && !stopping_.load(std::memory_order_seq_cst) && index < allowed_.load())
    wakes_.wait(seen, std::memory_order_seq_cst);
  sleeping_.fetch_sub(1, std::memory_order_seq_cst);
}

void ThreadPool::Loop(size_t index) {
  PoolThread& self = *threads_[index];
  current_pool = this;
  current_thread = &self;
  self.id.store(gettid());
  const FlushDenormals flush;
  pthread_setname_np(pthread_self(), name_.substr(0, 15).c_str());
  while (true) {
    Item* item = self.deque.Pop();
    if (item == nullptr) item = Search(self);
    if (item != nullptr) {
      self.CountRun();
      Item::Run(item);
      self.CountRun();
      if (self.slow.load(std::memory_order_relaxed) && LeavesIfSlow(index)) return;
    } else if (stopping_.load(std::memory_order_seq_cst) && !HasWork()) {
      return;  // other threads finish the tasks that they run, and the tasks that these schedule
    } else if (Leaves(index)) {
      return;
    } else {
      Sleep(index);
    }
  }
}

// Whether the calling thread is a helper that is not needed any more.
bool ThreadPool::Leaves(size_t index) {
  if (index < allowed_.load(std::memory_order_seq_cst) || HasWork()) return false;
  absl::MutexLock lock(&mu_);
  if (index < allowed_.load()) return false;
  threads_[index]->left = true;
  return true;
}

// The watcher soon starts another thread at the place of a slow one that leaves.
bool ThreadPool::LeavesIfSlow(size_t index) {
  {
    absl::MutexLock lock(&mu_);
    if (!watches_) return false;
    threads_[index]->left = true;
    slow_left_ = true;
  }
  if (HasWork()) WakeOne();
  return true;
}

void ThreadPool::WatchLoop() {
  pthread_setname_np(pthread_self(), ("watch-" + name_.substr(0, 9)).c_str());
  Watch watch;
  watch.runs.resize(threads_.size());
  const auto wakes = [this]() ABSL_SHARED_LOCKS_REQUIRED(mu_) {
    return slow_left_ || watcher_woken_ || !watches_;
  };
  bool watches = true;
  while (watches) {
    {
      absl::MutexLock lock(&mu_);
      mu_.AwaitWithDeadline(absl::Condition(&wakes), watch.next);
      slow_left_ = false;
      watches = watches_;
      if (std::exchange(watcher_woken_, false)) {
        watch.pause = absl::ZeroDuration();
        watch.next = absl::InfinitePast();
      }
    }
    StartThoseThatLeft();
    if (const absl::Time now = absl::Now(); now >= watch.next) Look(watch, now);
  }
}

void ThreadPool::StartThoseThatLeft() {
  for (size_t i = 0; i < allowed_.load(); ++i) {
    PoolThread& one = *threads_[i];
    {
      absl::MutexLock lock(&mu_);
      if (!std::exchange(one.left, false)) continue;
    }
    if (one.thread.joinable()) one.thread.join();
    one.id.store(0);
    one.slow.store(false);
    Start(i);
  }
}

// Starts a helper if tasks wait and each thread is stuck in one, ends them if that is long ago. In
// between, threads that are stuck have a low priority, so that short tasks do not wait for a
// processor.
void ThreadPool::Look(Watch& watch, absl::Time now) {
  constexpr absl::Duration kStuck = absl::Milliseconds(30), kIdle = absl::Milliseconds(240);
  constexpr absl::Duration kNeeded = absl::Seconds(2);
  constexpr int kNice = 5;
  bool all_stuck = true, idle = true;
  const size_t allowed = allowed_.load();
  for (size_t i = 0; i < allowed; ++i) {
    PoolThread& one = *threads_[i];
    const uint64_t runs = one.runs.load(std::memory_order_relaxed);
    const bool changed = std::exchange(watch.runs[i], runs) != runs, busy = runs % 2 == 1;
    all_stuck = all_stuck && !changed && busy;
    idle = idle && !changed && !busy;
    const pid_t id = one.id.load();
    if (!changed && busy && allowed > own_ && id != 0 && !one.slow.exchange(true))
      setpriority(PRIO_PROCESS, static_cast<id_t>(id), kNice);
  }
  const bool was_idle = watch.pause == kIdle;
  watch.pause = idle ? std::min(kIdle, watch.pause + kStuck) : kStuck;
  watch.next = now + watch.pause;
  if (idle && was_idle && allowed == own_) {
    watcher_sleeps_.store(true, std::memory_order_seq_cst);
    if (!HasWork() || !watcher_sleeps_.exchange(false, std::memory_order_seq_cst))
      watch.next = absl::InfiniteFuture();
  }
  if (all_stuck && HasWork()) {
    watch.starved = now;
    if (allowed == threads_.size()) return;
    used_.store(std::max(used_.load(), allowed + 1));
    {
      absl::MutexLock lock(&mu_);
      allowed_.store(allowed + 1);
    }
    StartThoseThatLeft();
  } else if (allowed > own_ && now - watch.starved > kNeeded) {
    allowed_.store(own_);
    WakeAll();
  }
}

// Where block `i` of `blocks` begins. Their sizes differ by at most one unit; no total overflows.
int64_t EdgeOf(int64_t total, int64_t blocks, int64_t i) {
  return total / blocks * i + std::min(i, total % blocks);
}

// One ParallelFor. Threads claim blocks by incrementing a counter. Helpers that come too late find
// no block and never use `fn`, which is destroyed with the caller's frame. The first exception of a
// block ends the others before they begin, and the caller throws it again.
struct ParallelWork : RefCounted {
  ParallelWork(absl::FunctionRef<void(int64_t, int64_t)> fn, int64_t total, int32_t blocks)
      : fn(fn), total(total), blocks(blocks) {}

  void RunBlocks() {
    int32_t ran = 0;
    for (int32_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < blocks; ++ran) {
      if (failed.load(std::memory_order_relaxed)) continue;
      try {
        const MemoryScope memory_scope(in_memory_scope);
        const CancelScope cancel_scope(cancel);
        ThrowIfCancelled();
        fn(EdgeOf(total, blocks, i), EdgeOf(total, blocks, i + 1));
      } catch (...) {
        if (!failed.exchange(true, std::memory_order_relaxed)) exception = std::current_exception();
      }
    }
    if (ran != 0 && done.fetch_add(ran, std::memory_order_acq_rel) + ran == blocks)
      done.notify_all();
  }
  void Wait() {
    for (int spin = 0; spin < 200 && done.load(std::memory_order_acquire) < blocks; ++spin) Pause();
    for (int32_t seen; (seen = done.load(std::memory_order_acquire)) < blocks;) done.wait(seen);
  }

  const absl::FunctionRef<void(int64_t, int64_t)> fn;
  const int64_t total;
  const int32_t blocks;
  const bool in_memory_scope = MemoryScope::OfThread();
  const CancelToken* const cancel = CancelScope::OfThread();
  std::atomic<int32_t> next{0};
  std::atomic<int32_t> done{0};
  std::atomic<bool> failed{false};
  std::exception_ptr exception;  // written once, before its block is done
};

}  // namespace

std::unique_ptr<WorkQueue> CreateThreadPool(int threads, std::string name) {
  return std::make_unique<ThreadPool>(threads, 0, std::move(name));
}

std::unique_ptr<WorkQueue> CreateRelievedThreadPool(int threads, std::string name) {
  return std::make_unique<ThreadPool>(threads, kMostHelpers * std::max(threads, 1),
                                      std::move(name));
}

struct SerialQueue::State {
  absl::Mutex mu;
  std::deque<Task> tasks ABSL_GUARDED_BY(mu);
};

SerialQueue::SerialQueue() : state_(std::make_unique<State>()) {}
SerialQueue::~SerialQueue() = default;

void SerialQueue::Schedule(Task task) {
  absl::MutexLock lock(&state_->mu);
  state_->tasks.push_back(std::move(task));
}

int SerialQueue::RunAll() {
  for (int ran = 0;; ++ran) {
    Task task;
    {
      absl::MutexLock lock(&state_->mu);
      if (state_->tasks.empty()) return ran;
      task = std::move(state_->tasks.front());
      state_->tasks.pop_front();
    }
    std::move(task)();
  }
}

void ParallelFor(WorkQueue* pool, int64_t total, double cost,
                 absl::FunctionRef<void(int64_t, int64_t)> fn) {
  constexpr double kWorthSplitting = 20e3;  // ns: waking a thread costs about 5 us
  constexpr double kSmallestBlock = 10e3;   // ns
  constexpr double kLongestBlock = 5e6;     // ns: how late a cancellation is noticed
  constexpr double kMostBlocks = 1e6;
  if (total <= 0) return;
  ThrowIfCancelled();  // for loops of many small calls
  const double work = static_cast<double>(total) * cost;
  if (total == 1 || !(work >= kWorthSplitting)) return fn(0, total);
  const int threads = pool == nullptr ? 1 : pool->num_threads();
  double wanted = std::min(work / kLongestBlock, kMostBlocks);
  // Several blocks per thread, so that one late thread does not delay the loop.
  if (threads > 1) wanted = std::max({2.0, wanted, std::min(work / kSmallestBlock, 4.0 * threads)});
  const int64_t blocks = std::min(total, std::max<int64_t>(1, static_cast<int64_t>(wanted)));
  if (threads == 1) {
    for (int64_t i = 0; i < blocks; ++i) {
      ThrowIfCancelled();
      fn(EdgeOf(total, blocks, i), EdgeOf(total, blocks, i + 1));
    }
    return;
  }
  const auto shared = MakeRefCounted<ParallelWork>(fn, total, static_cast<int32_t>(blocks));
  const int64_t helpers = std::min<int64_t>(blocks - 1, pool->InWorker() ? threads - 1 : threads);
  for (int64_t i = 0; i < helpers; ++i) pool->Schedule([shared] { shared->RunBlocks(); });
  shared->RunBlocks();
  shared->Wait();
  if (shared->exception) std::rethrow_exception(shared->exception);
}

}  // namespace sluice
