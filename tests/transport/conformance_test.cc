// SPDX-License-Identifier: Apache-2.0
// The behaviour that every transport between two tasks has. Order between tensors is not part of it. The bytes on the
// wire are tested with each back end.
#include <string>
#include <thread>
#include <vector>

#include "core/codec/codec.h"
#include "gtest/gtest.h"
#include "tests/transport/endpoint.h"

namespace sluice::transport {
namespace {

constexpr char kA[] = "/job:a/replica:0/task:0", kB[] = "/job:b/replica:0/task:0";
constexpr StepId kStep{7, 1};
constexpr int64_t kMegabyte = 1 << 20;

ParcelId Id(uint64_t edge, StepId step = kStep) { return {step, EdgeKey{edge, 0, 0, 0}}; }

std::string Encoded(const Tensor& tensor) {
  std::string content;
  EXPECT_TRUE(EncodeContent(tensor, &content).ok());
  return content;
}

class ChannelTest : public testing::TestWithParam<std::string> {
 protected:
  static constexpr int64_t kLarge = 100 * kMegabyte;
  static std::unique_ptr<Pair> Join(int64_t credit = 64 * kMegabyte) {
    return CreatePair(GetParam(), credit);
  }
  // `sink` soon gets the error that B is gone.
  static void ExpectNamed(TestSink& sink) {
    const auto broken = sink.NextBroken();
    ASSERT_TRUE(broken.ok()) << broken.status();
    EXPECT_EQ(broken->first, kB);
    EXPECT_TRUE(absl::IsUnavailable(broken->second)) << broken->second;
    EXPECT_NE(broken->second.message().find(kB), absl::string_view::npos) << broken->second;
  }
};

TEST_P(ChannelTest, CarriesAnyTensor) {
  auto pair = Join();
  const Tensor matrix = Tensor::Of<float>(Shape{2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor scalar = Tensor::Scalar<int64_t>(-5);
  const Tensor empty(kDouble, Shape{3, 0, 2});
  const Tensor truth = Tensor::Vector<bool>({true, false, true});
  const Tensor strings = Tensor::Vector<std::string>({"", "one", std::string(3 * kMegabyte, 'x')});
  Tensor objects(kVariant, Shape{2});
  objects.mutable_data<Variant>()[1] = Variant(MakeRefCounted<OpaqueVariant>(
      "a type", "what it says", std::vector<Tensor>{matrix, strings}));
  const std::vector<Parcel> parcels = {{matrix},  {scalar},  {empty},         {truth},
                                       {strings}, {objects}, {Tensor(), true}};
  for (size_t i = 0; i < parcels.size(); ++i)
    ASSERT_TRUE(pair->a_to_b().Send(Id(i), parcels[i]).ok());
  for (size_t i = parcels.size(); i-- > 0;) {
    const auto got = pair->b().Take(kA, Id(i));
    ASSERT_TRUE(got.ok()) << got.status();
    EXPECT_EQ(got->dead, parcels[i].dead);
    EXPECT_EQ(got->tensor.dtype(), parcels[i].tensor.dtype());
    EXPECT_EQ(got->tensor.shape(), parcels[i].tensor.shape());
    if (!got->tensor.valid()) continue;
    EXPECT_EQ(got->tensor.ToString(), parcels[i].tensor.ToString());
    if (IsPlain(got->tensor.dtype())) continue;
    EXPECT_EQ(Encoded(got->tensor), Encoded(parcels[i].tensor));
  }
}

TEST_P(ChannelTest, CarriesALargeTensor) {
  auto pair = Join();
  constexpr int64_t kBytes = 100'000'000;
  ASSERT_TRUE(pair->a_to_b().Send(Id(1), {Filled(kBytes, 42)}).ok());
  ASSERT_TRUE(pair->a_to_b().Send(Id(2), {Filled(3, 1)}).ok());
  const auto small = pair->b().Take(kA, Id(2));
  const auto large = pair->b().Take(kA, Id(1));
  ASSERT_TRUE(small.ok() && large.ok());
  EXPECT_TRUE(IsFilled(large->tensor, kBytes, 42));
}

TEST_P(ChannelTest, CarriesTensorsInMemoryThatItGave) {
  auto pair = Join();
  ASSERT_TRUE(pair->a_to_b().Send(Id(0), {Filled(1, 1)}).ok());
  ASSERT_TRUE(pair->b().Take(kA, Id(0)).ok());  // the stream is open
  for (int i = 1; i < 100; ++i) {
    auto unsent = pair->a_to_b().Allocate(kUint8, Shape{kMegabyte});
    auto sent = pair->a_to_b().Allocate(kUint8, Shape{2 * kMegabyte});
    ASSERT_TRUE(unsent.ok() && sent.ok());
    std::fill_n(unsent->mutable_data<uint8_t>(), kMegabyte, 0);
    std::fill_n(sent->mutable_data<uint8_t>(), 2 * kMegabyte, i);
    ASSERT_TRUE(pair->a_to_b().Send(Id(i), {*std::move(sent)}).ok());
    const auto got = pair->b().Take(kA, Id(i));
    ASSERT_TRUE(got.ok()) << got.status();
    EXPECT_TRUE(IsFilled(got->tensor, 2 * kMegabyte, static_cast<uint8_t>(i)));
  }
}

TEST_P(ChannelTest, CarriesTensorsInMemoryForMany) {
  auto pair = Join();
  ASSERT_TRUE(pair->a_to_b().Send(Id(0), {Filled(1, 1)}).ok());
  ASSERT_TRUE(pair->b().Take(kA, Id(0)).ok());  // the stream is open
  for (int i = 1; i < 100; ++i) {
    auto tensor = pair->a_to_b().AllocateForMany(kUint8, Shape{kMegabyte});
    if (!tensor) tensor = Tensor(kUint8, Shape{kMegabyte});  // it saves nothing here
    std::fill_n(tensor->mutable_data<uint8_t>(), kMegabyte, i);
    // Twice: a peer cannot tell which of the two references to a memory has ended.
    ASSERT_TRUE(pair->a_to_b().Send(Id(2 * i), {*tensor}).ok());
    ASSERT_TRUE(pair->a_to_b().Send(Id(2 * i + 1), {*std::move(tensor)}).ok());
    for (const int id : {2 * i, 2 * i + 1}) {
      const auto got = pair->b().Take(kA, Id(id));
      ASSERT_TRUE(got.ok()) << got.status();
      EXPECT_TRUE(IsFilled(got->tensor, kMegabyte, static_cast<uint8_t>(i)));
    }
  }
}

TEST_P(ChannelTest, CarriesManySmallTensors) {
  auto pair = Join();
  constexpr int kCount = 100'000;
  std::thread producer([&] {
    for (int i = 0; i < kCount; ++i)
      EXPECT_TRUE(pair->a_to_b().Send(Id(i), {Tensor::Scalar<int32_t>(i)}).ok());
  });
  for (int i = 0; i < kCount; ++i) {
    const auto got = pair->b().Take(kA, Id(i));
    ASSERT_TRUE(got.ok()) << i;
    ASSERT_EQ(got->tensor.scalar<int32_t>(), i);
  }
  producer.join();
}

TEST_P(ChannelTest, TensorsOverTheCreditCrossInOppositeOrder) {
  auto pair = Join(kMegabyte);
  const int64_t bytes = 3 * kMegabyte / 2;
  for (TensorChannel* channel : {&pair->a_to_b(), &pair->b_to_a()}) {
    ASSERT_TRUE(channel->Send(Id(1), {Filled(bytes, 1)}).ok());
    ASSERT_TRUE(channel->Send(Id(2), {Filled(bytes, 2)}).ok());
  }
  std::thread other([&] {
    for (int edge : {2, 1})
      EXPECT_TRUE(IsFilled(pair->a().Take(kB, Id(edge))->tensor, bytes, edge));
  });
  for (int edge : {2, 1}) EXPECT_TRUE(IsFilled(pair->b().Take(kA, Id(edge))->tensor, bytes, edge));
  other.join();
}

TEST_P(ChannelTest, KeepsTensorsForThePeerAfterItsOwnEnd) {
  auto pair = Join(kMegabyte);
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(pair->a_to_b().Send(Id(i), {Filled(kMegabyte, i)}).ok());
  pair->a().EndStep(kB, kStep);
  for (int i = 8; i-- > 0;) EXPECT_TRUE(IsFilled(pair->b().Take(kA, Id(i))->tensor, kMegabyte, i));
}

TEST_P(ChannelTest, AStepThatEndedDropsLateTensors) {
  auto pair = Join(kMegabyte);
  const StepId other{7, 2};
  pair->b().EndStep(kA, kStep);
  for (int i = 0; i < 100; ++i)
    ASSERT_TRUE(pair->a_to_b().Send(Id(i), {Filled(kMegabyte, 0)}).ok());
  ASSERT_TRUE(pair->a_to_b().Send(Id(1, other), {Filled(2 * kMegabyte, 9)}).ok());
  EXPECT_TRUE(IsFilled(pair->b().Take(kA, Id(1, other))->tensor, 2 * kMegabyte, 9));
  EXPECT_EQ(pair->b().arrived(), 0u);
}

TEST_P(ChannelTest, AnEndWithThousandsInFlightIsClean) {
  auto pair = Join(kMegabyte);
  const StepId other{7, 2};
  for (int i = 0; i < 5000; ++i) ASSERT_TRUE(pair->a_to_b().Send(Id(i), {Filled(1000, 0)}).ok());
  pair->b().EndStep(kA, kStep);
  pair->a().EndStep(kB, kStep);
  ASSERT_TRUE(pair->a_to_b().Send(Id(1, other), {Filled(10, 9)}).ok());
  EXPECT_TRUE(pair->b().Take(kA, Id(1, other)).ok());
}

TEST_P(ChannelTest, ShutsDownWithTensorsInFlight) {
  auto pair = Join(kMegabyte);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(pair->a_to_b().Send(Id(i), {Filled(100'000, 0)}).ok());
    ASSERT_TRUE(pair->b_to_a().Send(Id(i), {Filled(100'000, 0)}).ok());
  }
}

TEST_P(ChannelTest, APeerThatDiesIsNamed) {
  auto pair = Join(kMegabyte);
  ASSERT_TRUE(pair->a_to_b().Send(Id(1), {Filled(10, 0)}).ok());
  ASSERT_TRUE(pair->b_to_a().Send(Id(1), {Filled(10, 0)}).ok());
  ASSERT_TRUE(pair->b().Take(kA, Id(1)).ok());
  ASSERT_TRUE(pair->a().Take(kB, Id(1)).ok());
  for (int i = 2; i < 50; ++i) ASSERT_TRUE(pair->a_to_b().Send(Id(i), {Filled(kMegabyte, 0)}).ok());
  pair->KillB();
  ExpectNamed(pair->a());
}

// The death of the peer is reported on the side that noticed it: the peer receives, or it sends.
TEST_P(ChannelTest, APeerThatDiesBeforeHelloIsNamed) {
  auto pair = Join();
  pair->KillB();
  const absl::Status sent = pair->a_to_b().Send(Id(1), {Filled(10, 0)});
  if (sent.ok()) {
    ExpectNamed(pair->a());
  } else {
    EXPECT_TRUE(absl::IsUnavailable(sent)) << sent;
    EXPECT_NE(sent.message().find(kB), absl::string_view::npos) << sent;
  }
}

TEST_P(ChannelTest, AReceiverThatDiesAfterHelloIsNamed) {
  auto pair = Join();
  ASSERT_TRUE(pair->a_to_b().Send(Id(1), {Filled(10, 0)}).ok());
  ASSERT_TRUE(pair->b().AwaitStage(TestSink::kDelivered));
  pair->KillB();
  ExpectNamed(pair->a());
}

// Between processes: inproc carries no content and announces nothing.
class StreamTest : public ChannelTest {};

TEST_P(StreamTest, AReceiverThatDiesWhileContentComesIsNamed) {
  auto pair = Join();
  ASSERT_TRUE(pair->a_to_b().Send(Id(1), {Filled(kLarge, 1)}).ok());
  ASSERT_TRUE(pair->b().AwaitStage(TestSink::kBegun));
  pair->KillB();
  ExpectNamed(pair->a());
}

TEST_P(StreamTest, AReceiverThatDiesBeforeItPullsIsNamed) {
  auto pair = Join(kMegabyte);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(pair->a_to_b().Send(Id(i), {Filled(kMegabyte, 1)}).ok());
  ASSERT_TRUE(pair->b().AwaitStage(TestSink::kAnnounced));
  pair->KillB();
  ExpectNamed(pair->a());
}

TEST_P(ChannelTest, ASenderThatDiesAfterHelloIsNamed) {
  auto pair = Join();
  ASSERT_TRUE(pair->b_to_a().Send(Id(1), {Filled(10, 1)}).ok());
  ASSERT_TRUE(pair->a().AwaitStage(TestSink::kDelivered));
  pair->KillB();
  ExpectNamed(pair->a());
  EXPECT_TRUE(IsFilled(pair->a().Take(kB, Id(1))->tensor, 10, 1)) << "what came is whole";
}

TEST_P(StreamTest, ASenderThatDiesWhileContentComesIsNamed) {
  auto pair = Join();
  ASSERT_TRUE(pair->b_to_a().Send(Id(1), {Filled(kLarge, 1)}).ok());
  ASSERT_TRUE(pair->a().AwaitStage(TestSink::kBegun));
  pair->KillB();
  ExpectNamed(pair->a());
  const auto got = pair->a().Take(kB, Id(1), absl::ZeroDuration());
  EXPECT_TRUE(!got.ok() || IsFilled(got->tensor, kLarge, 1)) << "whole, or not at all";
}

TEST_P(StreamTest, ASenderThatDiesBeforeItIsAskedIsNamed) {
  auto pair = Join(kMegabyte);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(pair->b_to_a().Send(Id(i), {Filled(kMegabyte, 1)}).ok());
  ASSERT_TRUE(pair->a().AwaitStage(TestSink::kAnnounced));
  pair->KillB();
  ExpectNamed(pair->a());
  pair->a().Want(kB, Id(3));  // a later request has no effect
}

TEST_P(ChannelTest, ARestartedPeerIsReachedAgain) {
  auto pair = Join();
  ASSERT_TRUE(pair->a_to_b().Send(Id(1), {Filled(10, 0)}).ok());
  ASSERT_TRUE(pair->b().Take(kA, Id(1)).ok());
  pair->KillB();
  ASSERT_TRUE(pair->a().NextBroken().ok());
  pair->StartB();
  // A break may still be unreported: steps fail, and the next one works.
  for (uint64_t number = 2; number < 60; ++number) {
    const StepId step{7, number};
    (void)pair->a_to_b().Send(Id(1, step), {Filled(10, 3)});
    if (pair->b().Take(kA, Id(1, step), absl::Seconds(1)).ok()) {
      ASSERT_TRUE(pair->b_to_a().Send(Id(2, step), {Filled(10, 3)}).ok());
      EXPECT_TRUE(pair->a().Take(kB, Id(2, step)).ok());
      return;
    }
  }
  FAIL() << "never reached again";
}

TEST_P(ChannelTest, AChannelDescribesItself) {
  auto pair = Join();
  const std::string transport = GetParam().substr(0, GetParam().find('_'));
  EXPECT_NE(pair->a_to_b().ToString().find(transport), std::string::npos);
  EXPECT_NE(pair->a_to_b().ToString().find(kB), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Transports, StreamTest,
                         testing::Values("grpc", "grpc_by_tls", "tcp", "tcp_of_four", "tcp_by_tls",
                                         "shm", "shm_that_is_short", "rdma", "rdma_that_is_short"),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(Transports, ChannelTest,
                         testing::ValuesIn(TransportsWith({"grpc_by_tls", "tcp_of_four",
                                                           "tcp_by_tls", "shm_that_is_short",
                                                           "rdma_that_is_short", "switchboard"})),
                         [](const auto& info) { return info.param; });

// Credit applies only to transports that copy.
class CreditTest : public ChannelTest {};

TEST_P(CreditTest, AProducerFarAheadFillsTheReceiverUpToTheCredit) {
  constexpr int64_t kCredit = 4 * kMegabyte;
  auto pair = Join(kCredit);
  constexpr int kCount = 100'000;
  for (int i = 0; i < kCount; ++i)
    ASSERT_TRUE(pair->a_to_b().Send(Id(i), {Tensor(kUint8, Shape{1000})}).ok());
  for (int i = 0; i < kCount; ++i) ASSERT_TRUE(pair->b().Take(kA, Id(i)).ok()) << i;
  EXPECT_LE(pair->b().most_held(), kCredit + 2 * kMegabyte);
  EXPECT_GT(pair->b().announcements(), kCount / 2);
}

TEST_P(CreditTest, ConsumedBytesGiveNewCredit) {
  constexpr int64_t kCredit = 4 * kMegabyte;
  auto pair = Join(kCredit);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(pair->a_to_b().Send(Id(i), {Filled(100'000, 1)}).ok());
    ASSERT_TRUE(pair->b().Take(kA, Id(i)).ok());
  }
  // Credit arrives a little later than its tensors: a few may have been announced, not most.
  EXPECT_LT(pair->b().announcements(), 100);
}

INSTANTIATE_TEST_SUITE_P(Transports, CreditTest,
                         testing::Values("grpc", "tcp", "tcp_of_four", "shm", "shm_that_is_short",
                                         "rdma", "rdma_that_is_short"),
                         [](const auto& info) { return info.param; });

TEST(ShmChannelTest, ASegmentIsPinnedOnceUntilItIsUnmapped) {
  auto pair = CreatePair("shm", 64 * kMegabyte);
  const TestSink::Count pinned = pair->b().pinned();
  Tensor last;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(pair->a_to_b().Send(Id(i), {Filled(20 << 10, 7), false}).ok());
    auto got = pair->b().Take(kA, Id(i));
    ASSERT_TRUE(got.ok()) << got.status();
    last = got->tensor;
    EXPECT_EQ(*pinned, 1);
  }
  pair.reset();
  EXPECT_EQ(*pinned, 1);
  EXPECT_TRUE(IsFilled(last, 20 << 10, 7));
  last = Tensor();
  EXPECT_EQ(*pinned, 0);
}

TEST(GrpcChannelTest, ATaskThatIsNotUpIsNamedWithItsAddress) {
  auto pair = CreatePair("grpc", kMegabyte);
  pair->KillB();
  ASSERT_TRUE(pair->a_to_b().Send(Id(1), {Filled(10, 0)}).ok());
  const auto broken = pair->a().NextBroken();
  ASSERT_TRUE(broken.ok());
  EXPECT_EQ(broken->second.code(), absl::StatusCode::kUnavailable);
  EXPECT_NE(broken->second.message().find(std::string("task ") + kB + " at 127.0.0.1:"),
            absl::string_view::npos)
      << broken->second;
}

}  // namespace
}  // namespace sluice::transport
