#include "server/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/time/clock.h"
#include "graph/shape_inference.h"
#include "kernels/register.h"
#include "server/op_list.h"

namespace sluice::server {
namespace {

using testing::HasSubstr;

ServerOptions OneTask(int port = 0) {
  ServerOptions options;
  options.cluster = *ClusterSpec::Parse(absl::StrCat(R"({"worker": ["localhost:)", port, R"("]})"));
  options.job = "worker";
  options.inter_op_threads = 2;
  options.intra_op_threads = 2;
  return options;
}

int64_t CountOf(const char* folder) {
  int64_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
  return count;
}

TEST(ServerTest, PortZeroIsAnyPort) {
  auto server = Server::Start(OneTask());
  ASSERT_TRUE(server.ok()) << server.status();
  EXPECT_GT((*server)->port(), 0);
  EXPECT_EQ((*server)->target(), absl::StrCat("grpc://localhost:", (*server)->port()));
  EXPECT_EQ((*server)->task(), "/job:worker/replica:0/task:0");
}

TEST(ServerTest, APortInUseIsNamed) {
  auto first = Server::Start(OneTask());
  ASSERT_TRUE(first.ok()) << first.status();
  auto second = Server::Start(OneTask((*first)->port()));
  EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable) << second.status();
  EXPECT_THAT(std::string(second.status().message()), HasSubstr(absl::StrCat((*first)->port())));
}

TEST(ServerTest, AFreedPortIsUsedAgain) {
  auto first = Server::Start(OneTask());
  ASSERT_TRUE(first.ok()) << first.status();
  const int port = (*first)->port();
  (*first)->Stop();
  (*first)->Stop();
  (*first)->Join();
  auto second = Server::Start(OneTask(port));
  EXPECT_TRUE(second.ok()) << second.status();
}

TEST(ServerTest, ListensBeyondLoopbackOnlyWhenToldTwice) {
  ServerOptions options = OneTask();
  options.bind_host = "0.0.0.0";
  const absl::Status status = Server::Start(options).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("--insecure"));
  options.insecure = true;
  EXPECT_TRUE(Server::Start(options).ok());
  options = OneTask();
  options.bind_host = "127.0.0.1";
  EXPECT_TRUE(Server::Start(options).ok());
}

TEST(ServerTest, ATaskThatTheClusterDoesNotHave) {
  ServerOptions options = OneTask();
  options.task = 3;
  EXPECT_EQ(Server::Start(options).status().code(), absl::StatusCode::kNotFound);
  options.job = "ps";
  EXPECT_EQ(Server::Start(options).status().code(), absl::StatusCode::kNotFound);
}

TEST(ServerTest, StartingAndStoppingLeavesNothing) {
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(Server::Start(OneTask()).ok());  // what gRPC makes once
  const int64_t threads = CountOf("/proc/self/task"), descriptors = CountOf("/proc/self/fd");
  for (int i = 0; i < 100; ++i) {
    auto server = Server::Start(OneTask());
    ASSERT_TRUE(server.ok()) << server.status();
    (*server)->Stop();
  }
  // gRPC's own threads come and go.
  const absl::Time limit = absl::Now() + absl::Seconds(10);
  while (absl::Now() < limit &&
         (CountOf("/proc/self/task") > threads + 4 || CountOf("/proc/self/fd") > descriptors + 8)) {
    absl::SleepFor(absl::Milliseconds(50));
  }
  EXPECT_LE(CountOf("/proc/self/task"), threads + 4);
  EXPECT_LE(CountOf("/proc/self/fd"), descriptors + 8);
}

TEST(ServerTest, ThePageOfOpsIsPrintedFromTheRegistries) {
  std::ifstream file(SLUICE_SOURCE_DIR "/docs/ops.md");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(text.str() == OpsAsMarkdown())
      << "docs/ops.md is old: sluice-server --op_page > docs/ops.md";
}

TEST(ServerTest, ListsOpsWithTheirKernels) {
  const std::string ops = ListOps();
  EXPECT_THAT(ops, HasSubstr("\nMatMul\tCPU"));
  EXPECT_THAT(ops, HasSubstr("ConfigureDistributedTPU\tno kernel"));
}

TEST(ServerTest, KnowsTheShapesOfWhatItRuns) {
  for (const KernelSignature& kernel : kernels::AllKernels()->table().signatures())
    EXPECT_NE(graph::FindShapeFunction(kernel.op), nullptr) << kernel.op;
}

}  // namespace
}  // namespace sluice::server
