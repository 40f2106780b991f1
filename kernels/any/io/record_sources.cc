// SPDX-License-Identifier: Apache-2.0
// The sources of readers: whole files, lines, records of a fixed length, TFRecords, LMDB files, the
// work item itself.
#include "absl/strings/str_cat.h"
#include "core/io/file.h"
#include "core/io/lmdb_reader.h"
#include "core/io/record.h"
#include "kernels/any/io/reader.h"

namespace sluice::kernels {
namespace {

class WholeFile final : public RecordSource {
 public:
  absl::Status Open(const std::string& work) override {
    file_ = work;
    return absl::OkStatus();
  }
  absl::Status Next(std::string* key, std::string* value, bool* produced, bool* at_end) override {
    SLUICE_ASSIGN(*value, ReadFile(file_));
    *key = file_;
    *produced = *at_end = true;
    return absl::OkStatus();
  }
  void Close() override {}
  bool restorable() const override { return true; }

 private:
  std::string file_;
};

class Work final : public RecordSource {
 public:
  absl::Status Open(const std::string& work) override {
    work_ = work;
    return absl::OkStatus();
  }
  absl::Status Next(std::string* key, std::string* value, bool* produced, bool* at_end) override {
    *key = *value = work_;
    *produced = *at_end = true;
    return absl::OkStatus();
  }
  void Close() override {}
  bool restorable() const override { return true; }

 private:
  std::string work_;
};

class Lines final : public RecordSource {
 public:
  explicit Lines(int64_t skipped) : skipped_(skipped) {}

  absl::Status Open(const std::string& work) override {
    SLUICE_ASSIGN(std::unique_ptr<Input> file, OpenFile(work));
    input_ = std::make_unique<BufferedInput>(std::move(file));
    std::string line;
    for (line_ = 0; line_ < skipped_; ++line_) {
      SLUICE_ASSIGN(const bool more, input_->ReadLine(&line));
      if (!more) break;
    }
    return absl::OkStatus();
  }
  absl::Status Next(std::string* key, std::string* value, bool* produced, bool* at_end) override {
    SLUICE_ASSIGN(*produced, input_->ReadLine(value));
    *at_end = !*produced;
    if (*produced) *key = absl::StrCat(input_->path(), ":", ++line_);
    return absl::OkStatus();
  }
  void Close() override { input_.reset(); }

 private:
  const int64_t skipped_;
  std::unique_ptr<BufferedInput> input_;
  int64_t line_ = 0;
};

// Between a header and a footer: a record every `hop` bytes.
class FixedLength final : public RecordSource {
 public:
  struct Layout {
    int64_t header, record, footer, hop;
    Compression compression;
  };
  explicit FixedLength(Layout layout) : layout_(layout) {}

  absl::Status Open(const std::string& work) override {
    SLUICE_ASSIGN(std::unique_ptr<Input> file, OpenFile(work));
    input_ = std::make_unique<BufferedInput>(Decompressed(std::move(file), layout_.compression));
    ahead_.clear();
    count_ = 0;
    return input_->Skip(static_cast<uint64_t>(layout_.header));
  }
  absl::Status Next(std::string* key, std::string* value, bool* produced, bool* at_end) override {
    // Bytes are a record only if a footer still follows.
    const auto wanted = static_cast<uint64_t>(layout_.record + layout_.footer);
    if (ahead_.size() < wanted) {
      SLUICE_RETURN_IF_ERROR(input_->Read(wanted - ahead_.size(), &ahead_));
    }
    if (ahead_.size() < wanted || layout_.record == 0) {
      *at_end = true;
      return absl::OkStatus();
    }
    value->assign(ahead_, 0, static_cast<size_t>(layout_.record));
    *key = absl::StrCat(input_->path(), ":", count_++);
    *produced = true;
    const auto hop = static_cast<size_t>(layout_.hop == 0 ? layout_.record : layout_.hop);
    if (hop > ahead_.size()) SLUICE_RETURN_IF_ERROR(input_->Skip(hop - ahead_.size()));
    ahead_.erase(0, hop);
    return absl::OkStatus();
  }
  void Close() override { input_.reset(); }

 private:
  const Layout layout_;
  std::unique_ptr<BufferedInput> input_;
  std::string ahead_;  // read, but not yet part of a returned record
  int64_t count_ = 0;
};

class Records final : public RecordSource {
 public:
  explicit Records(Compression compression) : compression_(compression) {}

  absl::Status Open(const std::string& work) override {
    SLUICE_ASSIGN(std::unique_ptr<Input> file, OpenFile(work));
    reader_ = std::make_unique<RecordReader>(Decompressed(std::move(file), compression_));
    file_ = work;
    return absl::OkStatus();
  }
  absl::Status Next(std::string* key, std::string* value, bool* produced, bool* at_end) override {
    *key = absl::StrCat(file_, ":", reader_->offset());
    SLUICE_ASSIGN(*produced, reader_->Read(value));
    *at_end = !*produced;
    return absl::OkStatus();
  }
  void Close() override { reader_.reset(); }

 private:
  const Compression compression_;
  std::string file_;
  std::unique_ptr<RecordReader> reader_;
};

class LmdbEntries final : public RecordSource {
 public:
  absl::Status Open(const std::string& work) override {
    SLUICE_ASSIGN(reader_, LmdbReader::Open(work));
    return absl::OkStatus();
  }
  absl::Status Next(std::string* key, std::string* value, bool* produced, bool* at_end) override {
    SLUICE_ASSIGN(*produced, reader_->Next(key, value));
    *at_end = !*produced;
    return absl::OkStatus();
  }
  void Close() override { reader_.reset(); }

 private:
  std::unique_ptr<LmdbReader> reader_;
};

absl::StatusOr<std::unique_ptr<RecordSource>> MakeFixedLength(const NodeSpec& node) {
  auto bytes = [&](const char* name) -> absl::StatusOr<int64_t> {
    const int64_t value = GetAttrOr<int64_t>(node.attrs, name, 0);
    constexpr int64_t kMost = int64_t{1} << 40;
    if (value < 0) return InvalidArgument(name, " must be >= 0 not ", value);
    if (value > kMost) return InvalidArgument(name, " must be at most ", kMost, ", got ", value);
    return value;
  };
  FixedLength::Layout layout;
  SLUICE_ASSIGN(layout.header, bytes("header_bytes"));
  SLUICE_ASSIGN(layout.record, bytes("record_bytes"));
  SLUICE_ASSIGN(layout.footer, bytes("footer_bytes"));
  SLUICE_ASSIGN(layout.hop, bytes("hop_bytes"));
  SLUICE_ASSIGN(layout.compression,
                ParseCompression(GetAttrOr(node.attrs, "encoding", std::string())));
  return std::make_unique<FixedLength>(layout);
}

}  // namespace

absl::StatusOr<std::unique_ptr<RecordSource>> MakeRecordSource(const NodeSpec& node) {
  const std::string& op = node.op;
  if (op.starts_with("WholeFile")) return std::make_unique<WholeFile>();
  if (op.starts_with("Identity")) return std::make_unique<Work>();
  if (op.starts_with("TextLine")) {
    return std::make_unique<Lines>(GetAttrOr<int64_t>(node.attrs, "skip_header_lines", 0));
  }
  if (op.starts_with("FixedLength")) return MakeFixedLength(node);
  if (op.starts_with("LMDB")) return std::make_unique<LmdbEntries>();
  SLUICE_ASSIGN(const Compression compression,
                ParseCompression(GetAttrOr(node.attrs, "compression_type", std::string())));
  return std::make_unique<Records>(compression);
}

}  // namespace sluice::kernels
