// SPDX-License-Identifier: Apache-2.0
// CSVDataset: the records of CSV files, one component for each column.
#include <algorithm>
#include <optional>

#include "core/io/file.h"
#include "core/op/producer_version.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/parsing/csv_fields.h"

namespace sluice::kernels {
namespace {

struct CsvFormat {
  std::vector<std::string> paths;
  Compression compression = Compression::kNone;
  bool header = false, quotes = true;
  char delimiter = ',';
  CsvReading reading;
  std::vector<int64_t> columns;   // that are read
  std::vector<int64_t> left_out;  // or those that are not
  Element defaults;               // of each component; empty: required
};

// The bytes of a file, one after the other.
class CsvBytes {
 public:
  static constexpr int kEnd = -1;

  explicit CsvBytes(std::unique_ptr<Input> from) : input_(std::move(from)) {}

  // kEnd at the end of the file.
  absl::StatusOr<int> Peek() {
    if (at_ == chunk_.size()) {
      chunk_.clear();
      at_ = 0;
      SLUICE_RETURN_IF_ERROR(input_.Read(kChunk, &chunk_));
      if (chunk_.empty()) return kEnd;
    }
    return static_cast<unsigned char>(chunk_[at_]);
  }
  // The bytes that are in memory. REQUIRES: Peek has not returned kEnd since the last Take.
  absl::string_view Available() const { return absl::string_view(chunk_).substr(at_); }
  void Take(size_t count = 1) {
    at_ += count;
    position_ += count;
  }
  absl::Status Skip(uint64_t bytes) {
    position_ += bytes;
    return input_.Skip(bytes);
  }
  uint64_t position() const { return position_; }

 private:
  static constexpr uint64_t kChunk = 64 << 10;

  BufferedInput input_;
  std::string chunk_;
  size_t at_ = 0;
  uint64_t position_ = 0;
};

// A file of records. A record ends with a line break outside of quotes. An error in a record does
// not end the file: the rest of the record is skipped.
class CsvFile {
 public:
  CsvFile(std::unique_ptr<Input> from, const CsvFormat& format, const ElementSpec& spec)
      : bytes_(std::move(from)), format_(format), spec_(spec) {}

  // False at the end.
  absl::StatusOr<bool> Read(Element& element) { return ReadRecord(&element); }
  absl::Status ReadHeader() {
    SLUICE_ASSIGN(const bool more, ReadRecord(nullptr));
    return more ? absl::OkStatus() : OutOfRange("the file is empty");
  }
  absl::Status Skip(uint64_t bytes) { return bytes_.Skip(bytes); }
  uint64_t position() const { return bytes_.position(); }
  // The bytes cannot be read, as after damage of a compressed file.
  bool unreadable() const { return unreadable_; }

 private:
  absl::StatusOr<int> Peek() {
    absl::StatusOr<int> next = bytes_.Peek();
    unreadable_ = !next.ok();
    return next;
  }
  absl::StatusOr<bool> ReadRecord(Element* element) {
    SLUICE_ASSIGN(int next, Peek());
    if (next == CsvBytes::kEnd) return false;
    absl::Status first_error;
    size_t selected = 0;
    bool ended = false;
    for (int64_t column = 0; !ended; ++column) {
      SLUICE_ASSIGN(next, Peek());
      std::string text;
      absl::Status status;
      if (next == '"' && format_.quotes)
        status = ReadQuoted(&text, &ended);
      else
        status = ReadUnquoted(&text, &ended);
      if (unreadable_) return status;
      const bool wanted = element != nullptr && Selected(column, selected);
      if (wanted) {
        ++selected;
        if (status.ok()) status = Convert(text, *element);
      }
      first_error.Update(status);
    }
    SLUICE_RETURN_IF_ERROR(first_error);
    if (element != nullptr && element->size() != spec_.types.size()) {
      return InvalidArgument("Expect ", spec_.types.size(), " fields but have ", element->size(),
                             " in record");
    }
    return true;
  }
  bool Selected(int64_t column, size_t taken) const {
    if (!format_.left_out.empty()) {
      const auto& out = format_.left_out;
      return !std::binary_search(out.begin(), out.end(), column);
    }
    return format_.columns.empty() ||
           (taken < format_.columns.size() && format_.columns[taken] == column);
  }
  absl::Status Convert(absl::string_view text, Element& element) const {
    const size_t field = element.size();
    if (field >= spec_.types.size()) {
      return InvalidArgument("Expect ", spec_.types.size(), " fields but have more in record");
    }
    return VisitDType(CsvTypes{}, spec_.types[field], [&]<typename T>(Type<T>) {
      T value{};
      const absl::Status status =
          ParseCsvField(text, format_.reading, format_.defaults[field], field, "", &value);
      element.push_back(Tensor::Scalar<T>(std::move(value)));
      return status;
    });
  }

  bool Ends(char c) const { return c == format_.delimiter || c == '\n' || c == '\r'; }
  // Takes the end of a field: a delimiter, a line break or the end of the file. False if the next
  // byte is none of them.
  absl::StatusOr<bool> TakeEnd(bool* record_ended) {
    SLUICE_ASSIGN(int next, Peek());
    if (next == static_cast<unsigned char>(format_.delimiter)) {
      bytes_.Take();
      return true;
    }
    *record_ended = next == CsvBytes::kEnd || next == '\n' || next == '\r';
    if (next == CsvBytes::kEnd || !*record_ended) return *record_ended;
    bytes_.Take();
    if (next == '\n') return true;
    SLUICE_ASSIGN(next, Peek());
    if (next == '\n') bytes_.Take();
    return true;
  }
  absl::Status ReadUnquoted(std::string* text, bool* record_ended) {
    absl::Status status;
    for (;;) {
      SLUICE_ASSIGN(const bool ended, TakeEnd(record_ended));
      if (ended) return status;
      const absl::string_view ahead = bytes_.Available();
      size_t size = 0;
      for (; size < ahead.size() && !Ends(ahead[size]); ++size) {
        if (format_.quotes && ahead[size] == '"')
          status.Update(InvalidArgument("Unquoted fields cannot have quotes inside"));
      }
      text->append(ahead.data(), size);
      bytes_.Take(size);
    }
  }
  absl::Status ReadQuoted(std::string* text, bool* record_ended) {
    absl::Status status;
    bytes_.Take();
    for (;;) {
      SLUICE_ASSIGN(int next, Peek());
      if (next == CsvBytes::kEnd) {
        *record_ended = true;
        return InvalidArgument("Reached end of file without closing quoted field in record");
      }
      if (next != '"') {
        const absl::string_view ahead = bytes_.Available();
        const size_t size = std::min(ahead.find('"'), ahead.size());
        text->append(ahead.data(), size);
        bytes_.Take(size);
        continue;
      }
      bytes_.Take();
      SLUICE_ASSIGN(const bool ended, TakeEnd(record_ended));
      if (ended) return status;
      SLUICE_ASSIGN(next, Peek());
      if (next != '"') {
        status.Update(InvalidArgument("Quote inside a string has to be escaped by another quote"));
      }
      text->push_back(static_cast<char>(next));
      bytes_.Take();
    }
  }

  CsvBytes bytes_;
  const CsvFormat& format_;
  const ElementSpec& spec_;
  bool unreadable_ = false;
};

// The records of one file after the other. State: the file, and the position in it. As in
// TensorFlow, the iterator does not pass a file that cannot be opened or read.
class Csv final : public DataSet {
 public:
  Csv(ElementSpec spec, CsvFormat format) : DataSet(std::move(spec)), format_(std::move(format)) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    return std::make_unique<Run>(*this, running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(const Csv& set, const Running& running) : set_(set), running_(running) {}
    absl::StatusOr<bool> Next(Element& element) override {
      for (;;) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        SLUICE_RETURN_IF_ERROR(damage_);
        if (!file_) {
          if (next_ == set_.format_.paths.size()) return false;
          if (absl::Status opened = Open(); !opened.ok()) return MarkRepeating(std::move(opened));
          ++next_;
          if (set_.format_.header && !file_->ReadHeader().ok())
            return InvalidArgument("Can't read header of file");
        }
        element.clear();
        const absl::StatusOr<bool> more = file_->Read(element);
        const bool unreadable = file_->unreadable();
        if (unreadable && !more.ok()) return damage_ = MarkRepeating(more.status());
        if (unreadable || (more.ok() && !*more)) file_.reset();
        if (!more.ok() || *more) return more;
      }
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      bool open = file_.has_value();
      uint64_t position = open ? file_->position() : 0;
      SLUICE_RETURN_IF_ERROR(state.Fields("CSV", next_, open, position));
      if (!state.restoring()) return absl::OkStatus();
      file_.reset();
      if (next_ > set_.format_.paths.size() || (open && next_ == 0)) {
        return InvalidArgument("the saved state names file ", next_, " of ",
                               set_.format_.paths.size());
      }
      if (!open) return absl::OkStatus();
      --next_;
      SLUICE_RETURN_IF_ERROR(Open());
      ++next_;
      return file_->Skip(position);
    }

   private:
    absl::Status Open() {
      SLUICE_ASSIGN(std::unique_ptr<Input> input, OpenFile(set_.format_.paths[next_]));
      if (set_.format_.compression != Compression::kNone)
        input = Decompressed(std::move(input), set_.format_.compression);
      file_.emplace(std::move(input), set_.format_, set_.spec());
      return absl::OkStatus();
    }

    const Csv& set_;
    const Running running_;
    size_t next_ = 0;  // the file to open
    std::optional<CsvFile> file_;
    absl::Status damage_;  // of the open file; it is not read on
  };
  const CsvFormat format_;
};

struct CsvDataset {
  ElementSpec spec;
  NodeSpec::Range defaults;
  bool as_in_1x;

  static absl::StatusOr<CsvDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(const NodeSpec::Range defaults, node.InputRange("record_defaults"));
    return CsvDataset{std::move(spec), defaults, IsFrom1x(node)};
  }
  static absl::StatusOr<std::vector<int64_t>> Columns(const Tensor& input, absl::string_view name) {
    if (input.rank() != 1) return InvalidArgument("`", name, "` must be a vector.");
    const auto numbers = input.flat<int64_t>();
    return std::vector<int64_t>(numbers.begin(), numbers.end());
  }
  absl::StatusOr<CsvFormat> Format(KernelContext& ctx) const {
    CsvFormat format;
    format.reading.as_in_1x = as_in_1x;
    const Tensor& paths = ctx.input(0);
    if (paths.rank() > 1) return InvalidArgument("`filenames` must be a scalar or a vector.");
    const auto names = paths.flat<std::string>();
    format.paths.assign(names.begin(), names.end());
    SLUICE_ASSIGN(const auto compression, ScalarInput<std::string>(ctx, 1, "compression_type"));
    SLUICE_ASSIGN(format.defaults, KeptInputs(ctx, defaults));
    for (size_t i = 0; i < format.defaults.size(); ++i)
      SLUICE_RETURN_IF_ERROR(CheckCsvDefault(format.defaults[i], i));
    SLUICE_ASSIGN(format.columns, Columns(ctx.input(7), "select_cols"));
    if (ctx.num_inputs() > defaults.end) {
      SLUICE_ASSIGN(format.left_out, Columns(ctx.input(defaults.end), "exclude_cols"));
    }
    SLUICE_ASSIGN(const int64_t buffer, ScalarInput<int64_t>(ctx, 2, "buffer_size"));
    if (buffer <= 0) return InvalidArgument("buffer_size should be positive");
    SLUICE_ASSIGN(format.header, ScalarInput<bool>(ctx, 3, "header"));
    SLUICE_ASSIGN(const auto delimiter, ScalarInput<std::string>(ctx, 4, "field_delim"));
    if (delimiter.size() != 1) return InvalidArgument("field_delim should be only 1 char");
    format.delimiter = delimiter[0];
    SLUICE_ASSIGN(format.quotes, ScalarInput<bool>(ctx, 5, "use_quote_delim"));
    SLUICE_ASSIGN(format.reading.na, ScalarInput<std::string>(ctx, 6, "na_value"));
    const absl::StatusOr<Compression> how = ParseCompression(compression);
    if (!how.ok()) return InvalidArgument("Unsupported compression_type: ", compression, ".");
    format.compression = *how;
    if (!format.columns.empty() && format.columns.size() != spec.types.size())
      return InvalidArgument("select_cols should match output size");
    if (!format.columns.empty() && !format.left_out.empty())
      return InvalidArgument("Either select_cols or exclude_cols should be empty");
    SLUICE_RETURN_IF_ERROR(CheckCsvColumns(format.columns, "select_cols"));
    SLUICE_RETURN_IF_ERROR(CheckCsvColumns(format.left_out, "exclude_cols"));
    return format;
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(CsvFormat format, Format(ctx));
    SetDataSet(ctx, MakeRefCounted<Csv>(spec, std::move(format)));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterCsv(KernelRegistry& kernels) {
  for (auto op : {"CSVDataset", "CSVDatasetV2", "ExperimentalCSVDataset"})
    kernels.Add<CsvDataset>(op, kCpu);
}

}  // namespace sluice::kernels
