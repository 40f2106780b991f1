// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/pipe_data_set.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/time/clock.h"
#include "core/io/file.h"
#include "core/io/record.h"
#include "kernels/common/dataset/fifo_input.h"
#include "kernels/common/dataset/recordio.h"

namespace sluice::kernels {
namespace {

// Counts the bytes that a reader took.
class CountedInput final : public Input {
 public:
  CountedInput(std::unique_ptr<Input> from, uint64_t* taken)
      : from_(std::move(from)), taken_(taken) {}
  const std::string& path() const override { return from_->path(); }
  absl::StatusOr<size_t> Read(char* to, size_t size) override {
    SLUICE_ASSIGN(const size_t got, from_->Read(to, size));
    *taken_ += got;
    return got;
  }

 private:
  const std::unique_ptr<Input> from_;
  uint64_t* const taken_;
};

class PipeRecords {
 public:
  virtual ~PipeRecords() = default;
  virtual absl::StatusOr<bool> Read(std::string* record) = 0;  // false at the end
};

class TextLines final : public PipeRecords {
 public:
  explicit TextLines(std::unique_ptr<Input> from) : input_(std::move(from)) {}
  absl::StatusOr<bool> Read(std::string* record) override { return input_.ReadLine(record); }

 private:
  BufferedInput input_;
};

class RecordIoRecords final : public PipeRecords {
 public:
  explicit RecordIoRecords(std::unique_ptr<Input> from) : reader_(std::move(from)) {}
  absl::StatusOr<bool> Read(std::string* record) override { return reader_.Read(record); }

 private:
  RecordIoReader reader_;
};

// A file may end inside the header of a record, since a writer may still be active. A FIFO may not.
class TfRecords final : public PipeRecords {
 public:
  explicit TfRecords(std::unique_ptr<Input> from)
      : path_(from->path()), reader_(std::make_unique<CountedInput>(std::move(from), &taken_)) {}
  absl::StatusOr<bool> Read(std::string* record) override {
    SLUICE_ASSIGN(const bool more, reader_.Read(record));
    if (!more && taken_ > reader_.offset())
      return DataLoss("truncated record at ", reader_.offset(), " of ", path_);
    return more;
  }

 private:
  const std::string path_;
  uint64_t taken_ = 0;
  RecordReader reader_;
};

std::unique_ptr<PipeRecords> Records(std::unique_ptr<Input> from, PipeFormat format) {
  switch (format) {
    case PipeFormat::kTextLine:
      return std::make_unique<TextLines>(std::move(from));
    case PipeFormat::kTfRecord:
      return std::make_unique<TfRecords>(std::move(from));
    case PipeFormat::kRecordIo:
      break;
  }
  return std::make_unique<RecordIoRecords>(std::move(from));
}

// The file with the number of a channel's next epoch, locked as long as this lives.
class EpochFile {
 public:
  static absl::StatusOr<std::unique_ptr<EpochFile>> Lock(const PipeChannel& channel,
                                                         const CancelToken& cancel) {
    SLUICE_RETURN_IF_ERROR(MakeFolders(channel.state_folder));
    auto file = std::unique_ptr<EpochFile>(new EpochFile);
    file->path_ = absl::StrCat(channel.state_folder, "/", channel.name);
    file->file_ = open(file->path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file->file_ < 0) return file->Error();
    while (flock(file->file_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) return file->Error();
      if (cancel.cancelled()) return cancel.status();
      absl::SleepFor(absl::Milliseconds(10));
    }
    return file;
  }
  ~EpochFile() {
    if (file_ >= 0) close(file_);
  }
  EpochFile(const EpochFile&) = delete;
  EpochFile& operator=(const EpochFile&) = delete;

  absl::StatusOr<int64_t> Read() const {
    char text[32];
    const ssize_t size = pread(file_, text, sizeof(text), 0);
    if (size < 0) return Error();
    const absl::string_view number =
        absl::StripAsciiWhitespace(absl::string_view(text, static_cast<size_t>(size)));
    int64_t epoch = 0;
    if (!number.empty() && (!absl::SimpleAtoi(number, &epoch) || epoch < 0 || epoch == INT64_MAX))
      return DataLoss(path_, " does not contain the number of an epoch");
    return epoch;
  }
  absl::Status Write(int64_t epoch) const {
    const std::string text = absl::StrCat(epoch, "\n");
    const auto size = static_cast<ssize_t>(text.size());
    if (pwrite(file_, text.data(), text.size(), 0) != size || ftruncate(file_, size) != 0)
      return Error();
    return absl::OkStatus();
  }

 private:
  EpochFile() = default;
  absl::Status Error() const {
    return MakeStatus(absl::ErrnoToStatusCode(errno), path_, "; ", std::strerror(errno));
  }

  std::string path_;
  int file_ = -1;
};

class PipeDataSet final : public DataSet {
 public:
  explicit PipeDataSet(PipeChannel channel)
      : DataSet({{kString}, {PartialShape(Shape{})}}), channel_(std::move(channel)) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    return std::make_unique<Run>(channel_, running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(const PipeChannel& channel, const Running& running)
        : channel_(channel), running_(running) {}

    absl::StatusOr<bool> Next(Element& element) override {
      if (ended_) return false;
      const absl::StatusOr<bool> more = ReadShard(element);
      if (more.ok() && *more) return true;
      ended_ = more.ok() || records_ != nullptr;  // a FIFO that is missing may come later
      records_.reset();
      return more.ok() ? more : Annotate(more.status(), Label());
    }

   private:
    absl::StatusOr<bool> ReadShard(Element& element) {
      if (records_ == nullptr) SLUICE_RETURN_IF_ERROR(Open());
      std::string record;
      for (bool given = false; !given;) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        SLUICE_ASSIGN(const bool more, records_->Read(&record));
        if (!more) return false;
        given = read_++ % channel_.shards == channel_.shard;
      }
      element.assign(1, Tensor::Scalar<std::string>(std::move(record)));
      return true;
    }

    // The epoch counts as taken once its FIFO is open.
    absl::Status Open() {
      SLUICE_ASSIGN(const auto epochs, EpochFile::Lock(channel_, running_.cancel()));
      SLUICE_ASSIGN(epoch_, epochs->Read());
      const std::string path = absl::StrCat(channel_.folder, "/", channel_.name, "_", epoch_);
      SLUICE_ASSIGN(auto input, OpenFifo(path, channel_.limit, running_.cancel()));
      SLUICE_RETURN_IF_ERROR(epochs->Write(epoch_ + 1));
      records_ = Records(std::move(input), channel_.format);
      return absl::OkStatus();
    }

    std::string Label() const {
      const std::string channel = absl::StrCat("channel \"", channel_.name, "\"");
      return epoch_ < 0 ? channel : absl::StrCat(channel, ", epoch ", epoch_);
    }

    const PipeChannel& channel_;
    const Running running_;
    std::unique_ptr<PipeRecords> records_;  // null: not begun, or ended
    int64_t epoch_ = -1;                    // -1: not known
    int64_t read_ = 0;                      // records, also of other shards
    bool ended_ = false;
  };
  const PipeChannel channel_;
};

}  // namespace

RefPtr<const DataSet> MakePipeDataSet(PipeChannel channel) {
  return MakeRefCounted<PipeDataSet>(std::move(channel));
}

}  // namespace sluice::kernels
