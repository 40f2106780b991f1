// SPDX-License-Identifier: Apache-2.0
#include "master/master.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "graph/all_ops.h"
#include "proto/config.pb.h"
#include "tests/master/fake_worker.h"
#include "tests/master/inproc_cluster.h"

namespace sluice::master {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string Text(const absl::Status& status) { return std::string(status.message()); }

class MasterTest : public testing::Test {
 protected:
  InprocCluster cluster_{{kW, kPs}};
  Client client_{&cluster_.master()};
};

constexpr char kGraph[] = R"(
    x = Placeholder[dtype=int32, shape=?] ; a = Neg(x) @ps:0 ; b = Add(a, a) @w:0 ; c = Mul(b, x) @ps:0
    v = VariableV2[shape=[], dtype=int32] @ps:0 ; set = Assign(v, x) @ps:0 ; inc = AssignAdd(v, one) @ps:0 ; one = Const(1)
    read = Identity(v) @ps:0)";

TEST_F(MasterTest, RunsAStepOverTwoTasks) {
  ASSERT_TRUE(client_.Create(kGraph).ok());
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(client_.Fetch({{"x:0", Int(i)}}, "c:0"), absl::StrCat(-2 * i * i));
  EXPECT_EQ(client_.Fetch({{"a:0", Int(3)}}, "b:0"), "6") << "a fed tensor hides its node";
  auto several = client_.Run({{"x:0", Int(2)}}, {"c:0", "a:0", "c:0"});
  ASSERT_TRUE(several.ok()) << several.status();
  EXPECT_EQ((*several)[0].scalar<int32_t>(), -8);
  EXPECT_EQ((*several)[1].scalar<int32_t>(), -2);
  EXPECT_EQ((*several)[2].scalar<int32_t>(), -8);
}

TEST_F(MasterTest, VariablesLiveOnTheirTask) {
  ASSERT_TRUE(client_.Create(kGraph).ok());
  EXPECT_THAT(client_.Fetch({}, "read:0"), HasSubstr("Attempting to use uninitialized value v"));
  ASSERT_TRUE(client_.Run({{"x:0", Int(5)}}, {}, {"set"}).ok());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(client_.Run({}, {}, {"inc"}).ok());
  EXPECT_EQ(client_.Fetch({}, "read:0"), "8");
  Client other(&cluster_.master());
  ASSERT_TRUE(other.Create(kGraph).ok());
  EXPECT_EQ(other.Fetch({}, "read:0"), "8") << "sessions share variables";
  proto::ConfigProto isolated;
  isolated.set_isolate_session_state(true);
  Client alone(&cluster_.master());
  ASSERT_TRUE(alone.Create(kGraph, &isolated).ok());
  EXPECT_THAT(alone.Fetch({}, "read:0"), HasSubstr("uninitialized"));
}

TEST_F(MasterTest, AFetchedReferenceIsReadWhenTheStepHasEnded) {
  ASSERT_TRUE(
      client_
          .Create("v = VariableV2[shape=[], dtype=int32] @w:0 ; set = Assign(v, one) ; "
                  "one = Const(1) ; read = Identity(v) @w:0 ; inc = AssignAdd(v, one, ^read)")
          .ok());
  ASSERT_TRUE(client_.Run({}, {}, {"set"}).ok());
  for (int count = 2; count < 5; ++count) {
    auto fetched = client_.Run({}, {"read:0", "v:0"}, {"inc"});
    ASSERT_TRUE(fetched.ok()) << fetched.status();
    EXPECT_EQ((*fetched)[0].scalar<int32_t>(), count);
    EXPECT_EQ((*fetched)[1].scalar<int32_t>(), count);
  }
}

TEST_F(MasterTest, AFailedTransferNamesTheNodeOfItsValue) {
  ASSERT_TRUE(client_.Create("v = VariableV2[shape=[], dtype=int32] @ps:0").ok());
  EXPECT_THAT(client_.Fetch({}, "v:0"),
              AllOf(HasSubstr("uninitialized value v"), HasSubstr("{{node v}}")));
}

TEST_F(MasterTest, ErrorsNameTaskNodeAndDevice) {
  ASSERT_TRUE(
      client_.Create("a = Const([1, 2]) ; b = Const([1, 2, 3]) ; c = Add(a, b) @ps:0").ok());
  const absl::Status status = client_.Run({}, {"c:0"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Text(status), AllOf(HasSubstr("From /job:ps/replica:0/task:0:\n"),
                                  HasSubstr("{{node c}}"), HasSubstr("/device:CPU:0")));
  EXPECT_FALSE(client_.Run({}, {"c:0"}).ok()) << "the session lives on";
  EXPECT_TRUE(client_.Run({}, {"a:0"}).ok());
}

TEST_F(MasterTest, FeedsAndFetchesAreChecked) {
  ASSERT_TRUE(client_.Create(kGraph).ok());
  auto code = [&](Client::Feeds feeds, std::vector<std::string> fetches) {
    return client_.Run(std::move(feeds), std::move(fetches)).status();
  };
  EXPECT_EQ(code({}, {}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(code({}, {"nobody:0"}).ok());
  EXPECT_THAT(Text(code({}, {"nobody:0"})), HasSubstr("nobody"));
  EXPECT_FALSE(code({}, {"c:7"}).ok());
  EXPECT_FALSE(code({{"nobody:0", Int(1)}}, {"c:0"}).ok());
  EXPECT_EQ(code({{"x:0", Tensor::Scalar<float>(1)}}, {"c:0"}).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Text(code({}, {"c:0"})),
              HasSubstr("You must feed a value for placeholder tensor 'x'"));
  EXPECT_EQ(client_.Fetch({{"x:0", Int(1)}}, "c:0"), "-2");
}

TEST_F(MasterTest, AFetchOfADeadTensorIsAnError) {
  ASSERT_TRUE(client_
                  .Create("x = Placeholder[dtype=int32, shape=?] ; p = Placeholder[dtype=bool, "
                          "shape=?] ; s = Switch(x, p)")
                  .ok());
  auto result = client_.Run({{"x:0", Int(1)}, {"p:0", Tensor::Scalar<bool>(true)}}, {"s:0"});
  EXPECT_EQ(result.status().code(), absl::StatusCode::kInternal);
  EXPECT_THAT(Text(result.status()), HasSubstr("The tensor returned for s:0 was not valid."));
}

TEST_F(MasterTest, ExtendsBetweenRuns) {
  ASSERT_TRUE(client_.Create("a = Const(1)").ok());
  EXPECT_EQ(client_.Fetch({}, "a:0"), "1");
  int64_t version = 0;
  for (int i = 0; i < 5; ++i) {
    const std::string previous = i == 0 ? "a" : absl::StrCat("b", i - 1);
    // A node of the first graph is known only by its name, so the text has a placeholder of the
    // same type without a feed.
    auto extended = client_.Extend(absl::StrCat("b", i, " = Const(", i, ")"), version);
    ASSERT_TRUE(extended.ok()) << extended.status();
    version = *extended;
    EXPECT_EQ(version, i + 1);
    EXPECT_EQ(client_.Fetch({}, absl::StrCat("b", i, ":0")), absl::StrCat(i));
    EXPECT_EQ(client_.Fetch({}, "a:0"), "1");
  }
}

TEST_F(MasterTest, AWrongVersionIsAbortedAndChangesNothing) {
  ASSERT_TRUE(client_.Create("a = Const(1)").ok());
  EXPECT_EQ(client_.Extend("b = Const(2)", 7).status().code(), absl::StatusCode::kAborted);
  EXPECT_THAT(client_.Fetch({}, "b:0"), HasSubstr("b"));
  EXPECT_FALSE(client_.Extend("a = Const(2)", 0).ok()) << "the name is taken";
  ASSERT_TRUE(client_.Extend("b = Const(2)", 0).ok()) << "what failed left the version";
  EXPECT_EQ(client_.Fetch({}, "b:0"), "2");
  EXPECT_EQ(client_.Extend("c = Const(2)", 0).status().code(), absl::StatusCode::kAborted);
}

TEST_F(MasterTest, AStaticGraphIsNotExtended) {
  proto::ConfigProto config;
  config.mutable_experimental()->set_optimize_for_static_graph(true);
  ASSERT_TRUE(client_.Create("a = Const(1)", &config).ok());
  EXPECT_EQ(client_.Extend("b = Const(2)", 0).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(MasterTest, OpsWithoutKernelFailOnlyTheStepsThatNeedThem) {
  ASSERT_TRUE(client_.Create("a = Const(1) ; t = ConfigureDistributedTPU ; u = NoSuchOp").ok());
  EXPECT_EQ(client_.Fetch({}, "a:0"), "1");
  EXPECT_EQ(client_.Run({}, {"t:0"}).status().code(), absl::StatusCode::kUnimplemented);
  const absl::Status unknown = client_.Run({}, {}, {"u"}).status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kNotFound) << unknown;
  EXPECT_THAT(Text(unknown), HasSubstr("NoSuchOp"));
}

TEST_F(MasterTest, Callables) {
  ASSERT_TRUE(client_.Create(kGraph).ok());
  transport::MakeCallableRequest request;
  request.feeds = {"x:0"};
  request.fetches = {"c:0", "a:0"};
  auto callable = client_.MakeCallable(request);
  ASSERT_TRUE(callable.ok()) << callable.status();
  for (int i = 0; i < 5; ++i) {
    auto result = client_.RunCallable(*callable, {Int(i)});
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ((*result)[0].scalar<int32_t>(), -2 * i * i);
    EXPECT_EQ((*result)[1].scalar<int32_t>(), -i);
  }
  EXPECT_EQ(client_.RunCallable(*callable, {}).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(client_.RunCallable(*callable + 1, {Int(1)}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(client_.ReleaseCallable(*callable).ok());
  EXPECT_FALSE(client_.RunCallable(*callable, {Int(1)}).ok());
  request.fetches = {"nobody:0"};
  EXPECT_FALSE(client_.MakeCallable(request).ok());
}

TEST_F(MasterTest, ListsDevices) {
  auto before = client_.ListDevices();
  ASSERT_TRUE(before.ok()) << before.status();
  ASSERT_EQ(before->local.size(), 1u);
  ASSERT_EQ(before->remote.size(), 1u);
  EXPECT_EQ(before->local[0].name, absl::StrCat(kW, "/device:CPU:0"));
  proto::ConfigProto config;
  config.add_device_filters("/job:w");
  ASSERT_TRUE(client_.Create("a = Const(1)", &config).ok());
  auto filtered = client_.ListDevices();
  ASSERT_TRUE(filtered.ok());
  EXPECT_EQ(filtered->local.size() + filtered->remote.size(), 1u);
  client_.session = "nobody";
  EXPECT_FALSE(client_.ListDevices().ok());
}

// --- ends of sessions ---

constexpr char kEndless[] = R"(
    zero = Const(0) @ps:0 ; t = Placeholder[dtype=bool, shape=?]
    ei = Enter[frame_name="w"](zero) @ps:0 ; et = Enter[frame_name="w", is_constant=true](t) @ps:0
    mi = Merge(ei, ni) @ps:0 ; cond = LoopCond(et, ^mi) @ps:0 ; si = Switch(mi, cond) @ps:0 ; ni = NextIteration(si:1) @ps:0
    xi = Exit(si:0) @ps:0 ; out = Neg(xi) @w:0 ; a = Const(1) @w:0)";

Client::Feeds Forever() { return {{"t:0", Tensor::Scalar<bool>(true)}}; }

TEST_F(MasterTest, ClosingEndsRunningSteps) {
  ASSERT_TRUE(client_.Create(kEndless).ok());
  absl::StatusOr<std::vector<Tensor>> result;
  std::thread run([&] { result = client_.Run(Forever(), {"out:0"}); });
  absl::SleepFor(absl::Milliseconds(100));
  EXPECT_TRUE(client_.Close().ok());
  run.join();
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), absl::StatusCode::kCancelled) << result.status();
  EXPECT_EQ(cluster_.worker(kPs).steps_held(), 0u);
  EXPECT_EQ(client_.Run({}, {"a:0"}).status().code(), absl::StatusCode::kAborted)
      << "nobody knows it any more";
  EXPECT_FALSE(client_.Close().ok());
}

TEST_F(MasterTest, ATimeoutNamesTheTasksThatHaveNotEnded) {
  ASSERT_TRUE(client_.Create(kEndless).ok());
  transport::RunOptions options;
  options.timeout_ms = 150;
  const absl::Time begin = absl::Now();
  const absl::Status status = client_.Run(Forever(), {"out:0"}, {}, options).status();
  EXPECT_LT(absl::Now() - begin, absl::Seconds(5));
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded) << status;
  EXPECT_THAT(Text(status), HasSubstr(kPs));
  EXPECT_EQ(client_.Fetch({}, "a:0"), "1");
}

TEST_F(MasterTest, TheSessionsOwnTimeout) {
  proto::ConfigProto config;
  config.set_operation_timeout_in_ms(150);
  ASSERT_TRUE(client_.Create(kEndless, &config).ok());
  EXPECT_EQ(client_.Run(Forever(), {"out:0"}).status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(client_.Fetch({}, "a:0"), "1");
}

TEST_F(MasterTest, ADeadlineThatHasPassed) {
  ASSERT_TRUE(client_.Create(kEndless).ok());
  ASSERT_EQ(client_.Fetch({}, "a:0"), "1");
  for (int i = 0; i < 50; ++i) {
    CancelToken cancel;  // destroyed before the answer is handled
    transport::CallOptions options;
    options.deadline = absl::Now() - absl::Seconds(1);
    options.cancel = &cancel;
    absl::Notification done;
    absl::StatusOr<transport::RunStepResult> result;
    cluster_.master().RunStep({client_.session, {}, {"a:0"}, {}, {}}, options,
                              [&](absl::StatusOr<transport::RunStepResult> r) {
                                result = std::move(r);
                                done.Notify();
                              });
    done.WaitForNotification();
    EXPECT_TRUE(result.ok() || result.status().code() == absl::StatusCode::kDeadlineExceeded)
        << result.status();
  }
}

TEST_F(MasterTest, ACancelledCallerEndsItsStep) {
  ASSERT_TRUE(client_.Create(kEndless).ok());
  CancelToken cancel;
  transport::CallOptions options;
  options.cancel = &cancel;
  absl::Notification done;
  absl::StatusOr<transport::RunStepResult> result;
  cluster_.master().RunStep({client_.session, Forever(), {"out:0"}, {}, {}}, options,
                            [&](absl::StatusOr<transport::RunStepResult> r) {
                              result = std::move(r);
                              done.Notify();
                            });
  absl::SleepFor(absl::Milliseconds(50));
  cancel.Cancel(absl::CancelledError("the client went away"));
  done.WaitForNotification();
  EXPECT_EQ(result.status().code(), absl::StatusCode::kCancelled) << result.status();
}

TEST_F(MasterTest, AKilledTaskEndsTheStepAndIsNamed) {
  ASSERT_TRUE(client_.Create(kEndless).ok());
  absl::StatusOr<std::vector<Tensor>> result;
  std::thread run([&] { result = client_.Run(Forever(), {"out:0"}); });
  absl::SleepFor(absl::Milliseconds(100));
  cluster_.Kill(kPs);
  run.join();
  EXPECT_EQ(result.status().code(), absl::StatusCode::kUnavailable) << result.status();
  EXPECT_THAT(Text(result.status()), HasSubstr(kPs));
  // A step that does not need the task continues; one that does fails.
  EXPECT_EQ(client_.Fetch({}, "a:0"), "1");
}

TEST_F(MasterTest, ARestartedTaskAbortsTheSessionsThatUsedIt) {
  ASSERT_TRUE(client_.Create(kGraph).ok());
  EXPECT_EQ(client_.Fetch({{"x:0", Int(1)}}, "c:0"), "-2");
  cluster_.Kill(kPs);
  EXPECT_FALSE(client_.Run({{"x:0", Int(1)}}, {"c:0"}).ok());
  cluster_.Start(kPs);
  const absl::Status status = client_.Run({{"x:0", Int(1)}}, {"c:0"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted) << status;
  EXPECT_THAT(Text(status), HasSubstr(kPs));
  EXPECT_TRUE(client_.Close().ok());
  Client again(&cluster_.master());
  ASSERT_TRUE(again.Create(kGraph).ok());
  EXPECT_EQ(again.Fetch({{"x:0", Int(1)}}, "c:0"), "-2");
}

TEST_F(MasterTest, ATaskThatIsNotUpIsNamedInTime) {
  cluster_.Kill(kPs);
  const absl::Time begin = absl::Now();
  const absl::Status status = client_.Create(kGraph, nullptr, absl::Milliseconds(400));
  EXPECT_LT(absl::Now() - begin, absl::Seconds(5));
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted) << "UNAVAILABLE would be resent";
  EXPECT_THAT(Text(status), AllOf(HasSubstr(kPs), HasSubstr("inproc:1"), HasSubstr("1 of 2")));
  proto::ConfigProto config;
  config.add_device_filters("/job:w");
  EXPECT_TRUE(client_.Create("a = Const(1)", &config).ok()) << "a filter leaves it out";
}

TEST_F(MasterTest, ResetClearsContainersAndEndsSessions) {
  ASSERT_TRUE(client_.Create(kGraph).ok());
  ASSERT_TRUE(client_.Run({{"x:0", Int(5)}}, {}, {"set"}).ok());
  ASSERT_TRUE(client_.Reset().ok());
  EXPECT_EQ(client_.Run({}, {"read:0"}).status().code(), absl::StatusCode::kAborted);
  Client again(&cluster_.master());
  ASSERT_TRUE(again.Create(kGraph).ok());
  EXPECT_THAT(again.Fetch({}, "read:0"), HasSubstr("uninitialized"));
}

TEST_F(MasterTest, ManySessionsAndStepsAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Client own(&cluster_.master());
      if (!own.Create(kGraph).ok()) ++wrong;
      for (int i = 0; i < 50; ++i) {
        if (own.Fetch({{"x:0", Int(t + i)}}, "c:0") != absl::StrCat(-2 * (t + i) * (t + i)))
          ++wrong;
      }
      if (!own.Close().ok()) ++wrong;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}

TEST_F(MasterTest, ADestroyedMasterClosesItsSessions) {
  ASSERT_TRUE(client_.Create(kEndless).ok());
  absl::StatusOr<std::vector<Tensor>> result;
  std::thread run([&] { result = client_.Run(Forever(), {"out:0"}); });
  absl::SleepFor(absl::Milliseconds(50));
  cluster_.DestroyMaster();
  run.join();
  EXPECT_FALSE(result.ok());
}

// Answers steps when a test requests it.
class LateWorker : public FakeWorker {
 public:
  using FakeWorker::FakeWorker;
  void Run(transport::RunGraph, const transport::CallOptions&,
           transport::Reply<transport::RunGraphResult> done) override {
    held = std::move(done);
  }
  transport::Reply<transport::RunGraphResult> held;
};

TEST(MasterEndTest, AMasterOutlivesStepsThatWereAnsweredAtTheirDeadline) {
  LateWorker own(kW);
  FakeConnector connector;
  Master::Options options;
  options.ops = &graph::AllOps();
  options.cluster = {kW, &own, {}, &connector};
  auto master = std::make_unique<Master>(std::move(options));
  Client client(master.get());
  ASSERT_TRUE(client.Create("a = Const(1) ; b = Neg(a)").ok());
  transport::RunOptions run;
  run.timeout_ms = 20;
  EXPECT_EQ(client.Run({}, {"b:0"}, {}, run).status().code(), absl::StatusCode::kDeadlineExceeded);
  std::atomic<bool> gone{false};
  std::thread end([&] {
    master.reset();
    gone = true;
  });
  absl::SleepFor(absl::Milliseconds(50));
  EXPECT_FALSE(gone);
  own.held(Cancelled("late"));
  end.join();
}

// Only RunStep returns UNAVAILABLE; all other calls return ABORTED.
TEST(MasterStatusTest, UnavailableBecomesAborted) {
  FakeWorker own(kW);
  FakeConnector connector;
  connector.Add(kPs);
  Master::Options options;
  options.ops = &graph::AllOps();
  options.cluster = {kW, &own, {{kPs, "a:2"}}, &connector};
  Master master(std::move(options));
  Client client(&master);
  ASSERT_TRUE(client.Create("a = Const(1) ; b = Neg(a)").ok());
  own.register_failure = Unavailable("no answer");
  EXPECT_EQ(client.Run({}, {"b:0"}).status().code(), absl::StatusCode::kUnavailable);
  transport::MakeCallableRequest request;
  request.fetches = {"b:0"};
  EXPECT_EQ(client.MakeCallable(request).status().code(), absl::StatusCode::kAborted);
  own.register_failure = absl::OkStatus();
  connector.workers[kPs]->run_failure = own.run_failure = Unavailable("the stream broke");
  auto callable = client.MakeCallable(request);
  ASSERT_TRUE(callable.ok()) << callable.status();
  EXPECT_EQ(client.RunCallable(*callable, {}).status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(client.Run({}, {"b:0"}).status().code(), absl::StatusCode::kUnavailable);
  connector.workers[kPs]->failure = Unavailable("gone");
  EXPECT_EQ(Client(&master).Create("a = Const(1)", nullptr, absl::Milliseconds(150)).code(),
            absl::StatusCode::kAborted);
  EXPECT_EQ(client.Reset().code(), absl::StatusCode::kAborted);
}

TEST(MasterCollectivesTest, EveryWorkerLearnsTheLeaderOfCollectiveGroups) {
  FakeWorker own(kW);
  FakeConnector connector;
  FakeWorker& other = connector.Add(kPs);
  Master::Options options;
  options.ops = &graph::AllOps();
  options.cluster = {kW, &own, {{kPs, "a:2"}}, &connector};
  Master master(std::move(options));
  Client client(&master);
  ASSERT_TRUE(client.Create("a = Const(1)").ok());
  EXPECT_EQ(own.session.collective_leader, "");
  proto::ConfigProto config;
  config.mutable_experimental()->set_collective_group_leader("/job:ps/task:0");
  ASSERT_TRUE(client.Create("a = Const(1)", &config).ok());
  EXPECT_EQ(own.session.collective_leader, kPs);
  EXPECT_EQ(other.session.collective_leader, kPs);
  // The session's device filters may exclude the leader.
  config.add_device_filters("/job:w");
  ASSERT_TRUE(client.Create("a = Const(1)", &config).ok());
  EXPECT_EQ(own.session.collective_leader, kPs);

  config.mutable_experimental()->set_collective_group_leader("/job:ps/replica:0/task:1");
  const absl::Status refused = client.Create("a = Const(1)", &config);
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(Text(refused),
              AllOf(HasSubstr("experimental.collective_group_leader"),
                    HasSubstr("/job:ps/replica:0/task:1"), HasSubstr(kPs), HasSubstr(kW)));
}

TEST(MasterCollectivesTest, AStepThatMissesItsDeadlineBeforeItBeginsIsCancelledAtTheWorker) {
  for (const bool collective : {true, false}) {
    FakeWorker own(kW);
    own.late_registrations = 1;
    {
      Master::Options options;
      options.ops = &graph::AllOps();
      options.cluster = {kW, &own, {}, nullptr};
      Master master(std::move(options));
      Client client(&master);
      const std::string op =
          "CollectiveReduce[group_size=2, group_key=1, instance_key=1, "
          "merge_op=\"Add\", final_op=\"Id\", subdiv_offsets=[0]](a)";
      ASSERT_TRUE(client.Create("a = Const(1.) ; b = " + (collective ? op : "Neg(a)")).ok());
      EXPECT_EQ(client.Run({}, {"b:0"}).status().code(), absl::StatusCode::kDeadlineExceeded);
      const absl::Time end = absl::Now() + absl::Seconds(20);
      while (collective && own.cancelled_runs == 0 && absl::Now() < end) std::this_thread::yield();
    }  // waits for the calls of the master
    // The worker tells the other members.
    EXPECT_EQ(own.cancelled_runs, collective ? 1 : 0);
  }
}

}  // namespace
}  // namespace sluice::master
