// SPDX-License-Identifier: Apache-2.0
#include "server/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::server {
namespace {

using testing::HasSubstr;
using Action = CommandLine::Action;

constexpr char kCluster[] = R"(--cluster={"ps": ["a:1"], "worker": ["b:1", "c:1"]})";

// The error for these arguments, and the error for them after the valid arguments of a task.
std::string Complaint(std::vector<std::string> arguments, const char* tf_config = nullptr) {
  const auto line = CommandLine::Parse(arguments, tf_config);
  return line.ok() ? "" : std::string(line.status().message());
}
std::string TaskComplaint(const std::string& argument) {
  return Complaint({kCluster, "--job=worker", argument});
}

TEST(CommandLineTest, DescribesATask) {
  const auto line =
      CommandLine::Parse({kCluster, "--job", "worker", "--task", "1", "--transport=-shm",
                          "--cpu_devices=2", "--mtls", "--idle_session_s=5", "--log_level=error",
                          "--token-file=t", "--asynchronous_devices", "--parent=17"},
                         nullptr);
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(line->action, Action::kServe);
  EXPECT_EQ(line->options.job, "worker");
  EXPECT_EQ(line->options.task, 1);
  EXPECT_EQ(line->options.transport, "-shm");
  EXPECT_EQ(line->options.cpu_devices, 2);
  EXPECT_TRUE(line->options.mutual_tls);
  EXPECT_TRUE(line->options.asynchronous_devices);
  EXPECT_FALSE(line->options.deterministic);
  EXPECT_EQ(line->options.sessions.idle_s, 5);
  EXPECT_EQ(line->options.credentials.token, "t");
  EXPECT_EQ(line->log_level, "error");
  EXPECT_EQ(line->parent, 17);
}

TEST(CommandLineTest, DescribesGpus) {
  const auto line =
      CommandLine::Parse({kCluster, "--job=ps", "--gpus=1,0", "--gpu_memory_fraction=0.5",
                          "--gpu_memory_limit=20G", "--gpu_blocking", "--cuda_libraries=/a:/b"},
                         nullptr);
  ASSERT_TRUE(line.ok()) << line.status();
  const GpuOptions& gpus = line->options.gpus;
  EXPECT_EQ(gpus.visible, "1,0");
  EXPECT_TRUE(gpus.required);
  EXPECT_EQ(gpus.memory_fraction, 0.5);
  EXPECT_EQ(gpus.memory_limit, int64_t{20} << 30);
  EXPECT_TRUE(gpus.blocking);
  EXPECT_EQ(gpus.libraries, "/a:/b");
  const auto plain = CommandLine::Parse({kCluster, "--job=ps"}, nullptr);
  ASSERT_TRUE(plain.ok()) << plain.status();
  EXPECT_EQ(plain->options.gpus.visible, "all");
  EXPECT_FALSE(plain->options.gpus.required);
  EXPECT_EQ(plain->options.gpus.most, -1);
  const auto config = CommandLine::Parse(
      {kCluster, "--job=ps", "--gpus=1", "--gpus_optional", "--max_gpus=0", "--gpu_allow_growth"},
      nullptr);
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_FALSE(config->options.gpus.required);
  EXPECT_EQ(config->options.gpus.most, 0);
  EXPECT_TRUE(config->options.gpus.allow_growth);
}

TEST(CommandLineTest, RefusesGpuOptionsOutOfRange) {
  for (const char* fraction : {"0", "-0.5", "1.5", "nan", "half"}) {
    EXPECT_THAT(TaskComplaint(absl::StrCat("--gpu_memory_fraction=", fraction)),
                HasSubstr("it must be more than 0 and at most 1"));
  }
  for (const char* limit : {"0", "-1", "20X", "1.5G", "G", "99999999999T"}) {
    EXPECT_THAT(TaskComplaint(absl::StrCat("--gpu_memory_limit=", limit)),
                HasSubstr("is not a positive number of bytes"));
  }
  EXPECT_THAT(TaskComplaint("--max_gpus=-1"), HasSubstr("--max_gpus"));
  for (const char* gpus : {"some", "0,", "0,0", "-1"})
    EXPECT_THAT(TaskComplaint(absl::StrCat("--gpus=", gpus)), HasSubstr("--gpus: visible GPUs"));
}

TEST(CommandLineTest, SpellingsAreAlike) {
  for (const char* spelling : {"--list-ops", "--list_ops", "-list-ops", "--list_ops=true"}) {
    const auto line = CommandLine::Parse({spelling}, nullptr);
    ASSERT_TRUE(line.ok()) << line.status();
    EXPECT_EQ(line->action, Action::kListOps) << spelling;
  }
  const auto line = CommandLine::Parse(
      {kCluster, "--job=ps", "--insecure", "--noinsecure", "--transport", "-shm"}, nullptr);
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_FALSE(line->options.insecure);
  EXPECT_EQ(line->options.transport, "-shm");
}

TEST(CommandLineTest, TheLastOfTwoCounts) {
  const auto line = CommandLine::Parse({kCluster, "--job=ps", "--job=worker"}, nullptr);
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(line->options.job, "worker");
}

TEST(CommandLineTest, HelpAndVersionArePrinted) {
  for (const char* help : {"--help", "-h"}) {
    const auto line = CommandLine::Parse({help}, nullptr);
    ASSERT_TRUE(line.ok()) << line.status();
    EXPECT_EQ(line->action, Action::kPrintText);
    for (const char* option : {"--cluster", "--log_level", "--max_sessions", "--version"})
      EXPECT_THAT(line->text, HasSubstr(option));
  }
  const auto line = CommandLine::Parse({"--version"}, nullptr);
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_THAT(line->text, testing::MatchesRegex("sluice-server [0-9.]+\n"));
}

TEST(CommandLineTest, RefusesWhatIsWrongAndNamesIt) {
  struct Case {
    const char* argument;
    const char* complaint;
  };
  for (const Case& c : {
           Case{"ps", "unexpected word \"ps\""},
           Case{"--tusk=1", "unknown option \"--tusk=1\""},
           Case{"-x", "unknown option \"-x\""},
           Case{"--task=-1", "--task: -1 is out of range"},
           Case{"--task=one", "--task: \"one\" is not a whole number"},
           Case{"--task=2", "job \"worker\" has no task 2; it has 2: 0, 1"},
           Case{"--job=chief", "no job \"chief\"; it has ps, worker"},
           Case{"--cpu_devices=-1", "--cpu_devices: -1 is out of range"},
           Case{"--cpu_devices=0", "from 1 to"},
           Case{"--inter_op_threads=-1", "--inter_op_threads: -1"},
           Case{"--intra_op_threads=-2", "--intra_op_threads: -2"},
           Case{"--max_sessions=0", "--max_sessions: 0"},
           Case{"--max_sessions=99999999999", "--max_sessions: 99999999999 is out of range"},
           Case{"--idle_session_s=-1", "--idle_session_s: -1"},
           Case{"--max_connections=-1", "--max_connections: -1"},
           Case{"--max_connections_per_address=x", "--max_connections_per_address: \"x\""},
           Case{"--transport=pigeon", "--transport: there is no transport \"pigeon\""},
           Case{"--log_level=loud", "--log_level: \"loud\""},
           Case{"--bind=0.0.0.0:70000", "--bind: \"0.0.0.0:70000\" must be a host without a port"},
           Case{"--deterministic=maybe", "--deterministic"},
           Case{"--cluster={\"ps\": [\"a:70000\"]}", "port 70000, which is out of range"},
           Case{"--cluster={\"ps\": [", "--cluster: cluster spec is not JSON: line 1, column 9"},
           Case{"--cluster=no.json", "no.json"},
           Case{"--bind", "--bind"},
       }) {
    EXPECT_THAT(TaskComplaint(c.argument), HasSubstr(c.complaint)) << c.argument;
  }
  EXPECT_EQ(TaskComplaint("--bind=::1"), "");
  EXPECT_EQ(TaskComplaint("--bind=[::1]"), "");
}

TEST(CommandLineTest, ATaskIsChosen) {
  EXPECT_THAT(Complaint({}), HasSubstr("give --cluster, or set TF_CONFIG"));
  EXPECT_THAT(Complaint({kCluster}), HasSubstr("give --job and --task"));
  EXPECT_EQ(Complaint({R"(--cluster={"only": ["a:1"]})"}), "");
}

TEST(CommandLineTest, TfConfigIsNamedWithThePosition) {
  constexpr char kGood[] =
      R"({"cluster": {"ps": ["a:1"], "worker": ["b:1"]}, "task": {"type": "worker", "index": 0}})";
  auto line = CommandLine::Parse({}, kGood);
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(line->options.job, "worker");
  line = CommandLine::Parse({"--job=ps"}, kGood);
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(line->options.job, "ps");
  EXPECT_THAT(Complaint({}, "{\"cluster\": {\"ps\":\n oops"),
              testing::AllOf(HasSubstr("TF_CONFIG: "), HasSubstr("line 2, column 2")));
  EXPECT_THAT(Complaint({}, R"({"cluster": {"ps": ["a:1"]}, "task": {"type": "w", "index": 0}})"),
              HasSubstr("TF_CONFIG: the cluster has no job \"w\""));
  EXPECT_THAT(
      Complaint({}, R"({"cluster": {"w": ["a:1"]}, "task": {"type": "w", "index": 4294967296}})"),
      HasSubstr("got 4294967296"));
  EXPECT_THAT(Complaint({}, R"({"cluster": {"ps": ["a:99999"]}})"),
              HasSubstr("TF_CONFIG: address \"a:99999\""));
}

}  // namespace
}  // namespace sluice::server
