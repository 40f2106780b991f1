// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "core/io/crc32c.h"
#include "core/io/file.h"
#include "core/io/record.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sluice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Bytes in memory that come in pieces of any size.
class Bytes final : public Input {
 public:
  explicit Bytes(std::string bytes) : bytes_(std::move(bytes)) {}
  const std::string& path() const override { return path_; }
  absl::StatusOr<size_t> Read(char* to, size_t size) override {
    const size_t n = std::min(size, bytes_.size() - at_);
    bytes_.copy(to, n, at_);
    at_ += n;
    return n;
  }

 private:
  const std::string bytes_, path_ = "/bytes";
  size_t at_ = 0;
};

std::string Compress(const std::string& bytes, Compression how) {
  z_stream stream = {};
  deflateInit2(&stream, 6, Z_DEFLATED, how == Compression::kGzip ? 31 : 15, 8, Z_DEFAULT_STRATEGY);
  std::string out(bytes.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string AllOf(std::unique_ptr<Input> input) {
  BufferedInput buffered(std::move(input));
  std::string all;
  const absl::Status status = buffered.Read(UINT64_MAX, &all);
  return status.ok() ? all : std::string(status.message());
}

class FolderTest : public testing::Test {
 protected:
  FolderTest() {
    std::string name = testing::TempDir() + "/sluice_io_XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~FolderTest() override { (void)!system(absl::StrCat("rm -rf ", folder_).c_str()); }
  std::string folder_;
};

TEST(Crc32cTest, IsCastagnoli) {
  EXPECT_EQ(Crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(Crc32c("56789", Crc32c("1234")), Crc32c("123456789"));
  EXPECT_EQ(UnmaskCrc(MaskCrc(0x12345678)), 0x12345678u);
}

// Long inputs are computed in parts, whose sizes depend on the length.
TEST(Crc32cTest, IsThatOfTheBytesOneByOne) {
  std::string bytes;
  uint32_t crc = 0;
  for (int i = 0; i < 13000; ++i) {
    ASSERT_EQ(Crc32c(bytes), crc) << bytes.size();
    bytes.push_back(static_cast<char>(i * i + (i >> 3)));
    crc = Crc32c(absl::string_view(bytes).substr(bytes.size() - 1), crc);
  }
}

TEST_F(FolderTest, FilesAreWrittenAndRead) {
  const std::string path = folder_ + "/a/b/file";
  EXPECT_EQ(ReadFile(path).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ReadFile(path).status().message(), path + "; No such file or directory");
  const std::string large(3 << 20, 'x');
  ASSERT_TRUE(WriteFile(path, large).ok());
  EXPECT_EQ(*ReadFile(path), large);
  ASSERT_TRUE(WriteFile("file://" + path, "short").ok());
  EXPECT_EQ(*ReadFile(path), "short");
  EXPECT_EQ(ReadFile(folder_).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_FALSE(WriteFile(path + "/below", "x").ok());
}

TEST_F(FolderTest, OnlyRegularFilesAreRead) {
  const std::string pipe = folder_ + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, std::string("/dev/zero"), folder_}) {
    EXPECT_EQ(ReadFile(path).status().code(), absl::StatusCode::kFailedPrecondition) << path;
  }
  EXPECT_FALSE(WriteFile(pipe, "nobody reads").ok());
}

TEST_F(FolderTest, PatternsNameFiles) {
  for (auto name : {"b1", "a1", "a2", ".a3", "sub/a1"}) {
    ASSERT_TRUE(WriteFile(absl::StrCat(folder_, "/", name), "").ok());
  }
  const std::string in = folder_ + "/";
  EXPECT_THAT(*MatchingFiles(in + "a*"), ElementsAre(in + "a1", in + "a2"));
  EXPECT_THAT(*MatchingFiles(in + "[bs]*"), ElementsAre(in + "b1", in + "sub"));
  EXPECT_THAT(*MatchingFiles(in + "*/a?"), ElementsAre(in + "sub/a1"));
  EXPECT_THAT(*MatchingFiles(in + "*3"), ElementsAre(in + ".a3"));
  EXPECT_THAT(*MatchingFiles(in + "none"), IsEmpty());
}

TEST(BufferedInputTest, LinesEndInEitherWay) {
  BufferedInput input(std::make_unique<Bytes>("one\r\n\ntwo\rthree\nlast"));
  std::vector<std::string> lines;
  std::string line;
  while (*input.ReadLine(&line)) lines.push_back(line);
  EXPECT_THAT(lines, ElementsAre("one", "", "two\rthree", "last"));
  EXPECT_EQ(input.position(), 20u);
}

TEST(BufferedInputTest, LinesAndPiecesCrossBuffers) {
  const std::string piece(300'000, 'p');
  BufferedInput input(std::make_unique<Bytes>(piece + "\n" + piece + piece));
  std::string line, rest;
  EXPECT_TRUE(*input.ReadLine(&line));
  EXPECT_EQ(line, piece);
  ASSERT_TRUE(input.Skip(piece.size()).ok());
  ASSERT_TRUE(input.Read(1 << 30, &rest).ok());
  EXPECT_EQ(rest, piece);
}

TEST(BufferedInputTest, TakesPiecesInTheBufferAndBeyond) {
  std::string bytes;
  for (int i = 0; bytes.size() < 600'000; ++i) absl::StrAppend(&bytes, i, " ");
  BufferedInput input(std::make_unique<Bytes>(bytes));
  size_t at = 0;
  for (const size_t size : {0, 12, 1000, 262'000, 5, 300'000, 100'000, 1}) {
    std::string pieces;
    const absl::string_view taken = *input.Take(size, &pieces);
    EXPECT_EQ(taken, absl::string_view(bytes).substr(std::min(at, bytes.size()), size));
    at += taken.size();
    EXPECT_EQ(input.position(), at);
  }
  EXPECT_EQ(at, bytes.size());
}

TEST(DecompressedTest, StreamsFollowOneAnother) {
  const std::string text(700'000, 't');
  for (Compression how : {Compression::kZlib, Compression::kGzip}) {
    const std::string packed = Compress(text, how);
    EXPECT_EQ(AllOf(Decompressed(std::make_unique<Bytes>(packed + packed), how)), text + text);
    EXPECT_EQ(AllOf(Decompressed(std::make_unique<Bytes>(""), how)), "");
  }
}

TEST(DecompressedTest, BytesThatAreCutOffGiveTheirBeginning) {
  const std::string text = "some text that is not long";
  const std::string packed = Compress(text, Compression::kGzip);
  for (size_t cut = 1; cut < packed.size(); ++cut) {
    const std::string got =
        AllOf(Decompressed(std::make_unique<Bytes>(packed.substr(0, cut)), Compression::kGzip));
    EXPECT_EQ(got, text.substr(0, got.size()));
  }
}

TEST(DecompressedTest, DamageIsNoticed) {
  const std::string packed = Compress("whole", Compression::kGzip);
  BufferedInput input(
      Decompressed(std::make_unique<Bytes>(packed + "not compressed"), Compression::kGzip));
  std::string read;
  EXPECT_TRUE(input.Read(5, &read).ok());
  EXPECT_EQ(read, "whole");
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(std::string(input.Read(1, &read).message()), HasSubstr("inflate() failed"));
  }
  EXPECT_THAT(AllOf(Decompressed(std::make_unique<Bytes>("not compressed"), Compression::kZlib)),
              HasSubstr("inflate() failed"));
}

// Blocks of Snappy: the bytes of each are known before they are read, so what is cut off is damage.
TEST_F(FolderTest, SnappyBlocksAreReadAsTheyWereWritten) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) absl::StrAppend(&text, i % 1000, " ");
  auto file =
      Compressed(*CreateFile(folder_ + "/packed", WriteMode::kReplace), Compression::kSnappy);
  ASSERT_TRUE(file->Append(text).ok());
  ASSERT_TRUE(file->Append("end").ok());
  ASSERT_TRUE(file->Close().ok());
  const std::string packed = *ReadFile(folder_ + "/packed");
  const auto unpacked = [](std::string bytes) {
    return AllOf(Decompressed(std::make_unique<Bytes>(std::move(bytes)), Compression::kSnappy));
  };
  EXPECT_LT(packed.size(), text.size() / 4);
  EXPECT_EQ(unpacked(packed), text + "end");
  EXPECT_EQ(unpacked(""), "");
  for (size_t cut = 1; cut < packed.size(); cut += 1 + cut / 2)
    EXPECT_THAT(unpacked(packed.substr(0, cut)), HasSubstr("cut off"));
  for (size_t at = 0; at < packed.size(); at += 1 + at / 3) {
    std::string damaged = packed;
    damaged[at] = static_cast<char>(~damaged[at]);
    EXPECT_NE(unpacked(damaged), text + "end");
  }
  EXPECT_THAT(unpacked(std::string(100, '\xff')), HasSubstr("a compressed block of 4294967295"));
}

TEST(RecordTest, ReadsWhatWasFramed) {
  const std::string large(1 << 20, 'r');
  RecordReader reader(
      std::make_unique<Bytes>(FramedRecord("a") + FramedRecord("") + FramedRecord(large)));
  std::string record;
  EXPECT_TRUE(*reader.Read(&record));
  EXPECT_EQ(record, "a");
  EXPECT_EQ(reader.offset(), 17u);
  EXPECT_TRUE(*reader.Read(&record));
  EXPECT_EQ(record, "");
  EXPECT_TRUE(*reader.Read(&record));
  EXPECT_EQ(record, large);
  EXPECT_FALSE(*reader.Read(&record));
}

TEST(RecordTest, ReadsRecordsThatCrossBuffers) {
  std::string framed;
  std::vector<std::string> records;
  for (size_t size = 0; framed.size() < 3 << 20; size = (size + 997) % 20'000) {
    records.push_back(std::string(size, static_cast<char>(size)));
    framed += FramedRecord(records.back());
  }
  RecordReader reader(std::make_unique<Bytes>(framed));
  std::string record;
  for (const std::string& wanted : records) {
    ASSERT_TRUE(reader.Read(&record).value_or(false));
    ASSERT_EQ(record, wanted);
  }
  EXPECT_FALSE(*reader.Read(&record));
  EXPECT_EQ(reader.offset(), framed.size());
}

// A length that is damaged, but has its sum.
TEST(RecordTest, ALengthBeyondTheEndIsATruncatedRecord) {
  for (const uint64_t length : {uint64_t{1} << 40, UINT64_MAX - 2, UINT64_MAX}) {
    std::string header(8, '\0');
    std::memcpy(header.data(), &length, 8);
    const uint32_t sum = MaskCrc(Crc32c(header));
    header.append(reinterpret_cast<const char*>(&sum), 4);
    RecordReader reader(std::make_unique<Bytes>(header + "bytes"));
    std::string record;
    EXPECT_THAT(std::string(reader.Read(&record).status().message()),
                HasSubstr("truncated record at 0"));
  }
}

TEST(RecordTest, DamageIsNoticedAnywhere) {
  const std::string good = FramedRecord("first") + FramedRecord("second");
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good, record;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    RecordReader reader(std::make_unique<Bytes>(bad));
    absl::StatusOr<bool> more = reader.Read(&record);
    if (at >= 21) more = reader.Read(&record);
    EXPECT_EQ(more.status().code(), absl::StatusCode::kDataLoss) << at;
    EXPECT_THAT(std::string(more.status().message()),
                HasSubstr(absl::StrCat(
                    "corrupted record at ",
                    (at < 21 ? 0 : 21) + ((at < 21 ? at : at - 21) < 12 ? 0 : 12), " of")));
    EXPECT_EQ(reader.Read(&record).status(), more.status());
  }
  for (size_t cut = 1; cut < 21; ++cut) {
    std::string record;
    RecordReader reader(std::make_unique<Bytes>(good.substr(0, cut)));
    const absl::StatusOr<bool> more = reader.Read(&record);
    if (cut < 12) {
      EXPECT_FALSE(more.value_or(true));
    } else {
      EXPECT_THAT(std::string(more.status().message()), HasSubstr("truncated record at 0"));
    }
  }
}

}  // namespace
}  // namespace sluice
