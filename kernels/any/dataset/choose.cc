// SPDX-License-Identifier: Apache-2.0
// Data sets of random numbers, of elements from inputs that another data set chooses, and without
// elements that came before.
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/one_input.h"
#include "kernels/common/dataset/owned_resource.h"
#include "kernels/common/dataset/seeds.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// RandomDataset: 32 random bits each time, without end. State: how many were drawn; where each run
// has seeds of its own, also they.
class Random final : public DataSet {
 public:
  Random(ElementSpec spec, const Seeds& seeds) : DataSet(std::move(spec)), seeds_(seeds) {}
  // `seeds_of_runs`: null if each place has its own.
  Random(ElementSpec spec, const Seeds& seeds, bool reseeds, RefPtr<SeedGenerator> seeds_of_runs)
      : DataSet(std::move(spec)),
        seeds_(seeds),
        by_runs_(true),
        reseeds_(reseeds),
        seeds_of_runs_(std::move(seeds_of_runs)) {}

  int64_t Cardinality() const override { return kInfinite; }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    if (!by_runs_) return std::make_unique<Run>(seeds_, nullptr);
    RefPtr<SeedGenerator> seeds_of_runs = seeds_of_runs_;
    if (!seeds_of_runs) {
      seeds_of_runs = running.state->kept.Of<SeedGenerator>(
          running.place, [&] { return MakeRefCounted<SeedGenerator>(seeds_, reseeds_); });
    }
    const Seeds seeds = seeds_of_runs->Next();
    return std::make_unique<Run>(seeds, std::move(seeds_of_runs));
  }

 private:
  class Run final : public Stage {
   public:
    Run(const Seeds& seeds, RefPtr<SeedGenerator> seeds_of_runs)
        : seeds_(seeds), seeds_of_runs_(std::move(seeds_of_runs)) {
      words_.emplace(seeds.Words());
    }
    absl::StatusOr<bool> Next(Element& element) override {
      element.clear();
      element.push_back(Tensor::Scalar<int64_t>(words_->Next()));
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      if (seeds_of_runs_) {
        SLUICE_RETURN_IF_ERROR(state.Fields("Random", seeds_.first, seeds_.second));
        SLUICE_RETURN_IF_ERROR(seeds_of_runs_->SaveOrRestore(state));
        if (state.restoring()) words_.emplace(seeds_.Words());
      }
      return kernels::SaveOrRestore(state, *words_);
    }

   private:
    Seeds seeds_;
    const RefPtr<SeedGenerator> seeds_of_runs_;  // null: all runs have the same seeds
    std::optional<PhiloxWords> words_;
  };
  const Seeds seeds_;
  const bool by_runs_ = false, reseeds_ = false;
  const RefPtr<SeedGenerator> seeds_of_runs_;
};

struct RandomDataset {
  ElementSpec spec;
  bool by_runs, reseeds;
  static absl::StatusOr<RandomDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return RandomDataset{std::move(spec), node.op == "RandomDatasetV2",
                         GetAttrOr<bool>(node.attrs, "rerandomize_each_iteration", false)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Seeds seeds, SeedInputs(ctx, 0));
    if (!by_runs) {
      SetDataSet(ctx, MakeRefCounted<Random>(spec, seeds));
      return absl::OkStatus();
    }
    RefPtr<SeedGenerator> seeds_of_runs;
    if (!IsDummy(ctx, 2)) {
      SLUICE_ASSIGN(seeds_of_runs, ResourceOf<SeedGenerator>(ctx, 2));
    }
    SetDataSet(ctx, MakeRefCounted<Random>(spec, seeds, reseeds, std::move(seeds_of_runs)));
    return absl::OkStatus();
  }
};

// DirectedInterleaveDataset: each element of the first input is the number of the input that gives
// the next element. Inputs that have ended are passed over, or end the data set. State: which have
// ended.
class Directed final : public DataSet {
 public:
  Directed(ElementSpec spec, Input selector, std::vector<Input> inputs, bool stop_on_empty)
      : DataSet(std::move(spec)),
        selector_(std::move(selector)),
        inputs_(std::move(inputs)),
        stop_on_empty_(stop_on_empty) {}
  int64_t Cardinality() const override {
    const bool endless = absl::c_any_of(
        inputs_, [](const Input& input) { return input->Cardinality() == kInfinite; });
    return endless ? kInfinite : kUnknown;
  }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto selector, selector_->Begin(running, inputs_.size()));
    std::vector<std::unique_ptr<Stage>> inputs;
    for (const Input& input : inputs_) {
      SLUICE_ASSIGN(auto stage, input->Begin(running, inputs.size()));
      inputs.push_back(std::move(stage));
    }
    return std::make_unique<Run>(std::move(selector), std::move(inputs), stop_on_empty_, running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(std::unique_ptr<Stage> selector, std::vector<std::unique_ptr<Stage>> inputs,
        bool stop_on_empty, const Running& running)
        : selector_(std::move(selector)),
          inputs_(std::move(inputs)),
          left_(inputs_.size()),
          stop_on_empty_(stop_on_empty),
          running_(running) {}
    absl::StatusOr<bool> Next(Element& element) override {
      while (left_ > 0) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        Element choice;
        SLUICE_ASSIGN(bool more, selector_->Next(choice));
        if (!more) break;
        if (choice[0].rank() != 0) {
          return InvalidArgument("The selector dataset must contain scalars, not the shape ",
                                 choice[0].shape());
        }
        const int64_t number = choice[0].scalar<int64_t>();
        if (number < 0 || number >= static_cast<int64_t>(inputs_.size())) {
          return InvalidArgument("Selector index out of range: ", number, " >= ", inputs_.size());
        }
        std::unique_ptr<Stage>& input = inputs_[static_cast<size_t>(number)];
        if (input == nullptr) continue;
        SLUICE_ASSIGN(more, input->Next(element));
        if (more) return true;
        if (stop_on_empty_) break;
        input.reset();
        --left_;
      }
      left_ = 0;
      return false;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(selector_->SaveOrRestore(state));
      SLUICE_RETURN_IF_ERROR(state.Fields("Directed", left_));
      for (std::unique_ptr<Stage>& input : inputs_) {
        bool open = input != nullptr;
        SLUICE_RETURN_IF_ERROR(state.Field(open));
        if (!open) input.reset();
        if (input != nullptr) SLUICE_RETURN_IF_ERROR(input->SaveOrRestore(state));
      }
      return absl::OkStatus();
    }

   private:
    const std::unique_ptr<Stage> selector_;
    std::vector<std::unique_ptr<Stage>> inputs_;  // null: ended
    size_t left_;
    const bool stop_on_empty_;
    const Running running_;
  };
  const Input selector_;
  const std::vector<Input> inputs_;
  const bool stop_on_empty_;
};

struct DirectedInterleaveDataset {
  ElementSpec spec;
  bool stop_on_empty;

  static absl::StatusOr<DirectedInterleaveDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return DirectedInterleaveDataset{std::move(spec),
                                     GetAttrOr<bool>(node.attrs, "stop_on_empty_dataset", false)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input selector, DataSetInput(ctx, 0));
    const ElementSpec one{{kInt64}, {PartialShape(Shape{})}};
    if (!one.Accepts(selector->spec()).ok()) {
      return InvalidArgument("The selector dataset must contain a single scalar int64 element.");
    }
    std::vector<Input> inputs;
    for (int i = 1; i < ctx.num_inputs(); ++i) {
      SLUICE_ASSIGN(Input input, DataSetInput(ctx, i));
      SLUICE_RETURN_IF_ERROR(spec.Accepts(input->spec()));
      inputs.push_back(std::move(input));
    }
    SetDataSet(
        ctx, MakeRefCounted<Directed>(spec, std::move(selector), std::move(inputs), stop_on_empty));
    return absl::OkStatus();
  }
};

// UniqueDataset: the first of equal elements. State: the elements that were given.
class Unique final : public Stage {
 public:
  Unique(std::unique_ptr<Stage> input, const Running& running)
      : input_(std::move(input)), running_(running) {}
  absl::StatusOr<bool> Next(Element& element) override {
    for (;;) {
      SLUICE_RETURN_IF_ERROR(running_.Check());
      SLUICE_ASSIGN(const bool more, input_->Next(element));
      if (!more || seen_.insert(KeyOf(element[0])).second) return more;
    }
  }
  absl::Status SaveOrRestore(SavedState& state) override {
    SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
    std::vector<std::string> seen(seen_.begin(), seen_.end());
    SLUICE_RETURN_IF_ERROR(state.Fields("Unique", seen));
    seen_.insert(seen.begin(), seen.end());
    return absl::OkStatus();
  }

 private:
  static std::string KeyOf(const Tensor& value) {
    std::string key = Cat(value.shape());
    if (IsPlain(value.dtype())) {
      key.append(static_cast<const char*>(value.raw()), value.bytes());
    } else {
      for (const std::string& text : value.flat<std::string>()) {
        key += Cat(";", text.size(), ":");
        key += text;
      }
    }
    return key;
  }
  const std::unique_ptr<Stage> input_;
  const Running running_;
  absl::flat_hash_set<std::string> seen_;
};

struct UniqueDataset {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    const std::vector<DType>& types = input->spec().types;
    if (types.size() != 1 || (types[0] != kInt32 && types[0] != kInt64 && types[0] != kString)) {
      return InvalidArgument(
          "UniqueDataset only supports inputs with a single `tf.int32`, "
          "`tf.int64`, or `tf.string` component.");
    }
    ElementSpec spec = input->spec();
    SetDataSet(ctx, MakeRefCounted<OneInput<Unique>>(std::move(spec), std::move(input)));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterChoices(KernelRegistry& kernels) {
  for (auto op : {"RandomDataset", "RandomDatasetV2", "ExperimentalRandomDataset"})
    kernels.Add<RandomDataset>(op, kCpu);
  for (auto op : {"DirectedInterleaveDataset", "ExperimentalDirectedInterleaveDataset"})
    kernels.Add<DirectedInterleaveDataset>(op, kCpu);
  for (auto op : {"UniqueDataset", "ExperimentalUniqueDataset"})
    kernels.Add<UniqueDataset>(op, kCpu);
}

}  // namespace sluice::kernels
