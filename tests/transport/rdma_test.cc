// SPDX-License-Identifier: Apache-2.0
// RDMA on the double of verbs: how contents travel, faults at each call, and refusals. The
// behaviour between two tasks is in the conformance suite.
#include "transport/backends/rdma/transport.h"

#include <cerrno>

#include "absl/strings/match.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/transport/endpoint.h"
#include "tests/verbs_double/verbs_double.h"
#include "transport/backends/rdma/counters.h"
#include "transport/backends/rdma/remote_arena.h"

namespace sluice::transport {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

constexpr int64_t kMegabyte = 1 << 20;
constexpr char kA[] = "/job:a/replica:0/task:0", kB[] = "/job:b/replica:0/task:0";

ParcelId Id(uint64_t edge, uint64_t step = 1) { return {{7, step}, EdgeKey{edge, 0, 0, 0}}; }

// Task A sends to task B, with an arena of 4 MB: from 1 MB on, contents are read.
class RdmaTest : public testing::Test {
 protected:
  static constexpr size_t kArena = 4 * kMegabyte;
  static constexpr int64_t kWritten = kMegabyte / 2, kRead = 3 * kMegabyte;

  struct WaitingSink final : TestSink {
    bool Awaits(const std::string&) const override { return awaits; }
    std::atomic<bool> awaits{false};
  };
  struct Task {
    WaitingSink sink;
    size_t broken = 0;  // reports that the test has seen
    std::unique_ptr<Transport> transport;
    std::unique_ptr<TensorChannel> channel;
  };

  RdmaTest() { VerbsDouble::Reset(); }
  ~RdmaTest() override {
    Down();
    EXPECT_EQ(VerbsDouble::Live(), "");
    EXPECT_EQ(VerbsDouble::Misuse(), "");
    VerbsDouble::Reset();
  }

  absl::Status Start(RdmaTransportOptions options = {}) {
    options.loop = loop_;
    options.verbs = &VerbsDouble::Table();
    if (options.arena_bytes == RdmaTransportOptions().arena_bytes) options.arena_bytes = kArena;
    a_ = std::make_unique<Task>();
    b_ = std::make_unique<Task>();
    options.self = {kA, 1, 64 * kMegabyte};
    SLUICE_ASSIGN(a_->transport, CreateRdmaTransport(options));
    options.self = {kB, 2, 64 * kMegabyte};
    SLUICE_ASSIGN(b_->transport, CreateRdmaTransport(options));
    a_->transport->Attach(&a_->sink);
    b_->transport->Attach(&b_->sink);
    return Connect();
  }
  absl::Status Connect() {
    SLUICE_ASSIGN(const ConnectionOffer offer, b_->transport->Offer({kA, 1, HostId()}));
    SLUICE_ASSIGN(a_->channel, a_->transport->Connect({kB, "127.0.0.1:1"}, offer));
    a_->sink.set_channel([this](const std::string&) { return a_->channel.get(); });
    b_->sink.set_channel([](const std::string&) { return nullptr; });
    return absl::OkStatus();
  }
  void Down() {
    for (const auto& task : {a_.get(), b_.get()}) {
      if (task != nullptr && task->transport != nullptr) task->transport->Stop();
    }
    a_.reset();
    b_.reset();
  }

  absl::Status Send(uint64_t edge, int64_t bytes, uint64_t step = 1) {
    return a_->channel->Send(Id(edge, step), {Filled(bytes, static_cast<uint8_t>(edge))});
  }
  // Waits for a tensor, or for the stream's end on either side.
  absl::Status Await(uint64_t edge, int64_t bytes, uint64_t step = 1) {
    const absl::Time deadline = absl::Now() + TestSink::kTimeout;
    while (absl::Now() < deadline) {
      const auto got = b_->sink.Take(kA, Id(edge, step), absl::Milliseconds(20));
      if (got.ok()) {
        EXPECT_TRUE(IsFilled(got->tensor, bytes, static_cast<uint8_t>(edge)));
        return absl::OkStatus();
      }
      for (Task* task : {a_.get(), b_.get()}) {
        if (task->sink.broken_count() > task->broken)
          return ++task->broken, task->sink.NextBroken()->second;
      }
    }
    return DeadlineExceeded("neither a tensor nor an error");
  }
  // Contents of every kind cross.
  absl::Status Exchange(uint64_t step = 1) {
    constexpr int64_t kSizes[] = {10, 4000, 20'000, kWritten, kRead};
    for (const int64_t bytes : kSizes)
      SLUICE_RETURN_IF_ERROR(Send(static_cast<uint64_t>(bytes % 251), bytes, step));
    for (const int64_t bytes : kSizes)
      SLUICE_RETURN_IF_ERROR(Await(static_cast<uint64_t>(bytes % 251), bytes, step));
    return absl::OkStatus();
  }

  // An exchange by a new channel of the same tasks. A peer's port may come up a little later.
  absl::Status Again() {
    a_->channel.reset();
    absl::Status status;
    for (uint64_t step = 2; step < 50; ++step) {
      status = Connect();
      if (status.ok()) status = Exchange(step);
      if (status.ok()) return status;
      absl::SleepFor(absl::Milliseconds(20));
    }
    return status;
  }

  const std::shared_ptr<PollLoop> loop_ = std::make_shared<PollLoop>("rdma");
  std::unique_ptr<Task> a_, b_;
};

TEST_F(RdmaTest, ALargeContentIsOneWriteAndASmallFrame) {
  ASSERT_TRUE(Start().ok());
  ASSERT_TRUE(Send(1, kWritten).ok());
  ASSERT_TRUE(Await(1, kWritten).ok());
  const auto before = VerbsDouble::Moved();
  for (uint64_t i = 2; i < 12; ++i) {
    ASSERT_TRUE(Send(i, kWritten).ok());
    ASSERT_TRUE(Await(i, kWritten).ok());
  }
  const auto after = VerbsDouble::Moved();
  EXPECT_EQ(after.writes - before.writes, 10);
  EXPECT_EQ(after.write_bytes - before.write_bytes, 10 * kWritten);
  EXPECT_EQ(after.reads, before.reads);
  EXPECT_LT(after.send_bytes - before.send_bytes, 10 * 1024) << "frames, answers and credits";
}

TEST_F(RdmaTest, ASmallTensorIsOneMessageAndOneAnswer) {
  ASSERT_TRUE(Start().ok());
  ASSERT_TRUE(Exchange().ok());
  const auto before = VerbsDouble::Moved();
  for (uint64_t i = 1; i <= 100; ++i) {
    ASSERT_TRUE(Send(i, 100, 2).ok());
    ASSERT_TRUE(Await(i, 100, 2).ok());
  }
  const auto after = VerbsDouble::Moved();
  // Each end also returns credit for messages, and A for the answers.
  EXPECT_LE(after.sends - before.sends, 2 * 100 + 100 / 2);
  EXPECT_EQ(after.writes + after.reads, before.writes + before.reads);
}

TEST_F(RdmaTest, NothingSpinsWhenNothingIsInFlight) {
  ASSERT_TRUE(Start().ok());
  ASSERT_TRUE(Exchange().ok());
  absl::SleepFor(absl::Milliseconds(100));  // the last answers
  const int before = VerbsDouble::Calls()["ibv_poll_cq"];
  absl::SleepFor(absl::Milliseconds(300));  // the measured time
  // A timer wakes the loop every 2.5 s; it then looks at both devices.
  EXPECT_LT(VerbsDouble::Calls()["ibv_poll_cq"] - before, 50);
}

TEST_F(RdmaTest, RegistrationsAreConstantOnceTheArenaIsThere) {
  ASSERT_TRUE(Start().ok());
  int registrations = 0;
  for (uint64_t i = 1; i < 200; ++i) {
    ASSERT_TRUE(Send(i % 200, kWritten).ok());
    ASSERT_TRUE(Await(i % 200, kWritten).ok());
    if (i == 20) registrations = VerbsDouble::Calls()["ibv_reg_mr"];
  }
  EXPECT_LT(VerbsDouble::Calls()["ibv_reg_mr"], registrations + 10);  // a late release
}

TEST_F(RdmaTest, AContentLargerThanARequestTravelsInPieces) {
  VerbsDouble::SetMaxMessage(100'000);
  ASSERT_TRUE(Start().ok());
  const auto before = VerbsDouble::Moved();
  ASSERT_TRUE(Send(1, kWritten).ok());
  ASSERT_TRUE(Send(2, kRead).ok());
  ASSERT_TRUE(Await(1, kWritten).ok());
  ASSERT_TRUE(Await(2, kRead).ok());
  EXPECT_EQ(VerbsDouble::Moved().writes - before.writes, kWritten / 100'000 + 1);
  EXPECT_EQ(VerbsDouble::Moved().reads - before.reads, kRead / 100'000 + 1);
}

TEST_F(RdmaTest, ContentsBeyondTheArenaAreReadFromTheirSource) {
  ASSERT_TRUE(Start().ok());
  const auto before = VerbsDouble::Moved();
  // Tensors that nobody takes fill the arena; the others are read.
  for (uint64_t i = 0; i < 20; ++i) ASSERT_TRUE(Send(i, kWritten).ok());
  ASSERT_TRUE(Send(100, kRead).ok());
  const absl::Time deadline = absl::Now() + TestSink::kTimeout;
  while (b_->sink.arrived() < 21 && absl::Now() < deadline) absl::SleepFor(absl::Milliseconds(1));
  ASSERT_TRUE(Await(100, kRead).ok());
  for (uint64_t i = 0; i < 20; ++i) ASSERT_TRUE(Await(i, kWritten).ok());
  const auto after = VerbsDouble::Moved();
  const int64_t written = after.write_bytes - before.write_bytes;
  const int64_t read = after.read_bytes - before.read_bytes;
  EXPECT_LE(written, static_cast<int64_t>(kArena));
  EXPECT_EQ(written + read, 20 * kWritten + kRead);
}

TEST_F(RdmaTest, MemoryThatCannotBeRegisteredTravelsInMessages) {
  ASSERT_TRUE(Start().ok());
  ASSERT_TRUE(Exchange().ok());
  VerbsDouble::FailCall("ibv_reg_mr", 1, ENOMEM);  // of the source
  const auto before = VerbsDouble::Moved();
  ASSERT_TRUE(Send(1, kRead, 2).ok());
  ASSERT_TRUE(Await(1, kRead, 2).ok());
  EXPECT_EQ(VerbsDouble::Moved().reads, before.reads);
}

// Each call fails at each of its turns: the exchange succeeds by another way, or an error names the
// device and the function. Then the same tasks exchange tensors by a new channel.
TEST_F(RdmaTest, AFaultOfAnyCallIsAStatusAndTheNextStepWorks) {
  for (const char* function :
       {"ibv_get_device_list", "ibv_open_device", "ibv_query_device", "ibv_query_port",
        "ibv_query_gid_ex", "ibv_alloc_pd", "ibv_reg_mr", "ibv_create_comp_channel",
        "ibv_create_cq", "ibv_create_srq", "ibv_create_qp", "ibv_modify_qp", "ibv_post_srq_recv",
        "ibv_post_send", "ibv_req_notify_cq"}) {
    SCOPED_TRACE(function);
    for (int k = 1;; ++k) {
      SCOPED_TRACE(k);
      VerbsDouble::Reset();
      VerbsDouble::FailCall(function, k, ENOMEM);
      absl::Status status = Start();
      const bool started = status.ok();
      if (started) status = Exchange();
      if (!status.ok()) {
        ASSERT_THAT(std::string(status.message()), AnyOf(HasSubstr(function), HasSubstr("double0")))
            << status;
        // The end that did not fail may see only that the other does not answer.
        ASSERT_THAT(std::string(status.message()),
                    AnyOf(HasSubstr("Cannot allocate memory"), HasSubstr("retry counter")))
            << status;
        ASSERT_FALSE(absl::IsDeadlineExceeded(status)) << status;
      }
      const bool happened = VerbsDouble::Failed();
      VerbsDouble::Reset();
      if (started && !status.ok()) {
        const absl::Status again = Again();
        ASSERT_TRUE(again.ok()) << again << " after " << status;
      }
      Down();
      ASSERT_EQ(VerbsDouble::Live(), "") << status;
      if (!happened || k == 60) break;
    }
  }
}

TEST_F(RdmaTest, ARequestThatFailsIsAStatusAndTheNextStepWorks) {
  for (int k = 1; k <= 60; ++k) {
    SCOPED_TRACE(k);
    VerbsDouble::Reset();
    ASSERT_TRUE(Start().ok());
    VerbsDouble::FailRequest(k, IBV_WC_REM_ACCESS_ERR);
    const absl::Status status = Exchange();
    const bool happened = VerbsDouble::Failed();
    if (!status.ok()) {
      const std::string why(status.message());
      EXPECT_THAT(why, HasSubstr("double0 port 1 GID 3 queue pair "));
      // The end whose request did not fail may see only that the other does not answer.
      EXPECT_THAT(why, AnyOf(HasSubstr("remote access error (completion status 10"),
                             HasSubstr("retry counter exceeded")));
      EXPECT_THAT(why, AnyOf(HasSubstr(kA), HasSubstr(kB)));
      VerbsDouble::Reset();
      const absl::Status again = Again();
      ASSERT_TRUE(again.ok()) << again << " after " << status;
    }
    Down();
    ASSERT_EQ(VerbsDouble::Live(), "") << status;
    if (!happened) break;
  }
}

TEST_F(RdmaTest, AMachineWithoutADeviceSaysSo) {
  VerbsDouble::SetDevices(0);
  EXPECT_THAT(std::string(Start().message()), HasSubstr("this machine has no RDMA device"));
  VerbsDouble::SetDevices(1);
  RdmaTransportOptions options;
  options.settings.device = "mlx5_0";
  EXPECT_THAT(std::string(Start(options).message()), HasSubstr("no RDMA device \"mlx5_0\""));
}

TEST_F(RdmaTest, ADeviceThatDoesNotWorkIsRefused) {
  VerbsDouble::FailRequest(1, IBV_WC_GENERAL_ERR);
  const absl::Status status = Start();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("(completion status"));
}

TEST_F(RdmaTest, APortThatIsDownIsRefused) {
  VerbsDouble::SetPortState(IBV_PORT_DOWN);
  const absl::Status status = Start();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("port 1 of device double0 is not active"));
}

TEST_F(RdmaTest, AClusterWithTlsIsRefused) {
  RdmaTransportOptions options;
  options.tls = true;
  EXPECT_THAT(std::string(Start(options).message()), HasSubstr("verbs do not encrypt"));
  options.settings.unencrypted = true;
  ASSERT_TRUE(Start(options).ok());
  EXPECT_TRUE(Exchange().ok());
}

TEST_F(RdmaTest, APortThatGoesDownEndsStreamsUntilItIsUpAgain) {
  ASSERT_TRUE(Start().ok());
  ASSERT_TRUE(Exchange().ok());
  VerbsDouble::Raise(IBV_EVENT_PORT_ERR);
  const auto broken = a_->sink.NextBroken();
  ASSERT_TRUE(broken.ok()) << broken.status();
  EXPECT_THAT(std::string(broken->second.message()), HasSubstr("double0 port 1 GID 3: port error"));
  EXPECT_THAT(std::string(Send(1, 10, 2).message()), HasSubstr("port error"));
  VerbsDouble::Raise(IBV_EVENT_PORT_ACTIVE);
  const absl::Status again = Again();
  EXPECT_TRUE(again.ok()) << again;
}

TEST_F(RdmaTest, ANewAddressOfThePortEndsStreamsAndIsUsedByTheNext) {
  ASSERT_TRUE(Start().ok());
  ASSERT_TRUE(Exchange().ok());
  VerbsDouble::Raise(IBV_EVENT_GID_CHANGE);  // of another entry of the table
  ASSERT_TRUE(Exchange(2).ok());
  EXPECT_EQ(a_->sink.broken_count(), 0u);
  VerbsDouble::SetLastByte(9);
  VerbsDouble::Raise(IBV_EVENT_GID_CHANGE);
  const auto broken = a_->sink.NextBroken();
  ASSERT_TRUE(broken.ok()) << broken.status();
  EXPECT_THAT(std::string(broken->second.message()), HasSubstr("double0 port 1 GID 3"));
  const absl::Status again = Again();
  EXPECT_TRUE(again.ok()) << again;
}

TEST_F(RdmaTest, ADeviceThatFailsIsNotUsedAgain) {
  ASSERT_TRUE(Start().ok());
  ASSERT_TRUE(Exchange().ok());
  VerbsDouble::Raise(IBV_EVENT_DEVICE_FATAL);
  ASSERT_TRUE(a_->sink.NextBroken().ok());
  EXPECT_THAT(std::string(Connect().message()), HasSubstr("restart the task"));
}

TEST_F(RdmaTest, RegisteredMemoryHasALimit) {
  RdmaTransportOptions options;
  options.settings.pinned_mb = 2;  // of which buffers have one
  ASSERT_TRUE(Start(options).ok());
  ASSERT_TRUE(Send(1, kWritten).ok());
  ASSERT_TRUE(Await(1, kWritten).ok());
  const auto before = VerbsDouble::Moved();
  ASSERT_TRUE(Send(2, kRead).ok());
  ASSERT_TRUE(Await(2, kRead).ok());
  EXPECT_EQ(VerbsDouble::Moved().reads, before.reads);
}

// Tensors of the allocator's slabs are written from where they are.
TEST_F(RdmaTest, LargeTensorsAreNotCopied) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "under AddressSanitizer the allocator has no slabs";
#endif
  constexpr int64_t kBytes = 2 * kMegabyte;
  RdmaTransportOptions options;
  options.arena_bytes = 40 * kMegabyte;
  ASSERT_TRUE(Start(options).ok());
  const int64_t copied = TheRdmaCounters().copied_bytes;
  int registrations = 0;
  for (uint64_t i = 1; i < 60; ++i) {
    ASSERT_TRUE(Send(i, kBytes).ok());
    ASSERT_TRUE(Await(i, kBytes).ok());
    if (i == 20) registrations = VerbsDouble::Calls()["ibv_reg_mr"];
  }
  // A late completion or release takes another slab or place.
  EXPECT_LT(VerbsDouble::Calls()["ibv_reg_mr"], registrations + 10);
  EXPECT_EQ(TheRdmaCounters().copied_bytes, copied);
  EXPECT_EQ(VerbsDouble::Moved().reads, 2) << "by the tests of the devices";
}

TEST_F(RdmaTest, ASlabThatCannotBeRegisteredIsCopied) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "under AddressSanitizer the allocator has no slabs";
#endif
  constexpr int64_t kBytes = 2 * kMegabyte;
  RdmaTransportOptions options;
  options.arena_bytes = 40 * kMegabyte;
  ASSERT_TRUE(Start(options).ok());
  const int64_t copied = TheRdmaCounters().copied_bytes;
  const Tensor tensor = Filled(kBytes, 2);
  VerbsDouble::FailCall("ibv_reg_mr without access", 1, ENOMEM);
  ASSERT_TRUE(a_->channel->Send(Id(2), {tensor}).ok());
  ASSERT_TRUE(Await(2, kBytes).ok());
  EXPECT_TRUE(VerbsDouble::Failed());
  EXPECT_EQ(TheRdmaCounters().copied_bytes - copied, kBytes);
}

TEST_F(RdmaTest, AnIdleStreamIsNotProbed) {
  RdmaTransportOptions options;
  options.silence = absl::Milliseconds(40);
  ASSERT_TRUE(Start(options).ok());
  ASSERT_TRUE(Exchange().ok());
  absl::SleepFor(absl::Milliseconds(200));
  EXPECT_EQ(VerbsDouble::Moved().empty_writes, 0);
  b_->sink.awaits = true;
  const absl::Time deadline = absl::Now() + TestSink::kTimeout;
  while (VerbsDouble::Moved().empty_writes < 2 && absl::Now() < deadline)
    absl::SleepFor(absl::Milliseconds(1));
  EXPECT_GE(VerbsDouble::Moved().empty_writes, 2);
  EXPECT_EQ(a_->sink.broken_count() + b_->sink.broken_count(), 0u);
}

// The network is gone after each request of an exchange, without a word. Both ends learn it while
// they wait for something.
TEST_F(RdmaTest, APeerThatVanishesIsNamedAndTheNextStepWorks) {
  RdmaTransportOptions options;
  options.silence = absl::Milliseconds(40);
  for (int requests = 0; requests <= 40; ++requests) {
    SCOPED_TRACE(requests);
    VerbsDouble::Reset();
    ASSERT_TRUE(Start(options).ok());
    b_->sink.awaits = true;
    VerbsDouble::SetReachable(requests);
    absl::Status status = Exchange();
    const bool done = status.ok();
    if (done) {  // it ended before
      VerbsDouble::SetReachable(0);
      const auto broken = b_->sink.NextBroken();
      ASSERT_TRUE(broken.ok()) << broken.status();
      status = broken->second;
    }
    EXPECT_THAT(std::string(status.message()), HasSubstr("retry counter exceeded"));
    EXPECT_THAT(std::string(status.message()), AnyOf(HasSubstr(kA), HasSubstr(kB)));
    VerbsDouble::Reset();
    const absl::Status again = Again();
    ASSERT_TRUE(again.ok()) << again << " after " << status;
    Down();
    ASSERT_EQ(VerbsDouble::Live(), "") << status;
    if (done) break;
  }
}

TEST_F(RdmaTest, ATensorOutlivesItsStream) {
  ASSERT_TRUE(Start().ok());
  ASSERT_TRUE(Send(9, kWritten).ok());
  auto got = b_->sink.Take(kA, Id(9));
  ASSERT_TRUE(got.ok()) << got.status();
  Down();
  EXPECT_TRUE(IsFilled(got->tensor, kWritten, 9));
}

TEST(RemoteArenaTest, PlacesAreOfLentSegmentsAndGivenBackOnce) {
  RemoteArena arena(8 << 20);
  EXPECT_FALSE(arena.Take(10'000).has_value());
  const size_t bytes = arena.NextSegment(10'000);
  EXPECT_GE(bytes, 10'000u);
  ASSERT_TRUE(arena.Add({.number = 0, .address = 1 << 20, .bytes = bytes, .rkey = 5}).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(arena.Add({.number = 0, .bytes = 4096})));
  const auto first = arena.Take(10'000), second = arena.Take(10'000);
  ASSERT_TRUE(first.has_value() && second.has_value());
  EXPECT_EQ(first->rkey, 5u);
  EXPECT_GE(second->address, first->address + 10'000);
  EXPECT_TRUE(arena.Give(first->at).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(arena.Give(first->at))) << "given back twice";
  EXPECT_TRUE(absl::IsInvalidArgument(arena.Give({7, 0})));
  EXPECT_EQ(arena.Take(10'000)->at, first->at);
}

TEST(RemoteArenaTest, TheLimitIsKept) {
  RemoteArena arena(3 << 20);
  ASSERT_TRUE(arena.Add({.number = 0, .bytes = arena.NextSegment(10'000)}).ok());
  EXPECT_EQ(arena.NextSegment(2 << 20), 0u);
  EXPECT_GT(arena.NextSegment(10'000), 0u);
}

}  // namespace
}  // namespace sluice::transport
