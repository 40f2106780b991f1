// SPDX-License-Identifier: Apache-2.0
// A GPU's attributes and copies, on a GPU or on the double.
#include <gmock/gmock.h>

#include <cstring>
#include <vector>

#include "tests/core/cuda/cuda_device_fixture.h"

namespace sluice::cuda {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(CudaDeviceTest, HasAttributesOfTensorFlowsForm) {
  ASSERT_TRUE(Make().ok());
  EXPECT_EQ(device_->name(), "/job:a/replica:0/task:0/device:GPU:0");
  EXPECT_EQ(device_->type(), "GPU");
  EXPECT_NE(device_->attributes().incarnation, 0u);
  EXPECT_THAT(device_->attributes().description, StartsWith("device: 0, name: "));
  EXPECT_THAT(device_->attributes().description, HasSubstr(", pci bus id: 0000:"));
  EXPECT_THAT(device_->attributes().description, HasSubstr(", compute capability: "));
  EXPECT_GT(device_->attributes().memory_limit, 512 << 20);
  EXPECT_TRUE(device_->has_own_memory());
  EXPECT_FALSE(device_->allocator().host_readable());
}

TEST_F(CudaDeviceTest, CopiesTensorsOfEverySizeAndDtype) {
  ASSERT_TRUE(Make().ok());
  const std::vector<int64_t> sizes = {0, 1, 3, 1000, 65536, 65537, 4 << 20, (9 << 20) + 5};
  const std::vector<DType> dtypes = {kFloat, kBool, kHalf, kComplex128};
  for (uint64_t seed = 0; seed < 3; ++seed) {
    Disturb(seed, seed == 0 ? 0 : 100);
    for (Allocator* memory : {&CpuAllocator(), device_->transfer_allocator()}) {
      for (DType dtype : dtypes) {
        for (int64_t bytes : sizes) {
          const int64_t n = bytes / static_cast<int64_t>(SizeOf(dtype));
          Tensor host = *Tensor::Allocate(*memory, dtype, Shape{n});
          auto* const byte = static_cast<unsigned char*>(host.raw());
          for (size_t i = 0; i < host.bytes(); ++i) byte[i] = static_cast<unsigned char>(i * 7 + 1);
          const absl::StatusOr<Tensor> there = Upload(host);
          ASSERT_TRUE(there.ok()) << there.status();
          EXPECT_EQ(there->buffer()->allocator(), &device_->allocator());
          const absl::StatusOr<Tensor> within = device_->CopyWithin(*there);
          ASSERT_TRUE(within.ok()) << within.status();
          EXPECT_TRUE(n == 0 || within->raw() != there->raw());
          const absl::StatusOr<Tensor> back = Fetch(*within);
          ASSERT_TRUE(back.ok()) << back.status();
          ASSERT_EQ(back->dtype(), dtype);
          ASSERT_EQ(back->shape(), host.shape());
          EXPECT_EQ(std::memcmp(back->raw(), host.raw(), host.bytes()), 0) << bytes;
        }
      }
    }
  }
}

TEST_F(CudaDeviceTest, HostTensorsPassThrough) {
  ASSERT_TRUE(Make().ok());
  const Tensor text = Tensor::Scalar<std::string>("x");
  EXPECT_EQ(Upload(text)->scalar<std::string>(), "x");
  EXPECT_EQ(Fetch(text)->scalar<std::string>(), "x");
  EXPECT_EQ(Compared(Fetch(Numbers(5, 1)), 5, 1), "ok");
  const Tensor there = *Upload(Numbers(5, 1));
  EXPECT_EQ(Upload(there)->raw(), there.raw());
}

TEST_F(CudaDeviceTest, SlicesAreCopied) {
  ASSERT_TRUE(Make().ok());
  const Tensor there = *Upload(Numbers(100'000, 0));
  EXPECT_EQ(Compared(Fetch(there.Rows(10, 15)), 5, 10), "ok");
  EXPECT_EQ(Compared(Fetch(there.Rows(10, 90'000)), 89'990, 10), "ok");
}

}  // namespace
}  // namespace sluice::cuda
