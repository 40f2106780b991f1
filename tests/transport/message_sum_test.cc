// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc/message_sum.h"

#include <gmock/gmock.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/slice.h>
#include <grpcpp/support/string_ref.h>
#include <gtest/gtest.h>

namespace sluice::transport {
namespace {

using testing::HasSubstr;

grpc::ByteBuffer BufferOf(const std::vector<std::string>& pieces) {
  std::vector<grpc::Slice> slices(pieces.begin(), pieces.end());
  return grpc::ByteBuffer(slices.data(), slices.size());
}

std::string TheRequest() { return "the request"; }

TEST(MessageSumTest, DoesNotDependOnThePieces) {
  EXPECT_EQ(MessageSum(BufferOf({"123456789"})), "e3069283");
  EXPECT_EQ(MessageSum(BufferOf({"1234", "", "56789"})), "e3069283");
  EXPECT_EQ(MessageSum(grpc::ByteBuffer()), "00000000");
}

TEST(MessageSumTest, AChangedBitIsNamed) {
  const std::string sum = MessageSum(BufferOf({"123456789"}));
  const CallMetadata metadata = {{kMessageSum, sum}};
  EXPECT_TRUE(CheckMessageSum(metadata, BufferOf({"12345", "6789"}), TheRequest).ok());
  const absl::Status changed = CheckMessageSum(metadata, BufferOf({"123456788"}), TheRequest);
  EXPECT_TRUE(absl::IsDataLoss(changed));
  EXPECT_THAT(changed.message(), HasSubstr("the request was changed on its way"));
}

TEST(MessageSumTest, ClientsWithoutSumsAreServed) {
  EXPECT_FALSE(HasMessageSum({}));
  EXPECT_TRUE(CheckMessageSum({}, BufferOf({"anything"}), TheRequest).ok());
}

}  // namespace
}  // namespace sluice::transport
