// SPDX-License-Identifier: Apache-2.0
// Servers that end: a GPU is lost, an option asks for what is not there, Ctrl-C.
#include <signal.h>

#include <thread>

#include "client/ops/array.h"
#include "client/ops/math.h"
#include "server/server.h"
#include "tests/cluster/two_tasks.h"
#include "tests/cuda_double/session/mlp.h"
#include "tests/cuda_double/session/server_process.h"
#include "tests/cuda_double/session/session_fixture.h"

namespace sluice::cuda_double {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr absl::Duration kLong = absl::Seconds(60);

std::unique_ptr<client::Session> Connect(const Mlp& mlp, const ServerProcess& server) {
  client::SessionOptions options;
  options.target = server.target();
  auto session = client::Session::Create(&mlp.graph(), options);
  EXPECT_TRUE(session.ok()) << session.status();
  return session.ok() ? *std::move(session) : nullptr;
}

TEST(GpuServerTest, AnswersTheStepThenSaysWhyAndEnds) {
  const Mlp mlp;
  // 700: cudaErrorIllegalAddress, of the fourth kernel
  ServerProcess server("devices=1,megabytes=512,fail=run:4:700");
  ASSERT_NE(server.target(), "");
  auto session = Connect(mlp, server);
  absl::Status failed = mlp.Init(*session);
  if (failed.ok()) failed = mlp.Step(*session).status();
  EXPECT_TRUE(absl::IsInternal(failed)) << failed;
  EXPECT_THAT(Message(failed), AllOf(HasSubstr("GPU:0 at "), HasSubstr("cudaErrorIllegalAddress"),
                                     HasSubstr("an illegal memory access was encountered"),
                                     HasSubstr("the process must be restarted")));
  EXPECT_EQ(server.Wait(kLong), 3);
  const std::string errors = server.Errors();
  const size_t line = errors.find("lost GPU:0 at ");
  ASSERT_NE(line, std::string::npos) << errors;
  EXPECT_THAT(errors.substr(line, errors.find('\n', line) - line),
              AllOf(HasSubstr("cudaErrorIllegalAddress"),
                    HasSubstr("an illegal memory access was encountered"),
                    HasSubstr("the process must be restarted")));
  EXPECT_THAT(errors, HasSubstr("stops on the loss of a GPU"));
}

// The answer of a task crosses the network before the task ends.
TEST(GpuServerTest, AnswersTheMasterOfAnotherTask) {
  const Mlp mlp;
  const std::string ps = Cat("localhost:", FreePort()), worker = Cat("localhost:", FreePort());
  const std::string json = Cat(R"({"ps": [")", ps, R"("], "worker": [")", worker, R"("]})");
  server::ServerOptions options;
  auto cluster = server::ClusterSpec::Parse(json);
  ASSERT_TRUE(cluster.ok()) << cluster.status();
  options.cluster = *cluster;
  options.job = "ps";
  options.gpus.visible = "none";
  auto master = server::Server::Start(options);
  ASSERT_TRUE(master.ok()) << master.status();
  ServerProcess server("devices=1,megabytes=512,fail=run:9:700", {}, json);
  ASSERT_NE(server.target(), "");
  client::SessionOptions to_master;
  to_master.server = master->get();
  auto session = client::Session::Create(&mlp.graph(), to_master);
  ASSERT_TRUE(session.ok()) << session.status();
  absl::Status failed = mlp.Init(**session);
  if (failed.ok()) failed = mlp.Step(**session).status();
  EXPECT_TRUE(absl::IsInternal(failed)) << failed;
  EXPECT_THAT(Message(failed), AllOf(HasSubstr("cudaErrorIllegalAddress"),
                                     HasSubstr("/job:worker/replica:0/task:0")));
  EXPECT_EQ(server.Wait(kLong), 3);
}

// --gpu_blocking waits for each kernel, so that the error has the node whose kernel failed.
TEST(GpuServerTest, BlockingNamesTheNodeOfTheKernel) {
  const Mlp mlp;
  ServerProcess server("devices=1,megabytes=512,delay=2000,fail=run:1:700", {"--gpu_blocking"});
  ASSERT_NE(server.target(), "");
  auto session = Connect(mlp, server);
  absl::Status failed = mlp.Init(*session);
  if (failed.ok()) failed = mlp.Step(*session).status();
  EXPECT_THAT(Message(failed), AllOf(HasSubstr("waiting for the kernel: cudaErrorIllegalAddress"),
                                     HasSubstr("[[{{node ")));
  EXPECT_EQ(server.Wait(kLong), 3);
}

TEST(GpuServerTest, OptionsForGpusThatDoNotExistEndTheServer) {
  const struct {
    std::vector<std::string> arguments;
    const char* says;
  } cases[] = {
      {{"--gpus", "9"}, "there is no GPU 9: the driver shows 1"},
      {{"--gpus", "-1"}, "visible GPUs"},
      {{"--gpu_memory_fraction", "1.5"}, "1.5"},
      {{"--gpu_memory_fraction", "-0.5"}, "-0.5"},
      {{"--gpu_memory_limit", "2G"}, "exceeds the GPU's 536870912 bytes"},
  };
  for (const auto& each : cases) {
    ServerProcess server("devices=1,megabytes=512", each.arguments);
    EXPECT_EQ(server.target(), "");
    EXPECT_EQ(server.Wait(kLong), 2) << each.says;
    EXPECT_THAT(server.Errors(), HasSubstr(each.says));
  }
}

// The signal of Ctrl-C while kernels run.
TEST(GpuServerTest, CtrlCWhileKernelsRunEndsTheServer) {
  const Mlp mlp;
  ServerProcess server("devices=1,megabytes=512,delay=20000");
  ASSERT_NE(server.target(), "");
  auto session = Connect(mlp, server);
  ASSERT_TRUE(mlp.Init(*session).ok());
  absl::Status status;
  std::thread steps([&] {
    while (status.ok()) status = mlp.Step(*session).status();
  });
  server.Signal(SIGINT);
  EXPECT_EQ(server.Wait(kLong), 0);
  steps.join();
  EXPECT_TRUE(absl::IsUnavailable(status) || absl::IsAborted(status) || absl::IsCancelled(status))
      << status;
}

// Kernels that never end: a call ends at its deadline, and the process soon after the signal.
TEST(GpuServerTest, CtrlCWhileTheGpuIsStuckEndsTheServer) {
  client::Graph graph;
  const client::Scope scope = client::Scope(&graph).On(kGpu);
  const client::Output x = client::ops::Placeholder(scope.Named("x"), {.dtype = kFloat});
  const client::Output y = client::ops::Neg(scope, x);
  for (const int signal : {SIGINT, SIGTERM}) {
    ServerProcess server("devices=1,megabytes=512,hold=1");
    ASSERT_NE(server.target(), "");
    client::SessionOptions options;
    options.target = server.target();
    auto session = client::Session::Create(&graph, options);
    ASSERT_TRUE(session.ok()) << session.status();
    client::RunOptions deadline;
    deadline.timeout_ms = 100;
    const absl::Time begin = absl::Now();
    const absl::Status status =
        (*session)->Run({{"x:0", Tensor::Scalar<float>(1)}}, {y.name()}, {}, deadline).status();
    EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
    EXPECT_LT(absl::Now() - begin, absl::Seconds(2));
    const absl::Time signalled = absl::Now();
    server.Signal(signal);
    EXPECT_EQ(server.Wait(kLong), 0);
    EXPECT_LT(absl::Now() - signalled, absl::Seconds(5));
    EXPECT_THAT(server.Errors(),
                HasSubstr("ends while kernels run on /job:worker/replica:0/task:0/device:GPU:0"));
  }
}

}  // namespace
}  // namespace sluice::cuda_double
