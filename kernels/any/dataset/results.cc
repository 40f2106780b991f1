// SPDX-License-Identifier: Apache-2.0
// Ops that run through a data set, or say how large it is: reduce, to_single_element, one element,
// records of a file, cardinality, the size of batches.
#include "absl/algorithm/container.h"
#include "core/io/file.h"
#include "core/io/record.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/blocking_threads.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/captured_function.h"
#include "kernels/common/dataset/graph/recipe.h"
#include "kernels/common/dataset/run_in_step.h"

namespace sluice::kernels {
namespace {

struct ToSingleElement {
  ElementSpec spec;

  static absl::StatusOr<ToSingleElement> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return ToSingleElement{std::move(spec)};
  }
  absl::Status RunThrough(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<const DataSet> set, DataSetInput(ctx, 0));
    const RunInStep run(ctx);
    SLUICE_ASSIGN(const std::unique_ptr<Stage> stage, set->Begin(run.running));
    Element element, another;
    SLUICE_ASSIGN(bool more, stage->Next(element));
    if (!more) return InvalidArgument("Dataset was empty.");
    SLUICE_ASSIGN(more, stage->Next(another));
    if (more) return InvalidArgument("Dataset had more than one element.");
    return SetElement(ctx, spec, std::move(element));
  }
  void Start(KernelContext& ctx, Done done) const {
    RunBlocking([this, &ctx, done = std::move(done)]() mutable { done(RunThrough(ctx)); });
  }
};

// The state after the function has had each element.
struct Reduce {
  ElementSpec spec;
  FunctionAttr function;
  NodeSpec::Range states;

  static absl::StatusOr<Reduce> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(FunctionAttr function, FunctionAttr::Create(node));
    SLUICE_ASSIGN(const NodeSpec::Range states, node.InputRange("initial_state"));
    return Reduce{std::move(spec), std::move(function), states};
  }
  absl::Status RunThrough(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<const DataSet> set, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const CapturedFunction captured, CapturedFunction::Create(ctx, function));
    const size_t given = captured.function->result_types().size();
    if (given != spec.types.size()) {
      return InvalidArgument(
          "The number of components of the initial state and the reduce function output does not "
          "match. (initial_state=",
          spec.types.size(), ", output=", given, ").");
    }
    SLUICE_RETURN_IF_ERROR(captured.CheckResults(spec.types));
    SLUICE_ASSIGN(Element state, KeptInputs(ctx, states));
    const RunInStep run(ctx);
    SLUICE_ASSIGN(const StageFunction call, StageFunction::Create(captured, run.running));
    SLUICE_ASSIGN(const std::unique_ptr<Stage> stage, set->Begin(run.running));
    for (;;) {
      SLUICE_RETURN_IF_ERROR(run.running.Check());
      Element element;
      SLUICE_ASSIGN(const bool more, stage->Next(element));
      if (!more) break;
      std::move(element.begin(), element.end(), std::back_inserter(state));
      absl::StatusOr<Element> next = call.Call(std::move(state));
      if (!next.ok()) {
        SLUICE_RETURN_IF_ERROR(EndOrError(next.status(), /*keeps_count=*/true).status());
      }
      state = *std::move(next);
    }
    return SetElement(ctx, spec, std::move(state));
  }
  void Start(KernelContext& ctx, Done done) const {
    RunBlocking([this, &ctx, done = std::move(done)]() mutable { done(RunThrough(ctx)); });
  }
};

// DatasetToTFRecord: the elements, which are scalar strings, as the records of a file.
struct ToRecords {
  static constexpr size_t kBuffer = 256 << 10;

  absl::Status Write(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<const DataSet> set, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const std::string path, ScalarInput<std::string>(ctx, 1, "filename"));
    SLUICE_ASSIGN(const std::string name, ScalarInput<std::string>(ctx, 2, "compression_type"));
    SLUICE_ASSIGN(const Compression how, ParseCompression(name));
    if (set->spec().types != std::vector<DType>{kString}) {
      return InvalidArgument("records are scalar strings, but the data set has other elements");
    }
    SLUICE_ASSIGN(std::unique_ptr<OutputFile> file, CreateFile(path, WriteMode::kReplace));
    if (how != Compression::kNone) file = Compressed(std::move(file), how);
    const RunInStep run(ctx);
    SLUICE_ASSIGN(const std::unique_ptr<Stage> stage, set->Begin(run.running));
    std::string pending;
    for (;;) {
      SLUICE_RETURN_IF_ERROR(run.running.Check());
      Element element;
      SLUICE_ASSIGN(const bool more, stage->Next(element));
      if (more && element[0].rank() != 0) {
        return InvalidArgument("records are scalar strings, but an element has shape ",
                               element[0].shape());
      }
      if (more) pending += FramedRecord(element[0].scalar<std::string>());
      if (more && pending.size() < kBuffer) continue;
      SLUICE_RETURN_IF_ERROR(file->Append(pending));
      pending.clear();
      if (!more) return file->Close();
    }
  }
  void Start(KernelContext& ctx, Done done) const {
    RunBlocking([this, &ctx, done = std::move(done)]() mutable { done(Write(ctx)); });
  }
};

// Runs through the elements before it.
struct GetElementAtIndex {
  ElementSpec spec;

  static absl::StatusOr<GetElementAtIndex> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return GetElementAtIndex{std::move(spec)};
  }
  absl::Status Find(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<const DataSet> set, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const int64_t index, ScalarInput<int64_t>(ctx, 1, "index"));
    const int64_t size = set->Cardinality();
    if (index < 0 || (size >= 0 && index >= size)) return OutOfBounds(index, size);
    const RunInStep run(ctx);
    SLUICE_ASSIGN(const std::unique_ptr<Stage> stage, set->Begin(run.running));
    Element element;
    for (int64_t i = 0; i <= index; ++i) {
      SLUICE_RETURN_IF_ERROR(run.running.Check());
      element.clear();
      SLUICE_ASSIGN(const bool more, stage->Next(element));
      if (!more) return OutOfBounds(index, i);
    }
    return SetElement(ctx, spec, std::move(element));
  }
  void Start(KernelContext& ctx, Done done) const {
    RunBlocking([this, &ctx, done = std::move(done)]() mutable { done(Find(ctx)); });
  }

 private:
  static absl::Status OutOfBounds(int64_t index, int64_t size) {
    return OutOfRange("Index out of range [0, ", size, "):", index);
  }
};

// An op's name without its version.
absl::string_view WithoutVersion(absl::string_view op) {
  const size_t end = op.find_last_not_of("0123456789");
  if (end + 1 == op.size() || end == 0 || op[end] != 'V') return op;
  return op.substr(0, end);
}

template <size_t n>
bool IsOneOf(absl::string_view op, const absl::string_view (&names)[n]) {
  return absl::c_linear_search(names, WithoutVersion(op));
}

// The first size of the elements' components, which a batching stage gives; -1 if it is not known.
int64_t BatchSizeOf(const DataSet& set) {
  constexpr absl::string_view kBatches[] = {"BatchDataset", "PaddedBatchDataset"};
  constexpr absl::string_view kMapped[] = {"MapAndBatchDataset", "ExperimentalMapAndBatchDataset"};
  constexpr absl::string_view kJoined[] = {"ConcatenateDataset", "ZipDataset"};
  constexpr absl::string_view kUnchanged[] = {"AssertCardinalityDataset",
                                              "CacheDataset",
                                              "FilterDataset",
                                              "ModelDataset",
                                              "OptimizeDataset",
                                              "OptionsDataset",
                                              "ParseExampleDataset",
                                              "PrefetchDataset",
                                              "RepeatDataset",
                                              "ShardDataset",
                                              "ShuffleDataset",
                                              "ShuffleAndRepeatDataset",
                                              "SkipDataset",
                                              "TakeDataset"};
  constexpr int64_t kUnknown = -1;

  if (set.recipe() == nullptr) return kUnknown;
  const std::string& op = set.recipe()->node->op;
  const std::vector<Tensor>& inputs = set.recipe()->inputs;
  const auto size_in = [&](size_t i) {
    const Tensor& input = inputs[i];
    if (input.dtype() == kInt64 && input.rank() == 0) return input.scalar<int64_t>();
    const DataSet* before = DataSetIn(input);
    return before == nullptr ? kUnknown : BatchSizeOf(*before);
  };
  if (IsOneOf(op, kBatches) && inputs.size() > 1) return size_in(1);
  if (IsOneOf(op, kMapped) && inputs.size() > 3) return size_in(inputs.size() - 3);
  if (inputs.empty()) return kUnknown;
  if (IsOneOf(op, kUnchanged)) return size_in(0);
  if (!IsOneOf(op, kJoined)) return kUnknown;
  const int64_t size = size_in(0);
  for (size_t i = 1; i < inputs.size(); ++i) {
    if (size_in(i) != size) return kUnknown;
  }
  return size;
}

struct ComputeBatchSize {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<const DataSet> set, DataSetInput(ctx, 0));
    ctx.SetOutput(0, Tensor::Scalar<int64_t>(BatchSizeOf(*set)));
    return absl::OkStatus();
  }
};

struct Cardinality {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<const DataSet> set, DataSetInput(ctx, 0));
    ctx.SetOutput(0, Tensor::Scalar<int64_t>(set->Cardinality()));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterResults(KernelRegistry& kernels) {
  kernels.Add<ToSingleElement>("DatasetToSingleElement", kCpu);
  kernels.Add<Reduce>("ReduceDataset", kCpu);
  kernels.Add<GetElementAtIndex>("GetElementAtIndex", kCpu);
  kernels.Add<ComputeBatchSize>("ComputeBatchSize", kCpu);
  for (auto op : {"DatasetToTFRecord", "ExperimentalDatasetToTFRecord"})
    kernels.Add<ToRecords>(op, kCpu);
  for (auto op : {"DatasetCardinality", "ExperimentalDatasetCardinality"})
    kernels.Add<Cardinality>(op, kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
