// SPDX-License-Identifier: Apache-2.0
// Injects faults into the tensors between the tasks of a step. The result is an error that names
// the cause, or the right value; the step never hangs, and the session continues.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "absl/time/clock.h"
#include "tests/master/inproc_cluster.h"

namespace sluice::master {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr char kGraph[] =
    "x = Placeholder[dtype=int32, shape=?] ; a = Neg(x) @ps:0 ; b = Add(a, a) @w:0";

// Holds scheduled tasks until it is opened.
class Gate final : public WorkQueue {
 public:
  void Schedule(Task task) override {
    {
      absl::MutexLock lock(&mu_);
      if (!open_) return held_.push_back(std::move(task));
    }
    std::move(task)();
  }
  int num_threads() const override { return 1; }
  void AwaitFirst() {
    absl::MutexLock lock(&mu_);
    const auto held = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return !held_.empty(); };
    EXPECT_TRUE(mu_.AwaitWithTimeout(absl::Condition(&held), absl::Seconds(20)));
  }
  void Open() {
    std::vector<Task> held;
    {
      absl::MutexLock lock(&mu_);
      open_ = true;
      held.swap(held_);
    }
    for (Task& task : held) std::move(task)();
  }

 private:
  absl::Mutex mu_;
  bool open_ ABSL_GUARDED_BY(mu_) = false;
  std::vector<Task> held_ ABSL_GUARDED_BY(mu_);
};

class FaultTest : public testing::Test {
 protected:
  void Begin(const transport::FaultyConnectorOptions& faults, const char* graph = kGraph) {
    cluster_ = std::make_unique<InprocCluster>(std::vector<std::string>{kW, kPs}, absl::Seconds(20),
                                               faults);
    client_ = std::make_unique<Client>(&cluster_->master());
    const absl::Status created = client_->Create(graph);
    ASSERT_TRUE(created.ok()) << created;
  }
  // A step that must end without cancellation, or at this limit.
  absl::StatusOr<std::vector<Tensor>> Run(Client::Feeds feeds, std::vector<std::string> fetches,
                                          int64_t timeout_ms = 10'000) {
    const absl::Time start = absl::Now();
    auto result = client_->Run(std::move(feeds), std::move(fetches), {}, {timeout_ms});
    EXPECT_LT(absl::Now() - start, absl::Milliseconds(timeout_ms) + absl::Seconds(5));
    return result;
  }
  std::unique_ptr<InprocCluster> cluster_;
  std::unique_ptr<Client> client_;
};

TEST_F(FaultTest, ATensorThatNeverComesIsNamedAtTheDeadline) {
  Begin({.rates = {.drop = 1}});
  const absl::Status status = Run({{"x:0", Int(1)}}, {"b:0"}, 500).status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr(absl::StrCat(kW, " waited for tensors of ", kPs, ".")));
  EXPECT_EQ(cluster_->wire(kW).dropped() + cluster_->wire(kPs).dropped(), 1);
  EXPECT_TRUE(Run({{"a:0", Int(1)}}, {"b:0"}).ok()) << "what crosses nothing works";
}

TEST_F(FaultTest, SomeLostTensorsFailTheirStepsOnly) {
  Begin({.rates = {.seed = 4, .drop = 0.3}});
  int right = 0, late = 0;
  for (int i = 0; i < 20; ++i) {
    const auto result = Run({{"x:0", Int(i)}}, {"b:0"}, 300);
    if (result.ok()) {
      EXPECT_EQ((*result)[0].scalar<int32_t>(), -2 * i);
      ++right;
    } else {
      EXPECT_TRUE(absl::IsDeadlineExceeded(result.status())) << result.status();
      ++late;
    }
  }
  EXPECT_GT(right, 0);
  EXPECT_EQ(late, cluster_->wire(kW).dropped() + cluster_->wire(kPs).dropped());
}

TEST_F(FaultTest, LateTensorsAreDropped) {
  SerialQueue delayed;
  Begin({.delay = &delayed});
  EXPECT_TRUE(absl::IsDeadlineExceeded(Run({{"x:0", Int(1)}}, {"b:0"}, 300).status()));
  EXPECT_GE(delayed.RunAll(), 1) << "nobody waits for it any more";
  EXPECT_EQ((*Run({{"a:0", Int(1)}}, {"b:0"}))[0].scalar<int32_t>(), 2);
}

TEST_F(FaultTest, OrderDoesNotMatter) {
  const auto later = CreateThreadPool(1, "later");
  std::string graph = "x = Placeholder[dtype=int32, shape=?]";
  std::vector<std::string> fetches;
  for (int i = 0; i < 50; ++i) {
    absl::StrAppend(&graph, "; n", i, " = Neg(x) @ps:0 ; s", i, " = Square(n", i, ") @w:0 ; t", i,
                    " = Neg(s", i, ") @ps:0");
    fetches.push_back(absl::StrCat("t", i, ":0"));
  }
  Begin({.rates = {.seed = 6}, .delay = later.get(), .reorder = true}, graph.c_str());
  for (int i = 0; i < 5; ++i) {
    const auto result = Run({{"x:0", Int(i)}}, fetches);
    ASSERT_TRUE(result.ok()) << result.status();
    for (const Tensor& value : *result) EXPECT_EQ(value.scalar<int32_t>(), -i * i);
  }
}

// Some transports have checksums (TCP's, TLS's), shared memory has none. No other code looks for a
// wrong bit. The value may become anything: kernels check their inputs.
TEST_F(FaultTest, CorruptIndicesGiveAnErrorOrAnotherValue) {
  Begin({.rates = {.seed = 8, .corrupt = 1}},
        "c = Const(1) @ps:0 ; i = Identity(c) @ps:0 ; p = Const([10, 11, 12, 13]) @w:0"
        "; g = Gather(p, i) @w:0");
  int errors = 0;
  for (int i = 0; i < 40; ++i) {
    const auto result = Run({}, {"g:0"});
    if (result.ok()) {
      EXPECT_NE((*result)[0].scalar<int32_t>(), 11);
      continue;
    }
    ++errors;
    EXPECT_TRUE(absl::IsInvalidArgument(result.status())) << result.status();
    EXPECT_THAT(std::string(result.status().message()),
                AllOf(HasSubstr("{{node g}}"), HasSubstr(kW)));
  }
  EXPECT_GT(errors, 20);
}

TEST_F(FaultTest, AnotherShapeIsAnErrorOfTheConsumingKernel) {
  Begin({.rates = {.misshape = 1}},
        "x = Placeholder[dtype=float, shape=?] ; n = Neg(x) @ps:0 ; p = MatMul(n, n) @w:0");
  const absl::Status status = Run({{"x:0", Tensor(kFloat, Shape{2, 2})}}, {"p:0"}).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("{{node p}}"), HasSubstr(kW)));
}

TEST_F(FaultTest, AFailedTaskIsNamedAndUsableAfterItsReturn) {
  Gate gate;
  Begin({.delay = &gate});
  absl::Status status;
  std::thread step([&] { status = Run({{"x:0", Int(1)}}, {"b:0"}).status(); });
  gate.AwaitFirst();  // now the step waits
  cluster_->wire(kW).Fail(kPs, Unavailable("task ", kPs, ": the cable was cut"));
  step.join();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr(kPs), HasSubstr("cable was cut")));
  cluster_->wire(kW).Fail(kPs, absl::OkStatus());
  gate.Open();
  EXPECT_EQ((*Run({{"x:0", Int(1)}}, {"b:0"}))[0].scalar<int32_t>(), -2);
}

}  // namespace
}  // namespace sluice::master
