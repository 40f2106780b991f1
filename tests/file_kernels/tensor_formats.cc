// SPDX-License-Identifier: Apache-2.0
#include "absl/strings/str_cat.h"
#include "core/io/checkpoint/bundle_writer.h"
#include "core/io/checkpoint/checkpoint_v1.h"
#include "core/io/file.h"
#include "gtest/gtest.h"
#include "tests/file_kernels/formats.h"

namespace sluice::kernels {
namespace {

const char kPrefix[] = "/file_kernels_checkpoint";

std::string Prefix() { return testing::TempDir() + kPrefix; }

ShapeAndSlice Slice(absl::string_view text) { return *ShapeAndSlice::Parse(text); }

// The index of a checkpoint whose data stays whole.
std::string IndexFile() {
  auto writer = BundleWriter::Create(Prefix());
  EXPECT_TRUE(writer.ok()) << writer.status();
  Tensor large(kFloat, Shape{40, 30});
  std::fill_n(large.mutable_data<float>(), 1200, 2.5f);
  EXPECT_TRUE((*writer)->Add("large", large).ok());
  EXPECT_TRUE((*writer)->Add("numbers", Tensor::Vector<int64_t>({1, -2, 3})).ok());
  EXPECT_TRUE((*writer)->Add("texts", Texts({"a", "", "long text"})).ok());
  for (const char* part : {"4 2 0,2:-", "4 2 2,2:-"}) {
    const Tensor half = Tensor(kFloat, Shape{2, 2});
    EXPECT_TRUE((*writer)->AddSlice("parts", Slice(part), half).ok());
  }
  EXPECT_TRUE((*writer)->Commit().ok());
  return *ReadFile(BundleIndexFile(Prefix()));
}

std::string RestoreAll(KernelRunner& runner) {
  std::string found;
  const auto restore = [&](const char* name, DType dtype, const char* slice) {
    absl::StrAppend(&found, ReadWith(runner, "RestoreV2", {{"dtypes", std::vector<DType>{dtype}}},
                                     {Text(Prefix()), Texts({name}), Texts({slice})}));
  };
  restore("large", kFloat, "");
  restore("numbers", kInt64, "");
  restore("texts", kString, "");
  restore("parts", kFloat, "");
  restore("parts", kFloat, "4 2 1,2:-");
  return found;
}

std::string ReadIndex(KernelRunner& runner, const std::string& bytes) {
  EXPECT_TRUE(WriteFile(BundleIndexFile(Prefix()), bytes).ok());
  return RestoreAll(runner);
}

std::string ReadData(KernelRunner& runner, const std::string& bytes) {
  static const std::string whole = IndexFile();
  EXPECT_TRUE(WriteFile(BundleIndexFile(Prefix()), whole).ok());
  const std::string path = BundleDataFile(Prefix(), 0, 1);
  const std::string data = *ReadFile(path);
  EXPECT_TRUE(WriteFile(path, bytes).ok());
  std::string found = RestoreAll(runner);
  EXPECT_TRUE(WriteFile(path, data).ok());
  return found;
}

std::string OlderCheckpoint() {
  const std::string path = Prefix() + "_v1";
  V1Writer writer(path);
  EXPECT_TRUE(writer.AddSlice("numbers", Slice("3 -"), Tensor::Vector<float>({1, -2, 3})).ok());
  EXPECT_TRUE(writer.AddSlice("texts", Slice("2 -"), Texts({"a", "text"})).ok());
  EXPECT_TRUE(writer.Commit().ok());
  return *ReadFile(path);
}

std::string ReadOlder(KernelRunner& runner, const std::string& bytes) {
  const std::string path = FileOf(bytes);
  return ReadWith(runner, "Restore", {{"dt", kFloat}}, {Text(path), Text("numbers")}) +
         ReadWith(runner, "Restore", {{"dt", kString}}, {Text(path), Text("texts")});
}

std::string WavFile(int channels, int samples) {
  std::string data;
  for (int i = 0; i < 2 * channels * samples; ++i) data.push_back(static_cast<char>(i * 5));
  const auto number = [](uint64_t value, int bytes) {
    std::string field;
    for (int i = 0; i < bytes; ++i) field.push_back(static_cast<char>(value >> 8 * i));
    return field;
  };
  const auto wide = static_cast<uint64_t>(channels);
  const std::string format = number(1, 2) + number(wide, 2) + number(8000, 4) +
                             number(8000 * wide * 2, 4) + number(wide * 2, 2) + number(16, 2);
  const std::string chunks = "WAVEfmt " + number(format.size(), 4) + format + "LIST" +
                             number(4, 4) + "info" + "data" + number(data.size(), 4) + data;
  return "RIFF" + number(chunks.size(), 4) + chunks;
}

std::string ReadWav(KernelRunner& runner, const std::string& bytes) {
  return ReadWith(runner, "DecodeWav", {}, {Text(bytes)}) +
         ReadWith(runner, "DecodeWav", {{"desired_channels", 1}, {"desired_samples", 1000}},
                  {Text(bytes)});
}

}  // namespace

std::vector<FileFormat> TensorFormats() {
  const std::string index = IndexFile(), data = *ReadFile(BundleDataFile(Prefix(), 0, 1));
  return {{"CheckpointIndex", {index}, ReadIndex, nullptr},
          {"CheckpointData", {data}, ReadData, nullptr},
          {"OlderCheckpoint", {OlderCheckpoint()}, ReadOlder, nullptr},
          {"Wav", {WavFile(1, 40), WavFile(2, 25)}, ReadWav, nullptr}};
}

}  // namespace sluice::kernels
