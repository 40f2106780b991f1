// SPDX-License-Identifier: Apache-2.0
#include "client/open_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "client/graph.h"
#include "proto/config.pb.h"
#include "proto/graph.pb.h"
#include "proto/graph_debug_info.pb.h"
#include "transport/missing_tasks.h"

namespace sluice::client {
namespace {

using testing::HasSubstr;

TEST(ConnectTimeoutTest, TheConfigurationGoesBeforeTheEnvironment) {
  proto::ConfigProto config;
  unsetenv("SLUICE_CONNECT_TIMEOUT");
  EXPECT_EQ(*ConnectTimeoutOf(config), absl::Seconds(30));
  setenv("SLUICE_CONNECT_TIMEOUT", "1.5", 1);
  EXPECT_EQ(*ConnectTimeoutOf(config), absl::Milliseconds(1500));
  config.set_connect_timeout_in_ms(7);
  EXPECT_EQ(*ConnectTimeoutOf(config), absl::Milliseconds(7));
  unsetenv("SLUICE_CONNECT_TIMEOUT");
}

TEST(ConnectTimeoutTest, InvalidTimesAreRefused) {
  proto::ConfigProto config;
  for (const char* text : {"soon", "-1", "nan", "3 s"}) {
    setenv("SLUICE_CONNECT_TIMEOUT", text, 1);
    const absl::Status status = ConnectTimeoutOf(config).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(text));
  }
  unsetenv("SLUICE_CONNECT_TIMEOUT");
  config.set_connect_timeout_in_ms(-1);
  EXPECT_FALSE(ConnectTimeoutOf(config).ok());
}

using transport::CallOptions;

// Answers calls of CreateSession one by one, and no others.
class FakeMaster : public transport::MasterApi {
 public:
  explicit FakeMaster(std::vector<absl::Status> answers) : answers_(std::move(answers)) {}

  void CreateSession(transport::CreateSessionRequest, const CallOptions&,
                     transport::Reply<transport::CreateSessionResult> done) override {
    done(answers_.at(calls_++));
  }
  void ExtendSession(transport::ExtendSessionRequest, const CallOptions&,
                     transport::Reply<int64_t>) override {}
  void RunStep(transport::RunStepRequest, const CallOptions&,
               transport::Reply<transport::RunStepResult>) override {}
  void SetUpPartialRun(transport::PartialRunRequest, const CallOptions&,
                       transport::Reply<std::string>) override {}
  void CloseSession(const std::string&, const CallOptions&, transport::Ack) override {}
  void ListDevices(const std::string&, const CallOptions&,
                   transport::Reply<transport::ListDevicesResult>) override {}
  void Reset(const std::vector<std::string>&, const std::vector<std::string>&, const CallOptions&,
             transport::Ack) override {}
  void MakeCallable(transport::MakeCallableRequest, const CallOptions&,
                    transport::Reply<int64_t>) override {}
  void RunCallable(transport::RunCallableRequest, const CallOptions&,
                   transport::Reply<transport::RunStepResult>) override {}
  void ReleaseCallable(const std::string&, int64_t, const CallOptions&, transport::Ack) override {}

 private:
  const std::vector<absl::Status> answers_;
  size_t calls_ = 0;
};

TEST(OpenSessionTest, TheLastAttemptDoesNotHideTheNamesOfMissingTasks) {
  FakeMaster master({transport::TasksMissing({{"/job:ps/replica:0/task:0", "localhost:7",
                                               absl::DeadlineExceededError("no answer")}},
                                             2),
                     absl::DeadlineExceededError("the master did not answer in time")});
  OpenSessionArgs args;
  args.master = &master;
  args.graph = std::make_shared<proto::GraphDef>();
  args.config = std::make_shared<proto::ConfigProto>();
  args.connect_timeout = absl::Minutes(10);
  const absl::Status status = OpenSession(args).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("/job:ps/replica:0/task:0 at localhost:7"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("; waited "));
}

TEST(PlacesTest, TheLinesOfNewNodesGoWithThem) {
  Graph graph;
  for (const char* name : {"a", "b", "c"}) ASSERT_TRUE(graph.AddNode("NoOp", {}, {}, {name}).ok());
  graph.SetPlaces(0, {0, -1}, {{"model.py", 4, "model"}});
  graph.SetPlaces(2, {0}, {{"train.py", 9, ""}});
  proto::GraphDef all, later;
  ASSERT_TRUE(graph.Export(0, &all).ok());
  const proto::GraphDebugInfo& info = all.debug_info();
  EXPECT_EQ(info.files_size(), 2);
  EXPECT_EQ(info.name_to_trace_id().size(), 2u);
  const uint64_t trace = info.name_to_trace_id().at("a");
  const auto& frame = info.frames_by_id().at(info.traces_by_id().at(trace).frame_id(0));
  EXPECT_EQ(info.files(frame.file_index()), "model.py");
  EXPECT_EQ(frame.line(), 4);
  EXPECT_EQ(frame.func(), "model");
  ASSERT_TRUE(graph.Export(2, &later).ok());
  EXPECT_EQ(later.node_size(), 1);
  EXPECT_EQ(later.debug_info().name_to_trace_id().size(), 1u);
  EXPECT_TRUE(later.debug_info().name_to_trace_id().contains("c"));
  proto::GraphDef saved;
  ASSERT_TRUE(saved.ParseFromString(*graph.Serialize()));
  EXPECT_FALSE(saved.has_debug_info()) << "what programs save holds no paths";
}

}  // namespace
}  // namespace sluice::client
