// SPDX-License-Identifier: Apache-2.0
#include "server/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/algorithm/container.h"
#include "absl/time/clock.h"
#include "graph/shape_inference.h"
#include "kernels/register.h"
#include "server/absent_ops.h"
#include "server/op_list.h"
#include "tests/paths.h"
#include "tests/transport/certificates.h"
#include "transport/pending_reply.h"
#include "transport/rpc/connect.h"

namespace sluice::server {
namespace {

using testing::AllOf;
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

TEST(ServerTest, GpusThatAreNamedMustBeThere) {
  ServerOptions options = OneTask();
  options.gpus.visible = "200";
  options.gpus.required = true;
  const auto server = Server::Start(options);
  ASSERT_FALSE(server.ok());
  // Without a GPU, the error is UNAVAILABLE with a hint.
  EXPECT_THAT(std::string(server.status().message()),
              testing::AnyOf(HasSubstr("no NVIDIA driver"), HasSubstr("has no CUDA"),
                             HasSubstr("there is no GPU 200"), HasSubstr("counting the GPUs")));
  options.gpus.visible = "none";
  options.gpus.required = false;
  EXPECT_TRUE(Server::Start(options).ok());
}

// They are opened at their first use: they take memory and time.
TEST(ServerTest, WithoutGpusNoLibraryOfNvidiaIsOpened) {
  ServerOptions options = OneTask();
  options.gpus.visible = "none";
  const auto server = Server::Start(options);
  ASSERT_TRUE(server.ok()) << server.status();
  std::ostringstream maps;
  maps << std::ifstream("/proc/self/maps").rdbuf();
  EXPECT_THAT(maps.str(), HasSubstr("libc.so"));
  for (const char* library : {"libcublas", "libcudnn", "libcusolver", "libnccl"})
    EXPECT_THAT(maps.str(), testing::Not(HasSubstr(library)));
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

// The error of a server that may not listen beyond loopback with these options.
std::string Refusal(const transport::CredentialFiles& credentials) {
  ServerOptions options = OneTask();
  options.bind_host = "0.0.0.0";
  options.credentials = credentials;
  const absl::Status status = Server::Start(options).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  return std::string(status.message());
}

TEST(ServerTest, BeyondLoopbackItRequiresTlsAndAToken) {
  using transport::FilesOf;
  EXPECT_THAT(Refusal({}), AllOf(HasSubstr("without TLS and a token"), HasSubstr("--insecure"),
                                 HasSubstr("--tls_cert"), HasSubstr("--token_file")));
  EXPECT_THAT(Refusal(FilesOf("", "")), HasSubstr("without TLS:"));
  EXPECT_THAT(Refusal(FilesOf("task", "ca", "")), HasSubstr("without a token:"));
  ServerOptions options = OneTask();
  options.bind_host = "0.0.0.0";
  options.credentials = FilesOf("task");
  EXPECT_TRUE(Server::Start(options).ok());
  options.credentials = {};
  options.insecure = true;
  EXPECT_TRUE(Server::Start(options).ok());
}

TEST(ServerTest, OnLoopbackItRequiresNeither) {
  for (const char* host : {"", "127.0.0.1", "127.1.2.3", "localhost"}) {
    ServerOptions options = OneTask();
    options.bind_host = host;
    EXPECT_TRUE(Server::Start(options).ok()) << host;
  }
  ServerOptions options = OneTask();
  options.bind_host = "127.example.com";
  EXPECT_EQ(Server::Start(options).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(ServerTest, TlsRequiresACertificate) {
  ServerOptions options = OneTask();
  options.credentials = transport::FilesOf("");
  EXPECT_THAT(std::string(Server::Start(options).status().message()), HasSubstr("--tls_cert"));
  options.credentials = {};
  options.mutual_tls = true;
  EXPECT_THAT(std::string(Server::Start(options).status().message()), HasSubstr("--mtls"));
}

TEST(ServerTest, ATaskThatTheClusterDoesNotHave) {
  ServerOptions options = OneTask();
  options.task = 3;
  EXPECT_EQ(Server::Start(options).status().code(), absl::StatusCode::kNotFound);
  options.job = "ps";
  EXPECT_EQ(Server::Start(options).status().code(), absl::StatusCode::kNotFound);
}

TEST(ServerTest, StartingAndStoppingLeavesNothing) {
  // objects that gRPC makes once
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(Server::Start(OneTask()).ok());
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

TEST(ServerTest, ListsItsDataSets) {
  auto server = Server::Start(OneTask());
  ASSERT_TRUE(server.ok()) << server.status();
  auto pipelines = transport::ConnectGrpcPipelines((*server)->target());
  ASSERT_TRUE(pipelines.ok()) << pipelines.status();
  transport::PendingReply<std::vector<PipelineReport>> reports;
  (*pipelines)->ListPipelines({}, reports.reply());
  const auto found = reports.Wait();
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_TRUE(found->empty());
}

bool HasGpuKernels() {
  const auto& kernels = kernels::AllKernels()->table().signatures();
  return absl::c_any_of(kernels, [](const auto& kernel) { return kernel.device_type == kGpu; });
}

TEST(ServerTest, ThePageOfOpsIsPrintedFromTheRegistries) {
  if (!HasGpuKernels())
    GTEST_SKIP() << "the build has no CUDA, and the page lists kernels for GPUs";
  std::ifstream file(SourcePath("docs/ops.md"));
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(text.str() == OpsAsMarkdown())
      << "docs/ops.md is old: sluice-server --op_page > docs/ops.md";
}

TEST(ServerTest, EveryOpWithoutAKernelHasAReason) {
  EXPECT_THAT(OpsAsMarkdown(), Not(HasSubstr("no reason")));
  EXPECT_EQ(ReasonsOf({"MatMul", "XlaSort"}),
            "* XLA compiles them: XlaSort\n* no reason: MatMul\n");
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
