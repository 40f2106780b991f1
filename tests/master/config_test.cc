#include "master/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "absl/strings/str_split.h"
#include "proto/config.pb.h"

namespace sluice::master {
namespace {

using proto::ConfigProto;
using proto::GraphOptions;
using testing::HasSubstr;

std::set<std::string> TableFields() {
  std::set<std::string> fields;
  for (const ConfigField& row : ConfigTable()) {
    EXPECT_TRUE(fields.insert(std::string(row.field)).second) << row.field << " stands twice";
    EXPECT_TRUE(row.fate == ConfigField::Fate::kApplied || !row.why.empty())
        << row.field << " has no reason";
  }
  return fields;
}

TEST(ConfigTableTest, HasEveryField) {
  const std::set<std::string> rows = TableFields();
  const auto* config = ConfigProto::descriptor();
  for (int i = 0; i < config->field_count(); ++i) {
    const std::string name = config->field(i)->name();
    EXPECT_TRUE(name == "graph_options" || rows.contains(name)) << name;
  }
  const auto* graph = GraphOptions::descriptor();
  for (int i = 0; i < graph->field_count(); ++i) {
    EXPECT_TRUE(rows.contains("graph_options." + graph->field(i)->name()))
        << graph->field(i)->name();
  }
}

TEST(ConfigTableTest, NamesOnlyFieldsThatExist) {
  for (const ConfigField& row : ConfigTable()) {
    const google::protobuf::Descriptor* message = ConfigProto::descriptor();
    for (absl::string_view part : absl::StrSplit(row.field, '.')) {
      ASSERT_NE(message, nullptr) << row.field;
      const auto* field = message->FindFieldByName(std::string(part));
      ASSERT_NE(field, nullptr) << row.field;
      message = field->message_type();
    }
  }
}

TEST(SessionConfigTest, AppliesWhatItSays) {
  ConfigProto config;
  config.set_allow_soft_placement(true);
  config.set_log_device_placement(true);
  config.set_isolate_session_state(true);
  config.set_operation_timeout_in_ms(1500);
  config.add_device_filters("/job:ps");
  config.mutable_experimental()->set_optimize_for_static_graph(true);
  auto session = SessionConfig::From(config);
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_TRUE(session->allow_soft_placement);
  EXPECT_TRUE(session->log_device_placement);
  EXPECT_TRUE(session->isolate_session_state);
  EXPECT_TRUE(session->static_graph);
  EXPECT_EQ(session->operation_timeout_ms, 1500);
  EXPECT_THAT(session->device_filters, testing::ElementsAre("/job:ps"));
}

TEST(SessionConfigTest, IgnoresWhatTensorFlowsServerIgnores) {
  ConfigProto config;
  (*config.mutable_device_count())["CPU"] = 4;
  config.set_intra_op_parallelism_threads(3);
  config.set_inter_op_parallelism_threads(3);
  config.mutable_gpu_options()->set_allow_growth(true);
  config.mutable_graph_options()->set_place_pruned_graph(true);
  EXPECT_TRUE(SessionConfig::From(config).ok());
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
  refused([](ConfigProto& c) { c.mutable_cluster_def()->add_job(); }, "cluster_def");
  refused([](ConfigProto& c) { c.mutable_graph_options()->set_enable_bfloat16_sendrecv(true); },
          "enable_bfloat16_sendrecv");
  refused([](ConfigProto& c) { c.set_operation_timeout_in_ms(-1); }, "operation_timeout_in_ms");
}

}  // namespace
}  // namespace sluice::master
