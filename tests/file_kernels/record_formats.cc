// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "core/io/crc32c.h"
#include "core/io/file.h"
#include "core/io/record.h"
#include "gtest/gtest.h"
#include "kernels/common/dataset/recordio.h"
#include "tests/file_kernels/formats.h"

namespace sluice::kernels {
namespace {

std::string Records() {
  std::string file;
  for (const int size : {5, 0, 300, 1, 70, 2, 8, 9}) {
    std::string record;
    for (int i = 0; i < size; ++i) record.push_back(static_cast<char>(i * size + 1));
    file += FramedRecord(record);
  }
  return file;
}

std::string CompressedBytes(const std::string& bytes, Compression how) {
  const std::string path = testing::TempDir() + "/file_kernels_compressed";
  auto file = CreateFile(path, WriteMode::kReplace);
  EXPECT_TRUE(file.ok()) << file.status();
  const auto compressed = Compressed(*std::move(file), how);
  EXPECT_TRUE(compressed->Append(bytes).ok() && compressed->Close().ok());
  return *ReadFile(path);
}

// The checksums of lengths, and of the records that are there.
std::string RepairRecords(std::string bytes) {
  const auto set_sum = [&](size_t at, absl::string_view of) {
    const uint32_t sum = MaskCrc(Crc32c(of));
    for (size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(sum >> 8 * i);
  };
  for (size_t at = 0; at + 12 <= bytes.size();) {
    const std::string length = bytes.substr(at, 8);
    set_sum(at + 8, length);
    uint64_t size = 0;
    for (size_t i = 8; i-- > 0;) size = size << 8 | static_cast<uint8_t>(length[i]);
    if (bytes.size() - at < 16 || size > bytes.size() - at - 16) break;
    set_sum(at + 12 + size, bytes.substr(at + 12, size));
    at += 16 + size;
  }
  return bytes;
}

FileFormat TfRecords(const std::string& name, const std::string& how, const std::string& file) {
  const auto read = [how](KernelRunner& runner, const std::string& bytes) {
    return ReadDataSet(runner, "TFRecordDataset", {},
                       {Texts({FileOf(bytes)}), Text(how), Int64(0)});
  };
  FileFormat format{name, {file}, read, nullptr};
  if (how.empty()) format.repair = RepairRecords;
  return format;
}

// Whole records, and one of three parts.
std::string RecordIo() {
  std::string file;
  const auto append = [&file](uint32_t part, absl::string_view bytes) {
    for (const uint32_t word : {0xced7230au, part << 29 | static_cast<uint32_t>(bytes.size())})
      for (int i = 0; i < 4; ++i) file.push_back(static_cast<char>(word >> 8 * i));
    file.append(bytes.data(), bytes.size());
    file.append((4 - bytes.size() % 4) % 4, '\0');
  };
  append(0, "first");
  append(0, "");
  append(1, "a part");
  append(2, "another");
  append(3, "the last");
  append(0, std::string(200, 'x'));
  return file;
}

std::string ReadRecordIo(KernelRunner&, const std::string& bytes) {
  auto file = OpenFile(FileOf(bytes));
  if (!file.ok()) return file.status().ToString();
  RecordIoReader reader(*std::move(file));
  std::string found, record;
  for (int i = 0; i < 100; ++i) {
    const absl::StatusOr<bool> more = reader.Read(&record);
    if (!more.ok()) return found + more.status().ToString();
    if (!*more) break;
    absl::StrAppend(&found, record.size(), ":", record);
  }
  return found;
}

std::string ReadLines(KernelRunner& runner, const std::string& bytes) {
  std::string found;
  for (const char* how : {"", "GZIP"}) {
    absl::StrAppend(&found, ReadDataSet(runner, "TextLineDataset", {},
                                        {Texts({FileOf(bytes)}), Text(how), Int64(256)}));
  }
  return found;
}

std::string ReadFixed(KernelRunner& runner, const std::string& bytes) {
  return ReadDataSet(runner, "FixedLengthRecordDataset", {},
                     {Texts({FileOf(bytes)}), Int64(3), Int64(7), Int64(2), Int64(0)});
}

AttrMap Columns(const std::vector<DType>& types) {
  return {{"output_types", types},
          {"output_shapes", std::vector<PartialShape>(types.size(), PartialShape(Shape{}))}};
}

// Zeros or empty texts; of no elements: the field must not be empty.
Tensor CsvDefault(DType type, int64_t elements) {
  Tensor tensor(type, Shape{elements});
  if (type != kString && elements > 0) std::memset(tensor.raw(), 0, tensor.bytes());
  return tensor;
}

std::string ReadCsvFile(KernelRunner& runner, const std::string& bytes) {
  const std::vector<DType> types = {kInt32, kFloat, kString, kInt64, kDouble};
  std::string found;
  for (const bool quotes : {true, false}) {
    std::vector<Tensor> inputs = {Texts({FileOf(bytes)}),
                                  Text(""),
                                  Int64(64),
                                  Bool(quotes),
                                  Text(","),
                                  Bool(quotes),
                                  Text("NA"),
                                  Tensor(kInt64, Shape{0})};
    for (const DType type : types) inputs.push_back(CsvDefault(type, quotes ? 1 : 0));
    absl::StrAppend(&found, ReadDataSet(runner, "CSVDataset", Columns(types), std::move(inputs)));
  }
  return found;
}

std::string ReadCsvTexts(KernelRunner& runner, const std::string& bytes) {
  std::vector<Tensor> inputs = {Texts({bytes, bytes})};
  for (const DType type : {kInt32, kFloat, kString, kInt64, kDouble})
    inputs.push_back(CsvDefault(type, 1));
  return ReadWith(runner, "DecodeCSV", {{"na_value", "NA"}}, std::move(inputs));
}

std::string ReadTable(KernelRunner& runner, const std::string& bytes) {
  struct Layout {
    DType key, value;
    int64_t key_index, value_index, size;
  };
  std::string found;
  for (const Layout& layout :
       {Layout{kString, kInt64, -2, -1, -1}, Layout{kString, kInt64, 0, 1, 3},
        Layout{kInt64, kString, -1, -2, -1}, Layout{kInt64, kString, 1, 0, -1}}) {
    const std::string name = absl::StrCat("table", layout.key_index, layout.value_index);
    const auto table = runner.Run(
        "HashTableV2",
        {{"key_dtype", layout.key}, {"value_dtype", layout.value}, {"shared_name", name}}, {});
    if (!table.ok()) return table.status().ToString();
    absl::StrAppend(&found, ReadWith(runner, "InitializeTableFromTextFileV2",
                                     {{"key_index", layout.key_index},
                                      {"value_index", layout.value_index},
                                      {"vocab_size", layout.size}},
                                     {(*table)[0], Text(FileOf(bytes))}));
    absl::StrAppend(&found, ReadWith(runner, "LookupTableSizeV2", {}, {(*table)[0]}));
  }
  return found;
}

std::string Decompress(KernelRunner& runner, const std::string& bytes) {
  std::string found;
  for (const char* how : {"GZIP", "ZLIB"}) {
    absl::StrAppend(&found, ReadWith(runner, "DecodeCompressed", {{"compression_type", how}},
                                     {Texts({bytes})}));
  }
  return found;
}

}  // namespace

std::vector<FileFormat> RecordFormats() {
  const std::string records = Records();
  const std::string lines = "first\nsecond\r\n\nfourth line\xff\n\r\nlast";
  const std::string csv =
      "1,2.5,text,4,5e3\r\n-7,NA,\"quoted, \"\"text\"\"\",8,NA\n3,4,\"two\nlines\",5,6\n";
  std::string zeros(100000, '\0');
  return {TfRecords("TfRecord", "", records),
          TfRecords("TfRecordGzip", "GZIP", CompressedBytes(records, Compression::kGzip)),
          TfRecords("TfRecordZlib", "ZLIB", CompressedBytes(records, Compression::kZlib)),
          {"RecordIo", {RecordIo()}, ReadRecordIo, nullptr},
          {"TextLines", {lines, CompressedBytes(lines, Compression::kGzip)}, ReadLines, nullptr},
          {"FixedLengthRecords", {"headrecord1record2record3end"}, ReadFixed, nullptr},
          {"Csv", {csv}, ReadCsvFile, nullptr},
          {"CsvText", {"1,2.5,text,4,5e3", "-7,NA,\"a, \"\"b\"\"\",8,NA"}, ReadCsvTexts, nullptr},
          {"Vocabulary", {"one\t1\ntwo\t2\nthree\t3\n", "1\none\n2\ntwo"}, ReadTable, nullptr},
          {"Compressed",
           {CompressedBytes(lines, Compression::kGzip), CompressedBytes(lines, Compression::kZlib),
            CompressedBytes(zeros, Compression::kGzip)},
           Decompress,
           nullptr}};
}

}  // namespace sluice::kernels
