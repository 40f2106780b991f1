// SPDX-License-Identifier: Apache-2.0
#include "core/threads/thread_pool.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "core/threads/cancel.h"
#include "core/threads/cancel_scope.h"
#include "core/threads/flush_denormals.h"
#include "core/threads/relieved_pool.h"
#include "core/threads/work_deque.h"
#include "gtest/gtest.h"

namespace sluice {
namespace {

TEST(WorkDequeTest, EveryItemIsTakenOnce) {
  constexpr int kItems = 20000;
  static WorkDeque<int> deque;
  std::vector<int> items(kItems);
  std::vector<std::atomic<int>> taken(kItems);
  std::atomic<bool> done{false};
  auto take = [&](int* item) { taken[static_cast<size_t>(item - items.data())].fetch_add(1); };
  std::vector<std::thread> thieves;
  for (int t = 0; t < 2; ++t) {
    thieves.emplace_back([&] {
      while (!done.load() || !deque.empty()) {
        if (int* item = deque.Steal()) take(item);
      }
    });
  }
  for (int i = 0; i < kItems; ++i) {
    while (!deque.Push(&items[static_cast<size_t>(i)])) std::this_thread::yield();
    if (i % 3 == 0) {
      if (int* item = deque.Pop()) take(item);
    }
  }
  while (int* item = deque.Pop()) take(item);
  done = true;
  for (auto& thief : thieves) thief.join();
  for (const auto& count : taken) ASSERT_EQ(count.load(), 1);
}

// A denormal, unless denormals are flushed.
float TenthOfSmallest() {
  const volatile float smallest = std::numeric_limits<float>::min(), tenth = 0.1f;
  return smallest * tenth;
}

TEST(ThreadPoolTest, ItsThreadsFlushDenormals) {
  auto pool = CreateThreadPool(1, "test");
  std::atomic<float> found{1};
  absl::Notification done;
  pool->Schedule([&] {
    found = TenthOfSmallest();
    done.Notify();
  });
  done.WaitForNotification();
  EXPECT_EQ(found, 0.0f);
  EXPECT_GT(TenthOfSmallest(), 0.0f);
}

TEST(FlushDenormalsTest, EndsWithTheInnerOneUntouched) {
  {
    const FlushDenormals outer;
    { const FlushDenormals inner; }
    EXPECT_EQ(TenthOfSmallest(), 0.0f);
  }
  EXPECT_GT(TenthOfSmallest(), 0.0f);
}

TEST(ThreadPoolTest, RunsWhatOutsideThreadsSchedule) {
  auto pool = CreateThreadPool(3, "test");
  EXPECT_EQ(pool->num_threads(), 3);
  EXPECT_FALSE(pool->InWorker());
  WorkQueue* const queue = pool.get();
  std::atomic<int> ran{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&ran, queue] {
      for (int i = 0; i < 3000; ++i) {
        queue->Schedule([&ran, queue] {
          if (queue->InWorker()) ran.fetch_add(1);
        });
      }
    });
  }
  for (auto& thread : threads) thread.join();
  pool.reset();  // finishes scheduled tasks
  EXPECT_EQ(ran.load(), 9000);
}

TEST(ThreadPoolTest, DestructionFinishesWhatTasksSchedule) {
  std::atomic<int> ran{0};
  auto pool = CreateThreadPool(2, "test");
  WorkQueue* queue = pool.get();
  std::function<void(int)> grow = [&](int depth) {
    ran.fetch_add(1);
    if (depth == 0) return;
    queue->Schedule([&, depth] { grow(depth - 1); });
    queue->Schedule([&, depth] { grow(depth - 1); });
  };
  pool->Schedule([&] { grow(12); });  // more than a deque can hold
  pool.reset();
  EXPECT_EQ(ran.load(), (1 << 13) - 1);
}

TEST(ThreadPoolTest, SleepersWakeForEveryTask) {
  auto pool = CreateThreadPool(2, "test");
  for (int i = 0; i < 2000; ++i) {
    absl::Notification done;
    pool->Schedule([&] { done.Notify(); });
    done.WaitForNotification();
  }
}

TEST(ThreadPoolTest, ABlockedTaskDoesNotBlockItsDeque) {
  auto pool = CreateThreadPool(2, "test");
  absl::Notification done;
  absl::Notification outer;
  pool->Schedule([&] {
    pool->Schedule([&] { done.Notify(); });
    done.WaitForNotification();  // the other thread steals it
    outer.Notify();
  });
  outer.WaitForNotification();
}

size_t NumberOfThreads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<size_t>(std::distance(begin(tasks), end(tasks)));
}

// A task runs behind as many long ones as threads and helpers can wait in.
void RunBehindLongTasks(WorkQueue& pool) {
  const int num_long = pool.num_threads() * kMostHelpers;
  absl::Notification end;
  absl::BlockingCounter ended(num_long);
  for (int i = 0; i < num_long; ++i) {
    pool.Schedule([&] {
      end.WaitForNotification();
      ended.DecrementCount();
    });
  }
  absl::Notification ran;
  pool.Schedule([&] { ran.Notify(); });
  EXPECT_TRUE(ran.WaitForNotificationWithTimeout(absl::Seconds(60)));
  end.Notify();
  ended.Wait();
}

TEST(RelievedThreadPoolTest, HelpersRunWhatWaitsBehindLongTasks) {
  constexpr int kThreads = 2;
  const auto pool = CreateRelievedThreadPool(kThreads, "test");
  EXPECT_EQ(pool->num_threads(), kThreads);
  const size_t threads = NumberOfThreads();
  for (int round = 0; round < 2; ++round) {
    RunBehindLongTasks(*pool);
    const absl::Time limit = absl::Now() + absl::Seconds(60);
    while (NumberOfThreads() > threads && absl::Now() < limit)
      absl::SleepFor(absl::Milliseconds(10));
    EXPECT_LE(NumberOfThreads(), threads) << "the helpers end";
  }
}

// How often a thread of this process has gone to sleep; -1 if there is no such thread.
int64_t SleepsOf(const std::string& name) {
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string text;
    std::ifstream comm(thread.path() / "comm");
    if (!std::getline(comm, text) || text != name) continue;
    std::ifstream status(thread.path() / "status");
    while (std::getline(status, text)) {
      absl::string_view rest = text;
      int64_t count = 0;
      if (absl::ConsumePrefix(&rest, "voluntary_ctxt_switches:") && absl::SimpleAtoi(rest, &count))
        return count;
    }
  }
  return -1;
}

TEST(RelievedThreadPoolTest, NoThreadWakesWhileNothingRuns) {
  const auto pool = CreateRelievedThreadPool(2, "idle");
  for (int round = 0; round < 2; ++round) {
    RunBehindLongTasks(*pool);
    const absl::Time limit = absl::Now() + absl::Seconds(60);
    int64_t before = -2;
    for (int64_t now; (now = SleepsOf("watch-idle")) != before && absl::Now() < limit;) {
      before = now;
      absl::SleepFor(absl::Seconds(1));
    }
    EXPECT_GT(before, 0);
    EXPECT_EQ(SleepsOf("watch-idle"), before);
  }
}

TEST(SerialQueueTest, RunsInOrderOnRequest) {
  SerialQueue queue;
  std::vector<int> order;
  queue.Schedule([&] {
    order.push_back(1);
    queue.Schedule([&] { order.push_back(3); });
  });
  queue.Schedule([&] { order.push_back(2); });
  EXPECT_TRUE(order.empty());
  EXPECT_EQ(queue.RunAll(), 3);
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(ParallelForTest, CoversEveryUnitOnce) {
  auto pool = CreateThreadPool(3, "test");
  for (int64_t total : {1, 2, 7, 100, 1001}) {
    std::vector<std::atomic<int>> hits(static_cast<size_t>(total));
    ParallelFor(pool.get(), total, 1e6, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) hits[static_cast<size_t>(i)].fetch_add(1);
    });
    for (const auto& hit : hits) ASSERT_EQ(hit.load(), 1);
  }
}

TEST(ParallelForTest, SmallWorkAndNoPoolRunInline) {
  auto pool = CreateThreadPool(2, "test");
  const auto self = std::this_thread::get_id();
  int64_t next = 0;
  auto inline_only = [&](int64_t begin, int64_t end) {
    EXPECT_EQ(begin, next);
    next = end;
    EXPECT_EQ(std::this_thread::get_id(), self);
  };
  ParallelFor(pool.get(), 10, 1, inline_only);
  EXPECT_EQ(std::exchange(next, 0), 10);
  ParallelFor(nullptr, 10, 1e9, inline_only);
  EXPECT_EQ(std::exchange(next, 0), 10);
  ParallelFor(pool.get(), 0, 1e9, inline_only);
  EXPECT_EQ(next, 0);
}

// The blocks that run in a step which is cancelled in block 10 of 1000.
int64_t BlocksOfCancelled(WorkQueue* pool) {
  CancelToken token;
  std::atomic<int64_t> ran{0};
  const absl::Status status = UntilCancelled(&token, [&] {
    ParallelFor(pool, 1000, 1e8, [&](int64_t begin, int64_t end) {
      EXPECT_EQ(end, begin + 1);
      EXPECT_EQ(CancelScope::OfThread(), &token);
      if (ran.fetch_add(1) == 10) token.Cancel(absl::DeadlineExceededError("too late"));
    });
    return absl::OkStatus();
  });
  EXPECT_EQ(CancelScope::OfThread(), nullptr);
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_TRUE(IsDerived(status));
  return ran.load();
}

TEST(ParallelForTest, StopsBetweenBlocksWhenItsStepIsCancelled) {
  EXPECT_EQ(BlocksOfCancelled(nullptr), 11);
  auto one = CreateThreadPool(1, "test");
  EXPECT_EQ(BlocksOfCancelled(one.get()), 11);
  auto three = CreateThreadPool(3, "test");
  EXPECT_LE(BlocksOfCancelled(three.get()),
            14);  // the other threads end the blocks they have begun
}

TEST(ParallelForTest, HelpersOfACancelledStepServeTheNext) {
  auto pool = CreateThreadPool(2, "test");
  for (int i = 0; i < 100; ++i) {
    BlocksOfCancelled(pool.get());
    std::atomic<int64_t> sum{0};
    ParallelFor(pool.get(), 64, 1e6, [&](int64_t begin, int64_t end) {
      EXPECT_EQ(CancelScope::OfThread(), nullptr);
      sum.fetch_add(end - begin);
    });
    ASSERT_EQ(sum.load(), 64);
  }
}

TEST(CancelPointsTest, LookAtTheTokenOnceInAWhile) {
  CancelToken token;
  token.Cancel(absl::CancelledError("enough"));
  int64_t passed = 0;
  const absl::Status status = UntilCancelled(&token, [&] {
    for (CancelPoints points(100);; points.Pass(7)) passed += 7;
    return absl::OkStatus();
  });
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  EXPECT_EQ(passed, 105);
  {
    const CancelScope outer(&token);
    const CancelScope none(nullptr);
    ThrowIfCancelled();
  }
}

TEST(ParallelForTest, NestsInsidePoolThreads) {
  auto pool = CreateThreadPool(2, "test");
  absl::BlockingCounter finished(8);
  std::atomic<int64_t> sum{0};
  for (int t = 0; t < 8; ++t) {
    pool->Schedule([&] {
      ParallelFor(pool.get(), 16, 1e5, [&](int64_t begin, int64_t end) {
        ParallelFor(pool.get(), end - begin, 1e5,
                    [&](int64_t b, int64_t e) { sum.fetch_add(e - b); });
      });
      finished.DecrementCount();
    });
  }
  finished.Wait();
  EXPECT_EQ(sum.load(), 8 * 16);
}

TEST(ParallelForTest, HugeTotalsDoNotOverflow) {
  auto pool = CreateThreadPool(2, "test");
  std::atomic<uint64_t> sum{0};
  constexpr int64_t kTotal = std::numeric_limits<int64_t>::max();
  ParallelFor(pool.get(), kTotal, 1,
              [&](int64_t b, int64_t e) { sum.fetch_add(static_cast<uint64_t>(e - b)); });
  EXPECT_EQ(sum.load(), static_cast<uint64_t>(kTotal));
}

TEST(CancelTest, CallbacksRunOnceWithTheFirstReason) {
  CancelToken token;
  std::vector<std::string> got;
  token.Register([&](const absl::Status& s) { got.push_back(std::string(s.message())); });
  const int64_t gone = token.Register([&](const absl::Status&) { got.push_back("never"); });
  EXPECT_TRUE(token.status().ok());
  EXPECT_TRUE(token.Deregister(gone));
  EXPECT_FALSE(token.Deregister(gone));
  token.Cancel(absl::AbortedError("first"));
  token.Cancel(absl::AbortedError("second"));
  EXPECT_EQ(got, (std::vector<std::string>{"first"}));
  EXPECT_EQ(token.status().message(), "first");
  EXPECT_TRUE(token.cancelled());
  EXPECT_EQ(token.Register([](const absl::Status&) {}), 0);
  EXPECT_FALSE(token.Deregister(0));
}

TEST(CancelTest, ACallbackMayTakeBackAnother) {
  CancelToken token;
  int ran = 0;
  int64_t ids[2] = {};
  for (int i = 0; i < 2; ++i) {
    ids[i] = token.Register([&, i](const absl::Status&) {
      ++ran;
      EXPECT_TRUE(token.Deregister(ids[1 - i]));
    });
  }
  token.Cancel(absl::CancelledError(""));
  EXPECT_EQ(ran, 1);
}

TEST(CancelTest, RegisterRacesWithCancel) {
  for (int round = 0; round < 200; ++round) {
    CancelToken token;
    std::atomic<int> ran{0};
    int kept = 0;
    std::thread canceller([&] { token.Cancel(absl::CancelledError("")); });
    for (int i = 0; i < 20; ++i) {
      const int64_t id = token.Register([&](const absl::Status&) { ran.fetch_add(1); });
      if (id == 0) continue;
      ++kept;
      if (i % 2 == 0 && token.Deregister(id)) --kept;
    }
    canceller.join();
    EXPECT_EQ(ran.load(), kept);
  }
}

}  // namespace
}  // namespace sluice
