// SPDX-License-Identifier: Apache-2.0
// The memory that two processes share, without the processes.
#include <sys/syscall.h>
#include <unistd.h>

#include <random>
#include <thread>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "transport/backends/shm/arena.h"
#include "transport/backends/shm/ring.h"
#include "transport/backends/shm/shared_arena.h"
#include "transport/backends/shm/shared_memory.h"
#include "transport/backends/shm/unix_socket.h"

namespace sluice::transport {
namespace {

class RingTest : public testing::Test {
 protected:
  static constexpr size_t kSize = 64;
  RingHead head_ = {};
  char data_[kSize] = {};
  RingWriter writer_{&head_, data_, kSize};
  RingReader reader_{&head_, data_, kSize};

  std::string ReadAll() {
    std::string all;
    while (true) {
      const auto piece = reader_.Readable();
      EXPECT_TRUE(piece.ok());
      if (piece->empty()) return all;
      all.append(piece->data(), piece->size());
      reader_.Consume(piece->size());
    }
  }
};

TEST_F(RingTest, BytesArriveInOrder) {
  std::mt19937 random(1);
  std::string written, read;
  while (written.size() < 10'000) {
    std::string bytes(random() % 100, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    written += bytes.substr(0, writer_.Write(bytes));
    if (random() % 2 == 0) read += ReadAll();
  }
  EXPECT_EQ(read + ReadAll(), written);
}

TEST_F(RingTest, AFullRingTakesNothingUntilItIsRead) {
  EXPECT_EQ(writer_.Write(std::string(100, 'x')), kSize);
  EXPECT_EQ(writer_.Write("y"), 0u);
  EXPECT_TRUE(writer_.WaitForRoom());
  EXPECT_EQ(ReadAll().size(), kSize);
  EXPECT_TRUE(reader_.WriterWaits());
  EXPECT_FALSE(reader_.WriterWaits()) << "only once";
  EXPECT_EQ(writer_.Write("y"), 1u);
}

TEST_F(RingTest, AReaderRestsOnlyWhenThereIsNothing) {
  EXPECT_FALSE(writer_.ReaderRests());
  EXPECT_TRUE(reader_.Rest());
  writer_.Write("x");
  EXPECT_TRUE(writer_.ReaderRests());
  EXPECT_FALSE(writer_.ReaderRests()) << "only once";
  EXPECT_FALSE(reader_.Rest()) << "something was written";
}

TEST_F(RingTest, InvalidCountersOfTheWriterAreDetected) {
  head_.written.store(1000);
  EXPECT_TRUE(absl::IsInvalidArgument(reader_.Readable().status()));
}

TEST_F(RingTest, ThreadsAgree) {
  constexpr int kBytes = 1'000'000;
  std::thread other([this] {
    for (int i = 0; i < kBytes;) {
      const char c = static_cast<char>(i);
      if (writer_.Write({&c, 1}) == 1)
        ++i;
      else
        std::this_thread::yield();
    }
  });
  for (int i = 0; i < kBytes;) {
    const auto piece = reader_.Readable();
    ASSERT_TRUE(piece.ok());
    for (char c : *piece) ASSERT_EQ(c, static_cast<char>(i++));
    if (piece->empty()) std::this_thread::yield();
    reader_.Consume(piece->size());
  }
  other.join();
}

TEST(SharedMemoryTest, BothSidesSeeTheSameBytes) {
  auto made = SharedMemory::Create(10'000);
  ASSERT_TRUE(made.ok()) << made.status();
  auto seen = SharedMemory::Map(Descriptor(dup((*made)->descriptor())));
  ASSERT_TRUE(seen.ok()) << seen.status();
  EXPECT_EQ((*seen)->size(), 10'000u);
  (*made)->data()[9'999] = 'x';
  EXPECT_EQ((*seen)->data()[9'999], 'x');
}

TEST(SharedMemoryTest, APinEndsBeforeTheMemory) {
  auto made = SharedMemory::Create(10'000);
  ASSERT_TRUE(made.ok()) << made.status();
  char seen = 0;
  (*made)->data()[1] = 'x';
  (*made)->set_pin(std::shared_ptr<void>((*made)->data(), [&](void* memory) {
    seen = static_cast<char*>(memory)[1];  // still mapped
  }));
  made->reset();
  EXPECT_EQ(seen, 'x');
}

TEST(SharedMemoryTest, MemoryThatMayShrinkIsRefused) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const Descriptor in(ends[1]);
  EXPECT_TRUE(absl::IsInvalidArgument(SharedMemory::Map(Descriptor(ends[0])).status()));
}

TEST(SharedMemoryTest, MoreThanThereIsIsAnError) {
  EXPECT_TRUE(absl::IsResourceExhausted(SharedMemory::Create(size_t{1} << 50).status()));
}

class ArenaTest : public testing::Test {
 protected:
  Arena arena_{8 << 20,
               [this](uint64_t, const SharedMemory&) {
                 ++shared_;
                 return absl::OkStatus();
               },
               [this](uint64_t) { ++ended_; }};
  int shared_ = 0, ended_ = 0;

  static void LetGo(const Arena::Block& block) { BlockHead::Of(block.data)->readers.store(0); }
};

TEST_F(ArenaTest, BlocksDoNotOverlap) {
  std::vector<Arena::Block> blocks;
  for (int i = 0; i < 100; ++i) {
    auto block = arena_.Take(10'000);
    ASSERT_TRUE(block.ok()) << block.status();
    std::memset(block->data, i, 10'000);
    blocks.push_back(*std::move(block));
  }
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(blocks[i].data[0], i);
    EXPECT_EQ(blocks[i].data[9'999], i);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(blocks[i].data) % 64, 0u);
  }
}

TEST_F(ArenaTest, ReleasedBlocksAreReused) {
  for (int i = 0; i < 1000; ++i) {
    auto block = arena_.Take(1 << 20);
    ASSERT_TRUE(block.ok()) << i << block.status();
    LetGo(*block);
  }
  EXPECT_EQ(shared_, 1);
}

TEST_F(ArenaTest, ABlockThatItsSenderStillReadsIsNotReused) {
  auto reader = std::make_shared<int>();
  const auto read = arena_.Take(10'000, reader);
  ASSERT_TRUE(read.ok()) << read.status();
  LetGo(*read);
  EXPECT_NE(arena_.Take(10'000)->data, read->data);
  reader.reset();
  EXPECT_EQ(arena_.Take(10'000)->data, read->data);
}

TEST_F(ArenaTest, NeighboursJoin) {
  std::vector<Arena::Block> blocks;
  for (int i = 0; i < 4; ++i) blocks.push_back(*arena_.Take(500'000));
  const size_t held = arena_.held();
  for (int i : {2, 0, 3, 1}) LetGo(blocks[i]);
  EXPECT_TRUE(arena_.Take(2'000'000).ok());
  EXPECT_EQ(arena_.held(), held);
}

TEST_F(ArenaTest, TheLimitIsKept) {
  std::vector<Arena::Block> blocks;
  absl::Status status;
  while (status.ok() && blocks.size() < 100) {
    auto block = arena_.Take(1 << 20);
    status = block.status();
    if (block.ok()) blocks.push_back(*std::move(block));
  }
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_GE(blocks.size(), 5u);
  EXPECT_LE(arena_.held(), size_t{8 << 20});
  LetGo(blocks[0]);
  EXPECT_TRUE(arena_.Take(1 << 20).ok());
}

TEST(ArenaSegmentTest, EmptySegmentsAreReleasedAboveTheLimit) {
  std::vector<uint64_t> ended;
  Arena arena(
      1 << 30, [](uint64_t, const SharedMemory&) { return absl::OkStatus(); },
      [&](uint64_t segment) { ended.push_back(segment); });
  const auto let_go = [](const Arena::Block& block) {
    BlockHead::Of(block.data)->readers.store(0);
  };
  auto first = arena.Take(300 << 20);
  ASSERT_TRUE(first.ok()) << first.status();
  auto second = arena.Take(300 << 20);
  ASSERT_TRUE(second.ok()) << second.status();
  let_go(*first);
  arena.Sweep();
  EXPECT_THAT(ended, testing::ElementsAre(1));
  let_go(*second);
  arena.Sweep();
  EXPECT_THAT(ended, testing::ElementsAre(1)) << "one may wait for the next step";
  EXPECT_GE(arena.held(), 300u << 20);
}

class SharedArenaTest : public testing::Test {
 protected:
  static constexpr int64_t kBytes = 10'000;
  SharedArena arena_{8 << 20};

  Tensor Allocate() { return arena_.Allocate(kUint8, Shape{kBytes}).value_or(Tensor()); }
  static void LetGo(const SharedArena::Loan& loan, int reader) {
    BlockHead::Of(loan.memory->data() + loan.at.offset)->readers.fetch_and(~BlockHead::Bit(reader));
  }
};

TEST_F(SharedArenaTest, MemoryIsFreeAfterItsLastReaderAndItsTensor) {
  const int one = *arena_.Join(), other = *arena_.Join();
  Tensor tensor = Allocate();
  const void* const memory = tensor.raw();
  const auto first = arena_.Lend(tensor, one), second = arena_.Lend(tensor, other);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->at, second->at);
  EXPECT_EQ(first->memory->data() + first->at.offset, memory);
  LetGo(*first, one);
  tensor = Tensor();
  EXPECT_NE(Allocate().raw(), memory) << "the other one reads it";
  LetGo(*second, other);
  EXPECT_EQ(Allocate().raw(), memory);
  tensor = Allocate();
  EXPECT_NE(Allocate().raw(), tensor.raw()) << "it is not sent yet";
}

TEST_F(SharedArenaTest, LendsAReaderOnlyWhatItDoesNotHave) {
  const int reader = *arena_.Join();
  const Tensor tensor = Allocate(), other(kUint8, Shape{kBytes});
  const auto loan = arena_.Lend(tensor, reader);
  ASSERT_TRUE(loan);
  EXPECT_FALSE(arena_.Lend(tensor, reader)) << "its first message would free the second";
  EXPECT_FALSE(arena_.Lend(other, reader)) << "it is of another allocator";
  LetGo(*loan, reader);
  EXPECT_TRUE(arena_.Lend(tensor, reader));
}

TEST_F(SharedArenaTest, WhatAReaderHasIsNotUsedAgainAfterItsEnd) {
  const int reader = *arena_.Join();
  Tensor tensor = Allocate();
  const auto loan = arena_.Lend(tensor, reader);
  ASSERT_TRUE(loan);
  arena_.Leave(reader);
  EXPECT_EQ(*arena_.Join(), reader);
  EXPECT_FALSE(arena_.Lend(tensor, reader)) << "the segment is given up";
  tensor = Tensor();
  for (int i = 0; i < 10; ++i) {
    const Tensor next = Allocate();
    const auto again = arena_.Lend(next, reader);
    ASSERT_TRUE(again);
    EXPECT_NE(again->memory, loan->memory);
    LetGo(*again, reader);
  }
}

TEST_F(SharedArenaTest, HasSixtyFourReaders) {
  for (int i = 0; i < 64; ++i) EXPECT_EQ(arena_.Join(), i);
  EXPECT_FALSE(arena_.Join());
  arena_.Leave(7);
  EXPECT_EQ(arena_.Join(), 7);
}

TEST_F(SharedArenaTest, TheLimitIsKept) {
  std::vector<Tensor> tensors;
  while (const auto tensor = arena_.Allocate(kUint8, Shape{1 << 20})) tensors.push_back(*tensor);
  EXPECT_GE(tensors.size(), 5u);
  EXPECT_LE(tensors.size(), 8u);
}

TEST(UnixSocketTest, PassesBytesAndDescriptors) {
  const std::string name = absl::StrCat("sluice-test-", getpid());
  auto listener = ListenUnix(name);
  ASSERT_TRUE(listener.ok()) << listener.status();
  auto out = ConnectUnix(name);
  ASSERT_TRUE(out.ok()) << out.status();
  const Descriptor in = AcceptUnix(listener->get());
  ASSERT_TRUE(in.valid());
  EXPECT_TRUE(absl::IsUnavailable(ReceivePacket(in.get()).status())) << "nothing was sent";
  auto memory = *SharedMemory::Create(4096);
  memory->data()[7] = 'm';
  ASSERT_TRUE(SendPacket(out->get(), "hello", {memory->descriptor()}).ok());
  auto packet = ReceivePacket(in.get());
  ASSERT_TRUE(packet.ok()) << packet.status();
  EXPECT_EQ(packet->bytes, "hello");
  ASSERT_EQ(packet->descriptors.size(), 1u);
  EXPECT_EQ((*SharedMemory::Map(std::move(packet->descriptors[0])))->data()[7], 'm');
}

TEST(UnixSocketTest, AMissingListenerIsNamed) {
  const absl::Status status = ConnectUnix("sluice-nobody").status();
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_TRUE(absl::StrContains(status.message(), "sluice-nobody"));
}

TEST(UnixSocketTest, RefusesProcessesOfOtherUsers) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can be somebody else";
  const std::string name = absl::StrCat("sluice-users-", getpid());
  auto listener = ListenUnix(name);
  ASSERT_TRUE(listener.ok()) << listener.status();
  // It applies only to this thread: the kernel checks the calling thread.
  constexpr uid_t kNobody = 65534;
  ASSERT_EQ(syscall(SYS_setresuid, -1, kNobody, -1), 0);
  const absl::Status status = ConnectUnix(name).status();
  ASSERT_EQ(syscall(SYS_setresuid, -1, 0, -1), 0);
  EXPECT_TRUE(absl::StrContains(status.message(), "another user")) << status;
  EXPECT_FALSE(AcceptUnix(listener->get()).valid()) << "nobody's connection was accepted";
}

}  // namespace
}  // namespace sluice::transport
