// SPDX-License-Identifier: Apache-2.0
// Allocator, buffer and tensor.
#include "core/tensor/tensor.h"

#include <cstring>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"
#include "core/tensor/allocator.h"
#include "core/tensor/resource.h"
#include "core/tensor/variant.h"
#include "core/threads/thread_pool.h"
#include "gtest/gtest.h"

namespace sluice {
namespace {

bool Aligned(const void* p) { return reinterpret_cast<uintptr_t>(p) % kAlignment == 0; }

TEST(AllocatorTest, BlocksOfEverySizeAreAlignedAndApart) {
  Allocator& allocator = CpuAllocator();
  std::vector<std::pair<char*, size_t>> blocks;
  for (size_t size = 0; size < (size_t{6} << 20); size = size * 5 / 4 + 1) {
    char* block = static_cast<char*>(allocator.Allocate(size));
    ASSERT_NE(block, nullptr);
    ASSERT_TRUE(Aligned(block));
    std::memset(block, static_cast<int>(blocks.size()), size);
    blocks.emplace_back(block, size);
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    const auto [block, size] = blocks[i];
    for (size_t at = 0; at < size; at += 61) ASSERT_EQ(block[at], static_cast<char>(i));
    allocator.Free(block, size);
  }
}

// An event loop allocates blocks that the steps' threads free.
TEST(AllocatorTest, ReusesBlocksThatAnotherThreadFreed) {
  constexpr int kBlocks = 1000, kRounds = 60, kBytes = 64;
  Allocator& allocator = CpuAllocator();
  std::vector<void*> blocks;
  absl::Mutex mu;
  int round = 0;  // even: blocks are allocated; odd: they are freed
  const auto turn = [&](int until, absl::FunctionRef<void()> act) {
    const auto mine = [&] { return round == until; };
    absl::MutexLock lock(&mu, absl::Condition(&mine));
    act();
    ++round;
  };
  std::thread frees([&] {
    for (int i = 0; i < kRounds; ++i) {
      turn(2 * i + 1, [&] {
        for (void* block : blocks) allocator.Free(block, kBytes);
        blocks.clear();
      });
    }
  });
  const int64_t before = allocator.stats().peak_bytes;
  for (int i = 0; i < kRounds; ++i) {
    turn(2 * i, [&] {
      for (int k = 0; k < kBlocks; ++k) blocks.push_back(allocator.Allocate(kBytes));
    });
  }
  frees.join();
  EXPECT_LT(allocator.stats().peak_bytes - before, 8 * kBlocks * kBytes);
}

TEST(AllocatorTest, CountsWhatLives) {
  Allocator& allocator = CpuAllocator();
  const AllocatorStats before = allocator.stats();
  void* block = allocator.Allocate(1000);
  EXPECT_EQ(allocator.stats().live_bytes, before.live_bytes + 1000);
  EXPECT_EQ(allocator.stats().allocations, before.allocations + 1);
  allocator.Free(block, 1000);
  EXPECT_EQ(allocator.stats().live_bytes, before.live_bytes);
}

TEST(AllocatorTest, AnotherThreadMayFree) {
  Allocator& allocator = CpuAllocator();
  const int64_t before = allocator.stats().live_bytes;
  for (int round = 0; round < 20; ++round) {
    std::vector<std::pair<void*, size_t>> blocks;
    std::thread maker([&] {
      for (size_t i = 0; i < 2000; ++i) {
        const size_t size = 64 + (i * 7919) % 20000;
        void* block = allocator.Allocate(size);
        std::memset(block, 1, size);
        blocks.emplace_back(block, size);
      }
    });
    maker.join();
    std::thread user([&] {
      for (auto [block, size] : blocks) allocator.Free(block, size);
    });
    user.join();
  }
  EXPECT_EQ(allocator.stats().live_bytes, before);
}

TEST(AllocatorTest, ManyThreadsAtOnce) {
  Allocator& allocator = CpuAllocator();
  const int64_t before = allocator.stats().live_bytes;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&allocator, t] {
      std::vector<std::pair<char*, size_t>> blocks;
      uint64_t random = static_cast<uint64_t>(t) + 1;
      for (int i = 0; i < 20000; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const size_t size = (random >> 40) % ((random >> 60) == 0 ? 2000000 : 3000);
        char* block = static_cast<char*>(allocator.Allocate(size));
        if (size > 0) block[0] = block[size - 1] = static_cast<char>(t);
        blocks.emplace_back(block, size);
        if (blocks.size() > 50) {
          std::swap(blocks[(random >> 33) % blocks.size()], blocks.back());
          const auto [old, old_size] = blocks.back();
          if (old_size > 0) {
            ASSERT_EQ(old[0], static_cast<char>(t));
          }
          allocator.Free(old, old_size);
          blocks.pop_back();
        }
      }
      for (auto [block, size] : blocks) allocator.Free(block, size);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(allocator.stats().live_bytes, before);
}

TEST(AllocatorTest, TooMuchIsNull) {
  EXPECT_EQ(CpuAllocator().Allocate(size_t{1} << 60), nullptr);
  EXPECT_EQ(Tensor::Allocate(CpuAllocator(), kFloat, Shape{int64_t{1} << 61}).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(Tensor::Allocate(CpuAllocator(), kDouble, Shape{int64_t{1} << 50}).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(BufferTest, ElementsAreMadeAndDestroyed) {
  const int64_t before = CpuAllocator().stats().live_bytes;
  {
    Tensor strings(kString, Shape{3});
    EXPECT_TRUE(Aligned(strings.raw()));
    strings.mutable_data<std::string>()[1] = std::string(1000, 'x');
    Tensor handles(kResource, Shape{2});
    handles.mutable_data<ResourceHandle>()[0].name = std::string(100, 'y');
    Tensor variants(kVariant, Shape{});
    EXPECT_TRUE(variants.scalar<Variant>().empty());
  }
  EXPECT_EQ(CpuAllocator().stats().live_bytes, before);
}

TEST(BufferTest, BorrowedMemoryIsReleasedOnce) {
  float values[4] = {1, 2, 3, 4};
  int released = 0;
  {
    Tensor t(kFloat, Shape{4}, Buffer::Borrow(values, sizeof(values), [&] { ++released; }));
    Tensor rows = t.Rows(1, 3);
    t = Tensor();
    EXPECT_EQ(released, 0);
    EXPECT_EQ(rows.flat<float>()[0], 2);
  }
  EXPECT_EQ(released, 1);
}

TEST(TensorTest, CopiesShareRowsSlice) {
  const Tensor t = Tensor::Of<int32_t>(Shape{3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(t.unique());
  const Tensor rows = t.Rows(1, 3);
  EXPECT_EQ(rows.shape(), (Shape{2, 2}));
  EXPECT_EQ(rows.flat<int32_t>()[0], 3);
  EXPECT_FALSE(t.unique());
  EXPECT_EQ(t.Rows(1, 1).num_elements(), 0);
  const Tensor copy = *t.Copy();
  EXPECT_NE(copy.raw(), t.raw());
  EXPECT_EQ(copy.ToString(), "int32 [3,2] {1, 2, 3, 4, 5, 6}");
  EXPECT_EQ(t.ToString(2), "int32 [3,2] {1, 2, ...}");
  EXPECT_EQ(t.Reshaped(Shape{6})->rank(), 1);
  EXPECT_FALSE(t.Reshaped(Shape{5}).ok());
  const Tensor strings = Tensor::Of<std::string>(Shape{2}, {"a", "b"});
  EXPECT_EQ(strings.Rows(1, 2).scalar<std::string>(), "b");
  EXPECT_EQ(strings.Copy()->flat<std::string>()[1], "b");
  EXPECT_EQ(Tensor(kFloat, Shape{0, 4}).Rows(0, 0).shape(), (Shape{0, 4}));
}

TEST(TensorTest, SnapshotCopiesOnlyMemoryOfAVariable) {
  Tensor plain = Tensor::Scalar<float>(1);
  EXPECT_EQ(plain.Snapshot()->raw(), plain.raw());
  const Tensor value(kFloat, Shape{2});
  value.buffer()->set_guard(MakeRefCounted<BufferGuard>());
  EXPECT_NE(value.Snapshot()->raw(), value.raw());
  EXPECT_NE(value.Rows(0, 1).Snapshot()->raw(), value.raw());
}

TEST(TensorTest, IndicesAreChecked) {
  EXPECT_EQ(*IntScalar(Tensor::Scalar<int32_t>(7)), 7);
  EXPECT_FALSE(IntScalar(Tensor::Scalar<float>(7)).ok());
  EXPECT_FALSE(IntScalar(Tensor::Vector<int64_t>({1, 2})).ok());
  EXPECT_EQ(*ShapeFrom(Tensor::Vector<int32_t>({2, 3})), (Shape{2, 3}));
  EXPECT_FALSE(ShapeFrom(Tensor::Vector<int64_t>({int64_t{1} << 62, 4})).ok());
  EXPECT_FALSE(ShapeFrom(Tensor::Vector<int32_t>({-1})).ok());
  EXPECT_FALSE(ShapeFrom(Tensor::Scalar<int32_t>(2)).ok());
}

}  // namespace
}  // namespace sluice
