// SPDX-License-Identifier: Apache-2.0
// Data sets that call a function on each element, one after the other: map, filter, take_while,
// scan.
#include "absl/strings/match.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/maps.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/captured_function.h"
#include "kernels/common/dataset/stats_sink.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// The parts of such a data set.
struct Parts {
  ElementSpec spec;
  Input input;
  CapturedFunction function;
};

// MapDataset: the function's results. An OUT_OF_RANGE of the function ends the data set, or is an
// error if the number of elements is to be that of the input. It has no state of its own.
class Map final : public DataSet {
 public:
  Map(Parts parts, MapCount count)
      : DataSet(std::move(parts.spec)),
        input_(std::move(parts.input)),
        function_(std::move(parts.function)),
        count_(count) {}
  int64_t Cardinality() const override { return count_.stated ? input_->Cardinality() : kUnknown; }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    SLUICE_ASSIGN(StageFunction function, StageFunction::Create(function_, running));
    // A MapAndBatchDataset that makes one call at a time.
    StageStats stats(running.stats, running.name);
    if (stats && !absl::EndsWith(stats.op(), "MapAndBatchDataset")) stats = {};
    return std::make_unique<Run>(std::move(input), std::move(function), count_.kept, stats);
  }

 private:
  class Run final : public Stage {
   public:
    Run(std::unique_ptr<Stage> input, StageFunction function, bool keeps_count,
        const StageStats& stats)
        : input_(std::move(input)),
          function_(std::move(function)),
          keeps_count_(keeps_count),
          stats_(stats) {}
    absl::StatusOr<bool> Next(Element& element) override {
      SLUICE_ASSIGN(const bool more, input_->Next(element));
      if (!more) return false;
      absl::StatusOr<bool> made = function_.Apply(element, keeps_count_);
      if (stats_) stats_.Set("thread_utilization", 0, given_++);  // no call is left
      return made;
    }
    absl::Status SaveOrRestore(SavedState& state) override { return input_->SaveOrRestore(state); }

   private:
    const std::unique_ptr<Stage> input_;
    const StageFunction function_;
    const bool keeps_count_;
    const StageStats stats_;
    int64_t given_ = 0;
  };
  const Input input_;
  const CapturedFunction function_;
  const MapCount count_;
};

// FilterDataset: the elements for which the function returns true; TakeWhileDataset: those before
// the first for which it does not. State: whether that has come.
class Filter final : public DataSet {
 public:
  Filter(Parts parts, bool prefix)
      : DataSet(std::move(parts.spec)),
        input_(std::move(parts.input)),
        function_(std::move(parts.function)),
        prefix_(prefix) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    SLUICE_ASSIGN(StageFunction function, StageFunction::Create(function_, running));
    return std::make_unique<Run>(std::move(input), std::move(function), prefix_, running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(std::unique_ptr<Stage> input, StageFunction function, bool prefix, const Running& running)
        : input_(std::move(input)),
          function_(std::move(function)),
          prefix_(prefix),
          running_(running),
          stats_(prefix ? StageStats() : StageStats(running.stats, running.name)) {}
    absl::StatusOr<bool> Next(Element& element) override {
      while (!ended_) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        SLUICE_ASSIGN(const bool more, input_->Next(element));
        if (!more) break;
        const absl::StatusOr<bool> wanted = function_.CallForScalar<bool>(
            element, prefix_ ? "`predicate`" : "Filter predicate `f`");
        if (!wanted.ok()) {
          SLUICE_RETURN_IF_ERROR(EndOrError(wanted.status(), /*keeps_count=*/false).status());
          break;
        }
        if (stats_) Record(*wanted);
        if (*wanted) return true;
        if (prefix_) break;
      }
      ended_ = true;
      return false;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
      return state.Fields("Filter", ended_);
    }

   private:
    void Record(bool wanted) {
      const int64_t given = given_;
      int64_t& count = wanted ? given_ : dropped_;
      ++count;
      stats_.Set(wanted ? "filtered_elements" : "dropped_elements", static_cast<double>(count),
                 given);
    }

    const std::unique_ptr<Stage> input_;
    const StageFunction function_;
    const bool prefix_;
    const Running running_;
    const StageStats stats_;
    bool ended_ = false;
    int64_t given_ = 0, dropped_ = 0;  // if the stage has statistics
  };
  const Input input_;
  const CapturedFunction function_;
  const bool prefix_;
};

// ScanDataset: the function gets a state and an element, and returns the next state and the result.
// State: that state.
class Scan final : public DataSet {
 public:
  Scan(Parts parts, Element initial, bool keeps_count)
      : DataSet(std::move(parts.spec)),
        input_(std::move(parts.input)),
        function_(std::move(parts.function)),
        initial_(std::move(initial)),
        keeps_count_(keeps_count) {}
  int64_t Cardinality() const override { return keeps_count_ ? input_->Cardinality() : kUnknown; }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    SLUICE_ASSIGN(StageFunction function, StageFunction::Create(function_, running));
    return std::make_unique<Run>(std::move(input), std::move(function), initial_, keeps_count_);
  }

 private:
  class Run final : public Stage {
   public:
    Run(std::unique_ptr<Stage> input, StageFunction function, Element initial, bool keeps_count)
        : input_(std::move(input)),
          function_(std::move(function)),
          state_(std::move(initial)),
          keeps_count_(keeps_count) {}
    absl::StatusOr<bool> Next(Element& element) override {
      Element args;
      SLUICE_ASSIGN(const bool more, input_->Next(args));
      if (!more) return false;
      Element all = state_;
      std::move(args.begin(), args.end(), std::back_inserter(all));
      absl::StatusOr<Element> results = function_.Call(std::move(all));
      if (!results.ok()) return EndOrError(results.status(), keeps_count_);
      const auto first = results->begin() + static_cast<std::ptrdiff_t>(state_.size());
      element.assign(std::move_iterator(first), std::move_iterator(results->end()));
      state_.assign(std::move_iterator(results->begin()), std::move_iterator(first));
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
      return state.Fields("Scan", state_);
    }

   private:
    const std::unique_ptr<Stage> input_;
    const StageFunction function_;
    Element state_;
    const bool keeps_count_;
  };
  const Input input_;
  const CapturedFunction function_;
  const Element initial_;
  const bool keeps_count_;
};

// The parts that the kernels have in common.
struct WithFunction {
  ElementSpec spec;
  FunctionAttr function;
  bool keeps_count;

  static absl::StatusOr<WithFunction> Create(const NodeSpec& node, absl::string_view attr) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(FunctionAttr function, FunctionAttr::Create(node, attr));
    return WithFunction{std::move(spec), std::move(function),
                        GetAttrOr<bool>(node.attrs, "preserve_cardinality", false)};
  }
  absl::StatusOr<Parts> Make(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(CapturedFunction captured, CapturedFunction::Create(ctx, function));
    return Parts{spec, std::move(input), std::move(captured)};
  }
};

struct MapDataset {
  WithFunction with;
  MapCount count;
  static absl::StatusOr<MapDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(WithFunction with, WithFunction::Create(node, "f"));
    return MapDataset{std::move(with), MapCount(node)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Parts parts, with.Make(ctx));
    SLUICE_RETURN_IF_ERROR(parts.function.CheckResults(with.spec.types));
    SetDataSet(ctx, MakeMap(std::move(parts.spec), std::move(parts.input),
                            std::move(parts.function), count));
    return absl::OkStatus();
  }
};

struct FilterDataset {
  WithFunction with;
  bool prefix;
  bool parallel;  // the last input says how many calls may run at once; ours run one by one
  static absl::StatusOr<FilterDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(WithFunction with, WithFunction::Create(node, "predicate"));
    const bool parallel = node.op == "ParallelFilterDataset";
    return FilterDataset{std::move(with), node.op != "FilterDataset" && !parallel, parallel};
  }
  absl::Status Run(KernelContext& ctx) const {
    if (parallel) {
      SLUICE_ASSIGN(const int64_t calls,
                    ScalarInput<int64_t>(ctx, ctx.num_inputs() - 1, "num_parallel_calls"));
      if (calls < 1 && calls != -1)
        return InvalidArgument("num_parallel_calls must be greater than zero.");
    }
    SLUICE_ASSIGN(Parts parts, with.Make(ctx));
    SLUICE_RETURN_IF_ERROR(parts.function.CheckResults({kBool}));
    SetDataSet(ctx, MakeRefCounted<Filter>(std::move(parts), prefix));
    return absl::OkStatus();
  }
};

struct ScanDataset {
  WithFunction with;
  NodeSpec::Range states;
  std::vector<DType> results;  // the states', then the elements'
  static absl::StatusOr<ScanDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(WithFunction with, WithFunction::Create(node, "f"));
    SLUICE_ASSIGN(const NodeSpec::Range states, node.InputRange("initial_state"));
    SLUICE_ASSIGN(auto results, node.Get<std::vector<DType>>("Tstate"));
    results.insert(results.end(), with.spec.types.begin(), with.spec.types.end());
    return ScanDataset{std::move(with), states, std::move(results)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Parts parts, with.Make(ctx));
    SLUICE_RETURN_IF_ERROR(parts.function.CheckResults(results));
    SLUICE_ASSIGN(Element initial, KeptInputs(ctx, states));
    SetDataSet(ctx, MakeRefCounted<Scan>(std::move(parts), std::move(initial), with.keeps_count));
    return absl::OkStatus();
  }
};

}  // namespace

RefPtr<const DataSet> MakeMap(ElementSpec spec, Input input, CapturedFunction function,
                              MapCount count) {
  return MakeRefCounted<Map>(Parts{std::move(spec), std::move(input), std::move(function)}, count);
}

void RegisterMaps(KernelRegistry& kernels) {
  for (auto op : {"MapDataset", "ExperimentalMapDataset"}) kernels.Add<MapDataset>(op, kCpu);
  for (auto op : {"FilterDataset", "ParallelFilterDataset", "TakeWhileDataset",
                  "ExperimentalTakeWhileDataset"})
    kernels.Add<FilterDataset>(op, kCpu);
  for (auto op : {"ScanDataset", "ExperimentalScanDataset"}) kernels.Add<ScanDataset>(op, kCpu);
}

}  // namespace sluice::kernels
