#include "transport/null/null_transport.h"

#include "gtest/gtest.h"
#include "tests/transport/endpoint.h"
#include "transport/inproc/inproc_transport.h"

namespace sluice::transport {
namespace {

constexpr char kA[] = "/job:a/replica:0/task:0", kB[] = "/job:b/replica:0/task:0";

ParcelId Id(uint64_t edge) { return {{1, 1}, EdgeKey{edge, 0, 0, 0}}; }

class NullTransportTest : public testing::Test {
 protected:
  void Begin(const NullTransportOptions& options) {
    transport_ = *CreateNullTransport(options, *CreateInprocTransport(kA, board_));
    transport_->Attach(&a_);
    channel_ = *transport_->ConnectChannel({kB, ""});
    b_.set_channel([this](const std::string&) { return channel_.get(); });
    board_->Plug(kA, nullptr, &a_);
    board_->Plug(kB, nullptr, &b_);
  }
  ~NullTransportTest() override {
    board_->Unplug(kA);
    board_->Unplug(kB);
  }
  TestSink a_, b_;
  const std::shared_ptr<Switchboard> board_ = std::make_shared<Switchboard>();
  std::unique_ptr<NullTransport> transport_;
  std::shared_ptr<TensorChannel> channel_;
};

TEST_F(NullTransportTest, DropsItsShare) {
  Begin({.seed = 3, .drop = 0.25});
  for (int i = 0; i < 1000; ++i)
    ASSERT_TRUE(channel_->Send(Id(i), {Tensor::Scalar<float>(1)}).ok());
  EXPECT_NEAR(transport_->dropped(), 250, 50);
}

TEST_F(NullTransportTest, DelaysUntilTheQueueRuns) {
  SerialQueue queue;
  Begin({.delay = &queue});
  ASSERT_TRUE(channel_->Send(Id(1), {Tensor::Scalar<float>(1)}).ok());
  EXPECT_EQ(b_.arrived(), 0u);
  EXPECT_EQ(queue.RunAll(), 1);
  EXPECT_TRUE(b_.Take(kA, Id(1)).ok());
}

TEST_F(NullTransportTest, FailsWhenToldTo) {
  Begin({});
  transport_->Fail(kB, Unavailable("cable cut"));
  EXPECT_EQ(channel_->Send(Id(1), {}), Unavailable("cable cut"));
  EXPECT_EQ(a_.NextBroken()->first, kB);
  absl::Status answer;
  (*transport_->ConnectWorker({kB, ""}))->DeleteSession("s", {}, [&](absl::Status status) {
    answer = status;
  });
  EXPECT_EQ(answer, Unavailable("cable cut"));
  transport_->Fail(kB, absl::OkStatus());
  ASSERT_TRUE(channel_->Send(Id(1), {Tensor::Scalar<float>(1)}).ok());
  EXPECT_TRUE(b_.Take(kA, Id(1)).ok());
}

TEST(NullTransportAloneTest, NothingArrivesAndNothingIsUp) {
  auto transport = *CreateNullTransport({}, nullptr);
  EXPECT_TRUE((*transport->ConnectChannel({kB, ""}))->Send(Id(1), {}).ok());
  absl::Status answer;
  (*transport->ConnectWorker({kB, ""}))->DeleteSession("s", {}, [&](absl::Status status) {
    answer = status;
  });
  EXPECT_EQ(answer.code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace sluice::transport
