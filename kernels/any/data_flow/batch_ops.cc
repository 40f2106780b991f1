// SPDX-License-Identifier: Apache-2.0
// Batch and BatchFunction: the rows of several runs are concatenated. BatchFunction also calls a
// function on them and splits its results.
#include <algorithm>

#include "core/runtime/function_caller.h"
#include "kernels/any/data_flow/batcher.h"
#include "kernels/any/data_flow/register.h"
#include "kernels/common/resource_handle.h"

namespace sluice::kernels {
namespace {

absl::StatusOr<Batcher::Options> OptionsOf(const NodeSpec& node) {
  Batcher::Options options;
  SLUICE_ASSIGN(options.at_once, node.Get<int64_t>("num_batch_threads"));
  SLUICE_ASSIGN(options.max_rows, node.Get<int64_t>("max_batch_size"));
  SLUICE_ASSIGN(const int64_t micros, node.Get<int64_t>("batch_timeout_micros"));
  options.timeout = absl::Microseconds(micros);
  SLUICE_ASSIGN(options.max_waiting, node.Get<int64_t>("max_enqueued_batches"));
  SLUICE_ASSIGN(options.padded_sizes, node.Get<std::vector<int64_t>>("allowed_batch_sizes"));
  const std::vector<int64_t>& sizes = options.padded_sizes;
  if (options.at_once <= 0) {
    return InvalidArgument("num_batch_threads must be positive; was ", options.at_once);
  }
  if (std::adjacent_find(sizes.begin(), sizes.end(), std::greater_equal<>()) != sizes.end()) {
    return InvalidArgument("allowed_batch_sizes entries must be monotonically increasing");
  }
  options.max_task = options.max_rows;
  options.splits = GetAttrOr(node.attrs, "enable_large_batch_splitting", false);
  if (sizes.empty()) return options;
  if (options.splits ? sizes.back() > options.max_rows : sizes.back() != options.max_rows) {
    return InvalidArgument("final entry in allowed_batch_sizes must ",
                           options.splits ? "be at most" : "equal", " max_batch_size");
  }
  options.max_rows = sizes.back();
  return options;
}

absl::Status CheckRows(absl::Span<const Tensor> inputs) {
  for (const Tensor& input : inputs) {
    if (input.rank() == 0) {
      return InvalidArgument("Batching input tensors must have at least one dimension");
    }
    if (input.dim(0) != inputs[0].dim(0)) {
      return InvalidArgument("Batching input tensors supplied in a given op invocation must have ",
                             "equal 0th-dimension size");
    }
  }
  return absl::OkStatus();
}

// The common part of both ops.
struct Batching {
  Batcher::Options options;
  ResourcePlace place;
  std::string queue;

  static absl::StatusOr<Batching> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Batcher::Options options, OptionsOf(node));
    SLUICE_ASSIGN(ResourcePlace place, ResourcePlace::Create(node, /*shared_by_node_name=*/true));
    SLUICE_ASSIGN(std::string queue, node.Get<std::string>("batching_queue"));
    return Batching{std::move(options), std::move(place), std::move(queue)};
  }

  absl::StatusOr<RefPtr<Batcher>> Find(KernelContext& ctx) const {
    const std::string name = queue.empty() ? place.name : Cat(place.name, "/", queue);
    return ctx.resources().LookupOrCreate<Batcher>(place.container, name,
                                                   [&]() -> absl::StatusOr<RefPtr<Batcher>> {
                                                     return MakeRefCounted<Batcher>(name, options);
                                                   });
  }

  // The batcher's `work`, and a batch once its `batched` inputs are ready.
  template <typename Work>
  void Put(KernelContext& ctx, int batched, Work work, Done done) const {
    auto batcher = Find(ctx);
    if (!batcher.ok()) return done(batcher.status());
    auto next = [&ctx, batcher = *std::move(batcher), work = std::move(work),
                 done = std::move(done)](absl::StatusOr<std::vector<Tensor>> inputs) mutable {
      const absl::Status status = inputs.ok() ? CheckRows(*inputs) : inputs.status();
      if (!status.ok()) return done(status);
      auto whole = [batcher = batcher.get(), work = std::move(work)](Batcher::Batch batch) {
        work(RefPtr<Batcher>(batcher), std::move(batch));
      };
      batcher->Put(ctx, *std::move(inputs), std::move(whole), std::move(done));
    };
    KeepInputs(ctx, 0, batched, std::move(next));
  }
};

// in_tensors -> batched_tensors, batch_index, id. The last of the runs with rows in a batch gets
// the whole batch, and the index: (id, begin, end) of each run. The others get only their ids.
struct Batch {
  Batching batching;

  static absl::StatusOr<Batch> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Batching batching, Batching::Create(node));
    return Batch{std::move(batching)};
  }

  void Start(KernelContext& ctx, Done done) const {
    auto work = [](const RefPtr<Batcher>& batcher, const Batcher::Batch& batch) {
      std::vector<Batcher::Outputs> outputs;
      for (size_t i = 0; i < batch.size(); ++i) {
        const bool last = i + 1 == batch.size();
        outputs.push_back(last ? Everything(*batcher, batch) : Nothing(*batch[i]));
      }
      const absl::Status status = outputs.back().status();
      if (!status.ok()) std::fill(outputs.begin(), outputs.end(), status);
      batcher->Answer(batch, std::move(outputs));
    };
    batching.Put(ctx, ctx.num_inputs(), std::move(work), std::move(done));
  }

 private:
  static Batcher::Outputs Everything(const Batcher& batcher, const Batcher::Batch& batch) {
    std::vector<Tensor> outputs;
    for (size_t i = 0; i < batch[0]->inputs.size(); ++i) {
      SLUICE_ASSIGN(outputs.emplace_back(), batcher.Joined(batch, i));
    }
    std::vector<int64_t> index;
    int64_t at = 0;
    for (const auto& share : batch) {
      index.insert(index.end(), {share->id, at, at + share->rows});
      at += share->rows;
    }
    outputs.push_back(Tensor::Of<int64_t>(Shape{static_cast<int64_t>(batch.size()), 3}, index));
    outputs.push_back(Tensor::Scalar<int64_t>(batch.back()->id));
    return outputs;
  }

  static Batcher::Outputs Nothing(const Batcher::Share& share) {
    std::vector<Tensor> outputs;
    for (const Tensor& input : share.inputs) outputs.push_back(input.Rows(0, 0));
    outputs.push_back(Tensor(kInt64, Shape{0, 3}));
    outputs.push_back(Tensor::Scalar<int64_t>(share.id));
    return outputs;
  }
};

// in_tensors, captured_tensors -> out_tensors.
struct BatchFunction {
  Batching batching;
  FunctionRef function;
  int batched;

  static absl::StatusOr<BatchFunction> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Batching batching, Batching::Create(node));
    SLUICE_ASSIGN(FunctionRef function, node.Get<FunctionRef>("f"));
    SLUICE_ASSIGN(const NodeSpec::Range range, node.InputRange("in_tensors"));
    return BatchFunction{std::move(batching), std::move(function), range.size()};
  }

  void Start(KernelContext& ctx, Done done) const {
    FunctionCaller* functions = ctx.step().functions;
    if (functions == nullptr) return done(FailedPrecondition("the graph has no functions"));
    auto found = functions->Find(function, "");
    if (!found.ok()) return done(found.status());
    if (const size_t takes = (*found)->arg_types().size();
        takes != static_cast<size_t>(ctx.num_inputs())) {
      return done(InvalidArgument("Function takes ", takes, " argument(s) but ", ctx.num_inputs(),
                                  " argument(s) were passed"));
    }
    std::vector<Tensor> captured;
    for (int i = batched; i < ctx.num_inputs(); ++i) captured.push_back(ctx.input(i));
    auto work = [body = *std::move(found), captured = std::move(captured), step = ctx.step_id()](
                    const RefPtr<Batcher>& batcher, const Batcher::Batch& batch) {
      Function::Call call;
      call.step_id = step;
      for (size_t i = 0; i < batch[0]->inputs.size(); ++i) {
        auto joined = batcher->Joined(batch, i);
        if (!joined.ok()) return Fail(*batcher, batch, joined.status());
        call.args.push_back(*std::move(joined));
      }
      const int64_t rows = call.args[0].dim(0);
      call.args.insert(call.args.end(), captured.begin(), captured.end());
      body->Start(std::move(call), [batcher, batch, rows](Batcher::Outputs results) {
        auto parts = results.ok() ? Parts(batch, *results, rows) : results.status();
        if (!parts.ok()) return Fail(*batcher, batch, parts.status());
        batcher->Answer(batch, *std::move(parts));
      });
    };
    batching.Put(ctx, batched, std::move(work), std::move(done));
  }

 private:
  static void Fail(Batcher& batcher, const Batcher::Batch& batch, const absl::Status& why) {
    batcher.Answer(batch, std::vector<Batcher::Outputs>(batch.size(), why));
  }

  static absl::StatusOr<std::vector<Batcher::Outputs>> Parts(const Batcher::Batch& batch,
                                                             const std::vector<Tensor>& results,
                                                             int64_t rows) {
    int64_t of_runs = 0;
    for (const auto& share : batch) of_runs += share->rows;
    for (const Tensor& result : results) {
      if (result.rank() == 0) {
        return FailedPrecondition("Batched output tensor has 0 dimensions");
      }
      if (result.dim(0) != rows) {
        return FailedPrecondition("Batched output tensor's 0th dimension does not equal the sum ",
                                  "of the 0th dimension sizes of the input tensors. ",
                                  "0th dimension size: ", result.dim(0), "; batch size: ", of_runs,
                                  "; unbatched tasks size: 0; padding size: ", rows - of_runs);
      }
    }
    std::vector<Batcher::Outputs> parts;
    int64_t at = 0;
    for (const auto& share : batch) {
      std::vector<Tensor> outputs;
      for (const Tensor& result : results) {
        SLUICE_ASSIGN(outputs.emplace_back(), result.Rows(at, at + share->rows).Copy());
      }
      parts.push_back(std::move(outputs));
      at += share->rows;
    }
    return parts;
  }
};

}  // namespace

void RegisterBatching(KernelRegistry& kernels) {
  kernels.Add<Batch>("Batch", kCpu, {});
  kernels.Add<BatchFunction>("BatchFunction", kCpu, {});
}

}  // namespace sluice::kernels
