// SPDX-License-Identifier: Apache-2.0
// The first call after a restart reaches the server: no earlier failure is repeated.
#include <grpcpp/completion_queue.h>
#include <grpcpp/support/byte_buffer.h>

#include <thread>

#include "absl/time/clock.h"
#include "gtest/gtest.h"
#include "tests/transport/endpoint.h"
#include "transport/backends/grpc/transport.h"
#include "transport/grpc/event_loop.h"
#include "transport/grpc/target.h"
#include "transport/pending_reply.h"
#include "transport/rpc/server.h"
#include "transport/rpc/unary_client.h"

namespace sluice::transport {
namespace {

constexpr char kTask[] = "/job:b/replica:0/task:0";

class RestartTest : public testing::Test {
 protected:
  RestartTest() {
    Start();
    port_ = server_->port();
    Stop();
  }
  void Start() {
    GrpcServerOptions options;
    options.task = kTask;
    options.bind_address = absl::StrCat("127.0.0.1:", port_);
    options.sink = &sink_;
    server_ = *CreateGrpcServer(options);
  }
  void Stop() {
    server_->Stop(absl::ZeroDuration());
    server_.reset();
  }
  std::string address() const { return absl::StrCat("127.0.0.1:", port_); }

  TestSink sink_;
  int port_ = 0;
  std::unique_ptr<Listener> server_;
};

TEST_F(RestartTest, CallsReachIt) {
  EventLoop loop(1);
  UnaryClient client("the server", TargetAt(address(), absl::Seconds(5), {}), loop.queue());
  const auto ask = [&client] {
    PendingReply<grpc::ByteBuffer> answer;
    CallOptions options;
    options.deadline = absl::Now() + absl::Seconds(20);
    client.Call("/sluice.Test/NobodyAnswersThis", grpc::ByteBuffer(nullptr, 0), options,
                answer.reply());
    return answer.Wait().status();
  };
  for (int turn = 0; turn < 5; ++turn) {
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(absl::IsUnavailable(ask()));
    Start();
    const absl::Status status = ask();
    EXPECT_TRUE(absl::IsUnimplemented(status)) << status;
    Stop();
  }
}

TEST_F(RestartTest, TensorsReachIt) {
  TestSink sink;
  const auto transport = CreateGrpcTransport({.self = {"/job:a/replica:0/task:0"}});
  transport->Attach(&sink);
  const auto channel = *transport->Connect({kTask, address()}, {});
  uint64_t step = 0;
  // It fails while the sink handles a break.
  const auto send = [&] {
    const ParcelId id{{1, ++step}, {}};
    while (!channel->Send(id, {Tensor::Scalar<float>(1)}).ok()) std::this_thread::yield();
  };
  for (size_t turn = 1; turn < 6; ++turn) {
    send();
    ASSERT_TRUE(sink.NextBroken().ok());
    Start();
    const size_t broken = sink.broken_count();
    send();
    const absl::Time limit = absl::Now() + absl::Seconds(20);
    while (sink_.arrived() < turn && sink.broken_count() == broken && absl::Now() < limit)
      absl::SleepFor(absl::Milliseconds(1));
    ASSERT_EQ(sink_.arrived(), turn);
    Stop();
    ASSERT_TRUE(sink.NextBroken().ok());
  }
}

}  // namespace
}  // namespace sluice::transport
