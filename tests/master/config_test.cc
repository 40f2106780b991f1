// SPDX-License-Identifier: Apache-2.0
#include "master/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proto/config.pb.h"

namespace sluice::master {
namespace {

using proto::ConfigProto;
using testing::HasSubstr;

TEST(SessionConfigTest, AppliesWhatItSays) {
  ConfigProto config;
  config.set_allow_soft_placement(true);
  config.set_log_device_placement(true);
  config.set_isolate_session_state(true);
  config.set_operation_timeout_in_ms(1500);
  config.add_device_filters("/job:ps");
  config.mutable_experimental()->set_optimize_for_static_graph(true);
  config.mutable_experimental()->set_disable_output_partition_graphs(true);
  auto session = SessionConfig::From(config);
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_TRUE(session->allow_soft_placement);
  EXPECT_TRUE(session->log_device_placement);
  EXPECT_TRUE(session->isolate_session_state);
  EXPECT_TRUE(session->static_graph);
  EXPECT_TRUE(session->no_partition_graphs);
  EXPECT_EQ(session->operation_timeout_ms, 1500);
  EXPECT_THAT(session->device_filters, testing::ElementsAre("/job:ps"));
}

TEST(SessionConfigTest, ASessionMayBringItsCluster) {
  ConfigProto config;
  proto::JobDef& job = *config.mutable_cluster_def()->add_job();
  job.set_name("w");
  (*job.mutable_tasks())[3] = "host:1";
  auto session = SessionConfig::From(config);
  ASSERT_TRUE(session.ok()) << session.status();
  ASSERT_EQ(session->cluster.size(), 1u);
  EXPECT_EQ(session->cluster[0].task, "/job:w/replica:0/task:3");
  EXPECT_EQ(session->cluster[0].address, "host:1");
  EXPECT_TRUE(session->isolate_session_state);
  config.mutable_experimental()->set_share_session_state_in_clusterspec_propagation(true);
  EXPECT_FALSE(SessionConfig::From(config)->isolate_session_state);
}

TEST(SessionConfigTest, ASessionChoosesItsTransports) {
  ConfigProto config;
  EXPECT_EQ(SessionConfig::From(config)->transport, "");
  config.set_transport("tcp,grpc");
  EXPECT_EQ(SessionConfig::From(config)->transport, "tcp,grpc");
  config.set_transport("pigeon");
  const absl::Status status = SessionConfig::From(config).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("pigeon"));
}

TEST(SessionConfigTest, TheLeaderOfCollectiveGroupsIsATask) {
  ConfigProto config;
  EXPECT_EQ(SessionConfig::From(config)->collective_leader, "");
  std::string& leader = *config.mutable_experimental()->mutable_collective_group_leader();
  leader = "/job:worker/task:1";
  EXPECT_EQ(SessionConfig::From(config)->collective_leader, "/job:worker/replica:0/task:1");
  for (const char* text : {"/job:worker", "worker", "/task:1"}) {
    leader = text;
    const absl::Status status = SessionConfig::From(config).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("collective_group_leader"));
  }
}

TEST(SessionConfigTest, ReductionsJoinIfTheScopedAllocatorsRewriteIsOn) {
  ConfigProto config;
  proto::RewriterConfig& rewrites = *config.mutable_graph_options()->mutable_rewrite_options();
  rewrites.mutable_scoped_allocator_opts()->add_enable_op("CollectiveReduce");
  EXPECT_THAT(SessionConfig::From(config)->fused_ops, testing::IsEmpty());
  rewrites.set_scoped_allocator_optimization(proto::RewriterConfig::ON);
  EXPECT_THAT(SessionConfig::From(config)->fused_ops, testing::ElementsAre("CollectiveReduce"));
}

TEST(SessionConfigTest, ANegativeTimeoutIsNone) {
  ConfigProto config;
  config.set_operation_timeout_in_ms(-1);
  EXPECT_EQ(SessionConfig::From(config)->operation_timeout_ms, 0);
}

TEST(SessionConfigTest, IgnoresWhatTensorFlowsServerIgnores) {
  ConfigProto config;
  (*config.mutable_device_count())["CPU"] = 4;
  config.set_intra_op_parallelism_threads(3);
  config.set_inter_op_parallelism_threads(3);
  config.mutable_gpu_options()->set_allow_growth(true);
  config.mutable_graph_options()->set_place_pruned_graph(true);
  config.mutable_graph_options()->set_enable_bfloat16_sendrecv(true);
  auto session = SessionConfig::From(config);
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_THAT(session->ignored, testing::Contains("gpu_options.allow_growth"));
}

TEST(SessionConfigTest, RefusesByName) {
  auto refused = [](auto&& set, absl::string_view name) {
    ConfigProto config;
    set(config);
    const absl::Status status = SessionConfig::From(config).status();
    EXPECT_FALSE(status.ok()) << name;
    EXPECT_THAT(std::string(status.message()), HasSubstr(std::string(name)));
  };
  refused([](ConfigProto& c) { c.set_use_per_session_threads(true); }, "use_per_session_threads");
  refused([](ConfigProto& c) { c.add_session_inter_op_thread_pool(); },
          "session_inter_op_thread_pool");
}

}  // namespace
}  // namespace sluice::master
