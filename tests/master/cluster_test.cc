// SPDX-License-Identifier: Apache-2.0
#include "master/cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/time/clock.h"
#include "tests/master/fake_worker.h"
#include "transport/credentials.h"
#include "transport/tensorflow_server.h"

namespace sluice::master {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kPs[] = "/job:ps/replica:0/task:0";
constexpr char kW0[] = "/job:worker/replica:0/task:0";
constexpr char kW1[] = "/job:worker/replica:0/task:1";

class ClusterTest : public testing::Test {
 protected:
  ClusterTest() {
    for (const char* task : {kPs, kW1}) connector_.Add(task);
    cluster_ = std::make_unique<Cluster>(
        Cluster::Options{kW0, &own_, {{kW1, "b:3"}, {kPs, "a:2"}}, &connector_});
  }
  std::vector<std::string> Tasks(const std::vector<std::string>& filters) {
    auto tasks = cluster_->Tasks(filters);
    EXPECT_TRUE(tasks.ok()) << tasks.status();
    return tasks.value_or(std::vector<std::string>());
  }
  FakeWorker own_{kW0};
  FakeConnector connector_;
  std::unique_ptr<Cluster> cluster_;
};

TEST_F(ClusterTest, OwnTaskFirstThenByName) { EXPECT_THAT(Tasks({}), ElementsAre(kW0, kPs, kW1)); }

TEST_F(ClusterTest, FiltersKeepOwnTask) {
  EXPECT_THAT(Tasks({"/job:ps"}), ElementsAre(kW0, kPs));
  EXPECT_THAT(Tasks({"/job:worker/task:1"}), ElementsAre(kW0, kW1));
  EXPECT_THAT(Tasks({"/job:ps", "/job:worker/task:0"}), ElementsAre(kW0, kPs));
  EXPECT_THAT(Tasks({"/job:ps", "/job:worker/task:1"}), ElementsAre(kW0, kPs, kW1));
  EXPECT_THAT(Tasks({"/job:nobody"}), ElementsAre(kW0));
  EXPECT_THAT(Tasks({"/task:0"}), ElementsAre(kW0, kPs));
}

TEST_F(ClusterTest, AMalformedFilterIsNamed) {
  const absl::Status status = cluster_->Tasks({"/job:ps", "//what"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("//what"));
}

TEST_F(ClusterTest, WorkersAreReachedOnce) {
  EXPECT_EQ(*cluster_->Worker(kW0), &own_);
  auto ps = cluster_->Worker(kPs);
  ASSERT_TRUE(ps.ok());
  EXPECT_EQ(*cluster_->Worker(kPs), *ps);
  EXPECT_EQ(cluster_->Worker("/job:x/replica:0/task:0").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(ClusterTest, AwaitTasksWaitsForALateOne) {
  connector_.workers[kPs]->failures_left = 2;
  auto ready = cluster_->AwaitTasks({kW0, kPs, kW1}, absl::Now() + absl::Seconds(30), nullptr);
  ASSERT_TRUE(ready.ok()) << ready.status();
  ASSERT_EQ(ready->size(), 3u);
  EXPECT_EQ((*ready)[1].task, kPs);
  EXPECT_EQ(connector_.workers[kPs]->asked, 3);
  EXPECT_EQ(connector_.workers[kW1]->asked, 1) << "who has answered is not asked again";
}

TEST_F(ClusterTest, AwaitTasksNamesTheSilentWithinItsDeadline) {
  connector_.workers[kPs]->failure = Unavailable("connection refused");
  const absl::Time deadline = absl::Now() + absl::Milliseconds(300);
  const absl::Status status = cluster_->AwaitTasks({kW0, kPs, kW1}, deadline, nullptr).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr(absl::StrCat(kPs, " at a:2")), HasSubstr("connection refused"),
                    HasSubstr("2 of 3 tasks")));
  EXPECT_THAT(std::string(status.message()), testing::Not(HasSubstr(kW1)));
}

TEST_F(ClusterTest, ATaskWithoutTlsIsNotWaitedFor) {
  connector_.workers[kPs]->failure =
      transport::MarkDistrust(Unavailable(kPs, " cannot be reached: it does not speak TLS"));
  const absl::Status status =
      cluster_->AwaitTasks({kW0, kPs, kW1}, absl::InfiniteFuture(), nullptr).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr(kPs), HasSubstr("TLS")));
}

TEST_F(ClusterTest, TensorFlowServersAreNamedAndNotWaitedFor) {
  const absl::Status answer = transport::MarkTensorFlowServer(FailedPrecondition("no Sluice"));
  connector_.workers[kPs]->failure = answer;
  connector_.workers[kW1]->failure = answer;
  const absl::Status status =
      cluster_->AwaitTasks({kW0, kPs, kW1}, absl::InfiniteFuture(), nullptr).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr(absl::StrCat("task ", kPs, " at a:2, task ", kW1,
                                           " at b:3 are TensorFlow servers, not Sluice")),
                    HasSubstr(absl::StrCat("task ", kW0, " is a Sluice server"))));
}

TEST_F(ClusterTest, AwaitTasksSaysWhenAnotherTaskAnswers) {
  FakeConnector crossed;
  crossed.workers[kPs] = std::make_unique<FakeWorker>(kW1);
  Cluster cluster({kW0, &own_, {{kPs, "a:2"}}, &crossed});
  const absl::Status status =
      cluster.AwaitTasks({kW0, kPs}, absl::Now() + absl::Milliseconds(150), nullptr).status();
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr(kPs), HasSubstr("a:2"), HasSubstr(kW1)));
}

TEST_F(ClusterTest, AwaitTasksIsCancelled) {
  connector_.workers[kPs]->failure = Unavailable("connection refused");
  CancelToken cancel;
  cancel.Cancel(absl::CancelledError("the client went away"));
  EXPECT_EQ(cluster_->AwaitTasks({kW0, kPs}, absl::InfiniteFuture(), &cancel).status().code(),
            absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace sluice::master
