// SPDX-License-Identifier: Apache-2.0
#include "transport/protocol/frames.h"

#include <memory>
#include <random>
#include <utility>

#include "absl/strings/match.h"
#include "core/codec/codec.h"
#include "core/io/crc32c.h"
#include "gtest/gtest.h"
#include "tests/transport/endpoint.h"
#include "transport/protocol/arrivals.h"
#include "transport/protocol/out_queue.h"

namespace sluice::transport {
namespace {

const ParcelId kId{{0x123456789abcdef0, 300}, {5, 0xfedcba9876543210, -1, 1000}};

constexpr size_t kFrames = 15;

// One of each.
std::vector<std::string> AllFrames() {
  std::vector<std::string> all(kFrames);
  const TensorHead head{kFloat, Shape{2, 3}, false};
  WriteHello({kStreamProtocol, "/job:a/replica:0/task:0", "0.1.0", 77, "/job:b/replica:0/task:0",
              64 << 20, "secret"},
             &all[0]);
  WriteTensor(kId, head, 24, &all[1]);
  all[1] += std::string(24, 'x');
  WritePart(kId, head, 24, {9, 4}, 5, &all[2]);
  all[2] += "hello";
  WritePlaced(kId, head, 24, {3, 4096}, &all[3]);
  WriteAnnounce(kId, head, &all[4]);
  WritePull(kId, &all[5]);
  WriteCredit(kId.step, 12345, &all[6]);
  WriteEnd(kId.step, &all[7]);
  WriteRelease({3, 4096}, &all[8]);
  WriteRun({3, "session", 4, 5, 6}, kId.step, &all[9]);
  WriteCancel(3, &all[10]);
  WriteRan(3, absl::NotFoundError("nothing is here"), &all[11]);
  WritePing(300, &all[12]);
  WritePong(301, &all[13]);
  WriteFault(absl::DataLossError("not as it was"), &all[14]);
  return all;
}

// A head with the right sum.
std::string Summed(std::string head) {
  char sum[kSumBytes];
  WriteSum(Crc32c(head), sum);
  return head.append(sum, kSumBytes);
}

// The calls that a stream made, in order.
struct Told final : FrameSink {
  std::vector<StreamFrame> frames;
  std::vector<std::string> contents;
  absl::StatusOr<Content> Begin(const StreamFrame& frame) override {
    frames.push_back(frame);
    if (!frame.has_content()) return Content{};
    contents.emplace_back(frame.bytes, '?');
    return Content{contents.back().data(), nullptr};
  }
  absl::Status End(const StreamFrame&) override {
    ++ended;
    return absl::OkStatus();
  }
  size_t ended = 0;
};

TEST(FramesTest, EveryFrameRoundTrips) {
  Told told;
  FrameReader reader(&told);
  for (const std::string& bytes : AllFrames()) ASSERT_TRUE(reader.Take(bytes).ok());
  ASSERT_EQ(told.frames.size(), kFrames);
  EXPECT_EQ(told.frames[0].hello.task, "/job:a/replica:0/task:0");
  EXPECT_EQ(told.frames[0].hello.to, "/job:b/replica:0/task:0");
  EXPECT_EQ(told.frames[0].hello.incarnation, 77u);
  EXPECT_EQ(told.frames[0].hello.token, "secret");
  for (int i = 1; i <= 4; ++i) {
    EXPECT_EQ(told.frames[i].id, kId);
    EXPECT_EQ(told.frames[i].head.dtype, kFloat);
    EXPECT_EQ(told.frames[i].head.shape, (Shape{2, 3}));
  }
  EXPECT_EQ(told.frames[2].at, (Extent{9, 4}));
  EXPECT_EQ(told.frames[3].at, (Extent{3, 4096}));
  EXPECT_EQ(told.frames[5].id, kId);
  EXPECT_EQ(told.frames[6].bytes, 12345u);
  EXPECT_EQ(told.frames[7].id.step, kId.step);
  EXPECT_EQ(told.frames[8].at, (Extent{3, 4096}));
  EXPECT_EQ(told.frames[9].run.session, "session");
  EXPECT_EQ(told.frames[9].run.graph, 4u);
  EXPECT_EQ(told.frames[9].run.oldest_live_step, 5u);
  EXPECT_EQ(told.frames[9].run.budget_us, 6u);
  EXPECT_EQ(told.frames[9].id.step, kId.step);
  EXPECT_EQ(told.frames[10].run.call, 3u);
  EXPECT_EQ(told.frames[11].run.call, 3u);
  EXPECT_EQ(told.frames[11].status, absl::NotFoundError("nothing is here"));
  EXPECT_EQ(told.frames[14].status, absl::DataLossError("not as it was"));
  EXPECT_EQ(told.contents, (std::vector<std::string>{std::string(24, 'x'), "hello"}));
  EXPECT_EQ(told.ended, 2u);
}

TEST(FramesTest, WhereTheBytesAreCutDoesNotMatter) {
  std::string all;
  for (const std::string& bytes : AllFrames()) all += bytes;
  for (size_t step = 1; step < 40; ++step) {
    Told told;
    FrameReader reader(&told);
    for (size_t at = 0; at < all.size(); at += step) {
      ASSERT_TRUE(reader.Take(absl::string_view(all).substr(at, step)).ok());
    }
    EXPECT_EQ(told.frames.size(), kFrames) << step;
    EXPECT_EQ(told.contents, (std::vector<std::string>{std::string(24, 'x'), "hello"})) << step;
  }
}

TEST(FramesTest, ContentMayBeReadStraightToItsPlace) {
  Told told;
  FrameReader reader(&told);
  const std::string tensor = AllFrames()[1];
  ASSERT_TRUE(reader.Take(tensor.substr(0, tensor.size() - 20)).ok());
  const absl::Span<char> rest = reader.Direct();
  ASSERT_EQ(rest.size(), 20u);
  std::fill(rest.begin(), rest.end(), 'y');
  ASSERT_TRUE(reader.Filled(15).ok());
  EXPECT_EQ(told.ended, 0u);
  ASSERT_TRUE(reader.Filled(5).ok());
  EXPECT_EQ(told.ended, 1u);
  EXPECT_EQ(told.contents[0], "xxxx" + std::string(20, 'y'));
  EXPECT_TRUE(reader.Direct().empty());
}

TEST(FramesTest, AHeadCutShortOrTooLongIsRefused) {
  for (const std::string& bytes : AllFrames()) {
    const std::string head = bytes.substr(kFramePrefix, *HeadLength(bytes.data()) - kSumBytes);
    StreamFrame frame;
    for (size_t cut = 0; cut < head.size(); ++cut)
      EXPECT_TRUE(absl::IsInvalidArgument(ReadHead(Summed(head.substr(0, cut)), &frame))) << cut;
    EXPECT_TRUE(absl::IsInvalidArgument(ReadHead(Summed(head + "x"), &frame)));
    EXPECT_TRUE(absl::IsDataLoss(ReadHead(head + "x123", &frame)));
  }
}

// Two tensors with sums, one of them in parts.
std::string SummedFrames() {
  OutQueue queue(/*summed=*/true);
  const Tensor small = Filled(5000, 1), large = Filled(kMaxTensorFrame + 100, 2);
  queue.Add({kId, {kUint8, small.shape()}, small}, /*pulled=*/false);
  queue.Add({kId, {kUint8, large.shape()}, large}, /*pulled=*/false);
  queue.Add({kId, {kUint8, Shape{8}}, Filled(8, 3)}, /*pulled=*/false);
  std::string bytes;
  while (!queue.empty()) {
    Message message = queue.Next();
    message.Sum(700'000);
    message.Sum(message.size());
    message.Visit(
        [&](absl::string_view piece, const Tensor*) { bytes.append(piece.data(), piece.size()); });
  }
  return bytes;
}

TEST(FramesTest, NoChangedByteReachesTheSink) {
  const std::string right = SummedFrames();
  Told whole;
  ASSERT_TRUE(FrameReader(&whole).Take(right).ok());
  ASSERT_EQ(whole.ended, 4u);
  std::mt19937_64 random(3);
  for (size_t i = 0; i < 400; ++i) {
    std::string bytes = right;
    // The first frames and contents byte by byte, then anywhere.
    const size_t at = i < 150 ? i : i < 300 ? 5000 + i : random() % bytes.size();
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
    Told told;
    const absl::Status status = FrameReader(&told).Take(bytes);
    EXPECT_TRUE(absl::IsDataLoss(status)) << at << ": " << status;
    for (size_t j = 0; j < told.ended; ++j) ASSERT_EQ(told.contents[j], whole.contents[j]) << at;
  }
}

TEST(FramesTest, AChangedContentIsNamed) {
  std::string bytes = SummedFrames();
  bytes[1000] = 7;
  Told told;
  const absl::Status status = FrameReader(&told).Take(bytes);
  EXPECT_TRUE(absl::StrContains(status.message(), kId.key.ToString())) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), kId.step.ToString())) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), "CRC-32C of bytes 0 to 5000")) << status;
}

TEST(FramesTest, FalseSizesAreRefused) {
  const auto refused = [](const std::string& bytes) {
    StreamFrame frame;
    return absl::IsInvalidArgument(ReadHead(absl::string_view(bytes).substr(kFramePrefix), &frame));
  };
  std::string bytes;
  WriteTensor(kId, {kFloat, Shape{2, 3}, false}, 20, &bytes);
  EXPECT_TRUE(refused(bytes)) << "not the shape's size";
  bytes.clear();
  WriteTensor(kId, {kUint8, Shape{2 << 20}, false}, 2 << 20, &bytes);
  EXPECT_TRUE(refused(bytes)) << "a large tensor comes in parts";
  bytes.clear();
  WritePart(kId, {kFloat, Shape{int64_t{1} << 61}, false}, 1 << 20, {1, 0}, 4, &bytes);
  EXPECT_TRUE(refused(bytes)) << "the size overflows";
  bytes.clear();
  WritePart(kId, {kString, Shape{2}, false}, uint64_t{1} << 60, {1, 0}, 4, &bytes);
  EXPECT_TRUE(refused(bytes)) << "no such string tensor";
  bytes.clear();
  WritePart(kId, {kUint8, Shape{6}, false}, 6, {1, 4}, 3, &bytes);
  EXPECT_TRUE(refused(bytes)) << "beyond the tensor";
  bytes.clear();
  WritePart(kId, {kUint8, Shape{6}, false}, 6, {1, ~uint64_t{0}}, 3, &bytes);
  EXPECT_TRUE(refused(bytes)) << "an offset that wraps round";
  bytes.clear();
  WriteAnnounce(kId, {static_cast<DType>(99), Shape{}, false}, &bytes);
  EXPECT_TRUE(refused(bytes)) << "no such dtype";
}

// Frames of one connection, to the sink.
struct Fed final : FrameSink {
  explicit Fed(Arrivals& arrivals) : arrivals(arrivals) {}
  absl::StatusOr<Content> Begin(const StreamFrame& frame) override {
    if (frame.head.shape.num_elements() > 1 << 20)
      return absl::CancelledError("memory is not what is tested");
    bool ended = false;
    return arrivals.Begin(frame, current, &ended);
  }
  absl::Status End(const StreamFrame& frame) override { return arrivals.End(frame, current); }
  Arrivals& arrivals;
  Arrivals::Current current;
};

constexpr char kPeer[] = "/job:a/replica:0/task:0";

// Any bytes give an error or frames, and any frames an error or sink calls.
void Feed(const std::string& bytes) {
  TestSink sink;
  Arrivals arrivals(&sink, kPeer);
  Fed fed(arrivals);
  (void)FrameReader(&fed).Take(bytes);
}

// A frame with this head.
std::string FrameOf(const std::string& head) {
  const std::string summed = Summed(head);
  std::string frame(kFramePrefix, '\0');
  WritePrefix(summed.size(), frame.data());
  return frame + summed;
}

TEST(FramesTest, RandomBytesDoNoHarm) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 200, '\0');
    for (char& c : bytes) c = static_cast<char>(random() % (i % 2 == 0 ? 256 : 16));
    Feed(i % 5 == 0 ? bytes : FrameOf(bytes));
  }
}

// Changes a byte of the head, which gets the sum of the new bytes.
void SpoilHead(std::string& frame, std::mt19937_64& random) {
  const size_t end = kFramePrefix + *HeadLength(frame.data());
  std::string head = frame.substr(kFramePrefix, end - kFramePrefix - kSumBytes);
  head[random() % head.size()] = static_cast<char>(random());
  frame.replace(0, end, FrameOf(head));
}

TEST(FramesTest, SpoiledFramesDoNoHarm) {
  std::mt19937_64 random(2);
  const std::vector<std::string> all = AllFrames();
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes;
    for (int j = 0; j < 6; ++j) {
      std::string frame = all[1 + random() % 8];
      if (j % 2 == 0) SpoilHead(frame, random);
      bytes += frame;
    }
    if (i % 4 == 0) bytes[random() % bytes.size()] = static_cast<char>(random());
    Feed(bytes);
  }
}

TEST(ArrivalsTest, PartsMakeATensorInAnyOrder) {
  TestSink sink;
  sink.set_channel([](const std::string&) -> TensorChannel* { return nullptr; });
  Arrivals arrivals(&sink, kPeer);
  Fed fed(arrivals);
  const TensorHead head{kUint8, Shape{6}, false};
  std::string bytes;
  WritePart(kId, head, 6, {1, 4}, 2, &bytes);
  bytes += "ef";
  WritePart(kId, head, 6, {1, 0}, 4, &bytes);
  FrameReader reader(&fed);
  ASSERT_TRUE(reader.Take(bytes).ok());
  EXPECT_EQ(sink.arrived(), 0u);
  ASSERT_TRUE(reader.Take("abcd").ok());
  EXPECT_EQ(sink.arrived(), 1u);
}

TEST(ArrivalsTest, PartsThatAreNotOfOneTensorAreRefused) {
  const TensorHead head{kUint8, Shape{6}, false};
  std::string begin, again, other, wide;
  WritePart(kId, head, 6, {1, 0}, 4, &begin);
  begin += "abcd";
  WritePart(kId, head, 6, {1, 0}, 4, &again);
  WritePart(kId, {kUint8, Shape{7}, false}, 7, {1, 4}, 2, &other);
  WritePart(kId, {kHalf, Shape{3}, false}, 6, {1, 4}, 2, &wide);
  for (const std::string& next : {again, other, wide}) {
    TestSink sink;
    Arrivals arrivals(&sink, kPeer);
    Fed fed(arrivals);
    FrameReader reader(&fed);
    ASSERT_TRUE(reader.Take(begin).ok());
    EXPECT_TRUE(absl::IsInvalidArgument(reader.Take(next)));
  }
}

// A part of the encoded content of a string tensor, without the bytes of the content.
std::string EncodedPart(uint64_t size, uint64_t offset, uint64_t bytes) {
  std::string frame;
  WritePart(kId, {kString, Shape{2}, false}, size, {1, offset}, bytes, &frame);
  return frame;
}

TEST(ArrivalsTest, EncodedPartsMakeATensor) {
  TestSink sink;
  sink.set_channel([](const std::string&) -> TensorChannel* { return nullptr; });
  Arrivals arrivals(&sink, kPeer);
  Fed fed(arrivals);
  FrameReader reader(&fed);
  auto tensor = Tensor::Allocate(CpuAllocator(), kString, Shape{2});
  ASSERT_TRUE(tensor.ok());
  tensor->mutable_data<std::string>()[1] = std::string(10, 'x');
  std::string content;
  ASSERT_TRUE(EncodeContent(*tensor, &content).ok());
  for (const auto& [begin, end] : {std::pair<size_t, size_t>{0, 5}, {5, content.size()}}) {
    EXPECT_EQ(sink.arrived(), 0u);
    ASSERT_TRUE(reader.Take(EncodedPart(content.size(), begin, end - begin)).ok());
    ASSERT_TRUE(reader.Take(content.substr(begin, end - begin)).ok());
  }
  EXPECT_EQ(sink.arrived(), 1u);
}

// While one connection receives a part, another one of the stream begins the next parts.
TEST(ArrivalsTest, EncodedPartsOfTwoConnectionsAtOnceAreRefused) {
  constexpr uint64_t kPart = 1000, kParts = 64;
  TestSink sink;
  Arrivals arrivals(&sink, kPeer);
  Fed fed_a(arrivals), fed_b(arrivals);
  FrameReader a(&fed_a), b(&fed_b);
  ASSERT_TRUE(a.Take(EncodedPart(kParts * kPart, 0, kPart)).ok());
  absl::Status status;
  for (uint64_t i = 1; i < kParts && status.ok(); ++i)
    status = b.Take(EncodedPart(kParts * kPart, i * kPart, kPart) + std::string(kPart, 'b'));
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_TRUE(a.Take(std::string(kPart, 'a')).ok());
}

// The stream ends while one of its connections receives content.
TEST(ArrivalsTest, ContentStaysWhileItIsWritten) {
  for (const DType dtype : {kUint8, kString}) {
    TestSink sink;
    auto arrivals = std::make_unique<Arrivals>(&sink, kPeer);
    Fed fed(*arrivals);
    FrameReader reader(&fed);
    std::string frame;
    WritePart(kId, {dtype, Shape{5000}, false}, 5000, {1, 0}, 4000, &frame);
    ASSERT_TRUE(reader.Take(frame).ok());
    arrivals.reset();
    EXPECT_TRUE(reader.Take(std::string(3999, 'a')).ok()) << static_cast<int>(dtype);
  }
}

TEST(ArrivalsTest, PartsOfATensorAndOfEncodedContentDoNotMix) {
  TestSink sink;
  Arrivals arrivals(&sink, kPeer);
  Fed fed(arrivals);
  FrameReader reader(&fed);
  std::string frame;
  WritePart(kId, {kUint8, Shape{6}, false}, 6, {1, 0}, 4, &frame);
  ASSERT_TRUE(reader.Take(frame + "abcd").ok());
  EXPECT_TRUE(absl::IsInvalidArgument(reader.Take(EncodedPart(6, 0, 2))));
}

}  // namespace
}  // namespace sluice::transport
