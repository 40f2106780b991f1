// SPDX-License-Identifier: Apache-2.0
// Options of data sets: rewrites, the order of parallel stages, budgets of stages that tune
// themselves, limits of threads. 1.15 sends nodes for them, 2.x an OptionsDataset.
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <thread>

#include "absl/hash/hash.h"
#include "core/runtime/function_caller.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/blocking_threads.h"
#include "kernels/any/dataset/changed_run.h"
#include "kernels/any/dataset/register.h"
#include "kernels/any/dataset/threads/private_pool.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/graph/data_set_graph.h"
#include "kernels/common/dataset/graph/node_names.h"
#include "kernels/common/dataset/graph/recipe.h"
#include "kernels/common/dataset/graph/recorded.h"
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
  std::optional<int64_t> calls_at_once, kernel_threads;
  bool renames = false;  // TensorFlow writes the graph anew, which names its nodes
  bool latency = false;  // of each stage, for statistics
};

// The input's elements. The options concern all stages before it.
class WithOptions final : public ChangedRun {
 public:
  // `before`: the data set that was rewritten to `input`.
  WithOptions(Input input, Input before, const Options& options)
      : ChangedRun(std::move(input)), before_(std::move(before)), options_(options) {}

 private:
  void Change(Running& running) const override {
    running.rewrites.shuffle_and_repeat |= options_.stages.shuffle_and_repeat;
    running.rewrites.any_order |= options_.stages.any_order;
    if (running.stats != nullptr) ChangeStats(running);
    if (!options_.budget.given) return;
    // The run keeps it.
    const RefPtr<TuningBudget> budget =
        running.state->kept.Of<TuningBudget>(running.place, [&] { return MakeBudget(); });
    running.budget = budget.get();
  }
  void ChangeStats(Running& running) const {
    running.latency |= options_.latency;
    if (!options_.renames) return;
    // The run keeps them, beside the budget.
    const uint64_t place = absl::HashOf(running.place, absl::string_view("names"));
    const auto make = [&] { return NodeNames::Of(*before_, input()); };
    running.names = running.state->kept.Of<NodeNames>(place, make).get();
  }
  RefPtr<TuningBudget> MakeBudget() const {
    const int64_t cpus = std::max<int64_t>(1, std::thread::hardware_concurrency());
    // As TensorFlow, half of the memory.
    const int64_t bytes = sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / 2;
    const Budget& given = options_.budget;
    return MakeRefCounted<TuningBudget>(given.cpus > 0 ? given.cpus : cpus,
                                        given.bytes > 0 ? given.bytes : bytes);
  }

  const Input before_;
  const Options options_;
};

// The node that has the options.
struct OptionsNode {
  std::string device;
  std::shared_ptr<const MakerNode> maker;

  explicit OptionsNode(const NodeSpec& node) : device(node.device), maker(MakerOf(node)) {}
};

// The data set rewritten; null if it has no graph, stays the same, or the new graph fails. Waits.
Input Rewritten(KernelContext& ctx, const OptionsNode& node, const GraphRewrites& rewrites,
                const DataSet& set) {
  absl::StatusOr<DataSetGraph> graph = DataSetGraph::Of(set);
  if (!graph.ok() || !Rewrite(rewrites, *graph)) return nullptr;
  absl::StatusOr<Input> made = graph->Run(ctx, node.device);
  return made.ok() ? *std::move(made) : nullptr;
}

// The elements of `input`, to which `before` was rewritten. The stages have the options.
Input WithStageOptions(KernelContext& ctx, Input input, const Input& before,
                       const Options& options) {
  if (options.kernel_threads)
    input = WithKernelThreads(std::move(input), *options.kernel_threads, ctx.pool());
  if (options.calls_at_once) input = WithCallsAtOnce(std::move(input), *options.calls_at_once);
  const Rewrites& stages = options.stages;
  const bool any = stages.shuffle_and_repeat || stages.any_order || options.budget.given ||
                   options.renames || options.latency;
  if (!any) return input;
  return MakeRefCounted<WithOptions>(std::move(input), before, options);
}

// Rewrites the data set and gives the options to its stages. May wait.
absl::StatusOr<Input> Apply(KernelContext& ctx, const OptionsNode& node, const Options& options) {
  SLUICE_ASSIGN(const Input input, DataSetInput(ctx, 0));
  Input rewritten;
  if (options.graph.any()) rewritten = Rewritten(ctx, node, options.graph, *input);
  if (!rewritten) return WithStageOptions(ctx, input, input, options);
  Input made = WithStageOptions(ctx, rewritten, input, options);
  if (made.get() == rewritten.get()) return made;
  // It reads the rewritten data set, not the one that the node reads.
  auto recipe = std::make_shared<Recipe>();
  recipe->node = node.maker;
  SLUICE_ASSIGN(recipe->inputs, KeptInputs(ctx, {0, ctx.num_inputs()}));
  recipe->inputs[0] = Tensor::Scalar<Variant>(Variant(std::move(rewritten)));
  recipe->functions = ctx.step().functions->definitions();
  const_cast<DataSet*>(made.get())->set_recipe(std::move(recipe));  // nobody else has it
  return made;
}

void StartApply(KernelContext& ctx, const OptionsNode& node, Options options, Done done) {
  const auto apply = [&ctx, &node, options] {
    absl::StatusOr<Input> made = Apply(ctx, node, options);
    if (made.ok()) SetDataSet(ctx, *std::move(made));
    return made.status();
  };
  if (!options.graph.any()) return done(apply());
  RunBlocking([apply, done = std::move(done)]() mutable { done(apply()); });
}

// The names of rewrites: those that are asked for, then, in the second version, those that are not
// wanted and those that are made by default.
struct OptimizeDataset {
  OptionsNode node;

  static absl::StatusOr<OptimizeDataset> Create(const NodeSpec& node) {
    return OptimizeDataset{OptionsNode(node)};
  }
  void Start(KernelContext& ctx, Done done) const {
    const auto named = [&](int input, absl::string_view name) {
      const auto names = ctx.input(input).flat<std::string>();
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    const auto has = [&](absl::string_view name) {
      if (named(1, name)) return true;
      return ctx.num_inputs() > 2 && named(3, name) && !named(2, name);
    };
    Options options;
    options.graph = {.noop_elimination = has("noop_elimination"),
                     .map_fusion = has("map_fusion"),
                     .filter_fusion = has("filter_fusion"),
                     .map_and_filter_fusion = has("map_and_filter_fusion"),
                     .map_parallelization = has("map_parallelization"),
                     .map_and_batch_fusion = has("map_and_batch_fusion")};
    options.stages.shuffle_and_repeat = has("shuffle_and_repeat_fusion");
    options.stages.any_order = has("make_sloppy");
    options.latency = has("latency_all_edges");
    options.renames = true;
    StartApply(ctx, node, options, std::move(done));
  }
};

struct OptionsDataset {
  OptionsNode node;
  Options options;

  static absl::StatusOr<OptionsDataset> Create(const NodeSpec& node) {
    OptionsDataset made{OptionsNode(node), {}};
    proto::DatasetOptions stated;
    if (!stated.ParseFromString(GetAttrOr<std::string>(node.attrs, "serialized_options", ""))) {
      return InvalidArgument("Could not parse ", node.op, ".serialized_options as valid Options.");
    }
    made.options.stages.any_order = stated.has_deterministic() && !stated.deterministic();
    const proto::OptimizationOptions& rewrites = stated.optimization_options();
    made.options.graph = {.noop_elimination = rewrites.noop_elimination(),
                          .map_fusion = rewrites.map_fusion(),
                          .filter_fusion = rewrites.filter_fusion(),
                          .map_and_filter_fusion = rewrites.map_and_filter_fusion(),
                          .map_parallelization = rewrites.map_parallelization(),
                          .map_and_batch_fusion = rewrites.map_and_batch_fusion()};
    const proto::ThreadingOptions& threads = stated.threading_options();
    if (threads.has_private_threadpool_size())
      made.options.calls_at_once = std::max(0, threads.private_threadpool_size());
    if (threads.has_max_intra_op_parallelism())
      made.options.kernel_threads = std::max(0, threads.max_intra_op_parallelism());
    const proto::AutotuneOptions& tuning = stated.autotune_options();
    const bool tuned = !tuning.has_enabled() || tuning.enabled();
    made.options.budget = {tuned && (tuning.cpu_budget() > 0 || tuning.ram_budget() > 0),
                           tuning.cpu_budget(), tuning.ram_budget()};
    return made;
  }
  void Start(KernelContext& ctx, Done done) const {
    StartApply(ctx, node, options, std::move(done));
  }
};

// The options of all data sets before it, as one message. A message behind another one changes the
// fields that it has.
struct GetOptions {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Input input, DataSetInput(ctx, 0));
    std::string all;
    if (input->recipe() != nullptr) {
      SLUICE_ASSIGN(const DataSetGraph graph, DataSetGraph::Of(*input));
      for (const DataSetGraph::Node& node : graph.nodes)
        all += GetAttrOr<std::string>(node.attrs, "serialized_options", "");
    }
    proto::DatasetOptions merged;
    if (!merged.ParseFromString(all) || !merged.SerializeToString(&all))
      return Internal("the options of the data set are damaged");
    ctx.SetOutput(0, Tensor::Scalar<std::string>(std::move(all)));
    return absl::OkStatus();
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
    SLUICE_ASSIGN(const Input input, DataSetInput(ctx, 0));
    SetDataSet(ctx, MakeRefCounted<WithOptions>(input, input, options));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterOptions(KernelRegistry& kernels) {
  kernels.Add<ModelDataset>("ModelDataset", kCpu, {}, kCheap);
  for (auto op : {"OptimizeDataset", "OptimizeDatasetV2"}) kernels.Add<OptimizeDataset>(op, kCpu);
  kernels.Add<OptionsDataset>("OptionsDataset", kCpu);
  kernels.Add<GetOptions>("GetOptions", kCpu);
}

}  // namespace sluice::kernels
