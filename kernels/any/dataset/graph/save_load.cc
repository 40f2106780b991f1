// SPDX-License-Identifier: Apache-2.0
// SaveDataset, SaveDatasetV2, LoadDataset and SnapshotDatasetReader.
#include "absl/strings/str_cat.h"
#include "core/random_incarnation.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/blocking_threads.h"
#include "kernels/any/dataset/graph/saved_elements.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/run_in_step.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

struct SaveDataset {
  Compression compression;
  ShardFunction shards;

  static absl::StatusOr<SaveDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Compression compression, SavedCompression(node));
    SLUICE_ASSIGN(ShardFunction shards, ShardFunction::Create(node));
    return SaveDataset{compression, std::move(shards)};
  }
  absl::Status Write(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Input set, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(std::string path, ScalarInput<std::string>(ctx, 1, "path"));
    SLUICE_ASSIGN(const CapturedFunction captured, CapturedFunction::Create(ctx, shards.function));
    RunFiles files({std::move(path), compression, ""}, absl::StrCat(RandomIncarnation()), 0);
    SLUICE_RETURN_IF_ERROR(files.WriteMetadata(set->spec().types, std::nullopt));
    const RunInStep run(ctx);
    std::optional<StageFunction> function;
    if (shards.used) {
      SLUICE_ASSIGN(function, StageFunction::Create(captured, run.running));
    }
    SLUICE_ASSIGN(const std::unique_ptr<Stage> stage, set->Begin(run.running));
    for (int64_t count = 0;; ++count) {
      SLUICE_RETURN_IF_ERROR(run.running.Check());
      Element element;
      SLUICE_ASSIGN(const bool more, stage->Next(element));
      if (!more) {
        SLUICE_RETURN_IF_ERROR(files.Close());
        return files.WriteMetadata(set->spec().types, count);
      }
      SLUICE_ASSIGN(const int64_t shard, ShardOf(function, element));
      SLUICE_RETURN_IF_ERROR(files.Add(shard, element));
    }
  }
  void Start(KernelContext& ctx, Done done) const {
    RunBlocking([this, &ctx, done = std::move(done)]() mutable { done(Write(ctx)); });
  }
};

struct SaveDatasetV2 {
  Compression compression;
  ShardFunction shards;

  static absl::StatusOr<SaveDatasetV2> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Compression compression, SavedCompression(node));
    SLUICE_ASSIGN(ShardFunction shards, ShardFunction::Create(node));
    return SaveDatasetV2{compression, std::move(shards)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(std::string path, ScalarInput<std::string>(ctx, 1, "path"));
    std::optional<CapturedFunction> function;
    if (shards.used) {
      SLUICE_ASSIGN(function, CapturedFunction::Create(ctx, shards.function));
    }
    SetDataSet(ctx, MakeSavingSet(std::move(input), {std::move(path), compression, ""},
                                  std::move(function)));
    return absl::OkStatus();
  }
};

struct LoadDataset {
  ElementSpec spec;
  Compression compression;
  FunctionAttr reader;

  static absl::StatusOr<LoadDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(const Compression compression, SavedCompression(node));
    SLUICE_ASSIGN(FunctionAttr reader,
                  FunctionAttr::Create(node, "reader_func", "reader_func_other_args"));
    return LoadDataset{std::move(spec), compression, std::move(reader)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(std::string path, ScalarInput<std::string>(ctx, 0, "path"));
    SLUICE_ASSIGN(CapturedFunction function, CapturedFunction::Create(ctx, reader));
    SLUICE_RETURN_IF_ERROR(function.CheckResults({kVariant}));
    const SavedPlace place{std::move(path), compression, ""};
    SLUICE_ASSIGN(const std::optional<SavedRun> run, ReadSavedRun(place));
    if (!run.has_value()) return NotFound("Could not find metadata file [", place.path, "]");
    SetDataSet(ctx, MakeSavedSet(spec, place, *run, std::move(function)));
    return absl::OkStatus();
  }
};

struct SnapshotDatasetReader {
  ElementSpec spec;
  Compression compression;

  static absl::StatusOr<SnapshotDatasetReader> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(const Compression compression, SavedCompression(node));
    SLUICE_ASSIGN(const auto version, node.Get<int64_t>("version"));
    if (version != kSavedVersion)
      return InvalidArgument("Snapshot reader version: ", version, " is not supported.");
    return SnapshotDatasetReader{std::move(spec), compression};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(std::string folder, ScalarInput<std::string>(ctx, 0, "shard_dir"));
    SLUICE_ASSIGN(const int64_t first, ScalarInput<int64_t>(ctx, 1, "start_index"));
    if (first < 0) return InvalidArgument("start_index must not be negative: ", first);
    SetDataSet(ctx, MakeSavedShard(spec, std::move(folder), first, compression));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSavedSets(KernelRegistry& kernels) {
  kernels.Add<SaveDataset>("SaveDataset", kCpu);
  kernels.Add<SaveDatasetV2>("SaveDatasetV2", kCpu);
  kernels.Add<LoadDataset>("LoadDataset", kCpu);
  kernels.Add<SnapshotDatasetReader>("SnapshotDatasetReader", kCpu);
}

}  // namespace sluice::kernels
