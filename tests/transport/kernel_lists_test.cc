// SPDX-License-Identifier: Apache-2.0
#include "transport/rpc/kernel_lists.h"

#include <grpcpp/support/byte_buffer.h>
#include <gtest/gtest.h>

#include "transport/rpc/worker_codec.h"

namespace sluice::transport {
namespace {

std::shared_ptr<const KernelTable> List(const std::string& op) {
  auto kernels = std::make_shared<KernelTable>();
  KernelSignature kernel;
  kernel.op = op;
  kernel.device_type = "CPU";
  kernel.cheap = true;
  kernel.types.push_back({"T", DTypeSet::FromBits(6)});
  kernel.host.args = {"shape"};
  kernels->Add(kernel);
  return kernels;
}

TaskStatus StatusWith(std::shared_ptr<const KernelTable> kernels) {
  TaskStatus status;
  status.task = "/job:ps/replica:0/task:0";
  status.version = "1";
  status.devices.emplace_back().name = "/job:ps/replica:0/task:0/device:CPU:0";
  status.waiting = {"a group"};
  status.kernels = std::move(kernels);
  return status;
}

TEST(KernelLists, TravelWithTheStatusOfATask) {
  const auto status = DecodeTaskStatus(EncodeTaskStatus(StatusWith(List("Travels"))));
  ASSERT_TRUE(status.ok()) << status.status();
  EXPECT_EQ(status->waiting, std::vector<std::string>{"a group"});
  ASSERT_EQ(status->kernels->signatures().size(), 1);
  const KernelSignature& kernel = status->kernels->at(0);
  EXPECT_EQ(kernel.op, "Travels");
  EXPECT_EQ(kernel.device_type, "CPU");
  EXPECT_TRUE(kernel.cheap);
  EXPECT_EQ(kernel.types[0].allowed.bits(), 6);
  EXPECT_EQ(kernel.host.args, std::vector<std::string>{"shape"});
}

TEST(KernelLists, EqualOnesAreDecodedOnce) {
  const auto first = DecodeTaskStatus(EncodeTaskStatus(StatusWith(List("Equal"))));
  const auto second = DecodeTaskStatus(EncodeTaskStatus(StatusWith(List("Equal"))));
  const auto other = DecodeTaskStatus(EncodeTaskStatus(StatusWith(List("Other"))));
  EXPECT_EQ(first->kernels, second->kernels);
  EXPECT_NE(first->kernels, other->kernels);
}

TEST(KernelLists, OneIsEncodedOnce) {
  const auto kernels = List("Encoded");
  EXPECT_EQ(EncodeKernels(kernels), EncodeKernels(kernels));
}

TEST(KernelLists, MalformedBytesAreRefused) {
  EXPECT_EQ(DecodeKernels("\xff").status().code(), absl::StatusCode::kInvalidArgument);
  for (const char* bytes : {"\x0a\x7f", "\xff", "\x0b"}) {
    const grpc::Slice slice(bytes);
    EXPECT_EQ(DecodeTaskStatus(grpc::ByteBuffer(&slice, 1)).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace sluice::transport
