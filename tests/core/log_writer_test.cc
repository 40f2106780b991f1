// SPDX-License-Identifier: Apache-2.0
#include "core/log_writer.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sluice {
namespace {

TEST(EscapeControlsTest, ANameDoesNotBeginALine) {
  EXPECT_EQ(EscapeControls("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(EscapeControls("\x1b[2J\x7f"), "\\x1b[2J\\x7f");
  EXPECT_EQ(EscapeControls("\xc2\x9b"), "\\xc2\\x9b") << "CSI of 8 bits";
  EXPECT_EQ(EscapeControls("für \xc2\xa0\xe2\x82\xac"), "für \xc2\xa0\xe2\x82\xac");
  EXPECT_EQ(EscapeControls(absl::string_view("\0\xc2", 2)), "\\x00\xc2");
}

// The two ends of a pipe or of a pair of sockets.
class LogWriterTest : public ::testing::TestWithParam<bool> {
 protected:
  LogWriterTest() {
    signal(SIGPIPE, SIG_IGN);
    if (GetParam()) {
      EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()), 0);
    } else {
      EXPECT_EQ(pipe(ends_.data()), 0);
    }
    writer_ = new LogWriter(ends_[1]);  // its thread may outlive the test
  }
  ~LogWriterTest() override {
    CloseReader();
    writer_->Flush(absl::Seconds(10));
    close(ends_[1]);
  }
  void CloseReader() {
    if (ends_[0] >= 0) close(ends_[0]);
    ends_[0] = -1;
  }
  // Everything up to a line that contains `last`.
  std::vector<std::string> ReadUpTo(absl::string_view last) {
    std::string all;
    std::array<char, 4096> bytes;
    while (true) {
      const ssize_t got = read(ends_[0], bytes.data(), bytes.size());
      if (got <= 0) break;
      all.append(bytes.data(), static_cast<size_t>(got));
      if (absl::StrContains(all, last) && all.back() == '\n') break;
    }
    return absl::StrSplit(all, '\n', absl::SkipEmpty());
  }

  std::array<int, 2> ends_;
  LogWriter* writer_;
};

TEST_P(LogWriterTest, WritesAtOnceWhatIsTaken) {
  writer_->Write("one\n");
  writer_->Write("two\n");
  EXPECT_THAT(ReadUpTo("two"), ::testing::ElementsAre("one", "two"));
}

TEST_P(LogWriterTest, ALineLongerThanThePipeArrives) {
  const std::string line(200'000, 'x');
  writer_->Write(absl::StrCat(line, "\n"));
  writer_->Write("end\n");
  EXPECT_THAT(ReadUpTo("end"), ::testing::ElementsAre(line, "end"));
  EXPECT_TRUE(writer_->Flush(absl::Seconds(10)));
}

TEST_P(LogWriterTest, AReaderThatDoesNotReadBlocksNobody) {
  constexpr int kLines = 30'000;  // about 3 MB
  for (int i = 0; i < kLines; ++i)
    writer_->Write(absl::StrCat("line ", i, " ", std::string(90, 'x'), "\n"));
  const std::vector<std::string> lines = ReadUpTo("were dropped");
  int64_t dropped = 0;
  ASSERT_TRUE(absl::SimpleAtoi(lines.back().substr(0, lines.back().find(' ')), &dropped))
      << lines.back();
  EXPECT_GT(dropped, 0);
  EXPECT_EQ(static_cast<int64_t>(lines.size()) - 1 + dropped, kLines);
  for (size_t i = 0; i + 1 < lines.size(); ++i)
    EXPECT_THAT(lines[i], ::testing::StartsWith(absl::StrCat("line ", i, " "))) << i;
}

TEST_P(LogWriterTest, AReaderThatHasGoneIsNoError) {
  for (int i = 0; i < 10'000; ++i) writer_->Write(std::string(99, 'x') + "\n");
  CloseReader();
  EXPECT_TRUE(writer_->Flush(absl::Seconds(10)));
  writer_->Write("more\n");
}

INSTANTIATE_TEST_SUITE_P(Ends, LogWriterTest, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "sockets" : "pipe"; });

}  // namespace
}  // namespace sluice
