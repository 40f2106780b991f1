// SPDX-License-Identifier: Apache-2.0
// Every transport with large amounts of data, which take too long for every run.
#include <string>
#include <thread>

#include "gtest/gtest.h"
#include "tests/transport/endpoint.h"

namespace sluice::transport {
namespace {

ParcelId Id(uint64_t edge) { return {{7, 1}, EdgeKey{edge, 0, 0, 0}}; }

class ChannelVolumeTest : public testing::TestWithParam<std::string> {
 protected:
  const std::unique_ptr<Pair> pair_ = CreatePair(GetParam(), /*credit=*/64 << 20);
};

// Over 2 GB, where 32 bits and Protobuf end.
TEST_P(ChannelVolumeTest, CarriesATensorOfThreeGigabytes) {
  constexpr int64_t kBytes = int64_t{3} << 30;
  ASSERT_TRUE(pair_->a_to_b().Send(Id(1), {Filled(kBytes, 42)}).ok());
  const auto large = pair_->b().Take(Pair::kA, Id(1));
  ASSERT_TRUE(large.ok()) << large.status();
  EXPECT_TRUE(IsFilled(large->tensor, kBytes, 42));
}

TEST_P(ChannelVolumeTest, CarriesAMillionSmallTensors) {
  constexpr int kCount = 1'000'000;
  std::thread producer([&] {
    for (int i = 0; i < kCount; ++i)
      EXPECT_TRUE(pair_->a_to_b().Send(Id(i), {Tensor::Scalar<int32_t>(i)}).ok());
  });
  for (int i = 0; i < kCount; ++i) {
    const auto got = pair_->b().Take(Pair::kA, Id(i));
    EXPECT_TRUE(got.ok() && got->tensor.scalar<int32_t>() == i) << i;
    if (HasFailure()) break;
  }
  producer.join();
}

INSTANTIATE_TEST_SUITE_P(Transports, ChannelVolumeTest,
                         testing::Values("grpc", "grpc_by_tls", "inproc", "switchboard", "tcp",
                                         "tcp_of_four", "tcp_by_tls", "shm", "shm_that_is_short",
                                         "rdma"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace sluice::transport
