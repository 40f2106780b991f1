// SPDX-License-Identifier: Apache-2.0
#include "server/cluster_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::server {
namespace {

using testing::HasSubstr;

TEST(ClusterSpecTest, ListsAndObjectsOfTasks) {
  auto spec =
      ClusterSpec::Parse(R"({"ps": ["localhost:2222"], "worker": {"0": "h:1", "2": "[::1]:0"}})");
  ASSERT_TRUE(spec.ok()) << spec.status();
  std::vector<std::string> tasks;
  for (const auto& task : spec->Tasks()) tasks.push_back(task.task + "=" + task.address);
  EXPECT_THAT(tasks, testing::ElementsAre("/job:ps/replica:0/task:0=localhost:2222",
                                          "/job:worker/replica:0/task:0=h:1",
                                          "/job:worker/replica:0/task:2=[::1]:0"));
  EXPECT_EQ(*spec->Address("worker", 2), "[::1]:0");
  EXPECT_EQ(TaskName("ps", 3), "/job:ps/replica:0/task:3");
}

TEST(ClusterSpecTest, AnUnknownTaskErrorListsTheTasks) {
  auto spec = ClusterSpec::Parse(R"({"ps": ["a:1"], "worker": ["b:1", "c:1"]})");
  ASSERT_TRUE(spec.ok());
  const absl::Status job = spec->Address("chief", 0).status();
  EXPECT_EQ(job.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(job.message()),
              testing::AllOf(HasSubstr("chief"), HasSubstr("ps, worker")));
  EXPECT_THAT(std::string(spec->Address("worker", 2).status().message()), HasSubstr("2"));
}

TEST(ClusterSpecTest, SaysWhatIsWrongWhere) {
  struct Case {
    const char* text;
    const char* message;
  };
  for (const Case& c : {
           Case{"", "not JSON"},
           Case{"{\"ps\": [", "not JSON"},
           Case{"[1]", "object of jobs"},
           Case{"{\"ps\": 3}", "job \"ps\""},
           Case{"{\"ps\": [3]}", "task 0 of job \"ps\""},
           Case{"{\"ps\": [\"a:1\", \"nowhere\"]}", "\"nowhere\""},
           Case{"{\"ps\": [\"a:x\"]}", "host:port"},
           Case{"{\"ps\": [\"a:70000\"]}", "port 70000, which is out of range"},
           Case{"{\"ps\": [\"a:+1\"]}", "host:port"},
           Case{"{\"ps\": [\"a:\"]}", "host:port"},
           Case{"{\"ps\":\n [}", "line 2, column 3"},
           Case{"{\"ps\": [\":1\"]}", "host:port"},
           Case{"{\"ps\": [\"a:1\"], \"worker\": [\"a:1\"]}", "used by two tasks"},
           Case{"{\"ps\": {\"x\": \"a:1\"}}", "task index \"x\""},
           Case{"{\"ps\": {\"-1\": \"a:1\"}}", "task index \"-1\""},
           Case{"{\"p/s\": [\"a:1\"]}", "job name \"p/s\""},
           Case{"{\"\": [\"a:1\"]}", "job name"},
       }) {
    const absl::Status status = ClusterSpec::Parse(c.text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message)) << c.text;
  }
  EXPECT_FALSE(ClusterSpec::Parse(std::string(100'000, '[')).ok());
}

TEST(TfConfigTest, NamesClusterAndTask) {
  auto config = TaskConfig::FromTfConfig(R"({"cluster": {"ps": ["a:1"], "worker": ["b:1", "c:1"]},
                                             "task": {"type": "worker", "index": 1}, "environment": "cloud"})");
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->job, "worker");
  EXPECT_EQ(config->task, 1);
  EXPECT_EQ(*config->cluster.Address("worker", 1), "c:1");
  auto text_index = TaskConfig::FromTfConfig(
      R"({"cluster": {"ps": ["a:1"]}, "task": {"type": "ps", "index": "0"}})");
  ASSERT_TRUE(text_index.ok()) << text_index.status();
  EXPECT_EQ(text_index->task, 0);
  EXPECT_TRUE(TaskConfig::FromTfConfig(R"({"cluster": {"ps": ["a:1"]}})").ok());
}

TEST(TfConfigTest, SaysWhatIsWrong) {
  for (const char* text :
       {"", "3", "{}", R"({"cluster": 3})", R"({"cluster": {"ps": ["a:1"]}, "task": 3})",
        R"({"cluster": {"ps": ["a:1"]}, "task": {"index": 0}})",
        R"({"cluster": {"ps": ["a:1"]}, "task": {"type": "ps", "index": 1.5}})",
        R"({"cluster": {"ps": ["a:1"]}, "task": {"type": "ps", "index": "x"}})"}) {
    EXPECT_EQ(TaskConfig::FromTfConfig(text).status().code(), absl::StatusCode::kInvalidArgument)
        << text;
  }
}

}  // namespace
}  // namespace sluice::server
