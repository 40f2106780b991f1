// SPDX-License-Identifier: Apache-2.0
#include "transport/poll/poll_loop.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <atomic>

#include "absl/synchronization/notification.h"
#include "gtest/gtest.h"
#include "transport/write_batch.h"

namespace sluice::transport {
namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    out = Descriptor(ends[0]);
    in = Descriptor(ends[1]);
  }
  void Write(char c) { EXPECT_EQ(write(in.get(), &c, 1), 1); }
  Descriptor out, in;
};

// Reads one byte at a time and keeps it.
struct Reader final : PollLoop::Watcher {
  explicit Reader(int fd) : fd(fd) {}
  void Ready(uint32_t) override {
    char c = 0;
    EXPECT_EQ(read(fd, &c, 1), 1);
    absl::MutexLock lock(&mu);
    got.push_back(c);
  }
  bool Await(const std::string& wanted) {
    absl::MutexLock lock(&mu);
    auto there = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu) { return got == wanted; };
    return mu.AwaitWithTimeout(absl::Condition(&there), absl::Seconds(60));
  }
  const int fd;
  absl::Mutex mu;
  std::string got ABSL_GUARDED_BY(mu);
};

class TwoPipesTest : public testing::Test {
 protected:
  TwoPipesTest() {
    EXPECT_TRUE(loop_.Watch(one_.out.get(), EPOLLIN, first_, &a_).ok());
    EXPECT_TRUE(loop_.Watch(two_.out.get(), EPOLLIN, second_, &b_).ok());
  }
  ~TwoPipesTest() override {
    loop_.Forget(a_, one_.out.get());
    loop_.Forget(b_, two_.out.get());
  }
  Pipe one_, two_;
  PollLoop loop_{"test"};
  const std::shared_ptr<Reader> first_ = std::make_shared<Reader>(one_.out.get());
  const std::shared_ptr<Reader> second_ = std::make_shared<Reader>(two_.out.get());
  uint64_t a_ = 0, b_ = 0;
};

TEST_F(TwoPipesTest, TheLoopReportsReadyDescriptors) {
  one_.Write('x');
  two_.Write('y');
  one_.Write('z');
  EXPECT_TRUE(first_->Await("xz"));
  EXPECT_TRUE(second_->Await("y"));
}

TEST_F(TwoPipesTest, ForgottenWatchersAreNotCalled) {
  loop_.Forget(a_, one_.out.get());
  one_.Write('x');
  two_.Write('y');
  EXPECT_TRUE(second_->Await("y"));
  EXPECT_TRUE(first_->Await(""));
}

TEST(PollLoopTest, RunsTasksInOrderOnItsThread) {
  PollLoop loop("test");
  absl::Notification done;
  std::string order;
  loop.Run([&] {
    EXPECT_TRUE(loop.InLoop());
    loop.Run([&] { order += "now "; });  // on the loop's thread: at once
    order += "after ";
  });
  loop.Run([&] { done.Notify(); });
  EXPECT_FALSE(loop.InLoop());
  ASSERT_TRUE(done.WaitForNotificationWithTimeout(absl::Seconds(60)));
  EXPECT_EQ(order, "now after ");
}

// Memory that a test writes.
struct Counter final : PollLoop::Spinner {
  explicit Counter(PollLoop* loop) : loop(loop) {}
  bool Look() override { return seen.exchange(written.load()) != written.load(); }
  bool Rest() override {
    resting = true;
    return seen.load() == written.load();
  }
  void Write() {
    ++written;
    if (resting.exchange(false)) {
      const uint64_t one = 1;
      EXPECT_EQ(write(loop->wake_descriptor(), &one, sizeof(one)), 8);
    }
  }
  PollLoop* const loop;
  std::atomic<int> written{0}, seen{0};
  std::atomic<bool> resting{false};
};

TEST(PollLoopTest, NothingWrittenIsMissed) {
  for (absl::Duration spin : {absl::ZeroDuration(), absl::Microseconds(20)}) {
    PollLoop loop("test", spin);
    auto counter = std::make_shared<Counter>(&loop);
    loop.Add(counter);
    for (int i = 1; i <= 2000; ++i) {
      counter->Write();
      const absl::Time limit = absl::Now() + absl::Seconds(60);
      while (counter->seen.load() != i && absl::Now() < limit) std::this_thread::yield();
      ASSERT_EQ(counter->seen.load(), i);
    }
    loop.Remove(counter.get());
  }
}

struct Written final : WriteBatch::Channel {
  void WriteBatched() override { ++times; }
  int times = 0;
};

TEST(GatherTest, WritesOnceForAllThatWasSent) {
  Written a, b;
  EXPECT_FALSE(WriteBatch::Defer(&a));
  {
    WriteBatch gather;
    for (int i = 0; i < 10; ++i) {
      EXPECT_TRUE(WriteBatch::Defer(&a));
      EXPECT_TRUE(WriteBatch::Defer(&b));
    }
    EXPECT_FALSE(gather.empty());
    EXPECT_EQ(a.times, 0);
    gather.Flush();
    EXPECT_EQ(a.times, 1);
    EXPECT_TRUE(WriteBatch::Defer(&b));
  }
  EXPECT_EQ(a.times, 1);
  EXPECT_EQ(b.times, 2);
  EXPECT_FALSE(WriteBatch::Defer(&a));
}

TEST(GatherTest, TheNewestOfAThreadCounts) {
  Written channel;
  WriteBatch outer;
  {
    WriteBatch inner;
    EXPECT_TRUE(WriteBatch::Defer(&channel));
    EXPECT_TRUE(outer.empty());
  }
  EXPECT_EQ(channel.times, 1);
}

}  // namespace
}  // namespace sluice::transport
