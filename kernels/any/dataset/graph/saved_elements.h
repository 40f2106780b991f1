// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATASET_GRAPH_SAVED_ELEMENTS_H_
#define SLUICE_KERNELS_ANY_DATASET_GRAPH_SAVED_ELEMENTS_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/io/file.h"
#include "kernels/common/dataset/captured_function.h"
#include "kernels/common/dataset/data_set.h"

// Elements in the files of tf.data.Dataset.save() and snapshot().
//
//   PATH/snapshot.metadata                         which run is complete
//   PATH/RUN/00000003.shard/00000000.snapshot      elements of shard 3; then 00000001.snapshot ...
//
// A file is a TFRecord file. Each component of an element is a record, a TensorProto.

namespace sluice::kernels {

// Where elements are, and how they are written.
struct SavedPlace {
  std::string path;
  Compression compression = Compression::kNone;
  std::string graph;  // what the metadata says of the data set's graph
};

constexpr int64_t kSavedVersion = 2;  // of the format

// From the attribute `compression`.
absl::StatusOr<Compression> SavedCompression(const NodeSpec& node);

// The run that the metadata of a place names.
struct SavedRun {
  std::string id;
  int64_t elements = 0;
  int64_t began_us = 0;  // since 1970
  bool complete = false;

  std::string Folder(const SavedPlace& place) const { return place.path + "/" + id; }
};

// Returns nullopt if the place has no metadata.
// Errors: DATA_LOSS; INVALID_ARGUMENT if the version of the format is another.
absl::StatusOr<std::optional<SavedRun>> ReadSavedRun(const SavedPlace& place);

// Checks the id of a run from a saved state, because paths contain it.
// INVALID_ARGUMENT unless it is a number or empty.
absl::Status CheckRunId(const std::string& id);

// The files that a run writes.
//
// Threads:  one at a time.
class RunFiles {
 public:
  // `file` is the number of the next file in each shard.
  RunFiles(const SavedPlace& place, std::string id, int64_t file)
      : place_(place), id_(std::move(id)), file_(file) {}
  const std::string& id() const { return id_; }
  int64_t next_file() const { return file_; }

  absl::Status Add(int64_t shard, const Element& element);
  // Ends the files. What is added later goes to new ones.
  absl::Status Close();
  // `elements` is empty while the run is not complete.
  absl::Status WriteMetadata(const std::vector<DType>& types,
                             std::optional<int64_t> elements) const;

 private:
  static constexpr size_t kBuffer = 256 << 10;
  static constexpr size_t kMostShards = 1000;  // each has an open file and a buffer

  struct Shard {
    std::unique_ptr<OutputFile> file;
    std::string pending;
  };

  absl::StatusOr<Shard*> ShardOf(int64_t number);
  static absl::Status Flush(Shard& shard);

  const SavedPlace place_;
  const std::string id_;
  int64_t file_;
  std::map<int64_t, Shard> shards_;
};

// The function that gives the shard of an element; without one, all elements are in one shard.
struct ShardFunction {
  FunctionAttr function;
  bool used = true;

  static absl::StatusOr<ShardFunction> Create(const NodeSpec& node);
};

// Calls the function.
absl::StatusOr<int64_t> ShardOf(const std::optional<StageFunction>& function,
                                const Element& element);

// The elements of `input`, which each run also writes.
RefPtr<const DataSet> MakeSavingSet(RefPtr<const DataSet> input, SavedPlace place,
                                    std::optional<CapturedFunction> shard_function);
// The elements of the files in a shard's folder, from number `first` on. Its recipe is the op
// SnapshotDatasetReader.
RefPtr<const DataSet> MakeSavedShard(ElementSpec spec, std::string folder, int64_t first,
                                     Compression compression);
// The elements of a run: those of the data set that `reader_function` makes of the shards' data
// sets; without one, the shards one after the other.
RefPtr<const DataSet> MakeSavedSet(ElementSpec spec, const SavedPlace& place, const SavedRun& run,
                                   std::optional<CapturedFunction> reader_function);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATASET_GRAPH_SAVED_ELEMENTS_H_
