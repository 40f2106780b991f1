// SPDX-License-Identifier: Apache-2.0
// Data sets that make elements before they are asked for: prefetch, parallel maps.
#include <algorithm>

#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/batches.h"
#include "kernels/any/dataset/maps.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/ahead.h"
#include "kernels/common/dataset/captured_function.h"
#include "kernels/common/dataset/stats_sink.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

constexpr int64_t kAutotune = -1;
constexpr int64_t kMostAhead = int64_t{1} << 30;

// The elements of an input without a buffer, for statistics.
class Unbuffered final : public Stage {
 public:
  Unbuffered(std::unique_ptr<Stage> input, const StageStats& stats)
      : input_(std::move(input)), stats_(stats) {}
  absl::StatusOr<bool> Next(Element& element) override {
    stats_.Set("buffer_size", 0, given_);
    stats_.Set("buffer_capacity", 0, given_++);
    return input_->Next(element);
  }
  bool Ready() const override { return input_->Ready(); }
  absl::Status SaveOrRestore(SavedState& state) override { return input_->SaveOrRestore(state); }

 private:
  const std::unique_ptr<Stage> input_;
  const StageStats stats_;
  int64_t given_ = 0;
};

// PrefetchDataset. State: the elements made ahead.
class Prefetch final : public DataSet {
 public:
  Prefetch(Input input, int64_t elements, AheadStats stats)
      : DataSet(input->spec()), input_(std::move(input)), elements_(elements), stats_(stats) {}
  int64_t Cardinality() const override { return input_->Cardinality(); }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    if (elements_ == 0) {
      const StageStats stats(running.stats, running.name);
      if (!stats) return input;
      return std::make_unique<Unbuffered>(std::move(input), stats);
    }
    const bool autotune = elements_ == kAutotune;
    return PrefetchOf(std::move(input), autotune ? 2 : elements_, autotune, running, stats_);
  }

 private:
  const Input input_;
  const int64_t elements_;
  const AheadStats stats_;
};

// ParallelMapDataset: as MapDataset, with several calls at a time. State: the elements made ahead.
class ParallelMap final : public DataSet {
 public:
  ParallelMap(ElementSpec spec, Input input, CapturedFunction function, const AheadOptions& options,
              MapCount count)
      : DataSet(std::move(spec)),
        input_(std::move(input)),
        function_(std::move(function)),
        options_(options),
        count_(count) {}
  int64_t Cardinality() const override { return count_.stated ? input_->Cardinality() : kUnknown; }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    SLUICE_ASSIGN(StageFunction function, StageFunction::Create(function_, running));
    return WorkAhead(std::make_unique<Calls>(std::move(input), std::move(function), count_.kept),
                     options_, running);
  }

 private:
  class Calls final : public Work {
   public:
    Calls(std::unique_ptr<Stage> input, StageFunction function, bool keeps_count)
        : Work(std::move(input)), function_(std::move(function)), keeps_count_(keeps_count) {}
    absl::StatusOr<bool> Make(Element& element) const override {
      return function_.Apply(element, keeps_count_);
    }

   private:
    const StageFunction function_;
    const bool keeps_count_;
  };
  const Input input_;
  const CapturedFunction function_;
  const AheadOptions options_;
  const MapCount count_;
};

struct PrefetchDataset {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const int64_t elements, ScalarInput<int64_t>(ctx, 1, "buffer_size"));
    if (elements < kAutotune) {
      return InvalidArgument("buffer_size must be >= 0 or set buffer_size to be ", kAutotune,
                             " for auto-tuning");
    }
    SetDataSet(ctx, MakeRefCounted<Prefetch>(std::move(input), std::min(elements, kMostAhead),
                                             AheadStats::kBuffer));
    return absl::OkStatus();
  }
};

struct ParallelMapDataset {
  ElementSpec spec;
  FunctionAttr function;
  Order order;
  MapCount count;

  static absl::StatusOr<ParallelMapDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(FunctionAttr function, FunctionAttr::Create(node));
    return ParallelMapDataset{std::move(spec), std::move(function), OrderOf(node), MapCount(node)};
  }
  absl::StatusOr<CapturedFunction> Captured(KernelContext& ctx) const {
    SLUICE_ASSIGN(CapturedFunction captured, CapturedFunction::Create(ctx, function));
    SLUICE_RETURN_IF_ERROR(captured.CheckResults(spec.types));
    return captured;
  }
  // The same elements, without a thread.
  absl::StatusOr<Input> MakeSerial(KernelContext& ctx, ElementSpec of) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(CapturedFunction captured, Captured(ctx));
    return MakeMap(std::move(of), std::move(input), std::move(captured), count);
  }
  absl::StatusOr<Input> Make(KernelContext& ctx, ElementSpec of, int calls_input) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(CapturedFunction captured, Captured(ctx));
    AheadOptions options;
    SLUICE_ASSIGN(options.workers, CallsInput(ctx, calls_input));
    options.elements = options.workers;
    options.all_cpus = IsAutotuned(ctx, calls_input);
    options.order = order;
    options.stats = AheadStats::kCalls;
    return Input(MakeRefCounted<ParallelMap>(std::move(of), std::move(input), std::move(captured),
                                             options, count));
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input made, Make(ctx, spec, function.captures.end));
    SetDataSet(ctx, std::move(made));
    return absl::OkStatus();
  }
};

// A parallel map, and batches of it, which keep their places when an element fails. With one call
// at a time, one batch is made ahead: that needs one thread for a batch, not one for each element.
struct MapAndBatchDataset {
  ParallelMapDataset map;

  static absl::StatusOr<MapAndBatchDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ParallelMapDataset map, ParallelMapDataset::Create(node));
    return MapAndBatchDataset{std::move(map)};
  }
  absl::Status Run(KernelContext& ctx) const {
    const int first = map.function.captures.end;
    BatchOptions options;
    SLUICE_ASSIGN(options.size, BatchSizeInput(ctx, first));
    SLUICE_ASSIGN(options.drop_remainder, ScalarInput<bool>(ctx, first + 2, "drop_remainder"));
    options.counts_errors = true;
    options.shapes = RowShapes::kEqualCounts;
    SLUICE_ASSIGN(const int64_t calls, CallsInput(ctx, first + 1));
    const bool one_call = calls == 1 && !IsAutotuned(ctx, first + 1);
    ElementSpec of = map.spec;
    of.shapes.assign(of.types.size(), PartialShape());
    SLUICE_ASSIGN(Input made, one_call ? map.MakeSerial(ctx, std::move(of))
                                       : map.Make(ctx, std::move(of), first + 1));
    made = MakeBatches(map.spec, std::move(made), std::move(options));
    if (one_call) made = MakeRefCounted<Prefetch>(std::move(made), 1, AheadStats::kNone);
    SetDataSet(ctx, std::move(made));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterParallel(KernelRegistry& kernels) {
  kernels.Add<PrefetchDataset>("PrefetchDataset", kCpu);
  for (auto op : {"ParallelMapDataset", "ParallelMapDatasetV2"})
    kernels.Add<ParallelMapDataset>(op, kCpu);
  for (auto op : {"MapAndBatchDataset", "ExperimentalMapAndBatchDataset"})
    kernels.Add<MapAndBatchDataset>(op, kCpu);
}

}  // namespace sluice::kernels
