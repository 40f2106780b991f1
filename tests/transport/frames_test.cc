#include "transport/grpc/frames.h"

#include <random>

#include "gtest/gtest.h"
#include "tests/transport/endpoint.h"
#include "transport/grpc/arrivals.h"

namespace sluice::transport {
namespace {

const ParcelId kId{{0x123456789abcdef0, 300}, {5, 0xfedcba9876543210, -1, 1000}};

PieceReader ReaderOf(const std::string& bytes) {
  return PieceReader({bytes});
}  // of bytes that outlive it

// One of each.
std::vector<std::string> AllFrames() {
  std::vector<std::string> all(8);
  const TensorHead head{kFloat, Shape{2, 3}, false};
  WriteHello({1, "/job:a/replica:0/task:0", "0.1.0", 77, "/job:b/replica:0/task:0", 64 << 20},
             &all[0]);
  WriteTensor(kId, head, 24, &all[1]);
  all[1] += std::string(24, 'x');
  WriteTransfer(kId, head, 24, 9, &all[2]);
  WriteChunk(9, 5, &all[3]);
  all[3] += "hello";
  WriteAnnounce(kId, head, &all[4]);
  WritePull(kId, &all[5]);
  WriteCredit(kId.step, 12345, &all[6]);
  WriteEnd(kId.step, &all[7]);
  return all;
}

TEST(FramesTest, WhatIsWrittenIsRead) {
  for (const std::string& bytes : AllFrames()) {
    PieceReader reader = ReaderOf(bytes);
    Frame frame;
    ASSERT_TRUE(ReadFrame(reader, &frame).ok());
    switch (frame.kind) {
      case FrameKind::kHello:
        EXPECT_EQ(frame.hello.task, "/job:a/replica:0/task:0");
        EXPECT_EQ(frame.hello.to, "/job:b/replica:0/task:0");
        EXPECT_EQ(frame.hello.incarnation, 77u);
        break;
      case FrameKind::kTensor:
        EXPECT_EQ(reader.left(), 24u);
        [[fallthrough]];
      case FrameKind::kTransfer:
      case FrameKind::kAnnounce:
        EXPECT_EQ(frame.head.dtype, kFloat);
        EXPECT_EQ(frame.head.shape, (Shape{2, 3}));
        [[fallthrough]];
      case FrameKind::kPull:
        EXPECT_EQ(frame.id, kId);
        break;
      case FrameKind::kChunk:
        EXPECT_EQ(frame.number, 9u);
        EXPECT_EQ(frame.bytes, 5u);
        break;
      case FrameKind::kCredit:
        EXPECT_EQ(frame.bytes, 12345u);
        [[fallthrough]];
      case FrameKind::kEnd:
        EXPECT_EQ(frame.id.step, kId.step);
        break;
    }
  }
}

TEST(FramesTest, WhatIsCutShortAtAnyByteIsRefused) {
  for (const std::string& bytes : AllFrames()) {
    for (size_t length = 0; length < bytes.size(); ++length) {
      PieceReader reader({absl::string_view(bytes).substr(0, length)});
      Frame frame;
      EXPECT_EQ(ReadFrame(reader, &frame).code(), absl::StatusCode::kInvalidArgument) << length;
    }
  }
}

TEST(FramesTest, LiesAboutSizesAreRefused) {
  const auto refused = [](const std::string& bytes) {
    PieceReader reader = ReaderOf(bytes);
    Frame frame;
    return absl::IsInvalidArgument(ReadFrame(reader, &frame));
  };
  std::string bytes;
  WriteTensor(kId, {kFloat, Shape{2, 3}, false}, 20, &bytes);
  EXPECT_TRUE(refused(bytes + std::string(20, 'x'))) << "not the shape's size";
  bytes.clear();
  WriteTransfer(kId, {kFloat, Shape{int64_t{1} << 61}, false}, 1 << 20, 1, &bytes);
  EXPECT_TRUE(refused(bytes)) << "the size overflows";
  bytes.clear();
  WriteTransfer(kId, {kString, Shape{2}, false}, uint64_t{1} << 60, 1, &bytes);
  EXPECT_TRUE(refused(bytes)) << "no such string tensor";
  bytes.clear();
  WriteAnnounce(kId, {static_cast<DType>(99), Shape{}, false}, &bytes);
  EXPECT_TRUE(refused(bytes)) << "no such dtype";
}

// Any bytes end in an error or in frames, and any frames in an error or in sink calls.
void Feed(const std::string& bytes) {
  TestSink sink;
  Arrivals arrivals(&sink, "/job:a/replica:0/task:0");
  PieceReader reader = ReaderOf(bytes);
  Frame frame;
  while (reader.left() > 0 && ReadFrame(reader, &frame).ok()) {
    if (frame.head.shape.num_elements() > 1 << 20) return;  // memory is not what is tested
    bool ended = false;
    if (!arrivals.Take(frame, reader, &ended).ok()) return;
  }
}

TEST(FramesTest, RandomBytesDoNoHarm) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 200, '\0');
    for (char& c : bytes) c = static_cast<char>(random() % (i % 2 == 0 ? 256 : 12));
    Feed(bytes);
  }
}

TEST(FramesTest, SpoiledFramesDoNoHarm) {
  std::mt19937_64 random(2);
  const std::vector<std::string> all = AllFrames();
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes;
    for (int j = 0; j < 6; ++j) bytes += all[1 + random() % 7];
    for (int j = 0; j < 3; ++j) bytes[random() % bytes.size()] = static_cast<char>(random());
    Feed(bytes);
  }
}

TEST(ArrivalsTest, ChunksMakeATensor) {
  TestSink sink;
  sink.set_channel([](const std::string&) -> TensorChannel* { return nullptr; });
  Arrivals arrivals(&sink, "a");
  std::string bytes;
  WriteTransfer(kId, {kUint8, Shape{6}, false}, 6, 1, &bytes);
  WriteChunk(1, 4, &bytes);
  bytes += "abcd";
  WriteChunk(1, 2, &bytes);
  bytes += "ef";
  PieceReader reader({absl::string_view(bytes).substr(0, 7), absl::string_view(bytes).substr(7)});
  Frame frame;
  bool ended = false;
  while (reader.left() > 0) {
    ASSERT_TRUE(ReadFrame(reader, &frame).ok());
    ASSERT_TRUE(arrivals.Take(frame, reader, &ended).ok());
  }
  EXPECT_EQ(sink.arrived(), 1u);
}

TEST(ArrivalsTest, ChunksBeyondTheTransferAreRefused) {
  TestSink sink;
  Arrivals arrivals(&sink, "a");
  const auto take = [&](const std::string& bytes) {
    PieceReader reader = ReaderOf(bytes);
    Frame frame;
    bool ended = false;
    EXPECT_TRUE(ReadFrame(reader, &frame).ok());
    return arrivals.Take(frame, reader, &ended);
  };
  std::string begin, chunk, stray;
  WriteTransfer(kId, {kUint8, Shape{6}, false}, 6, 1, &begin);
  WriteChunk(1, 7, &chunk);
  WriteChunk(2, 1, &stray);
  EXPECT_TRUE(take(begin).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(take(begin)));
  EXPECT_TRUE(absl::IsInvalidArgument(take(chunk + "abcdefg")));
  EXPECT_TRUE(absl::IsInvalidArgument(take(stray + "a")));
}

}  // namespace
}  // namespace sluice::transport
