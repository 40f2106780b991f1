// SPDX-License-Identifier: Apache-2.0
// Steps that are cancelled while their kernels are in the stream.
#include <google/protobuf/text_format.h>

#include <thread>

#include "client/ops/array.h"
#include "client/ops/math.h"
#include "proto/graph.pb.h"
#include "tests/cuda_double/session/mlp.h"
#include "tests/cuda_double/session/session_fixture.h"

namespace sluice::cuda_double {
namespace {

namespace ops = client::ops;
using client::Output;
using client::Scope;

constexpr int kKernels = 1000;
constexpr int64_t kLag = 3000;  // microseconds; a kernel waits for a quarter of this on average
constexpr absl::Duration kLong = absl::Seconds(10);
// Events are kept for reuse, as many as were in use at once.
constexpr int64_t kMoreEvents = 16;

// Negates x until the step is cancelled. The predicate is in device memory, so each iteration
// copies it to the host.
constexpr char kEndlessLoop[] = R"(
  node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
  node { name: "enter" op: "Enter" input: "x" device: "/device:GPU:0"
         attr { key: "T" value { type: DT_FLOAT } } attr { key: "frame_name" value { s: "loop" } } }
  node { name: "merge" op: "Merge" input: "enter" input: "next" device: "/device:GPU:0"
         attr { key: "T" value { type: DT_FLOAT } } attr { key: "N" value { i: 2 } } }
  node { name: "same" op: "Equal" input: "merge" input: "merge" device: "/device:GPU:0"
         attr { key: "T" value { type: DT_FLOAT } } }
  node { name: "cond" op: "LoopCond" input: "same" device: "/device:GPU:0" }
  node { name: "switch" op: "Switch" input: "merge" input: "cond" device: "/device:GPU:0"
         attr { key: "T" value { type: DT_FLOAT } } }
  node { name: "body" op: "Neg" input: "switch:1" device: "/device:GPU:0"
         attr { key: "T" value { type: DT_FLOAT } } }
  node { name: "next" op: "NextIteration" input: "body" device: "/device:GPU:0"
         attr { key: "T" value { type: DT_FLOAT } } }
  node { name: "exit" op: "Exit" input: "switch" device: "/device:GPU:0"
         attr { key: "T" value { type: DT_FLOAT } } })";

// A step of 1,000 kernels, each of which uses the result of the one before.
class CancelTest : public GpuSessionTest {
 protected:
  CancelTest() {
    const Scope scope = Scope(&graph_).On(kGpu);
    Output value = ops::Placeholder(scope.Named("x"), {.dtype = kFloat});
    for (int i = 0; i < kKernels; ++i) value = ops::Neg(scope, value);
    EXPECT_TRUE(scope.status().ok()) << scope.status();
    fetch_ = value.name();
    session_ = Open(graph_);
    ExpectRight();  // also makes the executable
    before_ = CountAll();
  }

  absl::Status Run(const client::RunOptions& options = {}) {
    const absl::Time begin = absl::Now();
    const auto values =
        session_->Run({{"x:0", Tensor::Vector<float>({1, 2, 3})}}, {fetch_}, {}, options);
    took_ = absl::Now() - begin;
    if (!values.ok()) return values.status();
    EXPECT_EQ(values->at(0).ToString(), "float [3] {1, 2, 3}");
    return absl::OkStatus();
  }
  void ExpectRight() {
    const absl::Status status = Run();
    EXPECT_TRUE(status.ok()) << status;
  }
  // The step has enqueued half of its kernels since the fixture's own step.
  bool HalfEnqueued() const { return CountAll().launches >= before_.launches + kKernels / 2; }

  // The step has ended, and left nothing.
  void ExpectEnded(const absl::Status& status, absl::StatusCode code) {
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_LT(took_, kLong);
    RecordProperty("took_ms", static_cast<int>(absl::ToInt64Milliseconds(took_)));
    SetDelay(0);
    ExpectRight();
    const Counts now = CountAll();
    EXPECT_EQ(now.device_bytes, before_.device_bytes);
    EXPECT_EQ(now.pinned_bytes, before_.pinned_bytes);
    EXPECT_EQ(now.streams, before_.streams);
    EXPECT_LE(now.events, before_.events + kMoreEvents);
  }

  client::Graph graph_;
  std::string fetch_;
  std::unique_ptr<client::Session> session_;
  Counts before_;
  absl::Duration took_;
};

TEST_F(CancelTest, TheDeadlineEndsAStepWhoseKernelsRun) {
  SetDelay(kLag);
  client::RunOptions options;
  options.timeout_ms = 100;
  ExpectEnded(Run(options), absl::StatusCode::kDeadlineExceeded);
}

TEST_F(CancelTest, InterruptEndsAStepWhoseKernelsRun) {
  SetDelay(kLag);
  std::thread interrupter([this] {
    while (!HalfEnqueued()) std::this_thread::yield();
    session_->Interrupt();
  });
  const absl::Status status = Run();
  interrupter.join();
  ExpectEnded(status, absl::StatusCode::kCancelled);
}

TEST_F(CancelTest, GoOnEndsAStepWhoseKernelsRun) {
  SetDelay(kLag);
  client::RunOptions options;
  options.go_on = [this] { return !HalfEnqueued(); };
  ExpectEnded(Run(options), absl::StatusCode::kCancelled);
}

// Kernels that never end: the call returns all the same, and the session works when they end.
TEST_F(CancelTest, TheCallReturnsAlsoWhileTheGpuIsStuck) {
  HoldStreams(true);
  client::RunOptions options;
  options.timeout_ms = 100;
  const absl::Status status = Run(options);
  HoldStreams(false);
  ExpectEnded(status, absl::StatusCode::kDeadlineExceeded);
}

TEST_F(CancelTest, InterruptReturnsAlsoWhileTheGpuIsStuck) {
  HoldStreams(true);
  std::thread interrupter([this] {
    while (!HalfEnqueued()) std::this_thread::yield();
    session_->Interrupt();
  });
  const absl::Status status = Run();
  interrupter.join();
  HoldStreams(false);
  ExpectEnded(status, absl::StatusCode::kCancelled);
}

TEST_F(CancelTest, TheSessionMayEndWhileKernelsOfACancelledStepRun) {
  SetDelay(kLag);
  client::RunOptions options;
  options.timeout_ms = 20;
  EXPECT_TRUE(absl::IsDeadlineExceeded(Run(options)));
  session_.reset();
  ExpectNothingLeft();
}

TEST_F(CancelTest, InterruptEndsALoopWithoutEnd) {
  proto::GraphDef def;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(kEndlessLoop, &def));
  client::Graph loop;
  const absl::Status imported = loop.Import(def.SerializeAsString());
  ASSERT_TRUE(imported.ok()) << imported;
  auto session = Open(loop);
  for (int i = 0; i < 3; ++i) {
    const int64_t launched = CountAll().launches;
    std::thread interrupter([&] {
      while (CountAll().launches < launched + kKernels) std::this_thread::yield();
      session->Interrupt();
    });
    const absl::Status status =
        session->Run({{"x:0", Tensor::Scalar<float>(1)}}, {"exit:0"}, {}).status();
    interrupter.join();
    EXPECT_TRUE(absl::IsCancelled(status)) << status;
  }
  session.reset();
  EXPECT_EQ(CountAll().device_bytes, before_.device_bytes);
  EXPECT_EQ(CountAll().pinned_bytes, before_.pinned_bytes);
}

TEST_F(CancelTest, AClosedSessionEndsItsStep) {
  SetDelay(kLag);
  absl::Status status;
  std::thread step([&] { status = Run(); });
  while (!HalfEnqueued()) std::this_thread::yield();
  EXPECT_TRUE(session_->Close().ok());
  step.join();
  EXPECT_FALSE(status.ok());
  EXPECT_LT(took_, kLong);
  session_.reset();
  ExpectNothingLeft();
}

}  // namespace
}  // namespace sluice::cuda_double
