// SPDX-License-Identifier: Apache-2.0
// RecordInput: batches of records from all files of a pattern, in random order, one epoch after the
// other without end.
#include <algorithm>
#include <cmath>
#include <random>

#include "core/io/file.h"
#include "core/io/record.h"
#include "kernels/any/io/register.h"

namespace sluice::kernels {
namespace {

// A RecordShuffle draws records from several open files through a buffer.
//
// Threads:  one at a time.
// Errors:   NOT_FOUND if the pattern matches no files, OUT_OF_RANGE if they hold no record, and
//           errors of reading. Later calls return the same error.
class RecordShuffle {
 public:
  struct Options {
    std::string pattern;
    int64_t seed, buffer_size, files_at_once;
    float shift_ratio;  // the fraction by which the list of files rotates in each epoch
    Compression compression;
  };
  explicit RecordShuffle(Options options)
      : options_(std::move(options)), random_(static_cast<uint64_t>(options_.seed)) {}

  absl::StatusOr<std::string> Next() {
    if (broken_.ok()) broken_ = Fill();
    if (!broken_.ok()) return broken_;
    std::uniform_int_distribution<size_t> place(0, buffer_.size() - 1);
    std::swap(buffer_[place(random_)], buffer_.back());
    std::string record = std::move(buffer_.back());
    buffer_.pop_back();
    return record;
  }

 private:
  // All records of an epoch are returned before those of the next.
  absl::Status Fill() {
    SLUICE_RETURN_IF_ERROR(FillFromEpoch());
    if (!buffer_.empty()) return absl::OkStatus();
    SLUICE_RETURN_IF_ERROR(BeginEpoch());
    SLUICE_RETURN_IF_ERROR(FillFromEpoch());
    if (!buffer_.empty()) return absl::OkStatus();
    return OutOfRange("no records in the files at ", options_.pattern);
  }

  absl::Status BeginEpoch() {
    SLUICE_ASSIGN(files_, MatchingFiles(options_.pattern));
    if (files_.empty()) return NotFound("Found no files at ", options_.pattern);
    std::shuffle(files_.begin(), files_.end(), random_);
    const double turns = static_cast<double>(options_.shift_ratio) * static_cast<double>(epoch_++);
    const double part = turns - std::floor(turns);
    const auto shift = static_cast<size_t>(part * static_cast<double>(files_.size()));
    std::rotate(files_.begin(), files_.begin() + static_cast<int64_t>(shift % files_.size()),
                files_.end());
    return absl::OkStatus();
  }

  // Reads a record from each open file in turn.
  absl::Status FillFromEpoch() {
    while (static_cast<int64_t>(buffer_.size()) < options_.buffer_size) {
      while (!files_.empty() && static_cast<int64_t>(open_.size()) < options_.files_at_once) {
        SLUICE_ASSIGN(std::unique_ptr<Input> file, OpenFile(files_.back()));
        open_.emplace_back(Decompressed(std::move(file), options_.compression));
        files_.pop_back();
      }
      if (open_.empty()) break;
      turn_ = turn_ + 1 < open_.size() ? turn_ + 1 : 0;
      std::string record;
      SLUICE_ASSIGN(const bool found, open_[turn_].Read(&record));
      if (found)
        buffer_.push_back(std::move(record));
      else
        open_.erase(open_.begin() + static_cast<int64_t>(turn_));
    }
    return absl::OkStatus();
  }

  const Options options_;
  std::mt19937_64 random_;
  int64_t epoch_ = 0;
  std::vector<std::string> files_;  // of this epoch, not yet open
  std::vector<RecordReader> open_;
  size_t turn_ = 0;
  std::vector<std::string> buffer_;
  absl::Status broken_;
};

struct RecordInput {
  const int64_t batch_size;
  mutable absl::Mutex mu;
  mutable RecordShuffle records ABSL_GUARDED_BY(mu);

  RecordInput(int64_t batch_size, RecordShuffle::Options options)
      : batch_size(batch_size), records(std::move(options)) {}

  static absl::StatusOr<std::unique_ptr<RecordInput>> Create(const NodeSpec& node) {
    RecordShuffle::Options options;
    SLUICE_ASSIGN(options.pattern, node.Get<std::string>("file_pattern"));
    SLUICE_ASSIGN(options.seed, node.Get<int64_t>("file_random_seed"));
    SLUICE_ASSIGN(options.shift_ratio, node.Get<float>("file_shuffle_shift_ratio"));
    if (!std::isfinite(options.shift_ratio))
      return InvalidArgument("file_shuffle_shift_ratio must be finite");
    SLUICE_ASSIGN(const int64_t buffer_size, node.Get<int64_t>("file_buffer_size"));
    SLUICE_ASSIGN(const int64_t parallelism, node.Get<int64_t>("file_parallelism"));
    if (parallelism < 0) return InvalidArgument("file_parallelism should >= 0, got ", parallelism);
    options.buffer_size = std::max<int64_t>(buffer_size, 1);
    options.files_at_once = std::clamp<int64_t>(parallelism, 1, 1024);
    // A compression that is not known counts as none.
    options.compression = ParseCompression(GetAttrOr(node.attrs, "compression_type", std::string()))
                              .value_or(Compression::kNone);
    SLUICE_ASSIGN(const int64_t batch_size, node.Get<int64_t>("batch_size"));
    if (batch_size < 0)
      return InvalidArgument("batch_size must be non-negative but got ", batch_size);
    return std::make_unique<RecordInput>(batch_size, std::move(options));
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Tensor * batch, ctx.AllocateOutput(0, Shape{batch_size}));
    absl::MutexLock lock(&mu);
    for (int64_t i = 0; i < batch_size; ++i) {
      if (ctx.cancel().cancelled()) return ctx.cancel().status();
      SLUICE_ASSIGN(batch->mutable_data<std::string>()[i], records.Next());
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterRecordInput(KernelRegistry& kernels) { kernels.Add<RecordInput>("RecordInput", kCpu); }

}  // namespace sluice::kernels
