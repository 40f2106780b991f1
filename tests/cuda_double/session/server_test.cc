// SPDX-License-Identifier: Apache-2.0
// A server whose GPU is lost answers, says why, and ends.
#include <signal.h>

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

TEST(LostServerTest, AnswersTheStepThenSaysWhyAndEnds) {
  const Mlp mlp;
  // 700: cudaErrorIllegalAddress, of the fourth kernel
  ServerProcess server("devices=1,megabytes=512,fail=run:4:700", {});
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

// --gpu_blocking waits for each kernel, so that the error has the node whose kernel failed.
TEST(LostServerTest, BlockingNamesTheNodeOfTheKernel) {
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

// The signal of Ctrl-C while kernels run.
TEST(LostServerTest, CtrlCWhileKernelsRunEndsTheServer) {
  const Mlp mlp;
  ServerProcess server("devices=1,megabytes=512,delay=20000", {});
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

}  // namespace
}  // namespace sluice::cuda_double
