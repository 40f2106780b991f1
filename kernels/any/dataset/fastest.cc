// SPDX-License-Identifier: Apache-2.0
// Data sets that measure several ways to make the same elements, and go on with the fastest:
// choose_fastest, choose_fastest_branch.
#include <algorithm>
#include <atomic>

#include "absl/time/clock.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/captured_function.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// How long each of several ways took for its elements.
class Times {
 public:
  explicit Times(size_t ways) : of_way_(ways) {}
  absl::StatusOr<bool> Measure(size_t way, Stage& stage, Element& element) {
    const int64_t begin = absl::GetCurrentTimeNanos();
    absl::StatusOr<bool> more = stage.Next(element);
    of_way_[way].push_back(absl::GetCurrentTimeNanos() - begin);
    return more;
  }
  // The way whose 90th percentile is the smallest.
  size_t Fastest() {
    size_t best = 0;
    for (size_t way = 1; way < of_way_.size(); ++way)
      if (Slow(way) < Slow(best)) best = way;
    return best;
  }
  absl::Status SaveOrRestore(SavedState& state) {
    const size_t ways = of_way_.size();
    SLUICE_RETURN_IF_ERROR(state.Fields("Times", of_way_));
    return of_way_.size() == ways ? absl::OkStatus()
                                  : InvalidArgument("the saved state has ", of_way_.size(),
                                                    " ways to make elements, not ", ways);
  }

 private:
  int64_t Slow(size_t way) {
    std::vector<int64_t>& times = of_way_[way];
    if (times.empty()) return 0;
    const auto at = times.begin() + static_cast<std::ptrdiff_t>(times.size() * 9 / 10);
    std::nth_element(times.begin(), at, times.end());
    return *at;
  }
  std::vector<std::vector<int64_t>> of_way_;
};

// ChooseFastestDataset: the inputs have the same elements. All give the first `experiments`, of
// which those of the first input count; the fastest gives the rest. State: the inputs that are
// still read, and their times.
class Fastest final : public DataSet {
 public:
  Fastest(ElementSpec spec, std::vector<Input> inputs, int64_t experiments)
      : DataSet(std::move(spec)), inputs_(std::move(inputs)), experiments_(experiments) {}
  int64_t Cardinality() const override {
    for (const Input& input : inputs_)
      if (const int64_t n = input->Cardinality(); n != kUnknown) return n;
    return kUnknown;
  }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    std::vector<std::unique_ptr<Stage>> inputs;
    for (const Input& input : inputs_) {
      SLUICE_ASSIGN(auto stage, input->Begin(running, inputs.size()));
      inputs.push_back(std::move(stage));
    }
    return std::make_unique<Run>(std::move(inputs), experiments_, running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(std::vector<std::unique_ptr<Stage>> inputs, int64_t experiments, const Running& running)
        : inputs_(std::move(inputs)),
          left_(experiments),
          running_(running),
          times_(inputs_.size()) {
      if (left_ <= 0) Choose();
    }
    absl::StatusOr<bool> Next(Element& element) override {
      if (left_ <= 0) return inputs_[fastest_]->Next(element);
      absl::StatusOr<bool> more = times_.Measure(0, *inputs_[0], element);
      for (size_t i = 1; i < inputs_.size(); ++i) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        Element alike;
        (void)times_.Measure(i, *inputs_[i], alike);  // the first input's result counts
      }
      if (--left_ == 0) Choose();
      return more;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(state.Fields("ChooseFastest", left_, fastest_));
      if (fastest_ >= inputs_.size())
        return InvalidArgument("the saved state names input ", fastest_, " of ", inputs_.size());
      if (left_ <= 0) {
        Keep(fastest_);
        return inputs_[fastest_]->SaveOrRestore(state);
      }
      SLUICE_RETURN_IF_ERROR(times_.SaveOrRestore(state));
      for (const auto& input : inputs_) SLUICE_RETURN_IF_ERROR(input->SaveOrRestore(state));
      return absl::OkStatus();
    }

   private:
    void Choose() { Keep(fastest_ = times_.Fastest()); }
    void Keep(size_t chosen) {
      for (size_t i = 0; i < inputs_.size(); ++i)
        if (i != chosen) inputs_[i].reset();
    }

    std::vector<std::unique_ptr<Stage>> inputs_;  // null: not chosen
    int64_t left_;                                // elements that all give
    const Running running_;
    Times times_;
    size_t fastest_ = 0;
  };
  const std::vector<Input> inputs_;
  const int64_t experiments_;
};

struct ChooseFastestDataset {
  ElementSpec spec;
  int64_t experiments;

  static absl::StatusOr<ChooseFastestDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(const int64_t experiments, node.Get<int64_t>("num_experiments"));
    return ChooseFastestDataset{std::move(spec), experiments};
  }
  absl::Status Run(KernelContext& ctx) const {
    std::vector<Input> inputs;
    int64_t cardinality = DataSet::kUnknown;
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      SLUICE_ASSIGN(Input input, DataSetInput(ctx, i));
      if (input->spec().types != spec.types) {
        return InvalidArgument(
            "All inputs to ChooseFastestDataset must have the same output types. Input ", i,
            " has others.");
      }
      for (size_t c = 0; c < spec.shapes.size(); ++c) {
        if (spec.shapes[c].CompatibleWith(input->spec().shapes[c])) continue;
        return InvalidArgument(
            "All inputs to ChooseFastestDataset must have compatible output shapes. Component ", c,
            " of input ", i, " has shape: ", input->spec().shapes[c],
            ". Expected to be compatible with shape: ", spec.shapes[c], ".");
      }
      const int64_t n = input->Cardinality();
      if (cardinality == DataSet::kUnknown) cardinality = n;
      if (n != DataSet::kUnknown && n != cardinality) {
        return InvalidArgument(
            "All inputs to ChooseFastestDataset must have compatible cardinalities. Input ", i,
            " has cardinality: ", n, ", while all prior inputs have cardinality: ", cardinality,
            ".");
      }
      inputs.push_back(std::move(input));
    }
    SetDataSet(ctx, MakeRefCounted<Fastest>(spec, std::move(inputs), experiments));
    return absl::OkStatus();
  }
};

// A stage that several data sets read, one after the other. A data set that a function has kept
// finds it closed.
//
// Threads:  any.
class SharedStage {
 public:
  explicit SharedStage(std::unique_ptr<Stage> stage) : stage_(std::move(stage)) {}
  absl::StatusOr<bool> Next(Element& element) {
    absl::MutexLock lock(&mu_);
    if (stage_ == nullptr) return FailedPrecondition("the iterator of this input has ended");
    return stage_->Next(element);
  }
  void Close() {
    absl::MutexLock lock(&mu_);
    stage_.reset();
  }
  // Once in each state: the data set that reads the stage, if there is one, is the first to call it,
  // while it does not read.
  absl::Status SaveOrRestore(SavedState& state) {
    absl::MutexLock lock(&mu_);
    if (stage_ == nullptr) return FailedPrecondition("the iterator of this input has ended");
    if (std::exchange(in_state_, &state) == &state) return absl::OkStatus();
    return stage_->SaveOrRestore(state);
  }
  // The state is complete.
  void EndState() {
    absl::MutexLock lock(&mu_);
    in_state_ = nullptr;
  }

 private:
  absl::Mutex mu_;
  std::unique_ptr<Stage> stage_ ABSL_GUARDED_BY(mu_);
  const SavedState* in_state_ ABSL_GUARDED_BY(mu_) = nullptr;  // the last that has the stage
};

// At most `most` elements of a shared stage; all if that is negative.
class SharedInput final : public DataSet {
 public:
  SharedInput(ElementSpec spec, std::shared_ptr<SharedStage> from, int64_t most)
      : DataSet(std::move(spec)), from_(std::move(from)), most_(most) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running&) const override {
    if (begun_.exchange(true)) {
      return InvalidArgument(
          "Cannot create more than one WrapperIterator per WrapperDataset. Make sure the branches "
          "to ChooseFastestDataset do not expect the input to repeat.");
    }
    return std::make_unique<Run>(from_, most_);
  }

 private:
  class Run final : public Stage {
   public:
    Run(std::shared_ptr<SharedStage> from, int64_t left) : from_(std::move(from)), left_(left) {}
    absl::StatusOr<bool> Next(Element& element) override {
      if (left_ == 0) return false;
      if (left_ > 0) --left_;
      return from_->Next(element);
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(state.Fields("SharedInput", left_));
      return from_->SaveOrRestore(state);
    }

   private:
    const std::shared_ptr<SharedStage> from_;
    int64_t left_;
  };
  const std::shared_ptr<SharedStage> from_;
  const int64_t most_;
  mutable std::atomic<bool> begun_{false};
};

struct BranchOptions {
  int64_t elements = 1;  // that each branch gives before the fastest is chosen
  int64_t inputs = 1;    // that it may read for them
};

// ChooseFastestBranchDataset: each branch is a function that makes a data set of the input. One
// after the other gives some elements; the fastest gives the rest. State: the branch that is read,
// the times of the branches before, and the input.
class FastestBranch final : public DataSet {
 public:
  FastestBranch(ElementSpec spec, Input input, std::vector<CapturedFunction> branches,
                const BranchOptions& options)
      : DataSet(std::move(spec)),
        input_(std::move(input)),
        branches_(std::move(branches)),
        options_(options) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    std::vector<StageFunction> branches;
    for (const CapturedFunction& branch : branches_) {
      SLUICE_ASSIGN(StageFunction function, StageFunction::Create(branch, running));
      branches.push_back(std::move(function));
    }
    return std::make_unique<Run>(*this, std::move(input), std::move(branches), running.Nested());
  }

 private:
  class Run final : public Stage {
   public:
    Run(const FastestBranch& set, std::unique_ptr<Stage> input, std::vector<StageFunction> branches,
        const Running& running)
        : set_(set),
          input_(std::make_shared<SharedStage>(std::move(input))),
          branches_(std::move(branches)),
          running_(running),
          times_(branches_.size()) {}
    ~Run() override {
      Close();
      input_->Close();
    }
    absl::StatusOr<bool> Next(Element& element) override {
      const bool trial = next_ < branches_.size();
      if (stage_ == nullptr) {
        branch_ = trial ? next_ : times_.Fastest();
        SLUICE_RETURN_IF_ERROR(Open());
      }
      if (!trial) return stage_->Next(element);
      absl::StatusOr<bool> more = times_.Measure(next_, *stage_, element);
      if (++given_ == set_.options_.elements) {
        given_ = 0;
        ++next_;
        Close();
      }
      return more;
    }

    absl::Status SaveOrRestore(SavedState& state) override {
      bool open = stage_ != nullptr;
      SLUICE_RETURN_IF_ERROR(state.Fields("ChooseFastestBranch", next_, given_, branch_, open));
      SLUICE_RETURN_IF_ERROR(times_.SaveOrRestore(state));
      if (next_ > branches_.size() || branch_ >= branches_.size()) {
        return InvalidArgument("the saved state names branch ", branch_, " of ", branches_.size());
      }
      if (state.restoring()) Close();
      if (open && state.restoring()) SLUICE_RETURN_IF_ERROR(Open());
      absl::Status status = open ? stage_->SaveOrRestore(state) : absl::OkStatus();
      if (status.ok()) status = input_->SaveOrRestore(state);
      input_->EndState();
      return status;
    }

   private:
    absl::Status Open() {
      const int64_t most = next_ < branches_.size() ? set_.options_.inputs : -1;
      Tensor shared = Tensor::Scalar<Variant>(
          Variant(MakeRefCounted<SharedInput>(set_.input_->spec(), input_, most)));
      SLUICE_ASSIGN(const Element results, branches_[branch_].Call({std::move(shared)}));
      SLUICE_ASSIGN(opened_, DataSetOf(results));
      SLUICE_RETURN_IF_ERROR(set_.spec().Accepts(opened_->spec()));
      SLUICE_ASSIGN(stage_, opened_->Begin(running_));
      return absl::OkStatus();
    }
    void Close() {
      stage_.reset();
      opened_.reset();
    }

    const FastestBranch& set_;
    const std::shared_ptr<SharedStage> input_;
    const std::vector<StageFunction> branches_;
    const Running running_;
    Times times_;
    size_t next_ = 0;    // the next branch to be tried
    size_t branch_ = 0;  // that is read
    int64_t given_ = 0;  // its elements
    Input opened_;
    std::unique_ptr<Stage> stage_;
  };
  const Input input_;
  const std::vector<CapturedFunction> branches_;
  const BranchOptions options_;
};

struct ChooseFastestBranchDataset {
  ElementSpec spec;
  std::vector<FunctionAttr> branches;
  int64_t elements;

  static absl::StatusOr<ChooseFastestBranchDataset> Create(const NodeSpec& node) {
    ChooseFastestBranchDataset made;
    SLUICE_ASSIGN(made.spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(made.elements, node.Get<int64_t>("num_elements_per_branch"));
    SLUICE_ASSIGN(const auto functions, node.Get<std::vector<FunctionRef>>("branches"));
    SLUICE_ASSIGN(const auto lengths, node.Get<std::vector<int64_t>>("other_arguments_lengths"));
    SLUICE_ASSIGN(const NodeSpec::Range all, node.InputRange("other_arguments"));
    if (functions.size() != lengths.size()) {
      return InvalidArgument("branches and other_arguments_lengths must have the same length.");
    }
    int next = all.begin;
    for (size_t i = 0; i < functions.size(); ++i) {
      if (lengths[i] < 0 || lengths[i] > all.end - next)
        return InvalidArgument("other_arguments_lengths do not fit other_arguments");
      const int end = next + static_cast<int>(lengths[i]);
      made.branches.push_back({functions[i], {next, end}, node.device});
      next = end;
    }
    return made;
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const int64_t numerator, ScalarInput<int64_t>(ctx, 1, "ratio_numerator"));
    SLUICE_ASSIGN(const int64_t denominator, ScalarInput<int64_t>(ctx, 2, "ratio_denominator"));
    if (numerator <= 0) return InvalidArgument("`ratio_numerator` must be greater than zero.");
    if (denominator <= 0) return InvalidArgument("`ratio_denominator` must be greater than zero.");
    if (elements % denominator != 0) {
      return InvalidArgument("`num_elements_per_branch` must be divisible by `ratio_denominator`.");
    }
    BranchOptions options{elements, 0};
    if (__builtin_mul_overflow(elements / denominator, numerator, &options.inputs)) {
      return InvalidArgument("`ratio_numerator` is too large: ", numerator);
    }
    std::vector<CapturedFunction> captured;
    for (const FunctionAttr& branch : branches) {
      SLUICE_ASSIGN(CapturedFunction function, CapturedFunction::Create(ctx, branch));
      SLUICE_RETURN_IF_ERROR(function.CheckResults({kVariant}));
      captured.push_back(std::move(function));
    }
    SetDataSet(ctx,
               MakeRefCounted<FastestBranch>(spec, std::move(input), std::move(captured), options));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterFastest(KernelRegistry& kernels) {
  for (auto op : {"ChooseFastestDataset", "ExperimentalChooseFastestDataset"})
    kernels.Add<ChooseFastestDataset>(op, kCpu);
  kernels.Add<ChooseFastestBranchDataset>("ChooseFastestBranchDataset", kCpu);
}

}  // namespace sluice::kernels
