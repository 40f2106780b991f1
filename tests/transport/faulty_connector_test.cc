// SPDX-License-Identifier: Apache-2.0
#include "tests/doubles/faulty_connector.h"

#include <bit>

#include "gtest/gtest.h"
#include "tests/doubles/switchboard.h"
#include "tests/transport/endpoint.h"

namespace sluice::transport {
namespace {

constexpr char kA[] = "/job:a/replica:0/task:0", kB[] = "/job:b/replica:0/task:0";

ParcelId Id(uint64_t edge) { return {{1, 1}, EdgeKey{edge, 0, 0, 0}}; }

// Remembers the order of arrival.
class OrderedSink final : public TestSink {
 public:
  void Deliver(const std::string& peer, const ParcelId& id, Parcel parcel) override {
    {
      absl::MutexLock lock(&mu_);
      order_.push_back(id.key.edge);
    }
    TestSink::Deliver(peer, id, std::move(parcel));
  }
  std::vector<uint64_t> TakeOrder() {
    absl::MutexLock lock(&mu_);
    return std::exchange(order_, {});
  }

 private:
  absl::Mutex mu_;
  std::vector<uint64_t> order_ ABSL_GUARDED_BY(mu_);
};

class FaultyConnectorTest : public testing::Test {
 protected:
  void Begin(const FaultyConnectorOptions& options) {
    transport_ = *CreateFaultyConnector(options, *CreateSwitchboardConnector(kA, board_));
    transport_->Attach(&a_);
    channel_ = *transport_->ConnectChannel({kB, ""});
    b_.set_channel([this](const std::string&) { return channel_.get(); });
    board_->Plug(kA, nullptr, &a_);
    board_->Plug(kB, nullptr, &b_);
  }
  ~FaultyConnectorTest() override {
    board_->Unplug(kA);
    board_->Unplug(kB);
  }
  TestSink a_;
  OrderedSink b_;
  const std::shared_ptr<Switchboard> board_ = std::make_shared<Switchboard>();
  std::unique_ptr<FaultyConnector> transport_;
  std::shared_ptr<TensorChannel> channel_;
};

TEST_F(FaultyConnectorTest, DropsItsFraction) {
  Begin({.rates = {.seed = 3, .drop = 0.25}});
  for (int i = 0; i < 1000; ++i)
    ASSERT_TRUE(channel_->Send(Id(i), {Tensor::Scalar<float>(1)}).ok());
  EXPECT_NEAR(transport_->dropped(), 250, 50);
}

TEST_F(FaultyConnectorTest, CorruptsOneBitOfWhatArrivesAndNothingElse) {
  Begin({.rates = {.seed = 3, .corrupt = 1}});
  const Tensor sent = Tensor::Vector<int32_t>({7, 7, 7, 7});
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(channel_->Send(Id(i), {sent}).ok());
    const auto got = b_.Take(kA, Id(i));
    ASSERT_TRUE(got.ok()) << got.status();
    int bits = 0;
    for (int32_t value : got->tensor.flat<int32_t>())
      bits += std::popcount(static_cast<uint32_t>(value ^ 7));
    EXPECT_EQ(bits, 1) << got->tensor.ToString();
    EXPECT_EQ(sent.ToString(), Tensor::Vector<int32_t>({7, 7, 7, 7}).ToString());
  }
  EXPECT_EQ(transport_->changed(), 20);
}

TEST_F(FaultyConnectorTest, CorruptsStringsAndTruthValues) {
  Begin({.rates = {.corrupt = 1}});
  ASSERT_TRUE(channel_->Send(Id(1), {Tensor::Vector<std::string>({"text"})}).ok());
  EXPECT_NE(b_.Take(kA, Id(1))->tensor.scalar<std::string>(), "text");
  ASSERT_TRUE(channel_->Send(Id(2), {Tensor::Scalar<bool>(true)}).ok());
  EXPECT_FALSE(b_.Take(kA, Id(2))->tensor.scalar<bool>());
  for (const Parcel& whole : {Parcel{Tensor(), true}, Parcel{Tensor(kFloat, Shape{0})}}) {
    ASSERT_TRUE(channel_->Send(Id(3), whole).ok());
    EXPECT_EQ(b_.Take(kA, Id(3))->dead, whole.dead);
  }
}

TEST_F(FaultyConnectorTest, GivesTensorsAnotherShape) {
  Begin({.rates = {.misshape = 1}});
  ASSERT_TRUE(channel_->Send(Id(1), {Tensor(kFloat, Shape{2, 3})}).ok());
  EXPECT_EQ(b_.Take(kA, Id(1))->tensor.shape(), (Shape{1, 2, 3}));
}

TEST(FaultTest, IsTheSameForTheSameSeed) {
  const FaultRates rates = {.seed = 1, .drop = 0.5, .corrupt = 0.5};
  int differ = 0;
  for (uint64_t i = 0; i < 100; ++i) {
    const Fault once = FaultOf(rates, Id(i)), again = FaultOf(rates, Id(i));
    EXPECT_EQ(once.drop, again.drop);
    EXPECT_EQ(once.corrupt, again.corrupt);
    EXPECT_EQ(once.bit, again.bit);
    FaultRates other = rates;
    other.seed = 2;
    differ += FaultOf(other, Id(i)).drop != once.drop;
  }
  EXPECT_NEAR(differ, 50, 25);
}

TEST_F(FaultyConnectorTest, ReordersWhatItDelays) {
  std::vector<uint64_t> orders[2];
  for (std::vector<uint64_t>& order : orders) {
    SerialQueue queue;
    Begin({.rates = {.seed = 5}, .delay = &queue, .reorder = true});
    for (int i = 0; i < 20; ++i)
      ASSERT_TRUE(channel_->Send(Id(i), {Tensor::Scalar<int32_t>(i)}).ok());
    queue.RunAll();
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(b_.Take(kA, Id(i)).ok());
    order = b_.TakeOrder();
  }
  EXPECT_EQ(orders[0], orders[1]);
  EXPECT_FALSE(std::is_sorted(orders[0].begin(), orders[0].end()));
}

TEST_F(FaultyConnectorTest, DelaysUntilTheQueueRuns) {
  SerialQueue queue;
  Begin({.delay = &queue});
  ASSERT_TRUE(channel_->Send(Id(1), {Tensor::Scalar<float>(1)}).ok());
  EXPECT_EQ(b_.arrived(), 0u);
  EXPECT_EQ(queue.RunAll(), 1);
  EXPECT_TRUE(b_.Take(kA, Id(1)).ok());
}

TEST_F(FaultyConnectorTest, FailsOnRequest) {
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

TEST(FaultyConnectorAloneTest, NothingArrivesAndNothingIsUp) {
  auto transport = *CreateFaultyConnector({}, nullptr);
  EXPECT_TRUE((*transport->ConnectChannel({kB, ""}))->Send(Id(1), {}).ok());
  absl::Status answer;
  (*transport->ConnectWorker({kB, ""}))->DeleteSession("s", {}, [&](absl::Status status) {
    answer = status;
  });
  EXPECT_EQ(answer.code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace sluice::transport
