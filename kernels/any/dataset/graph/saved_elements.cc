// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/dataset/graph/saved_elements.h"

#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "core/codec/codec.h"
#include "core/io/record.h"
#include "core/op/producer_version.h"
#include "core/random_incarnation.h"
#include "kernels/common/dataset/graph/read_sets.h"
#include "kernels/common/dataset/graph/recipe.h"
#include "proto/snapshot.pb.h"
#include "proto/tensor.pb.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

constexpr char kShardEnding[] = ".shard";

std::string NameOf(Compression compression) {
  if (compression == Compression::kNone) return "";
  if (compression == Compression::kSnappy) return "SNAPPY";
  return compression == Compression::kGzip ? "GZIP" : "ZLIB";
}
std::string MetadataFile(const std::string& path) { return path + "/snapshot.metadata"; }
std::string ElementsFile(const std::string& folder, int64_t number) {
  return absl::StrFormat("%s/%08d.snapshot", folder, number);
}

}  // namespace

absl::StatusOr<Compression> SavedCompression(const NodeSpec& node) {
  const auto name = GetAttrOr<std::string>(node.attrs, "compression", "");
  if (name == "SNAPPY" || name == "AUTO") return Compression::kSnappy;
  return ParseCompression(name);
}

absl::StatusOr<std::optional<SavedRun>> ReadSavedRun(const SavedPlace& place) {
  const std::string file = MetadataFile(place.path);
  const absl::StatusOr<std::string> bytes = ReadFile(file);
  if (absl::IsNotFound(bytes.status())) return std::nullopt;
  SLUICE_RETURN_IF_ERROR(bytes.status());
  proto::SnapshotMetadataRecord record;
  if (!record.ParseFromString(*bytes)) return DataLoss("Can't parse ", file, " as binary proto");
  if (record.version() != kSavedVersion)
    return InvalidArgument("Snapshot reader version: ", record.version(), " is not supported.");
  return SavedRun{record.run_id(), record.num_elements(), record.creation_timestamp(),
                  record.finalized()};
}

absl::Status CheckRunId(const std::string& id) {
  return id.find_first_not_of("0123456789") == std::string::npos
             ? absl::OkStatus()
             : InvalidArgument("the saved state is that of another data set");
}

absl::Status RunFiles::Add(int64_t shard, const Element& element) {
  SLUICE_ASSIGN(Shard * to, ShardOf(shard));
  for (const Tensor& component : element) {
    proto::TensorProto message;
    SLUICE_RETURN_IF_ERROR(EncodeTensor(component, &message));
    std::string bytes;
    if (!message.SerializeToString(&bytes)) {
      return ResourceExhausted("tensor of shape ", component.shape(),
                               " is too large for a message");
    }
    to->pending += FramedRecord(bytes);
  }
  if (to->pending.size() < kBuffer) return absl::OkStatus();
  return Flush(*to);
}

absl::Status RunFiles::Close() {
  for (auto& [number, shard] : shards_) {
    SLUICE_RETURN_IF_ERROR(Flush(shard));
    SLUICE_RETURN_IF_ERROR(shard.file->Close());
  }
  shards_.clear();
  ++file_;
  return absl::OkStatus();
}

absl::Status RunFiles::WriteMetadata(const std::vector<DType>& types,
                                     std::optional<int64_t> elements) const {
  proto::SnapshotMetadataRecord record;
  record.set_graph_hash(place_.graph);
  record.set_run_id(id_);
  record.set_creation_timestamp(absl::ToUnixMicros(absl::Now()));
  record.set_version(kSavedVersion);
  for (const DType type : types) record.add_dtype(static_cast<proto::DataType>(type));
  record.set_num_elements(elements.value_or(0));
  record.set_finalized(elements.has_value());
  const std::string file = MetadataFile(place_.path);
  const std::string temporary = absl::StrCat(file, "-tmp-", RandomIncarnation());
  SLUICE_RETURN_IF_ERROR(MakeFolders(absl::StrCat(place_.path, "/", id_)));
  SLUICE_RETURN_IF_ERROR(WriteFile(temporary, record.SerializeAsString()));
  return RenameFile(temporary, file);
}

absl::StatusOr<RunFiles::Shard*> RunFiles::ShardOf(int64_t number) {
  if (const auto found = shards_.find(number); found != shards_.end()) return &found->second;
  if (shards_.size() >= kMostShards)
    return ResourceExhausted("`shard_func` gave more than ", kMostShards, " shards");
  // A negative number is written as TensorFlow writes it.
  const std::string folder = absl::StrFormat("%s/%s/%08u%s", place_.path, id_,
                                             static_cast<uint64_t>(number), kShardEnding);
  SLUICE_RETURN_IF_ERROR(MakeFolders(folder));
  Shard shard;
  SLUICE_ASSIGN(shard.file, CreateFile(ElementsFile(folder, file_), WriteMode::kReplace));
  if (place_.compression != Compression::kNone)
    shard.file = Compressed(std::move(shard.file), place_.compression);
  return &shards_.emplace(number, std::move(shard)).first->second;
}

absl::Status RunFiles::Flush(Shard& shard) {
  SLUICE_RETURN_IF_ERROR(shard.file->Append(shard.pending));
  shard.pending.clear();
  return absl::OkStatus();
}

absl::StatusOr<ShardFunction> ShardFunction::Create(const NodeSpec& node) {
  ShardFunction made;
  SLUICE_ASSIGN(made.function, FunctionAttr::Create(node, "shard_func", "shard_func_other_args"));
  made.used = GetAttrOr<bool>(node.attrs, "use_shard_func", true);
  return made;
}

absl::StatusOr<int64_t> ShardOf(const std::optional<StageFunction>& function,
                                const Element& element) {
  if (!function.has_value()) return 0;
  return function->CallForScalar<int64_t>(element, "`shard_func`");
}

namespace {

// State: the run, its next file, how many elements it has written. When the state is saved, the
// files end, so that the elements before it are complete.
class SavingSet final : public DataSet {
 public:
  SavingSet(Input input, SavedPlace place, std::optional<CapturedFunction> function)
      : DataSet(input->spec()),
        input_(std::move(input)),
        place_(std::move(place)),
        function_(std::move(function)) {}
  int64_t Cardinality() const override { return input_->Cardinality(); }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    auto run = std::make_unique<Run>(*this);
    if (function_.has_value()) {
      SLUICE_ASSIGN(run->function, StageFunction::Create(*function_, running));
    }
    SLUICE_ASSIGN(run->input, input_->Begin(running));
    return run;
  }

 private:
  struct Run final : public Stage {
    explicit Run(const SavingSet& saving) : set(saving) {}

    absl::StatusOr<bool> Next(Element& element) override {
      if (ended) return false;
      if (!files.has_value()) {
        SLUICE_RETURN_IF_ERROR(BeginFiles(absl::StrCat(RandomIncarnation()), 0));
      }
      SLUICE_ASSIGN(const bool more, input->Next(element));
      if (!more) {
        ended = true;
        SLUICE_RETURN_IF_ERROR(files->Close());
        SLUICE_RETURN_IF_ERROR(files->WriteMetadata(set.spec().types, count));
        return false;
      }
      SLUICE_ASSIGN(const int64_t shard, ShardOf(function, element));
      SLUICE_RETURN_IF_ERROR(files->Add(shard, element));
      ++count;
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input->SaveOrRestore(state));
      std::string id;
      int64_t file = 0;
      if (files.has_value() && !state.restoring()) {
        if (!ended) SLUICE_RETURN_IF_ERROR(files->Close());
        id = files->id();
        file = files->next_file();
      }
      SLUICE_RETURN_IF_ERROR(state.Fields("SavingSet", id, file, count, ended));
      if (!state.restoring() || id.empty()) return absl::OkStatus();
      SLUICE_RETURN_IF_ERROR(CheckRunId(id));
      if (file < 0) return InvalidArgument("the saved state is that of another data set");
      return BeginFiles(std::move(id), file);
    }
    absl::Status BeginFiles(std::string id, int64_t file) {
      files.emplace(set.place_, std::move(id), file);
      return ended ? absl::OkStatus() : files->WriteMetadata(set.spec().types, std::nullopt);
    }

    const SavingSet& set;
    std::optional<StageFunction> function;
    std::unique_ptr<Stage> input;
    std::optional<RunFiles> files;  // since the first element was asked for
    int64_t count = 0;
    bool ended = false;
  };

  const Input input_;
  const SavedPlace place_;
  const std::optional<CapturedFunction> function_;
};

// The elements of a shard, file by file. State: the file, and how many of its elements were given.
class SavedShard final : public DataSet {
 public:
  SavedShard(ElementSpec spec, std::string folder, int64_t first, Compression compression)
      : DataSet(std::move(spec)),
        folder_(std::move(folder)),
        first_(first),
        compression_(compression) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    auto run = std::make_unique<Run>(*this, running);
    SLUICE_RETURN_IF_ERROR(run->Open());
    Element skipped;
    for (int64_t i = 0; i < first_; ++i) {
      SLUICE_ASSIGN(const bool more, run->Next(skipped));
      if (!more) break;
    }
    return run;
  }

 private:
  class Run final : public Stage {
   public:
    Run(const SavedShard& set, const Running& running) : set_(set), running_(running) {}
    absl::Status Open() {
      SLUICE_ASSIGN(auto file, OpenFile(ElementsFile(set_.folder_, file_)));
      if (set_.compression_ != Compression::kNone)
        file = Decompressed(std::move(file), set_.compression_);
      records_ = std::make_unique<RecordReader>(std::move(file));
      given_ = 0;
      return absl::OkStatus();
    }
    absl::StatusOr<bool> Next(Element& element) override {
      for (;;) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        if (ended_) return false;
        SLUICE_ASSIGN(const bool more, Read(element));
        if (more) {
          ++given_;
          return true;
        }
        ++file_;
        SLUICE_ASSIGN(const bool exists, FileExists(ElementsFile(set_.folder_, file_)));
        ended_ = !exists;
        if (exists) SLUICE_RETURN_IF_ERROR(Open());
      }
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      int64_t given = given_;
      SLUICE_RETURN_IF_ERROR(state.Fields("SavedShard", file_, given, ended_));
      if (!state.restoring() || ended_) return absl::OkStatus();
      SLUICE_RETURN_IF_ERROR(Open());
      Element element;
      for (; given_ < given; ++given_) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        SLUICE_ASSIGN(const bool more, Read(element));
        if (!more) return DataLoss("a file of ", set_.folder_, " ends before the saved position");
      }
      return absl::OkStatus();
    }

   private:
    // False at the end of the file.
    absl::StatusOr<bool> Read(Element& element) {
      element.clear();
      std::string record;
      for (size_t i = 0; i < set_.spec().types.size(); ++i) {
        SLUICE_ASSIGN(const bool more, records_->Read(&record));
        if (!more) return false;
        proto::TensorProto message;
        if (!message.ParseFromString(record))
          return DataLoss("Unable to parse tensor from stored proto.");
        SLUICE_ASSIGN(Tensor component, DecodeTensor(message));
        element.push_back(std::move(component));
      }
      SLUICE_RETURN_IF_ERROR(set_.spec().AcceptsElement(element));
      return true;
    }

    const SavedShard& set_;
    const Running running_;
    std::unique_ptr<RecordReader> records_;
    int64_t file_ = 0, given_ = 0;
    bool ended_ = false;
  };

  const std::string folder_;
  const int64_t first_;
  const Compression compression_;
};

// The shards' data sets, each given to the reader function or read after the one before.
class SavedSet final : public DataSet {
 public:
  SavedSet(ElementSpec spec, std::string folder, Compression compression, int64_t elements,
           std::optional<CapturedFunction> function)
      : DataSet(std::move(spec)),
        folder_(std::move(folder)),
        compression_(compression),
        elements_(elements),
        function_(std::move(function)) {}
  int64_t Cardinality() const override { return elements_; }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    std::vector<Input> shards;
    absl::StatusOr<std::vector<std::string>> names = ListFolder(folder_);
    if (!names.ok() && !absl::IsNotFound(names.status())) return names.status();
    for (const std::string& name : names.ok() ? *names : std::vector<std::string>{}) {
      if (!absl::EndsWith(name, kShardEnding)) continue;
      shards.push_back(
          MakeSavedShard(spec(), absl::StrCat(folder_, "/", name), /*first=*/0, compression_));
    }
    if (function_.has_value()) return BeginReading(*function_, std::move(shards), spec(), running);
    return std::make_unique<InTurn>(std::move(shards), running);
  }

 private:
  // State: the shard, and its position.
  struct InTurn final : public Stage {
    InTurn(std::vector<Input> sets, const Running& run) : shards(std::move(sets)), running(run) {}

    absl::StatusOr<bool> Next(Element& element) override {
      for (; at < shards.size(); ++at, stage = nullptr) {
        if (stage == nullptr) {
          SLUICE_ASSIGN(stage, shards[at]->Begin(running));
        }
        SLUICE_ASSIGN(const bool more, stage->Next(element));
        if (more) return true;
      }
      return false;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(state.Fields("SavedSet", at));
      if (at > shards.size()) return InvalidArgument("the saved state is that of another data set");
      if (at == shards.size()) return absl::OkStatus();
      return SaveOrRestoreInput(state, stage, [&] { return shards[at]->Begin(running); });
    }

    const std::vector<Input> shards;
    const Running running;
    size_t at = 0;
    std::unique_ptr<Stage> stage;  // of the shard, if it has begun
  };

  const std::string folder_;
  const Compression compression_;
  const int64_t elements_;
  const std::optional<CapturedFunction> function_;
};

}  // namespace

RefPtr<const DataSet> MakeSavingSet(RefPtr<const DataSet> input, SavedPlace place,
                                    std::optional<CapturedFunction> shard_function) {
  return MakeRefCounted<SavingSet>(std::move(input), std::move(place), std::move(shard_function));
}

RefPtr<const DataSet> MakeSavedShard(ElementSpec spec, std::string folder, int64_t first,
                                     Compression compression) {
  auto node = std::make_shared<MakerNode>();
  node->op = "SnapshotDatasetReader";
  node->producer_version = kVersionOf115;
  node->attrs = {{"output_types", spec.types},
                 {"output_shapes", spec.shapes},
                 {"compression", NameOf(compression)},
                 {"version", kSavedVersion}};
  auto recipe = std::make_shared<Recipe>();
  recipe->node = std::move(node);
  recipe->inputs = {Tensor::Scalar<std::string>(folder), Tensor::Scalar<int64_t>(first)};
  auto shard = MakeRefCounted<SavedShard>(std::move(spec), std::move(folder), first, compression);
  shard->set_recipe(std::move(recipe));
  return shard;
}

RefPtr<const DataSet> MakeSavedSet(ElementSpec spec, const SavedPlace& place, const SavedRun& run,
                                   std::optional<CapturedFunction> reader_function) {
  return MakeRefCounted<SavedSet>(std::move(spec), run.Folder(place), place.compression,
                                  run.elements, std::move(reader_function));
}

}  // namespace sluice::kernels
