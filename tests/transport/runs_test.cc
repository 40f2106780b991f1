// SPDX-License-Identifier: Apache-2.0
// A task requests a run of a graph from another, by the transports that carry tensors.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "gtest/gtest.h"
#include "tests/transport/endpoint.h"
#include "transport/protocol/frames.h"
#include "transport/selection/channel_worker.h"

namespace sluice::transport {
namespace {

constexpr char kB[] = "/job:b/replica:0/task:0";

// Waits for the answer to one call.
struct Answer {
  absl::Notification told;
  absl::StatusOr<RunGraphResult> result = absl::UnknownError("not told");

  Reply<RunGraphResult> Done() {
    return [this](absl::StatusOr<RunGraphResult> given) {
      result = std::move(given);
      told.Notify();
    };
  }
  absl::Status Wait() {
    if (!told.WaitForNotificationWithTimeout(TestSink::kTimeout))
      return DeadlineExceeded("no answer");
    return result.status();
  }
};

RunGraph Request() {
  RunGraph request;
  request.session = "session";
  request.graph = 4;
  request.step = {7, 9};
  request.oldest_live_step = 8;
  return request;
}

class RunsTest : public testing::TestWithParam<std::string> {
 protected:
  absl::Status Run(TensorChannel& channel, Answer& answer, const CallOptions& options = {}) {
    auto done = answer.Done();
    return channel.Run(Request(), options, done);
  }
  // Pending runs of `sink`; `came` is notified when one arrives.
  struct Held {
    absl::Notification came, cancelled;
    CancelToken* token = nullptr;
    Reply<RunGraphResult> done;
  };
  static std::shared_ptr<Held> HoldRuns(TestSink& sink) {
    auto held = std::make_shared<Held>();
    sink.set_on_run(
        [held](const RunGraph&, const CallOptions& options, Reply<RunGraphResult> done) {
          held->done = std::move(done);
          options.cancel->Register([held](const absl::Status& why) {
            held->cancelled.Notify();
            held->done(why);
          });
          held->came.Notify();
        });
    return held;
  }
  const std::unique_ptr<Pair> pair_ = CreatePair(GetParam(), /*credit=*/1 << 20);
};

TEST_P(RunsTest, TheRequestArrivesAndTheAnswerComesBack) {
  RunGraph got;
  absl::Time deadline;
  pair_->b().set_on_run([&](RunGraph request, const CallOptions& options, auto done) {
    got = std::move(request);
    deadline = options.deadline;
    done(RunGraphResult());
  });
  Answer answer;
  CallOptions options;
  options.deadline = absl::Now() + absl::Seconds(100);
  ASSERT_TRUE(Run(pair_->a_to_b(), answer, options).ok());
  EXPECT_TRUE(answer.Wait().ok()) << answer.result.status();
  pair_->b().set_on_run(nullptr);
  EXPECT_EQ(got.session, "session");
  EXPECT_EQ(got.graph, 4u);
  EXPECT_EQ(got.step, (StepId{7, 9}));
  EXPECT_EQ(got.oldest_live_step, 8u);
  EXPECT_LT(absl::AbsDuration(deadline - options.deadline), absl::Seconds(50));
}

TEST_P(RunsTest, ErrorsComeAsTheyAre) {
  const std::vector<absl::Status> errors = {
      absl::NotFoundError("Op type not registered 'Foo'"),
      MarkDerived(absl::CancelledError("another part of the step failed"))};
  size_t next = 0;
  pair_->b().set_on_run(
      [&](const RunGraph&, const CallOptions&, auto done) { done(errors[next++]); });
  for (const absl::Status& error : errors) {
    Answer answer;
    ASSERT_TRUE(Run(pair_->a_to_b(), answer).ok());
    const absl::Status told = answer.Wait();
    EXPECT_EQ(told.code(), error.code());
    EXPECT_EQ(IsDerived(told), IsDerived(error));
    EXPECT_EQ(told.message(), error.message());
  }
  pair_->b().set_on_run(nullptr);
}

TEST_P(RunsTest, CancellingAnswersTheCallerAndEndsTheRun) {
  const auto held = HoldRuns(pair_->b());
  CancelToken token;
  CallOptions options;
  options.cancel = &token;
  Answer answer, next;
  ASSERT_TRUE(Run(pair_->a_to_b(), answer, options).ok());
  held->came.WaitForNotification();
  token.Cancel(absl::CancelledError("enough"));
  EXPECT_EQ(answer.Wait().code(), absl::StatusCode::kCancelled);
  EXPECT_TRUE(held->cancelled.WaitForNotificationWithTimeout(TestSink::kTimeout));
  // A call that is cancelled before it begins runs nowhere.
  int runs = 0;
  pair_->b().set_on_run([&](const RunGraph&, const CallOptions&, auto done) {
    ++runs;
    done(RunGraphResult());
  });
  Answer late;
  ASSERT_TRUE(Run(pair_->a_to_b(), late, options).ok());
  EXPECT_TRUE(IsDerived(late.Wait()));
  ASSERT_TRUE(Run(pair_->a_to_b(), next).ok());
  EXPECT_TRUE(next.Wait().ok());
  pair_->b().set_on_run(nullptr);
  EXPECT_EQ(runs, 1);
}

TEST_P(RunsTest, APeerThatDiesFailsItsRuns) {
  const auto held = HoldRuns(pair_->b());
  Answer answer;
  ASSERT_TRUE(Run(pair_->a_to_b(), answer).ok());
  held->came.WaitForNotification();
  pair_->KillB();
  const absl::Status told = answer.Wait();
  EXPECT_EQ(told.code(), absl::StatusCode::kUnavailable);
  EXPECT_NE(told.message().find(kB), absl::string_view::npos) << told;
}

TEST_P(RunsTest, RunsForAPeerThatDiesAreCancelled) {
  const auto held = HoldRuns(pair_->a());
  Answer answer;
  ASSERT_TRUE(Run(pair_->b_to_a(), answer).ok());
  held->came.WaitForNotification();
  pair_->KillB();
  EXPECT_TRUE(held->cancelled.WaitForNotificationWithTimeout(TestSink::kTimeout));
  EXPECT_EQ(answer.Wait().code(), absl::StatusCode::kUnavailable);
}

// For two processes: there are frames, and a peer in the same process gets no probes.
class StreamRunsTest : public RunsTest {};

TEST_P(StreamRunsTest, LongErrorsAreCut) {
  const std::string text(100'000, 'x');
  pair_->b().set_on_run(
      [&](const RunGraph&, const CallOptions&, auto done) { done(absl::InternalError(text)); });
  Answer answer;
  ASSERT_TRUE(Run(pair_->a_to_b(), answer).ok());
  const absl::Status told = answer.Wait();
  pair_->b().set_on_run(nullptr);
  EXPECT_EQ(told.code(), absl::StatusCode::kInternal);
  EXPECT_EQ(told.message().substr(0, 100), text.substr(0, 100));
  EXPECT_LE(told.message().size(), kMaxFrameHead);
}

TEST_P(StreamRunsTest, ABrokenPeerFailsItsRuns) {
  const auto held = HoldRuns(pair_->b());
  Answer answer;
  ASSERT_TRUE(Run(pair_->a_to_b(), answer).ok());
  held->came.WaitForNotification();
  EXPECT_TRUE(pair_->a_to_b().awaits_runs());
  pair_->a_to_b().GiveUp(Unavailable("it is silent"));
  EXPECT_EQ(answer.Wait().code(), absl::StatusCode::kUnavailable);
  EXPECT_FALSE(pair_->a_to_b().awaits_runs());
  EXPECT_TRUE(pair_->a().NextBroken().ok());
}

TEST_P(RunsTest, ManyAtOnceAreAnsweredEach) {
  constexpr int kRuns = 1000;
  pair_->b().set_on_run([](const RunGraph& request, const CallOptions&, auto done) {
    if (request.step.number % 2 == 0) return done(RunGraphResult());
    done(absl::AbortedError(absl::StrCat("step ", request.step.number)));
  });
  std::vector<Answer> answers(kRuns);
  for (int i = 0; i < kRuns; ++i) {
    RunGraph request = Request();
    request.step.number = static_cast<uint64_t>(i);
    auto done = answers[i].Done();
    ASSERT_TRUE(pair_->a_to_b().Run(request, {}, done).ok());
  }
  for (int i = 0; i < kRuns; ++i) {
    const absl::Status told = answers[i].Wait();
    EXPECT_EQ(told, i % 2 == 0 ? absl::OkStatus() : absl::AbortedError(absl::StrCat("step ", i)));
  }
}

INSTANTIATE_TEST_SUITE_P(Transports, RunsTest,
                         testing::Values("grpc", "inproc", "tcp_of_four", "shm", "rdma"),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(Transports, StreamRunsTest,
                         testing::Values("grpc", "tcp_of_four", "shm", "rdma"),
                         [](const auto& info) { return info.param; });

// --- the worker whose runs use a channel ---

struct SilentChannel final : TensorChannel {
  absl::Status Send(const ParcelId&, Parcel) override { return absl::OkStatus(); }
  void EndStep(const StepId&) override {}
  std::string ToString() const override { return "silent"; }
  absl::Status Run(const RunGraph&, const CallOptions&, Reply<RunGraphResult>& given) override {
    if (!carries) return Unavailable("there is no transport");
    done = std::move(given);
    return absl::OkStatus();
  }
  bool awaits_runs() const override { return true; }
  void GiveUp(const absl::Status& why) override {
    if (auto told = std::exchange(done, nullptr); told) told(why);
  }
  bool carries = true;
  Reply<RunGraphResult> done;
};

struct DeadIntroducer final : HandshakeApi {
  void Handshake(const HandshakeRequest&, const CallOptions&, Reply<HandshakeReply> done) override {
    done(DeadlineExceeded("it did not answer in time"));
  }
  void ListTransports(const CallOptions&, Reply<TaskTransports> done) override {
    done(Unimplemented("not asked"));
  }
};

struct DirectWorker final : WorkerApi {
  explicit DirectWorker(int* runs) : runs(runs) {}
  void GetStatus(const CallOptions&, Reply<TaskStatus> done) override { done(TaskStatus()); }
  void CreateSession(const CreateWorkerSession&, const CallOptions&, Ack done) override {
    done(absl::OkStatus());
  }
  void DeleteSession(const std::string&, const CallOptions&, Ack done) override {
    done(absl::OkStatus());
  }
  void Register(const RegisterGraph&, const CallOptions&, Reply<uint64_t> done) override {
    done(1);
  }
  void Deregister(const std::string&, uint64_t, const CallOptions&, Ack done) override {
    done(absl::OkStatus());
  }
  void Run(RunGraph, const CallOptions&, Reply<RunGraphResult> done) override {
    ++*runs;
    done(RunGraphResult());
  }
  void ClearContainers(const std::vector<std::string>&, const CallOptions&, Ack done) override {
    done(absl::OkStatus());
  }
  int* const runs;
};

class ChannelWorkerTest : public testing::Test {
 protected:
  int direct_runs_ = 0;
  Timer timer_;
  const std::shared_ptr<SilentChannel> channel_ = std::make_shared<SilentChannel>();
  const std::unique_ptr<WorkerApi> worker_ =
      CreateChannelWorker({std::make_unique<DirectWorker>(&direct_runs_), channel_,
                           std::make_unique<DeadIntroducer>(), HandshakeRequest(), &timer_,
                           /*probe_every=*/absl::Milliseconds(20)});
};

TEST_F(ChannelWorkerTest, CallsToASilentPeerFail) {
  Answer answer;
  worker_->Run(Request(), {}, answer.Done());
  EXPECT_EQ(answer.Wait().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(direct_runs_, 0);
}

TEST_F(ChannelWorkerTest, CallsThatTheTransportRefusesGoDirectly) {
  channel_->carries = false;
  Answer answer;
  worker_->Run(Request(), {}, answer.Done());
  EXPECT_TRUE(answer.Wait().ok());
  EXPECT_EQ(direct_runs_, 1);
}

TEST_F(ChannelWorkerTest, TracedRunsGoDirectly) {
  RunGraph request = Request();
  request.trace = true;
  Answer answer;
  worker_->Run(std::move(request), {}, answer.Done());
  EXPECT_TRUE(answer.Wait().ok());
  EXPECT_EQ(direct_runs_, 1);
}

}  // namespace
}  // namespace sluice::transport
