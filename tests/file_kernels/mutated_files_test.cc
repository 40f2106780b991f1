// SPDX-License-Identifier: Apache-2.0
// Damaged files of every format that kernels read: each gives values or an error, in bounded time
// and memory, and the same ones when it is read again. `./run mutated-files` draws more of them,
// with the sanitizers.
#include <cstdlib>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/file_kernels/formats.h"
#include "tests/file_kernels/limits.h"
#include "tests/file_kernels/mutation.h"

namespace sluice::kernels {
namespace {

constexpr int kFiles = 25;  // of each format, without SLUICE_MUTATED_FILES

int64_t FromEnvironment(const char* name, int64_t otherwise) {
  int64_t value = otherwise;
  const char* text = std::getenv(name);
  if (text != nullptr && !absl::SimpleAtoi(text, &value)) ADD_FAILURE() << name << "=" << text;
  return value;
}

// A new seed each day; a failure names it.
int64_t Seed() {
  return FromEnvironment("SLUICE_MUTATED_FILES_SEED", absl::ToUnixSeconds(absl::Now()) / 86400);
}

std::vector<FileFormat> AllFormats() {
  std::vector<FileFormat> all;
  for (auto formats :
       {ImageFormats, RecordFormats, MessageFormats, DatabaseFormats, TensorFormats}) {
    for (FileFormat& format : formats()) all.push_back(std::move(format));
  }
  return all;
}

std::string ReadOnce(const FileFormat& format, const std::string& bytes) {
  KernelRunner runner;
  return format.read(runner, bytes);
}

void ReadTwice(const FileFormat& format, const std::string& name, const std::string& bytes) {
  BeginInput({}, name, bytes);
  FillNewMemory(0x11);
  const std::string first = ReadOnce(format, bytes);
  FillNewMemory(0xee);
  const std::string second = ReadOnce(format, bytes);
  FillNewMemory(0xff);
  EndInput();
  if (!format.repeats) return;
  EXPECT_EQ(first, second) << name << ": the values depend on memory that nobody wrote";
}

class MutatedFilesTest : public testing::TestWithParam<FileFormat> {};

TEST_P(MutatedFilesTest, GiveValuesOrAnError) {
  const FileFormat& format = GetParam();
  const int64_t seed = Seed(), files = FromEnvironment("SLUICE_MUTATED_FILES", kFiles);
  for (size_t i = 0; i < format.samples.size(); ++i)
    ReadTwice(format, absl::StrCat("sample ", i, " of ", format.name), format.samples[i]);
  for (int64_t i = 0; i < files; ++i) {
    std::seed_seq mixed{static_cast<uint32_t>(seed), static_cast<uint32_t>(i)};
    Rng random(mixed);
    const auto& sample = format.samples[random() % format.samples.size()];
    const auto& other = format.samples[random() % format.samples.size()];
    std::string bytes = Mutated(sample, other, random);
    if (format.repair != nullptr && random() % 4 != 0) bytes = format.repair(std::move(bytes));
    ReadTwice(format, absl::StrCat("file ", i, " of ", format.name, " with seed ", seed), bytes);
    if (HasFailure()) break;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, MutatedFilesTest, testing::ValuesIn(AllFormats()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace sluice::kernels
