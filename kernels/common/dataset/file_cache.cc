// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/file_cache.h"

#include <utility>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "core/io/checkpoint/bundle_reader.h"
#include "core/io/checkpoint/bundle_writer.h"
#include "core/io/file.h"

namespace sluice::kernels {
namespace {

constexpr int64_t kMostElements = 10'000'000;  // TensorFlow's limit: a number has 7 digits

// The name of a tensor in the files.
std::string TensorName(int64_t element, size_t component, size_t components) {
  const size_t digits = Cat(components - 1).size();
  return absl::StrFormat("%7d_%*d", element, static_cast<int>(digits),
                         static_cast<int64_t>(component));
}

// The files of a cache that a run writes.
//
// Threads:  one at a time.
class CacheFiles {
 public:
  static absl::StatusOr<std::unique_ptr<CacheFiles>> Create(const std::string& path) {
    const std::string part = path + "_0", lock = part + ".lockfile";
    SLUICE_ASSIGN(const bool exists, FileExists(BundleIndexFile(part)));
    if (exists) {
      return AlreadyExists("Existing cache files found: \n", BundleIndexFile(part), "\n",
                           BundleDataFile(part, 0, 1), "\nTo continue delete the above files.");
    }
    absl::StatusOr<std::unique_ptr<OutputFile>> held = CreateFile(lock, WriteMode::kNew);
    if (absl::IsAlreadyExists(held.status())) return Locked(lock);
    SLUICE_RETURN_IF_ERROR(held.status());
    auto files = std::unique_ptr<CacheFiles>(new CacheFiles(path, part, lock));
    SLUICE_RETURN_IF_ERROR((*held)->Append(Cat("Created at: ", absl::ToUnixSeconds(absl::Now()))));
    SLUICE_RETURN_IF_ERROR((*held)->Close());
    SLUICE_ASSIGN(files->writer_, BundleWriter::Create(part));
    return files;
  }
  ~CacheFiles() {
    writer_.reset();  // which removes what is not complete
    (void)RemoveFile(lock_);
  }
  CacheFiles(const CacheFiles&) = delete;
  CacheFiles& operator=(const CacheFiles&) = delete;

  absl::Status Add(int64_t number, const Element& element) {
    if (number >= kMostElements) {
      return InvalidArgument("Upstream iterator is producing more than ", kMostElements,
                             " items, which is more than the cache limit.");
    }
    for (size_t i = 0; i < element.size(); ++i) {
      SLUICE_RETURN_IF_ERROR(writer_->Add(TensorName(number, i, element.size()), element[i]));
    }
    return absl::OkStatus();
  }
  // All elements are there.
  absl::Status Finish() {
    SLUICE_RETURN_IF_ERROR(writer_->Commit());
    return MergeBundles({part_}, path_, /*allow_missing=*/false);
  }

 private:
  CacheFiles(std::string path, std::string part, std::string lock)
      : path_(std::move(path)), part_(std::move(part)), lock_(std::move(lock)) {}
  static absl::Status Locked(const std::string& lock) {
    constexpr uint64_t kMostShown = 150;
    std::string contents;
    if (absl::StatusOr<std::unique_ptr<Input>> file = OpenFile(lock); file.ok()) {
      (void)BufferedInput(*std::move(file)).Read(kMostShown, &contents);
    }
    return AlreadyExists(
        "There appears to be a concurrent caching iterator running - cache lockfile already exists "
        "('",
        lock,
        "'). If you are sure no other running TF computations are using this cache prefix, delete "
        "the lockfile and re-initialize the iterator. Lockfile contents: ",
        contents);
  }

  const std::string path_, part_, lock_;
  std::unique_ptr<BundleWriter> writer_;
};

// State: the number of the next element. If the input was being written, the restored run does not
// write it: it lacks the elements before.
class FileCache final : public DataSet {
 public:
  FileCache(RefPtr<const DataSet> input, std::string path)
      : DataSet(input->spec()), input_(std::move(input)), path_(std::move(path)) {}
  int64_t Cardinality() const override { return input_->Cardinality(); }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(const bool complete, FileExists(BundleIndexFile(path_)));
    auto run = std::make_unique<Run>(*this, running);
    SLUICE_RETURN_IF_ERROR(run->Begin(complete));
    return run;
  }

 private:
  class Run final : public Stage {
   public:
    Run(const FileCache& set, const Running& running) : set_(set), running_(running) {}
    absl::Status Begin(bool complete) {
      complete_ = complete;
      if (complete) {
        input_.reset();
        SLUICE_ASSIGN(reader_, BundleReader::Open(set_.path_));
        return absl::OkStatus();
      }
      reader_.reset();
      SLUICE_ASSIGN(input_, set_.input_->Begin(running_));
      return absl::OkStatus();
    }
    absl::StatusOr<bool> Next(Element& element) override {
      if (ended_) return false;
      if (complete_) return Read(element);
      if (writes_ && files_ == nullptr) {
        SLUICE_ASSIGN(files_, CacheFiles::Create(set_.path_));
      }
      SLUICE_ASSIGN(const bool more, input_->Next(element));
      if (!more) {
        ended_ = true;
        const std::unique_ptr<CacheFiles> files = std::move(files_);
        if (files != nullptr) SLUICE_RETURN_IF_ERROR(files->Finish());
        return false;
      }
      if (files_ != nullptr) SLUICE_RETURN_IF_ERROR(files_->Add(next_, element));
      ++next_;
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      bool complete = complete_;
      SLUICE_RETURN_IF_ERROR(state.Fields("FileCache", complete, next_, ended_));
      if (state.restoring()) {
        files_.reset();
        SLUICE_RETURN_IF_ERROR(Begin(complete));
        writes_ = next_ == 0;
      }
      return complete_ ? absl::OkStatus() : input_->SaveOrRestore(state);
    }

   private:
    absl::StatusOr<bool> Read(Element& element) {
      const std::vector<DType>& types = set_.spec().types;
      element.clear();
      for (size_t i = 0; i < types.size(); ++i) {
        const std::string name = TensorName(next_, i, types.size());
        const absl::StatusOr<BundleReader::Stored> stored = reader_->Find(name);
        if (i == 0 && absl::IsNotFound(stored.status())) {
          ended_ = true;
          return false;
        }
        SLUICE_RETURN_IF_ERROR(stored.status());
        if (stored->dtype != types[i]) {
          return InvalidArgument("the cache ", set_.path_, " holds a ", stored->dtype,
                                 " as component ", i, " of its elements, not a ", types[i]);
        }
        absl::StatusOr<Tensor> value = reader_->Read(name, *stored);
        // An OUT_OF_RANGE is the end of the data set, not of a file.
        if (absl::IsOutOfRange(value.status())) return DataLoss(value.status().message());
        SLUICE_RETURN_IF_ERROR(value.status());
        element.push_back(*std::move(value));
      }
      ++next_;
      return true;
    }

    const FileCache& set_;
    const Running running_;
    bool complete_ = false, writes_ = true, ended_ = false;
    int64_t next_ = 0;
    std::unique_ptr<BundleReader> reader_;  // if the cache is complete
    std::unique_ptr<Stage> input_;          // else
    std::unique_ptr<CacheFiles> files_;     // null: not begun, ended, or not to be written
  };
  const RefPtr<const DataSet> input_;
  const std::string path_;
};

}  // namespace

RefPtr<const DataSet> MakeFileCache(RefPtr<const DataSet> input, std::string path) {
  return MakeRefCounted<FileCache>(std::move(input), std::move(path));
}

}  // namespace sluice::kernels
