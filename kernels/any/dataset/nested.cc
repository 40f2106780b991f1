// SPDX-License-Identifier: Apache-2.0
// Data sets whose function makes a data set of each element: flat_map and interleave.
#include <algorithm>

#include "core/op/op_def.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/ahead.h"
#include "kernels/common/dataset/captured_function.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// A data set that a function made, and the run through it.
struct Inner {
  Element args;  // that it was made of
  Input set;
  std::unique_ptr<Stage> stage;  // null: none

  // Of `args`; `ahead` elements are read before they are asked for.
  absl::Status Begin(const StageFunction& function, const ElementSpec& wanted, int64_t ahead,
                     const Running& running, uint64_t branch) {
    SLUICE_ASSIGN(const Element results, function.Call(args));
    SLUICE_ASSIGN(set, DataSetOf(results));
    SLUICE_RETURN_IF_ERROR(wanted.Accepts(set->spec()));
    SLUICE_ASSIGN(stage, set->Begin(running, branch));
    if (ahead > 0) stage = PrefetchOf(std::move(stage), ahead, /*autotune=*/false, running);
    return absl::OkStatus();
  }
  void End() {
    stage.reset();
    set.reset();
    args.clear();
  }
};

struct Cycle {
  int64_t length = 1;         // inner data sets at a time
  int64_t block = 1;          // elements of each in turn
  int64_t ahead = 0;          // elements of each that are read ahead; 0: none
  bool passes_block = false;  // one that ends without a successor leaves its block to the next one
  bool new_places = false;    // each inner data set is a place of its own, not each turn
};

// The elements of the inner data sets in turn. The parallel forms give them in the same order, but
// read ahead in all that are open. FlatMapDataset has one at a time.
//
// State: the inner data sets, whose turn it is, and how many elements its block has had.
class Interleave final : public DataSet {
 public:
  Interleave(ElementSpec spec, Input input, CapturedFunction function, const Cycle& cycle)
      : DataSet(std::move(spec)),
        input_(std::move(input)),
        function_(std::move(function)),
        cycle_(cycle) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    SLUICE_ASSIGN(StageFunction function, StageFunction::Create(function_, running));
    return std::make_unique<Run>(*this, std::move(input), std::move(function), running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(const Interleave& set, std::unique_ptr<Stage> input, StageFunction function,
        const Running& running)
        : set_(set),
          input_(std::move(input)),
          function_(std::move(function)),
          running_(running.Nested()),
          inner_(static_cast<size_t>(set.cycle_.length)) {}

    absl::StatusOr<bool> Next(Element& element) override {
      // All begin to read ahead. In turn, each would be opened with the same element.
      for (; set_.cycle_.ahead > 0 && !input_ended_ && opened_ < inner_.size(); ++opened_)
        SLUICE_RETURN_IF_ERROR(Open(inner_[opened_]));
      while (open_ > 0 || !input_ended_) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        Inner& inner = inner_[turn_];
        if (inner.stage != nullptr) {
          if (in_block_ == set_.cycle_.block) {
            MoveOn(inner);
            continue;
          }
          const absl::StatusOr<bool> more = inner.stage->Next(element);
          if (!more.ok() || *more) {
            ++in_block_;
            return more;
          }
          inner.End();
          --open_;
          if (set_.cycle_.passes_block && !input_ended_) SLUICE_RETURN_IF_ERROR(Open(inner));
          MoveOn(inner);
          continue;
        }
        if (input_ended_) {
          MoveOn(inner);
          continue;
        }
        SLUICE_RETURN_IF_ERROR(Open(inner));
      }
      return false;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
      SLUICE_RETURN_IF_ERROR(
          state.Fields("Interleave", opened_, turn_, in_block_, elements_, input_ended_));
      if (turn_ >= inner_.size()) return InvalidArgument("no data set has the turn ", turn_);
      for (Inner& inner : inner_) {
        bool open = inner.stage != nullptr;
        SLUICE_RETURN_IF_ERROR(state.Field(open));
        if (!open) continue;
        SLUICE_RETURN_IF_ERROR(state.Field(inner.args));
        if (state.restoring()) SLUICE_RETURN_IF_ERROR(Begin(inner));
        SLUICE_RETURN_IF_ERROR(inner.stage->SaveOrRestore(state));
      }
      return absl::OkStatus();
    }

   private:
    // The next one's turn: with a block of its own, or with what is left of the block.
    void MoveOn(const Inner& from) {
      if (from.stage != nullptr || !set_.cycle_.passes_block) in_block_ = 0;
      turn_ = (turn_ + 1) % inner_.size();
    }
    absl::Status Open(Inner& inner) {
      SLUICE_ASSIGN(const bool more, input_->Next(inner.args));
      if (!more) {
        input_ended_ = true;
        return absl::OkStatus();
      }
      ++elements_;
      return Begin(inner);
    }
    absl::Status Begin(Inner& inner) {
      const uint64_t branch =
          set_.cycle_.new_places ? elements_ : static_cast<uint64_t>(&inner - inner_.data());
      const absl::Status status =
          inner.Begin(function_, set_.spec(), set_.cycle_.ahead, running_, branch);
      if (status.ok())
        ++open_;
      else
        inner.End();
      return status;
    }

    const Interleave& set_;
    const std::unique_ptr<Stage> input_;
    const StageFunction function_;
    const Running running_;
    std::vector<Inner> inner_;
    int64_t open_ = 0;
    size_t opened_ = 0, turn_ = 0;
    int64_t in_block_ = 0;
    uint64_t elements_ = 0;  // of the input
    bool input_ended_ = false;
  };
  const Input input_;
  const CapturedFunction function_;
  const Cycle cycle_;
};

struct InterleaveDataset {
  static constexpr int64_t kMostInner = 1 << 12, kMostAhead = 1 << 16, kAutotune = -1;
  enum class Form { kFlatMap, kOneAtATime, kParallel, kBuffered };

  ElementSpec spec;
  FunctionAttr function;
  Form form;

  static absl::StatusOr<InterleaveDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(FunctionAttr function, FunctionAttr::Create(node));
    const Form form = node.op == "FlatMapDataset"                               ? Form::kFlatMap
                      : node.op == "InterleaveDataset"                          ? Form::kOneAtATime
                      : node.op_def->inputs.back().name == "num_parallel_calls" ? Form::kParallel
                                                                                : Form::kBuffered;
    return InterleaveDataset{std::move(spec), std::move(function), form};
  }

  absl::StatusOr<Cycle> CycleOf(const KernelContext& ctx) const {
    Cycle cycle;
    cycle.new_places = form == Form::kFlatMap;
    cycle.passes_block = form == Form::kBuffered;
    if (form == Form::kFlatMap) return cycle;
    const int first = function.captures.end;
    SLUICE_ASSIGN(cycle.length, ScalarInput<int64_t>(ctx, first, "cycle_length"));
    SLUICE_ASSIGN(cycle.block, ScalarInput<int64_t>(ctx, first + 1, "block_length"));
    if (cycle.length == kAutotune && form != Form::kOneAtATime) cycle.length = 10;
    if (cycle.length < 1) {
      return InvalidArgument("cycle_length must be greater than zero.");
    }
    if (cycle.block < 1) return InvalidArgument("block_length must be greater than zero.");
    if (cycle.length > kMostInner) {
      return InvalidArgument("cycle_length is ", cycle.length, ", the largest is ", kMostInner);
    }
    if (form == Form::kOneAtATime) return cycle;
    if (form == Form::kBuffered) {
      // The last input but one: buffer_output_elements.
      SLUICE_ASSIGN(cycle.ahead,
                    ScalarInput<int64_t>(ctx, ctx.num_inputs() - 2, "buffer_output_elements"));
      if (cycle.ahead < kAutotune || cycle.ahead == 0) {
        return InvalidArgument("`buffer_output_elements` must be > 0");
      }
    } else {
      SLUICE_ASSIGN(const int64_t calls,
                    ScalarInput<int64_t>(ctx, ctx.num_inputs() - 1, "num_parallel_calls"));
      if (calls <= 0 && calls != kAutotune) {
        return InvalidArgument("num_parallel_calls must be greater than zero.");
      }
      if (calls > cycle.length) {
        return InvalidArgument("num_parallel_calls must less than or equal to cycle_length.");
      }
    }
    cycle.ahead = std::clamp<int64_t>(std::max(cycle.ahead, 2 * cycle.block), 1, kMostAhead);
    return cycle;
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const Cycle cycle, CycleOf(ctx));
    SLUICE_ASSIGN(CapturedFunction captured, CapturedFunction::Create(ctx, function));
    SLUICE_RETURN_IF_ERROR(captured.CheckResults({kVariant}));
    SetDataSet(ctx, MakeRefCounted<Interleave>(spec, std::move(input), std::move(captured), cycle));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterNested(KernelRegistry& kernels) {
  for (auto op : {"FlatMapDataset", "InterleaveDataset", "ParallelInterleaveDatasetV2",
                  "ParallelInterleaveDatasetV4", "ParallelInterleaveDataset",
                  "ExperimentalParallelInterleaveDataset", "LegacyParallelInterleaveDatasetV2"})
    kernels.Add<InterleaveDataset>(op, kCpu);
}

}  // namespace sluice::kernels
