// SPDX-License-Identifier: Apache-2.0
// SnapshotDataset: elements that are kept in files for later programs with the same data set.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "core/io/checkpoint/bundle_writer.h"
#include "core/io/file.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/captured_function.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/file_cache.h"
#include "kernels/common/dataset/graph/data_set_graph.h"
#include "kernels/common/dataset/graph/read_sets.h"
#include "proto/graph.pb.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

enum class Mode { kAuto, kRead, kWrite, kPass };

struct SnapshotPlace {
  std::string reads, writes;  // paths of files, without their endings
  Mode mode = Mode::kAuto;
  int64_t expiry_s = 0;  // after which files that a run does not complete are written anew
};

// The input's elements. The first complete run keeps them in files, and later ones read the files.
// While one run writes, others read the input.
class Snapshot final : public DataSet {
 public:
  Snapshot(Input input, SnapshotPlace place)
      : DataSet(input->spec()),
        input_(std::move(input)),
        place_(std::move(place)),
        reader_(MakeFileCache(input_, place_.reads)),
        writer_(MakeFileCache(input_, place_.writes)) {}
  int64_t Cardinality() const override { return input_->Cardinality(); }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    if (place_.mode == Mode::kPass) return input_->Begin(running);
    if (place_.mode != Mode::kWrite) {
      SLUICE_ASSIGN(const bool complete, FileExists(BundleIndexFile(place_.reads)));
      if (complete) return reader_->Begin(running);
      if (place_.mode == Mode::kRead) {
        return NotFound("no complete snapshot of the data set is at ", place_.reads);
      }
    }
    SLUICE_ASSIGN(const bool written, BeginsToWrite());
    return (written ? writer_ : input_)->Begin(running);
  }

 private:
  // Whether this run may write. It takes over from one that has not ended in time.
  absl::StatusOr<bool> BeginsToWrite() const {
    SLUICE_RETURN_IF_ERROR(MakeFoldersAbove(place_.writes));
    if (place_.mode == Mode::kWrite) (void)RemoveFile(BundleIndexFile(place_.writes));
    const std::string lock = place_.writes + "_0.lockfile";
    const absl::StatusOr<FileInfo> held = DescribeFile(lock);
    if (absl::IsNotFound(held.status())) return true;
    SLUICE_RETURN_IF_ERROR(held.status());
    if (absl::ToUnixNanos(absl::Now()) - held->modified_ns < place_.expiry_s * 1'000'000'000)
      return false;
    SLUICE_RETURN_IF_ERROR(RemoveFile(lock));
    return true;
  }

  const Input input_;
  const SnapshotPlace place_;
  const Input reader_, writer_;
};

// The folder of a data set below a path: one for each recipe.
absl::StatusOr<std::string> FolderOf(const DataSet& set) {
  SLUICE_ASSIGN(const DataSetGraph graph, DataSetGraph::Of(set));
  proto::GraphDef def;
  SLUICE_RETURN_IF_ERROR(graph.Write(&def));
  return absl::StrCat(FingerprintOf(std::move(def)));
}

struct SnapshotDataset {
  static constexpr int64_t kLongestExpiry = int64_t{1} << 32;  // seconds

  ElementSpec spec;
  std::string reader_prefix, writer_prefix, name;
  Mode mode;
  int64_t expiry_s;

  static absl::StatusOr<SnapshotDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(auto reader, node.Get<std::string>("reader_path_prefix"));
    SLUICE_ASSIGN(auto writer, node.Get<std::string>("writer_path_prefix"));
    auto mode = GetAttrOr<std::string>(node.attrs, "mode", "");
    if (mode.empty()) mode = "auto";
    auto expiry = GetAttrOr<int64_t>(node.attrs, "pending_snapshot_expiry_seconds", -1);
    if (expiry == -1) expiry = 86400;
    if (expiry < 1 || expiry > kLongestExpiry) {
      return InvalidArgument("pending_snapshot_expiry_seconds must be at least 1 second.");
    }
    const bool known = mode == "auto" || mode == "read" || mode == "write" || mode == "passthrough";
    if (!known) {
      return InvalidArgument("mode must be either '', 'auto', 'read', 'write', or 'passthrough'.");
    }
    return SnapshotDataset{std::move(spec),
                           std::move(reader),
                           std::move(writer),
                           GetAttrOr<std::string>(node.attrs, "snapshot_name", ""),
                           mode == "auto"    ? Mode::kAuto
                           : mode == "read"  ? Mode::kRead
                           : mode == "write" ? Mode::kWrite
                                             : Mode::kPass,
                           expiry};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const std::string path, ScalarInput<std::string>(ctx, 1, "path"));
    std::string folder = name;
    if (folder.empty()) {
      SLUICE_ASSIGN(folder, FolderOf(*input));
    }
    const std::string file = absl::StrCat(path, "/", folder, "/snapshot");
    SnapshotPlace place{reader_prefix + file, writer_prefix + file, mode, expiry_s};
    SetDataSet(ctx, MakeRefCounted<Snapshot>(std::move(input), std::move(place)));
    return absl::OkStatus();
  }
};

// The elements of the data set that reader_func makes of a snapshot's data sets. All elements are
// in one of them.
class ReadSnapshot final : public DataSet {
 public:
  ReadSnapshot(ElementSpec spec, Input snapshot, CapturedFunction function)
      : DataSet(std::move(spec)), snapshot_(std::move(snapshot)), function_(std::move(function)) {}
  int64_t Cardinality() const override { return snapshot_->Cardinality(); }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    return BeginReading(function_, {snapshot_}, spec(), running);
  }

 private:
  const Input snapshot_;
  const CapturedFunction function_;
};

struct SnapshotDatasetV2 {
  static constexpr int64_t kExpiry = 86400;

  ElementSpec spec;
  std::string reader_prefix, writer_prefix, hash;
  FunctionAttr reader;

  static absl::StatusOr<SnapshotDatasetV2> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(FunctionAttr reader,
                  FunctionAttr::Create(node, "reader_func", "reader_func_other_args"));
    const bool hashed = GetAttrOr<bool>(node.attrs, "hash_valid", false);
    const auto hash = static_cast<uint64_t>(GetAttrOr<int64_t>(node.attrs, "hash", 0));
    return SnapshotDatasetV2{std::move(spec),
                             GetAttrOr<std::string>(node.attrs, "reader_prefix", ""),
                             GetAttrOr<std::string>(node.attrs, "writer_prefix", ""),
                             hashed ? absl::StrCat(hash) : "", std::move(reader)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const std::string path, ScalarInput<std::string>(ctx, 1, "path"));
    SLUICE_ASSIGN(CapturedFunction function, CapturedFunction::Create(ctx, reader));
    SLUICE_RETURN_IF_ERROR(function.CheckResults({kVariant}));
    std::string folder = hash;
    if (folder.empty()) {
      SLUICE_ASSIGN(folder, FolderOf(*input));
    }
    const std::string file = absl::StrCat(path, "/", folder, "/snapshot");
    SnapshotPlace place{reader_prefix + file, writer_prefix + file, Mode::kAuto, kExpiry};
    Input snapshot = MakeRefCounted<Snapshot>(std::move(input), std::move(place));
    SetDataSet(ctx, MakeRefCounted<ReadSnapshot>(spec, std::move(snapshot), std::move(function)));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSnapshots(KernelRegistry& kernels) {
  kernels.Add<SnapshotDataset>("SnapshotDataset", kCpu);
  kernels.Add<SnapshotDatasetV2>("SnapshotDatasetV2", kCpu);
}

}  // namespace sluice::kernels
