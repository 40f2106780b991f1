// SPDX-License-Identifier: Apache-2.0
#include "core/device/cuda_allocator.h"

#include <gmock/gmock.h>

#include <random>
#include <thread>
#include <vector>

#include "core/tensor/allocation_label.h"
#include "tests/core/cuda/cuda_device_fixture.h"

namespace sluice::cuda {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int64_t kMiB = 1 << 20;

class CudaMemoryTest : public CudaDeviceTest {
 protected:
  int64_t Bytes() const { return cuda_double::CountAll().device_bytes; }
  absl::StatusOr<Tensor> FilledBy(int64_t n, int32_t value) {
    SLUICE_ASSIGN(Tensor tensor, New(kInt32, Shape{n}));
    SLUICE_RETURN_IF_ERROR(Enqueue(FillKernel, Data(tensor), n, value));
    return tensor;
  }
  absl::StatusOr<Tensor> UploadOf(int64_t n, int32_t value) {
    Tensor host(kInt32, Shape{n});
    std::fill_n(host.mutable_data<int32_t>(), n, value);
    return Upload(host);
  }
};

TEST_F(CudaMemoryTest, AFreedBlockServesTheNextKernelAtOnce) {
  ASSERT_TRUE(Make().ok());
  absl::Notification go;
  ASSERT_TRUE(Enqueue(WaitKernel, &go).ok());
  Tensor a = *New(kInt32, Shape{1000});
  void* const raw = a.raw();
  ASSERT_TRUE(Enqueue(FillKernel, Data(a), int64_t{1000}, 3).ok());
  a = Tensor();
  const Tensor b = *New(kInt32, Shape{1000});
  EXPECT_EQ(b.raw(), raw);  // the kernels have not begun
  go.Notify();
  EXPECT_TRUE(Finish().ok());  // the kernel waits for `go` until then
}

TEST_F(CudaMemoryTest, CountsWhatTensorFlowCounts) {
  ASSERT_TRUE(Make({.memory_limit = 100 * kMiB}).ok());
  {
    const Tensor a = *New(kFloat, Shape{1000});
    Tensor b = *New(kFloat, Shape{5000});
    b = Tensor();
    const Tensor c = *New(kFloat, Shape{2000});
    const AllocatorStats stats = device_->allocator().stats();
    EXPECT_EQ(stats.live_bytes, 12'000);
    EXPECT_EQ(stats.peak_bytes, 24'000);
    EXPECT_EQ(stats.allocations, 3);
    EXPECT_EQ(stats.largest, 20'000);
    EXPECT_EQ(stats.limit, 100 * kMiB);
  }
  EXPECT_EQ(device_->allocator().stats().live_bytes, 0);
}

TEST_F(CudaMemoryTest, TensorsWithoutElementsTakeNoMemory) {
  ASSERT_TRUE(Make().ok());
  const Tensor none = *New(kFloat, Shape{0, 3});
  EXPECT_NE(none.raw(), nullptr);
  EXPECT_EQ(Bytes(), 0);
  EXPECT_EQ(Fetch(none)->shape(), (Shape{0, 3}));
}

TEST_F(CudaMemoryTest, RegionsStayWithinTheLimit) {
  ASSERT_TRUE(Make({.memory_limit = 40 * kMiB}).ok());
  std::vector<Tensor> all;
  for (;;) {
    absl::StatusOr<Tensor> next = New(kUint8, Shape{3 * kMiB});
    if (!next.ok()) break;
    all.push_back(*std::move(next));
  }
  EXPECT_EQ(all.size(), 13u);
  EXPECT_LE(Bytes(), 40 * kMiB);
  // Small ones fit into what is left between large ones.
  EXPECT_TRUE(New(kUint8, Shape{1000}).ok());
}

TEST_F(CudaMemoryTest, GrowthInSizesOfRequestsTakesLittle) {
  ASSERT_TRUE(Make({.allow_growth = true}).ok());
  const Tensor a = *New(kUint8, Shape{3 * kMiB});
  EXPECT_EQ(Bytes(), 4 * kMiB);
}

TEST_F(CudaMemoryTest, OutOfMemoryNamesRequestLimitAndLargestBlocks) {
  ASSERT_TRUE(Make({.memory_limit = 64 * kMiB}).ok());
  std::vector<Tensor> held;
  for (int i = 1; i <= 12; ++i) {
    const std::string node = Cat("layer", i, "/weights");
    const AllocationLabel label(node);
    held.push_back(*New(kUint8, Shape{i * 500'000}));
  }
  const absl::Status status = New(kFloat, Shape{10, kMiB}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(
      std::string(status.message()),
      AllOf(HasSubstr("OOM when allocating tensor with shape[10,1048576] and type float"),
            HasSubstr("10485760 x 4 bytes requested"), HasSubstr("limit 67108864"),
            HasSubstr("in use 39000000"),
            HasSubstr("largest: 6000000 bytes of layer12/weights, 5500000 bytes of "
                      "layer11/weights,"),
            HasSubstr("1500000 bytes of layer3/weights"), Not(HasSubstr("layer2/weights"))));
  held.clear();
  EXPECT_TRUE(New(kFloat, Shape{10, kMiB}).ok());
}

TEST_F(CudaMemoryTest, CachedRegionsGoBackBeforeAnError) {
  ASSERT_TRUE(Make({.memory_limit = 64 * kMiB, .allow_growth = true}).ok());
  for (int64_t mib : {10, 20, 30, 60, 64, 1}) {
    const absl::StatusOr<Tensor> tensor = New(kUint8, Shape{mib * kMiB});
    EXPECT_TRUE(tensor.ok()) << tensor.status();
  }
  EXPECT_FALSE(New(kUint8, Shape{65 * kMiB}).ok());
}

TEST_F(CudaMemoryTest, MemoryThatOthersUseIsMissing) {
  cuda_double::SetDevices(1, 256 * kMiB);
  ASSERT_TRUE(Make({.memory_limit = 256 * kMiB}).ok());
  void* others = nullptr;
  ASSERT_EQ(cudaMalloc(&others, 200 * kMiB), cudaSuccess);
  EXPECT_TRUE(New(kUint8, Shape{30 * kMiB}).ok());
  const absl::Status status = New(kUint8, Shape{100 * kMiB}).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("left on the GPU"));
  EXPECT_EQ(cudaFree(others), cudaSuccess);
  EXPECT_TRUE(New(kUint8, Shape{100 * kMiB}).ok());
}

TEST_F(CudaMemoryTest, AnAllocationWaitsForCopiesThatHoldMemory) {
  ASSERT_TRUE(Make({.memory_limit = 32 * kMiB}).ok());
  cuda_double::SetDelay(3000);
  for (int i = 0; i < 10; ++i) {
    Tensor large = *New(kInt32, Shape{5 * kMiB});
    ASSERT_TRUE(Enqueue(FillKernel, Data(large), int64_t{10}, i).ok());
    absl::Notification copied;
    device_->CopyToHost(large, [&](absl::StatusOr<Tensor> copy) {
      EXPECT_TRUE(copy.ok() && copy->data<int32_t>()[9] == i);
      copied.Notify();
    });
    large = Tensor();
    const absl::StatusOr<Tensor> next = New(kInt32, Shape{5 * kMiB});
    EXPECT_TRUE(next.ok()) << next.status();
    copied.WaitForNotification();
  }
}

// Random requests on several threads: kernels fill their block, later kernels check it. A block that
// is given out too early shows another thread's number.
TEST_F(CudaMemoryTest, NoBlockIsUsedTwice) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    cuda_double::Reset();
    ASSERT_TRUE(Make({.memory_limit = 24 * kMiB}).ok());
    cuda_double::SetSeed(seed);
    cuda_double::SetDelay(30);
    std::atomic<int64_t> others = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        std::minstd_rand random(static_cast<uint32_t>(10 * seed + t + 1));
        std::vector<std::pair<Tensor, int32_t>> live;
        for (int32_t i = 0; i < 150; ++i) {
          const bool large = random() % 6 == 0;
          const int64_t n = 1 + random() % (large ? 300'000 : 3000);
          const int32_t value = 1000 * (t + 1) + i;
          const absl::StatusOr<Tensor> tensor =
              large && random() % 2 == 0 ? UploadOf(n, value) : FilledBy(n, value);
          if (tensor.ok()) live.emplace_back(*tensor, value);
          while (!live.empty() && (random() % 3 == 0 || !tensor.ok())) {
            auto& [checked, number] = live[random() % live.size()];
            ASSERT_TRUE(
                Enqueue(CountOthersKernel, Data(checked), checked.num_elements(), number, &others)
                    .ok());
            std::swap(live.back().first, checked);
            std::swap(live.back().second, number);
            live.pop_back();
          }
        }
      });
    }
    for (auto& thread : threads) thread.join();
    ASSERT_TRUE(Finish().ok());
    EXPECT_EQ(others, 0);
    device_.reset();
    EXPECT_EQ(Bytes(), 0);
  }
}

}  // namespace
}  // namespace sluice::cuda
