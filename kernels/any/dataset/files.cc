// SPDX-License-Identifier: Apache-2.0
// Data sets from files: lines of text, TFRecords, records of a fixed length, LMDB entries, FIFOs.
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "core/io/file.h"
#include "core/io/file_policy.h"
#include "core/io/file_system.h"
#include "core/io/lmdb_reader.h"
#include "core/io/record.h"
#include "core/log.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/pipe_data_set.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {
namespace {

// A file that is being read.
class OpenRecords {
 public:
  virtual ~OpenRecords() = default;
  // False at the end.
  virtual absl::StatusOr<bool> Read(Element& record) = 0;
};
// How a data set reads a file: its path, and its number in the list.
using Opener = std::function<absl::StatusOr<std::unique_ptr<OpenRecords>>(const std::string& path,
                                                                          size_t number)>;

// What follows a damaged record.
enum class AfterDamage { kNextFile, kSameError };

// The records of one file after the other. State: the file, and how many of its records were given.
//
// As in TensorFlow, a file that cannot be opened is tried again at each call: the iterator does not
// pass it.
class Files final : public DataSet {
 public:
  Files(ElementSpec spec, std::vector<std::string> paths, Opener open,
        AfterDamage after = AfterDamage::kNextFile)
      : DataSet(std::move(spec)),
        paths_(std::move(paths)),
        open_(std::move(open)),
        after_damage_(after) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    return std::make_unique<Run>(*this, running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(const Files& set, const Running& running) : set_(set), running_(running) {}
    absl::StatusOr<bool> Next(Element& element) override {
      for (;;) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        SLUICE_RETURN_IF_ERROR(damage_);
        if (file_ == nullptr) {
          if (next_ == set_.paths_.size()) return false;
          auto opened = set_.open_(set_.paths_[next_], next_);
          if (!opened.ok()) return MarkRepeating(opened.status());
          file_ = *std::move(opened);
          ++next_;
          read_ = 0;
        }
        const absl::StatusOr<bool> more = file_->Read(element);
        if (!more.ok() && set_.after_damage_ == AfterDamage::kSameError)
          return damage_ = MarkRepeating(more.status());
        if (!more.ok() || !*more) file_.reset();  // what is damaged is not read on
        if (!more.ok()) return more.status();
        if (!*more) continue;
        ++read_;
        return true;
      }
    }
    // The records before the position are read again, since they may be compressed.
    absl::Status SaveOrRestore(SavedState& state) override {
      bool open = file_ != nullptr;
      SLUICE_RETURN_IF_ERROR(state.Fields("Files", next_, read_, open));
      if (!state.restoring()) return absl::OkStatus();
      if (next_ > set_.paths_.size() || (open && next_ == 0)) {
        return InvalidArgument("the saved state is in file ", next_, " of ", set_.paths_.size());
      }
      if (!open) return absl::OkStatus();
      SLUICE_ASSIGN(file_, set_.open_(set_.paths_[next_ - 1], next_ - 1));
      Element record;
      for (int64_t i = 0; i < read_; ++i) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        SLUICE_ASSIGN(const bool more, file_->Read(record));
        if (!more) {
          return DataLoss(set_.paths_[next_ - 1], " has ", i,
                          " records, but the saved state is behind record ", read_);
        }
      }
      return absl::OkStatus();
    }

   private:
    const Files& set_;
    const Running running_;
    size_t next_ = 0;
    int64_t read_ = 0;  // records of the open file
    std::unique_ptr<OpenRecords> file_;
    absl::Status damage_;  // of the open file; it is not read on
  };
  const std::vector<std::string> paths_;
  const Opener open_;
  const AfterDamage after_damage_;
};

// Records that are one string.
class OpenTexts : public OpenRecords {
 public:
  absl::StatusOr<bool> Read(Element& record) final {
    std::string text;
    SLUICE_ASSIGN(const bool more, ReadText(&text));
    if (!more) return false;
    // The tensor of the record before serves again if nobody else refers to it.
    const bool serves = record.size() == 1 && record[0].dtype() == kString &&
                        record[0].rank() == 0 && OwnsBytes(record[0]);
    if (!serves) record.assign(1, Tensor(kString, Shape{}));
    *record[0].mutable_data<std::string>() = std::move(text);
    return true;
  }

 private:
  virtual absl::StatusOr<bool> ReadText(std::string* record) = 0;
};

class Lines final : public OpenTexts {
 public:
  explicit Lines(std::unique_ptr<Input> from) : input_(std::move(from)) {}

 private:
  // TensorFlow removes carriage returns anywhere in a line.
  absl::StatusOr<bool> ReadText(std::string* record) override {
    SLUICE_ASSIGN(const bool more, input_.ReadLine(record));
    std::erase(*record, '\r');
    return more;
  }

  BufferedInput input_;
};

class TfRecords final : public OpenTexts {
 public:
  explicit TfRecords(std::unique_ptr<Input> from) : reader_(std::move(from)) {}
  absl::Status Skip(uint64_t bytes) { return reader_.Skip(bytes); }

 private:
  absl::StatusOr<bool> ReadText(std::string* record) override { return reader_.Read(record); }

  RecordReader reader_;
};

struct FixedLayout {
  uint64_t header = 0, record = 1, footer = 0;  // bytes
};

// The error text for a file whose records do not fill its body.
std::string Uneven(const FixedLayout& layout, const std::string& path, uint64_t body) {
  return Cat("Excluding the header (", layout.header, " bytes) and footer (", layout.footer,
             " bytes), input file \"", path, "\" has body length ", body,
             " bytes, which is not an exact multiple of the record length (", layout.record,
             " bytes).");
}

// The footer's length is known at the end only: so many bytes are read ahead.
class FixedRecords final : public OpenTexts {
 public:
  FixedRecords(std::unique_ptr<Input> from, const FixedLayout& layout, Compression how)
      : input_(std::move(from)), layout_(layout), compressed_(how != Compression::kNone) {}

 private:
  absl::StatusOr<bool> ReadText(std::string* record) override {
    if (!begun_) {
      begun_ = true;
      std::string header;
      SLUICE_RETURN_IF_ERROR(input_.Read(layout_.header, &header));
      if (header.size() < layout_.header) return Short(header.size(), layout_.header, "header");
      SLUICE_RETURN_IF_ERROR(input_.Read(layout_.footer, &ahead_));
    }
    const uint64_t wanted = layout_.record + layout_.footer;
    if (ahead_.size() < wanted) {
      const absl::Status status = input_.Read(wanted - ahead_.size(), &ahead_);
      if (!status.ok() && compressed_) return false;  // as in TensorFlow, damage ends the records
      SLUICE_RETURN_IF_ERROR(status);
    }
    if (ahead_.size() <= layout_.footer) {
      if (ahead_.size() == layout_.footer) return false;
      return Short(ahead_.size(), layout_.footer, "footer");
    }
    if (ahead_.size() < wanted) {
      const uint64_t rest = ahead_.size() - layout_.footer;
      return DataLoss(Uneven(layout_, input_.path(), given_ * layout_.record + rest));
    }
    ++given_;
    record->assign(ahead_, 0, layout_.record);
    ahead_.erase(0, layout_.record);
    return true;
  }

  absl::Status Short(uint64_t got, uint64_t wanted, absl::string_view part) const {
    return InvalidArgument(input_.path(), " has ", got, " of the ", wanted, " bytes of its ", part);
  }
  BufferedInput input_;
  const FixedLayout layout_;
  const bool compressed_;
  std::string ahead_;
  uint64_t given_ = 0;  // records
  bool begun_ = false;
};

// The keys and values of an LMDB file.
class LmdbEntries final : public OpenRecords {
 public:
  explicit LmdbEntries(std::unique_ptr<LmdbReader> reader) : reader_(std::move(reader)) {}
  absl::StatusOr<bool> Read(Element& record) override {
    std::string key, value;
    SLUICE_ASSIGN(const bool more, reader_->Next(&key, &value));
    if (!more) return false;
    record.clear();
    record.push_back(Tensor::Scalar<std::string>(std::move(key)));
    record.push_back(Tensor::Scalar<std::string>(std::move(value)));
    return true;
  }

 private:
  const std::unique_ptr<LmdbReader> reader_;
};

absl::StatusOr<std::unique_ptr<Input>> OpenCompressed(const std::string& path, Compression how) {
  SLUICE_ASSIGN(std::unique_ptr<Input> file, OpenFile(path));
  return how == Compression::kNone ? std::move(file) : Decompressed(std::move(file), how);
}

absl::StatusOr<std::vector<std::string>> PathsInput(const KernelContext& ctx) {
  const Tensor& input = ctx.input(0);
  if (input.rank() > 1) return InvalidArgument("`filenames` must be a scalar or a vector.");
  const auto paths = input.flat<std::string>();
  return std::vector<std::string>(paths.begin(), paths.end());
}

absl::StatusOr<Compression> CompressionInput(const KernelContext& ctx, int i) {
  SLUICE_ASSIGN(const std::string name, ScalarInput<std::string>(ctx, i, "compression_type"));
  return ParseCompression(name);
}

// Like TensorFlow, this reads records of an unknown compression as they stand.
absl::StatusOr<Compression> RecordCompressionInput(const KernelContext& ctx, int i) {
  SLUICE_ASSIGN(const std::string name, ScalarInput<std::string>(ctx, i, "compression_type"));
  const absl::StatusOr<Compression> how = ParseCompression(name);
  if (!how.ok()) Log(LogLevel::kError, how.status().message(), "; no compression is used");
  return how.value_or(Compression::kNone);
}

const ElementSpec& OneString() {
  static const auto* const spec = new ElementSpec{{kString}, {PartialShape(Shape{})}};
  return *spec;
}

// Where the records of each file begin, in its decompressed bytes; none: at 0.
absl::StatusOr<std::vector<uint64_t>> OffsetsInput(const KernelContext& ctx, size_t files) {
  std::vector<uint64_t> offsets;
  if (ctx.num_inputs() < 4) return offsets;
  const Tensor& input = ctx.input(3);
  if (input.rank() > 1) return InvalidArgument("`byte_offsets` must be a scalar or a vector.");
  for (const int64_t offset : input.flat<int64_t>()) {
    if (offset < 0) return InvalidArgument("`byte_offsets` must be >= 0, got ", offset);
    offsets.push_back(static_cast<uint64_t>(offset));
  }
  if (!offsets.empty() && offsets.size() != files) {
    return InvalidArgument("`byte_offsets` must have as many elements as `filenames`, got ",
                           offsets.size(), " and ", files);
  }
  return offsets;
}

// TextLineDataset, TFRecordDataset and its second version. The size of the buffer is ours.
template <typename Records, AfterDamage kAfterDamage>
struct RecordsOfFiles {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(std::vector<std::string> paths, PathsInput(ctx));
    constexpr bool kOfRecords = std::is_same_v<Records, TfRecords>;
    SLUICE_ASSIGN(const Compression how,
                  kOfRecords ? RecordCompressionInput(ctx, 1) : CompressionInput(ctx, 1));
    SLUICE_ASSIGN(const int64_t buffer, ScalarInput<int64_t>(ctx, 2, "buffer_size"));
    if (buffer < -1) {  // -1: the file system's
      return InvalidArgument("`buffer_size` must be >= 0 (0 == default), got ", buffer);
    }
    SLUICE_ASSIGN(std::vector<uint64_t> offsets, OffsetsInput(ctx, paths.size()));
    auto open = [how, offsets = std::move(offsets)](
                    const std::string& path,
                    size_t number) -> absl::StatusOr<std::unique_ptr<OpenRecords>> {
      SLUICE_ASSIGN(auto input, OpenCompressed(path, how));
      auto records = std::make_unique<Records>(std::move(input));
      if constexpr (kOfRecords) {
        if (!offsets.empty()) SLUICE_RETURN_IF_ERROR(records->Skip(offsets[number]));
      }
      return records;
    };
    SetDataSet(ctx,
               MakeRefCounted<Files>(OneString(), std::move(paths), std::move(open), kAfterDamage));
    return absl::OkStatus();
  }
};

// The length of a file that is not compressed shows before the first record that a record is cut.
absl::Status CheckLength(const std::string& path, const FixedLayout& layout) {
  SLUICE_ASSIGN(const FileInfo file, DescribeFile(path));
  const uint64_t ends = layout.header + layout.footer;
  if (file.size < ends || (file.size - ends) % layout.record == 0) return absl::OkStatus();
  return InvalidArgument(Uneven(layout, path, file.size - ends));
}

struct FixedLengthRecordDataset {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(std::vector<std::string> paths, PathsInput(ctx));
    SLUICE_ASSIGN(const int64_t header, ScalarInput<int64_t>(ctx, 1, "header_bytes"));
    SLUICE_ASSIGN(const int64_t record, ScalarInput<int64_t>(ctx, 2, "record_bytes"));
    SLUICE_ASSIGN(const int64_t footer, ScalarInput<int64_t>(ctx, 3, "footer_bytes"));
    SLUICE_ASSIGN(const int64_t buffer, ScalarInput<int64_t>(ctx, 4, "buffer_size"));
    if (header < 0) return InvalidArgument("`header_bytes` must be >= 0");
    if (record <= 0) return InvalidArgument("`record_bytes` must be > 0");
    if (footer < 0) return InvalidArgument("`footer_bytes` must be >= 0");
    if (buffer < 0) return InvalidArgument("`buffer_size` must be >= 0 (0 == default)");
    Compression how = Compression::kNone;
    if (ctx.num_inputs() > 5) {
      SLUICE_ASSIGN(how, CompressionInput(ctx, 5));
    }
    const FixedLayout layout{static_cast<uint64_t>(header), static_cast<uint64_t>(record),
                             static_cast<uint64_t>(footer)};
    auto open = [how, layout](const std::string& path,
                              size_t) -> absl::StatusOr<std::unique_ptr<OpenRecords>> {
      SLUICE_ASSIGN(auto input, OpenCompressed(path, how));
      if (how == Compression::kNone) SLUICE_RETURN_IF_ERROR(CheckLength(path, layout));
      return std::make_unique<FixedRecords>(std::move(input), layout, how);
    };
    const AfterDamage after =
        how == Compression::kNone ? AfterDamage::kSameError : AfterDamage::kNextFile;
    SetDataSet(ctx, MakeRefCounted<Files>(OneString(), std::move(paths), std::move(open), after));
    return absl::OkStatus();
  }
};

struct LmdbDataset {
  ElementSpec spec;

  static absl::StatusOr<LmdbDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return LmdbDataset{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(std::vector<std::string> paths, PathsInput(ctx));
    if (spec.types != std::vector<DType>{kString, kString}) {
      return InvalidArgument("a data set of an LMDB file has two components of strings");
    }
    auto open = [](const std::string& path,
                   size_t) -> absl::StatusOr<std::unique_ptr<OpenRecords>> {
      SLUICE_ASSIGN(auto reader, LmdbReader::Open(path));
      return std::make_unique<LmdbEntries>(std::move(reader));
    };
    SetDataSet(ctx, MakeRefCounted<Files>(spec, std::move(paths), std::move(open)));
    return absl::OkStatus();
  }
};

// A folder of this machine, where FIFOs are.
absl::StatusOr<std::string> FolderInput(const KernelContext& ctx, int i, absl::string_view name) {
  SLUICE_ASSIGN(std::string path, ScalarInput<std::string>(ctx, i, name));
  SLUICE_RETURN_IF_ERROR(CheckFileAccess(path, FileAccess::kWrite));
  if (SchemeOf(path).empty()) return path;
  SLUICE_RETURN_IF_ERROR(FileSystemOf(path).status());
  if (SchemeOf(path) != "file")
    return Unimplemented("FIFOs are on this machine only (file: '", path, "')");
  return std::string(absl::StripPrefix(path, "file://"));
}

struct PipeModeDataset {
  absl::Status Run(KernelContext& ctx) const {
    PipeChannel channel;
    SLUICE_ASSIGN(channel.name, ScalarInput<std::string>(ctx, 0, "channel"));
    SLUICE_ASSIGN(const std::string format, ScalarInput<std::string>(ctx, 1, "record_format"));
    SLUICE_ASSIGN(channel.state_folder, FolderInput(ctx, 2, "state_dir"));
    SLUICE_ASSIGN(channel.folder, FolderInput(ctx, 3, "pipe_dir"));
    SLUICE_ASSIGN(channel.shards, ScalarInput<int64_t>(ctx, 4, "num_shards"));
    SLUICE_ASSIGN(channel.shard, ScalarInput<int64_t>(ctx, 5, "shard_index"));
    SLUICE_ASSIGN(const int64_t timeout, ScalarInput<int64_t>(ctx, 6, "timeout"));
    const bool plain = !channel.name.empty() && !absl::StrContains(channel.name, '/') &&
                       !absl::StrContains(channel.name, '\0') && channel.name[0] != '.';
    if (!plain) return InvalidArgument("\"", channel.name, "\" cannot be the name of a channel");
    if (format == "TFRecord") {
      channel.format = PipeFormat::kTfRecord;
    } else if (format == "TextLine") {
      channel.format = PipeFormat::kTextLine;
    } else if (format != "RecordIO") {
      return InvalidArgument("record_format must be RecordIO, TFRecord or TextLine, got \"", format,
                             "\"");
    }
    if (channel.shards < 1 || channel.shard < 0 || channel.shard >= channel.shards)
      return InvalidArgument("shard ", channel.shard, " of ", channel.shards, " does not exist");
    if (timeout < 0) return InvalidArgument("timeout must not be negative, got ", timeout);
    channel.limit = absl::Seconds(timeout);
    SetDataSet(ctx, MakePipeDataSet(std::move(channel)));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterFiles(KernelRegistry& kernels) {
  kernels.Add<RecordsOfFiles<Lines, AfterDamage::kSameError>>("TextLineDataset", kCpu);
  for (auto op : {"TFRecordDataset", "TFRecordDatasetV2"})
    kernels.Add<RecordsOfFiles<TfRecords, AfterDamage::kNextFile>>(op, kCpu);
  for (auto op : {"FixedLengthRecordDataset", "FixedLengthRecordDatasetV2"})
    kernels.Add<FixedLengthRecordDataset>(op, kCpu);
  for (auto op : {"LMDBDataset", "ExperimentalLMDBDataset"}) kernels.Add<LmdbDataset>(op, kCpu);
  kernels.Add<PipeModeDataset>("SluicePipeModeDataset", kCpu);
}

}  // namespace sluice::kernels
