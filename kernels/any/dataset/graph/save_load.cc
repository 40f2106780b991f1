// SPDX-License-Identifier: Apache-2.0
// SaveDataset, SaveDatasetV2 and LoadDataset: elements in the files of tf.data.Dataset.save().
//
//   PATH/snapshot.metadata                         which run is complete
//   PATH/RUN/00000003.shard/00000000.snapshot      elements of shard 3; then 00000001.snapshot ...
//
// A file is a TFRecord file. Each component of an element is a record, a TensorProto.
#include <map>

#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "core/codec/codec.h"
#include "core/io/file.h"
#include "core/io/record.h"
#include "core/random_incarnation.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/blocking_threads.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/captured_function.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/graph/read_sets.h"
#include "kernels/common/dataset/run_in_step.h"
#include "proto/snapshot.pb.h"
#include "proto/tensor.pb.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

constexpr int kVersion = 2;  // of the format of the elements' files
constexpr char kShardEnding[] = ".shard";

std::string MetadataFile(const std::string& path) { return path + "/snapshot.metadata"; }
std::string ElementsFile(const std::string& folder, int64_t number) {
  return absl::StrFormat("%s/%08d.snapshot", folder, number);
}

absl::StatusOr<Compression> CompressionOf(const NodeSpec& node) {
  const auto name = GetAttrOr<std::string>(node.attrs, "compression", "");
  return ParseCompression(name == "NONE" ? "" : name);
}

// Where a run writes elements.
struct SavePlace {
  std::string path;
  Compression compression = Compression::kNone;
};

// The files that one run writes.
//
// Threads:  one at a time.
class SavedRun {
 public:
  // `file` is the number of the next file in each shard.
  SavedRun(const SavePlace& place, std::string id, int64_t file)
      : place_(place), id_(std::move(id)), file_(file) {}
  const std::string& id() const { return id_; }

  absl::Status Add(int64_t shard, const Element& element) {
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
  // Ends the files. What is added later goes to new ones.
  absl::Status Close() {
    for (auto& [number, shard] : shards_) {
      SLUICE_RETURN_IF_ERROR(Flush(shard));
      SLUICE_RETURN_IF_ERROR(shard.file->Close());
    }
    shards_.clear();
    ++file_;
    return absl::OkStatus();
  }
  int64_t next_file() const { return file_; }

  // `elements` is empty while the run is not complete.
  absl::Status WriteMetadata(const std::vector<DType>& types,
                             std::optional<int64_t> elements) const {
    proto::SnapshotMetadataRecord record;
    record.set_run_id(id_);
    record.set_creation_timestamp(absl::ToUnixMicros(absl::Now()));
    record.set_version(kVersion);
    for (const DType type : types) record.add_dtype(static_cast<proto::DataType>(type));
    record.set_num_elements(elements.value_or(0));
    record.set_finalized(elements.has_value());
    const std::string file = MetadataFile(place_.path);
    const std::string temporary = absl::StrCat(file, "-tmp-", RandomIncarnation());
    SLUICE_RETURN_IF_ERROR(MakeFolders(absl::StrCat(place_.path, "/", id_)));
    SLUICE_RETURN_IF_ERROR(WriteFile(temporary, record.SerializeAsString()));
    return RenameFile(temporary, file);
  }

 private:
  static constexpr size_t kBuffer = 256 << 10;

  struct Shard {
    std::unique_ptr<OutputFile> file;
    std::string pending;
  };

  absl::StatusOr<Shard*> ShardOf(int64_t number) {
    if (const auto found = shards_.find(number); found != shards_.end()) return &found->second;
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
  static absl::Status Flush(Shard& shard) {
    SLUICE_RETURN_IF_ERROR(shard.file->Append(shard.pending));
    shard.pending.clear();
    return absl::OkStatus();
  }

  const SavePlace place_;
  const std::string id_;
  int64_t file_;
  std::map<int64_t, Shard> shards_;
};

// The function that gives the shard of an element; without one, all elements are in one shard.
struct ShardFunction {
  FunctionAttr function;
  bool used = false;

  static absl::StatusOr<ShardFunction> Create(const NodeSpec& node) {
    ShardFunction made;
    SLUICE_ASSIGN(made.function, FunctionAttr::Create(node, "shard_func", "shard_func_other_args"));
    made.used = GetAttrOr<bool>(node.attrs, "use_shard_func", true);
    return made;
  }
};

absl::StatusOr<int64_t> ShardOf(const std::optional<StageFunction>& function,
                                const Element& element) {
  if (!function.has_value()) return 0;
  return function->CallForScalar<int64_t>(element, "`shard_func`");
}

struct SaveDataset {
  Compression compression;
  ShardFunction shards;

  static absl::StatusOr<SaveDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Compression compression, CompressionOf(node));
    SLUICE_ASSIGN(ShardFunction shards, ShardFunction::Create(node));
    return SaveDataset{compression, std::move(shards)};
  }
  absl::Status Write(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Input set, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(std::string path, ScalarInput<std::string>(ctx, 1, "path"));
    SLUICE_ASSIGN(const CapturedFunction captured, CapturedFunction::Create(ctx, shards.function));
    SavedRun saved({std::move(path), compression}, absl::StrCat(RandomIncarnation()), 0);
    SLUICE_RETURN_IF_ERROR(saved.WriteMetadata(set->spec().types, std::nullopt));
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
        SLUICE_RETURN_IF_ERROR(saved.Close());
        return saved.WriteMetadata(set->spec().types, count);
      }
      SLUICE_ASSIGN(const int64_t shard, ShardOf(function, element));
      SLUICE_RETURN_IF_ERROR(saved.Add(shard, element));
    }
  }
  void Start(KernelContext& ctx, Done done) const {
    RunBlocking([this, &ctx, done = std::move(done)]() mutable { done(Write(ctx)); });
  }
};

// The elements of the input, which each run also writes. State: the run, its next file, how many
// elements it has written. When the state is saved, the files end, so that the elements before it
// are complete.
class Saving final : public DataSet {
 public:
  Saving(ElementSpec spec, Input input, SavePlace place, std::optional<CapturedFunction> function)
      : DataSet(std::move(spec)),
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
    explicit Run(const Saving& saving) : set(saving) {}

    absl::StatusOr<bool> Next(Element& element) override {
      if (ended) return false;
      if (!saved.has_value()) {
        SLUICE_RETURN_IF_ERROR(BeginFiles(absl::StrCat(RandomIncarnation()), 0));
      }
      SLUICE_ASSIGN(const bool more, input->Next(element));
      if (!more) {
        ended = true;
        SLUICE_RETURN_IF_ERROR(saved->Close());
        SLUICE_RETURN_IF_ERROR(saved->WriteMetadata(set.spec().types, count));
        return false;
      }
      SLUICE_ASSIGN(const int64_t shard, ShardOf(function, element));
      SLUICE_RETURN_IF_ERROR(saved->Add(shard, element));
      ++count;
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input->SaveOrRestore(state));
      std::string id;
      int64_t file = 0;
      if (saved.has_value() && !state.restoring()) {
        if (!ended) SLUICE_RETURN_IF_ERROR(saved->Close());
        id = saved->id();
        file = saved->next_file();
      }
      SLUICE_RETURN_IF_ERROR(state.Fields("Saving", id, file, count, ended));
      if (!state.restoring() || id.empty()) return absl::OkStatus();
      if (id.find_first_not_of("0123456789") != std::string::npos || file < 0)
        return InvalidArgument("the saved state is that of another data set");
      return BeginFiles(std::move(id), file);
    }
    absl::Status BeginFiles(std::string id, int64_t file) {
      saved.emplace(set.place_, std::move(id), file);
      return ended ? absl::OkStatus() : saved->WriteMetadata(set.spec().types, std::nullopt);
    }

    const Saving& set;
    std::optional<StageFunction> function;
    std::unique_ptr<Stage> input;
    std::optional<SavedRun> saved;  // since the first element was asked for
    int64_t count = 0;
    bool ended = false;
  };

  const Input input_;
  const SavePlace place_;
  const std::optional<CapturedFunction> function_;
};

struct SaveDatasetV2 {
  Compression compression;
  ShardFunction shards;

  static absl::StatusOr<SaveDatasetV2> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Compression compression, CompressionOf(node));
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
    ElementSpec spec = input->spec();
    SetDataSet(
        ctx, MakeRefCounted<Saving>(std::move(spec), std::move(input),
                                    SavePlace{std::move(path), compression}, std::move(function)));
    return absl::OkStatus();
  }
};

// The elements of a shard, file by file. State: the file, and how many of its elements were given.
class SavedShard final : public DataSet {
 public:
  SavedShard(ElementSpec spec, std::string folder, Compression compression)
      : DataSet(std::move(spec)), folder_(std::move(folder)), compression_(compression) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    auto run = std::make_unique<Run>(*this, running);
    SLUICE_RETURN_IF_ERROR(run->Open());
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
  const Compression compression_;
};

// The elements of the data set that reader_func makes of the shards' data sets.
class Loaded final : public DataSet {
 public:
  struct Place {
    std::string folder;  // of the run
    Compression compression = Compression::kNone;
    int64_t elements = 0;
  };

  Loaded(ElementSpec spec, Place place, CapturedFunction function)
      : DataSet(std::move(spec)), place_(std::move(place)), function_(std::move(function)) {}
  int64_t Cardinality() const override { return place_.elements; }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    std::vector<Input> shards;
    absl::StatusOr<std::vector<std::string>> names = ListFolder(place_.folder);
    if (!names.ok() && !absl::IsNotFound(names.status())) return names.status();
    for (const std::string& name : names.ok() ? *names : std::vector<std::string>{}) {
      if (!absl::EndsWith(name, kShardEnding)) continue;
      shards.push_back(MakeRefCounted<SavedShard>(spec(), absl::StrCat(place_.folder, "/", name),
                                                  place_.compression));
    }
    return BeginReading(function_, std::move(shards), spec(), running);
  }

 private:
  const Place place_;
  const CapturedFunction function_;
};

struct LoadDataset {
  ElementSpec spec;
  Compression compression;
  FunctionAttr reader;

  static absl::StatusOr<LoadDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(const Compression compression, CompressionOf(node));
    SLUICE_ASSIGN(FunctionAttr reader,
                  FunctionAttr::Create(node, "reader_func", "reader_func_other_args"));
    return LoadDataset{std::move(spec), compression, std::move(reader)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const std::string path, ScalarInput<std::string>(ctx, 0, "path"));
    SLUICE_ASSIGN(CapturedFunction function, CapturedFunction::Create(ctx, reader));
    SLUICE_RETURN_IF_ERROR(function.CheckResults({kVariant}));
    const absl::StatusOr<std::string> bytes = ReadFile(MetadataFile(path));
    if (absl::IsNotFound(bytes.status()))
      return NotFound("Could not find metadata file [", path, "]");
    SLUICE_RETURN_IF_ERROR(bytes.status());
    proto::SnapshotMetadataRecord record;
    if (!record.ParseFromString(*bytes))
      return DataLoss("Can't parse ", MetadataFile(path), " as binary proto");
    if (record.version() != kVersion) {
      return InvalidArgument("Snapshot reader version: ", record.version(), " is not supported.");
    }
    Loaded::Place place{absl::StrCat(path, "/", record.run_id()), compression,
                        record.num_elements()};
    SetDataSet(ctx, MakeRefCounted<Loaded>(spec, std::move(place), std::move(function)));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSavedSets(KernelRegistry& kernels) {
  kernels.Add<SaveDataset>("SaveDataset", kCpu);
  kernels.Add<SaveDatasetV2>("SaveDatasetV2", kCpu);
  kernels.Add<LoadDataset>("LoadDataset", kCpu);
}

}  // namespace sluice::kernels
