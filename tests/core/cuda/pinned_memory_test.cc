// SPDX-License-Identifier: Apache-2.0
#include "core/device/cuda_pinned_memory.h"

#include <cstdlib>

#include "tests/core/cuda/cuda_device_fixture.h"

namespace sluice::cuda {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

TEST_F(CudaDeviceTest, MemoryOfOthersIsRegisteredOnceAndCopiedDirectly) {
  ASSERT_TRUE(Make().ok());
  constexpr size_t kBytes = 24 * kMiB;
  void* const memory = std::aligned_alloc(4096, kBytes);
  {
    const Tensor tensor(kUint8, Shape{static_cast<int64_t>(kBytes) - 128},
                        Buffer::Borrow(static_cast<char*>(memory) + 128, kBytes - 128, [] {}));
    const auto copies = [&] {
      const int64_t before = cuda_double::CountAll().copies;
      EXPECT_TRUE(Upload(tensor).ok());
      return cuda_double::CountAll().copies - before;
    };
    EXPECT_GT(copies(), 1) << "in pieces, through pinned memory";
    const int64_t registered = cuda_double::CountAll().pinned_allocations;
    std::shared_ptr<void> pin = device_->PinHostMemory(memory, kBytes);
    ASSERT_NE(pin, nullptr);
    EXPECT_EQ(cuda_double::CountAll().pinned_allocations, registered + 1);
    EXPECT_EQ(copies(), 1);
    EXPECT_EQ(device_->PinHostMemory(memory, kBytes), nullptr) << "it is registered already";
    pin = nullptr;
    EXPECT_EQ(cuda_double::CountAll().pinned_allocations, registered);
    EXPECT_GT(copies(), 1);
  }
  std::free(memory);
}

TEST_F(CudaDeviceTest, RegisteredMemoryCountsForTheLimit) {
  ASSERT_TRUE(Make({.pinned_limit = 20 * static_cast<int64_t>(kMiB)}).ok());
  void* const memory = std::aligned_alloc(4096, 30 * kMiB);
  EXPECT_EQ(device_->PinHostMemory(memory, 30 * kMiB), nullptr);
  std::shared_ptr<void> pin = device_->PinHostMemory(memory, 4 * kMiB);
  EXPECT_NE(pin, nullptr);
  EXPECT_EQ(device_->PinHostMemory(static_cast<char*>(memory) + 4 * kMiB, 17 * kMiB), nullptr);
  const auto* const pinned = static_cast<PinnedMemory*>(device_->transfer_allocator());
  EXPECT_GE(pinned->pinned_bytes(), 4 * kMiB);
  EXPECT_TRUE(pinned->IsPinned(static_cast<char*>(memory) + 4 * kMiB - 1));
  EXPECT_FALSE(pinned->IsPinned(static_cast<char*>(memory) + 4 * kMiB));
  pin = nullptr;
  std::free(memory);
}

TEST_F(CudaDeviceTest, ARegistrationThatFailsLeavesTheMemoryAsItWas) {
  ASSERT_TRUE(Make().ok());
  void* const memory = std::aligned_alloc(4096, kMiB);
  cuda_double::FailCall(cuda_double::Call::kAllocation, 1, cudaErrorMemoryAllocation);
  EXPECT_EQ(device_->PinHostMemory(memory, kMiB), nullptr);
  EXPECT_FALSE(static_cast<PinnedMemory*>(device_->transfer_allocator())->IsPinned(memory));
  std::free(memory);
}

}  // namespace
}  // namespace sluice::cuda
