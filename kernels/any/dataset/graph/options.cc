// SPDX-License-Identifier: Apache-2.0
// Options of data sets: rewrites, the order of parallel stages, budgets of stages that tune
// themselves. 1.15 sends nodes for them, 2.x an OptionsDataset.
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <thread>

#include "core/runtime/kernel_registry.h"
#include "core/threads/blocking_threads.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/graph/data_set_graph.h"
#include "kernels/common/dataset/graph/rewrite.h"
#include "kernels/common/dataset/tuning_budget.h"
#include "proto/dataset_options.pb.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// 0: what is usual.
struct Budget {
  bool given = false;
  int64_t cpus = 0, bytes = 0;
};

struct Options {
  GraphRewrites graph;
  Rewrites stages;
  Budget budget;
};

// The input's elements. The options concern all stages before it.
class WithOptions final : public DataSet {
 public:
  WithOptions(Input input, const Options& options)
      : DataSet(input->spec()), input_(std::move(input)), options_(options) {}
  int64_t Cardinality() const override { return input_->Cardinality(); }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    Running with = running;
    with.rewrites.shuffle_and_repeat |= options_.stages.shuffle_and_repeat;
    with.rewrites.any_order |= options_.stages.any_order;
    RefPtr<TuningBudget> budget;  // the run keeps it
    if (options_.budget.given) {
      budget = running.state->kept.Of<TuningBudget>(running.place, [&] { return MakeBudget(); });
      with.budget = budget.get();
    }
    return input_->Begin(with);
  }

 private:
  RefPtr<TuningBudget> MakeBudget() const {
    const int64_t cpus = std::max<int64_t>(1, std::thread::hardware_concurrency());
    // As TensorFlow, half of the memory.
    const int64_t bytes = sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / 2;
    const Budget& given = options_.budget;
    return MakeRefCounted<TuningBudget>(given.cpus > 0 ? given.cpus : cpus,
                                        given.bytes > 0 ? given.bytes : bytes);
  }

  const Input input_;
  const Options options_;
};

// Rewrites the data set, if it has a graph, and gives the options to its stages. May wait.
absl::StatusOr<Input> Apply(KernelContext& ctx, const std::string& device, const Options& options) {
  SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
  if (options.graph.any()) {
    absl::StatusOr<DataSetGraph> graph = DataSetGraph::Of(*input);
    if (graph.ok() && Rewrite(options.graph, *graph)) {
      SLUICE_ASSIGN(input, graph->Run(ctx, device));
    }
  }
  const Rewrites& stages = options.stages;
  if (!stages.shuffle_and_repeat && !stages.any_order && !options.budget.given) return input;
  return Input(MakeRefCounted<WithOptions>(std::move(input), options));
}

void StartApply(KernelContext& ctx, const std::string& device, Options options, Done done) {
  const auto apply = [&ctx, &device, options] {
    absl::StatusOr<Input> made = Apply(ctx, device, options);
    if (made.ok()) SetDataSet(ctx, *std::move(made));
    return made.status();
  };
  if (!options.graph.any()) return done(apply());
  RunBlocking([apply, done = std::move(done)]() mutable { done(apply()); });
}

// 1.15's names of rewrites.
struct OptimizeDataset {
  std::string device;

  static absl::StatusOr<OptimizeDataset> Create(const NodeSpec& node) {
    return OptimizeDataset{node.device};
  }
  void Start(KernelContext& ctx, Done done) const {
    const auto names = ctx.input(1).flat<std::string>();
    const auto has = [&](absl::string_view name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    Options options;
    // The other rewrites make no faster stages here. They are counted as done, without a new graph.
    options.graph.map_parallelization = has("map_parallelization");
    options.graph.noop_elimination = has("noop_elimination") && options.graph.any();
    options.stages.shuffle_and_repeat = has("shuffle_and_repeat_fusion");
    options.stages.any_order = has("make_sloppy");
    StartApply(ctx, device, options, std::move(done));
  }
};

struct OptionsDataset {
  std::string device;
  Options options;

  static absl::StatusOr<OptionsDataset> Create(const NodeSpec& node) {
    OptionsDataset made{node.device, {}};
    proto::DatasetOptions stated;
    if (!stated.ParseFromString(GetAttrOr<std::string>(node.attrs, "serialized_options", ""))) {
      return InvalidArgument("Could not parse ", node.op, ".serialized_options as valid Options.");
    }
    made.options.stages.any_order = stated.has_deterministic() && !stated.deterministic();
    const proto::OptimizationOptions& rewrites = stated.optimization_options();
    made.options.graph.map_parallelization =
        rewrites.has_map_parallelization() && rewrites.map_parallelization();
    made.options.graph.noop_elimination = rewrites.noop_elimination() && made.options.graph.any();
    const proto::AutotuneOptions& tuning = stated.autotune_options();
    const bool tuned = !tuning.has_enabled() || tuning.enabled();
    made.options.budget = {tuned && (tuning.cpu_budget() > 0 || tuning.ram_budget() > 0),
                           tuning.cpu_budget(), tuning.ram_budget()};
    return made;
  }
  void Start(KernelContext& ctx, Done done) const {
    StartApply(ctx, device, options, std::move(done));
  }
};

struct ModelDataset {
  Options options;

  static absl::StatusOr<ModelDataset> Create(const NodeSpec& node) {
    Options options;
    options.budget = {true, GetAttrOr<int64_t>(node.attrs, "cpu_budget", 0),
                      GetAttrOr<int64_t>(node.attrs, "ram_budget", 0)};
    if (options.budget.cpus < 0) {
      return InvalidArgument("CPU budget must be positive but is ", options.budget.cpus, ".");
    }
    return ModelDataset{options};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SetDataSet(ctx, MakeRefCounted<WithOptions>(std::move(input), options));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterOptions(KernelRegistry& kernels) {
  kernels.Add<ModelDataset>("ModelDataset", kCpu, {}, kCheap);
  kernels.Add<OptimizeDataset>("OptimizeDataset", kCpu);
  kernels.Add<OptionsDataset>("OptionsDataset", kCpu);
}

}  // namespace sluice::kernels
