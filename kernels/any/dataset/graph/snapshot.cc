// SPDX-License-Identifier: Apache-2.0
// SnapshotDataset: elements that are kept in files for later programs with the same data set.
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/graph/saved_elements.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/graph/data_set_graph.h"
#include "proto/graph.pb.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

enum class Mode { kAuto, kRead, kWrite, kPass };

constexpr int64_t kDefaultExpiry = 86400;  // seconds

struct SnapshotPlaces {
  SavedPlace reads, writes;
  Mode mode = Mode::kAuto;
  // After this time, files that a run has not completed are written anew.
  int64_t expiry_s = kDefaultExpiry;
};

struct SnapshotFunctions {
  std::optional<CapturedFunction> reader, shard;
};

// The input's elements. The first complete run keeps them in files, and later ones read the files.
// While one run writes, others read the input.
class Snapshot final : public DataSet {
 public:
  Snapshot(ElementSpec spec, Input input, SnapshotPlaces places, SnapshotFunctions functions)
      : DataSet(std::move(spec)),
        input_(std::move(input)),
        places_(std::move(places)),
        functions_(std::move(functions)),
        writer_(MakeSavingSet(input_, places_.writes, functions_.shard)) {}
  int64_t Cardinality() const override { return input_->Cardinality(); }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    return std::make_unique<Run>(*this, running);
  }

 private:
  // A run decides what it does when it is asked for its first element. State: whether it has
  // decided, what, the run whose files it reads, and the position there or in the input.
  class Run final : public Stage {
   public:
    Run(const Snapshot& set, const Running& running) : set_(set), running_(running) {}
    absl::StatusOr<bool> Next(Element& element) override {
      if (stage_ == nullptr) {
        SLUICE_RETURN_IF_ERROR(Decide());
        SLUICE_RETURN_IF_ERROR(BeginStage());
      }
      return stage_->Next(element);
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      bool begun = stage_ != nullptr;
      auto mode = static_cast<int64_t>(mode_);
      SLUICE_RETURN_IF_ERROR(state.Fields("Snapshot", begun, mode, files_.id));
      if (!begun) return absl::OkStatus();
      if (state.restoring()) {
        mode_ = static_cast<Mode>(mode);
        SLUICE_RETURN_IF_ERROR(CheckRunId(files_.id));
        SLUICE_RETURN_IF_ERROR(BeginStage());
      }
      return stage_->SaveOrRestore(state);
    }

   private:
    absl::Status Decide() {
      const SnapshotPlaces& places = set_.places_;
      mode_ = places.mode;
      if (mode_ == Mode::kWrite || mode_ == Mode::kPass) return absl::OkStatus();
      SLUICE_ASSIGN(const std::optional<SavedRun> found, ReadSavedRun(places.reads));
      if (found.has_value() && found->complete) {
        mode_ = Mode::kRead;
        files_ = *found;
        return absl::OkStatus();
      }
      if (mode_ == Mode::kRead)
        return NotFound("no complete snapshot of the data set is at ", places.reads.path);
      const bool another_writes =
          found.has_value() &&
          absl::ToUnixMicros(absl::Now()) - found->began_us < places.expiry_s * 1'000'000;
      mode_ = another_writes ? Mode::kPass : Mode::kWrite;
      return absl::OkStatus();
    }
    absl::Status BeginStage() {
      chosen_ = mode_ == Mode::kRead
                    ? MakeSavedSet(set_.spec(), set_.places_.reads, files_, set_.functions_.reader)
                : mode_ == Mode::kWrite ? set_.writer_
                                        : set_.input_;
      SLUICE_ASSIGN(stage_, chosen_->Begin(running_));
      return absl::OkStatus();
    }

    const Snapshot& set_;
    const Running running_;
    Mode mode_ = Mode::kAuto;
    SavedRun files_;  // that are read
    Input chosen_;    // outlives the stage
    std::unique_ptr<Stage> stage_;
  };

  const Input input_;
  const SnapshotPlaces places_;
  const SnapshotFunctions functions_;
  const Input writer_;
};

// The folder of a data set below a path: one for each recipe.
absl::StatusOr<std::string> FolderOf(const DataSet& set) {
  SLUICE_ASSIGN(const DataSetGraph graph, DataSetGraph::Of(set));
  proto::GraphDef def;
  SLUICE_RETURN_IF_ERROR(graph.Write(&def));
  return absl::StrCat(FingerprintOf(std::move(def)));
}

SnapshotPlaces PlacesOf(const std::string& path, const std::string& folder,
                        const std::string& reader_prefix, const std::string& writer_prefix,
                        Compression compression) {
  const std::string place = absl::StrCat(path, "/", folder);
  return {{reader_prefix + place, compression, folder},
          {writer_prefix + place, compression, folder}};
}

struct SnapshotDataset {
  static constexpr int64_t kLongestExpiry = int64_t{1} << 32;  // seconds

  ElementSpec spec;
  Compression compression;
  std::string reader_prefix, writer_prefix, name;
  Mode mode;
  int64_t expiry_s;

  static absl::StatusOr<SnapshotDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(const Compression compression, SavedCompression(node));
    SLUICE_ASSIGN(auto reader, node.Get<std::string>("reader_path_prefix"));
    SLUICE_ASSIGN(auto writer, node.Get<std::string>("writer_path_prefix"));
    auto mode = GetAttrOr<std::string>(node.attrs, "mode", "");
    if (mode.empty()) mode = "auto";
    auto expiry = GetAttrOr<int64_t>(node.attrs, "pending_snapshot_expiry_seconds", -1);
    if (expiry == -1) expiry = kDefaultExpiry;
    if (expiry < 1 || expiry > kLongestExpiry) {
      return InvalidArgument("pending_snapshot_expiry_seconds must be at least 1 second.");
    }
    const bool known = mode == "auto" || mode == "read" || mode == "write" || mode == "passthrough";
    if (!known) {
      return InvalidArgument("mode must be either '', 'auto', 'read', 'write', or 'passthrough'.");
    }
    return SnapshotDataset{std::move(spec),
                           compression,
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
    SnapshotPlaces places = PlacesOf(path, folder, reader_prefix, writer_prefix, compression);
    places.mode = mode;
    places.expiry_s = expiry_s;
    SetDataSet(ctx, MakeRefCounted<Snapshot>(spec, std::move(input), std::move(places),
                                             SnapshotFunctions()));
    return absl::OkStatus();
  }
};

struct SnapshotDatasetV2 {
  ElementSpec spec;
  Compression compression;
  std::string reader_prefix, writer_prefix, hash;
  FunctionAttr reader;
  ShardFunction shards;

  static absl::StatusOr<SnapshotDatasetV2> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(const Compression compression, SavedCompression(node));
    SLUICE_ASSIGN(FunctionAttr reader,
                  FunctionAttr::Create(node, "reader_func", "reader_func_other_args"));
    SLUICE_ASSIGN(ShardFunction shards, ShardFunction::Create(node));
    const bool hashed = GetAttrOr<bool>(node.attrs, "hash_valid", false);
    const auto hash = static_cast<uint64_t>(GetAttrOr<int64_t>(node.attrs, "hash", 0));
    return SnapshotDatasetV2{std::move(spec),
                             compression,
                             GetAttrOr<std::string>(node.attrs, "reader_prefix", ""),
                             GetAttrOr<std::string>(node.attrs, "writer_prefix", ""),
                             hashed ? absl::StrCat(hash) : "",
                             std::move(reader),
                             std::move(shards)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const std::string path, ScalarInput<std::string>(ctx, 1, "path"));
    SnapshotFunctions functions;
    SLUICE_ASSIGN(functions.reader, CapturedFunction::Create(ctx, reader));
    SLUICE_RETURN_IF_ERROR(functions.reader->CheckResults({kVariant}));
    SLUICE_ASSIGN(functions.shard, CapturedFunction::Create(ctx, shards.function));
    std::string folder = hash;
    if (folder.empty()) {
      SLUICE_ASSIGN(folder, FolderOf(*input));
    }
    SnapshotPlaces places = PlacesOf(path, folder, reader_prefix, writer_prefix, compression);
    SetDataSet(ctx, MakeRefCounted<Snapshot>(spec, std::move(input), std::move(places),
                                             std::move(functions)));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSnapshots(KernelRegistry& kernels) {
  kernels.Add<SnapshotDataset>("SnapshotDataset", kCpu);
  kernels.Add<SnapshotDatasetV2>("SnapshotDatasetV2", kCpu);
}

}  // namespace sluice::kernels
