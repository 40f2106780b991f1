// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "core/tensor/resource.h"
#include "tests/core/cuda/cuda_device_fixture.h"

namespace sluice::cuda {
namespace {

// Small and large tensors, several seeds: each copy shows the results of earlier kernels and of no
// later one.
TEST_F(CudaDeviceTest, CopiesHaveTheirPlaceAmongKernels) {
  ASSERT_TRUE(Make().ok());
  for (uint64_t seed = 0; seed < 8; ++seed) {
    cuda_double::SetSeed(seed);
    cuda_double::SetDelay(300);
    for (int64_t n : {1000, 100'000}) {
      const Tensor value = *Upload(Numbers(n, 0));
      std::vector<absl::StatusOr<Tensor>> seen(6);
      for (int32_t i = 0; i < 6; ++i) {
        ASSERT_TRUE(Enqueue(AddKernel, Data(value), n, 1).ok());
        device_->CopyToHost(*device_->CopyWithin(value),
                            [&seen, i](absl::StatusOr<Tensor> copy) { seen[i] = std::move(copy); });
      }
      ASSERT_TRUE(Finish().ok());
      for (int32_t i = 0; i < 6; ++i) EXPECT_EQ(Compared(seen[i], n, i + 1), "ok") << seed;
    }
  }
}

TEST_F(CudaDeviceTest, VariablesAreCopiedAsTheyAreNow) {
  ASSERT_TRUE(Make().ok());
  cuda_double::SetDelay(500);
  for (int64_t n : {1000, 100'000}) {
    auto variable = MakeRefCounted<RefVariable>(kInt32, "v");
    variable->value = *New(kInt32, Shape{n});
    variable->value.buffer()->set_guard(variable->guard);
    absl::Notification go;
    ASSERT_TRUE(Enqueue(WaitKernel, &go).ok());
    ASSERT_TRUE(Enqueue(FillKernel, Data(variable->value), n, 0).ok());
    std::vector<int32_t> seen(5);
    for (int32_t i = 0; i < 5; ++i) {
      device_->CopyToHost(variable->value, [&seen, i](absl::StatusOr<Tensor> copy) {
        seen[i] = copy.ok() ? copy->data<int32_t>()[copy->num_elements() - 1] : -1;
      });
      ASSERT_TRUE(Enqueue(AddKernel, Data(variable->value), n, 1).ok());
    }
    go.Notify();
    ASSERT_TRUE(Finish().ok());
    EXPECT_EQ(seen, (std::vector<int32_t>{0, 1, 2, 3, 4}));
  }
}

TEST_F(CudaDeviceTest, LargeCopiesInDoNotWaitForKernels) {
  ASSERT_TRUE(Make().ok());
  constexpr int64_t kLarge = 1 << 20;
  for (Allocator* memory : {&CpuAllocator(), device_->transfer_allocator()}) {
    Tensor host = *Tensor::Allocate(*memory, kInt32, Shape{kLarge});
    std::copy_n(Numbers(kLarge, 7).data<int32_t>(), kLarge, host.mutable_data<int32_t>());
    absl::Notification go;
    // The kernel still uses memory that is already freed.
    Tensor freed = *New(kInt32, Shape{kLarge});
    ASSERT_TRUE(Enqueue(WaitKernel, &go).ok());
    ASSERT_TRUE(Enqueue(FillKernel, Data(freed), kLarge, 3).ok());
    freed = Tensor();
    const absl::StatusOr<Tensor> there = Upload(host);  // ends before the kernels do
    go.Notify();
    EXPECT_EQ(Compared(Fetch(*there), kLarge, 7), "ok");
  }
}

// The same if kernels still use all memory: the copy waits.
TEST_F(CudaDeviceTest, CopiesInWaitWhereMemoryIsShort) {
  ASSERT_TRUE(Make({.memory_limit = 8 << 20}).ok());
  constexpr int64_t kLarge = 1 << 20;
  Tensor freed = *New(kInt32, Shape{2 * kLarge});
  absl::Notification go;
  ASSERT_TRUE(Enqueue(WaitKernel, &go).ok());
  ASSERT_TRUE(Enqueue(FillKernel, Data(freed), 2 * kLarge, 3).ok());
  freed = Tensor();
  std::thread later([&] {
    absl::SleepFor(absl::Milliseconds(20));
    go.Notify();
  });
  EXPECT_EQ(Compared(Fetch(*Upload(Numbers(kLarge, 7))), kLarge, 7), "ok");
  later.join();
}

TEST_F(CudaDeviceTest, SyncWaitsForKernelsAndCopies) {
  ASSERT_TRUE(Make().ok());
  cuda_double::SetDelay(300);
  for (int i = 0; i < 20; ++i) {
    const Tensor value = *Upload(Numbers(3 << 20, 0));
    std::atomic<int64_t> others = 0;
    bool copied = false;
    ASSERT_TRUE(Enqueue(CountOthersKernel, Data(value), 1, 0, &others).ok());
    device_->CopyToHost(value, [&](absl::StatusOr<Tensor>) { copied = true; });
    ASSERT_TRUE(Finish().ok());
    EXPECT_TRUE(copied);
    EXPECT_EQ(others, 0);
  }
}

TEST_F(CudaDeviceTest, TensorsMayOutliveTheDevice) {
  ASSERT_TRUE(Make().ok());
  {
    Tensor kept = *Upload(Numbers(100'000, 0));
    auto variable = device_->resources().LookupOrCreate<ResourceVariable>(
        "", "v", []() -> absl::StatusOr<RefPtr<ResourceVariable>> {
          return MakeRefCounted<ResourceVariable>(kInt32);
        });
    (*variable)->value = *Upload(Numbers(10, 0));
    variable = absl::NotFoundError("");
    device_.reset();
    EXPECT_GT(cuda_double::CountAll().device_bytes, 0);
  }
  EXPECT_EQ(cuda_double::CountAll().device_bytes, 0);
}

TEST_F(CudaDeviceTest, DestructionFinishesWhatIsOutstanding) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    ASSERT_TRUE(Make().ok());
    cuda_double::SetSeed(seed);
    cuda_double::SetDelay(2000);
    std::atomic<int> ended = 0;
    Tensor value = *Upload(Numbers(3 << 20, 0));
    for (int i = 0; i < 5; ++i) {
      ASSERT_TRUE(Enqueue(AddKernel, Data(value), 3 << 20, 1).ok());
      device_->CopyToHost(value, [&](absl::StatusOr<Tensor> copy) { ended += copy.ok(); });
      device_->CopyFromHost(Numbers(3 << 20, 0),
                            [&](absl::StatusOr<Tensor> copy) { ended += copy.ok(); });
    }
    value = Tensor();
    device_.reset();
    EXPECT_EQ(ended, 10);
    EXPECT_EQ(cuda_double::CountAll().device_bytes, 0);
  }
}

// A kernel for the host must not pass by luck where it reads a GPU's memory.
TEST_F(CudaDeviceTest, HostCodeThatTouchesATensorEndsTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ASSERT_TRUE(Make().ok());
  Tensor there = *Upload(Numbers(5, 1));
  const char* const report = "host code touches a tensor int32 .5. in the memory ";
  EXPECT_DEATH((void)there.flat<int32_t>(), report);
  EXPECT_DEATH((void)there.mutable_data<int32_t>(), report);
  EXPECT_TRUE(absl::IsInternal(there.Copy().status()));
  EXPECT_THAT(there.ToString(), ::testing::HasSubstr("in device memory"));
}

TEST_F(CudaDeviceTest, TwoThousandStepsLeaveNothing) {
  ASSERT_TRUE(Make().ok());
  cuda_double::Counts before;
  for (int step = 0; step < 2000; ++step) {
    const Tensor value = *Upload(Numbers(step % 10 == 0 ? 50'000 : 100, step));
    const int64_t n = value.num_elements();
    const Tensor copy = *device_->CopyWithin(value);
    ASSERT_TRUE(Enqueue(AddKernel, Data(copy), n, 1).ok());
    ASSERT_EQ(Compared(Fetch(copy), n, step + 1), "ok");
    ASSERT_TRUE(Finish().ok());
    const cuda_double::Counts now = cuda_double::CountAll();
    if (step == 200) before = now;
    if (step <= 200) continue;
    ASSERT_EQ(now.device_bytes, before.device_bytes) << step;
    ASSERT_EQ(now.pinned_bytes, before.pinned_bytes) << step;
    ASSERT_LE(now.events, before.events + 2) << step;
    ASSERT_EQ(now.streams, before.streams);
  }
  EXPECT_EQ(device_->allocator().stats().live_bytes, 0);
}

TEST_F(CudaDeviceTest, ManyThreadsUseOneDevice) {
  ASSERT_TRUE(Make().ok());
  cuda_double::SetDelay(50);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 40; ++i) {
        const int64_t n = i % 3 == 0 ? 70'000 : 500;
        const int32_t first = 1000 * t + i;
        const Tensor value = *Upload(Numbers(n, first));
        ASSERT_TRUE(Enqueue(AddKernel, Data(value), n, 5).ok());
        ASSERT_EQ(Compared(Fetch(value), n, first + 5), "ok");
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace sluice::cuda
