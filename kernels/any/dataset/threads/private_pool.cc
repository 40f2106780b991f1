// SPDX-License-Identifier: Apache-2.0
// Limits for the functions that data sets call: how many calls they make at
// once, and on how many threads a kernel runs. The threads are the process's.
#include "kernels/any/dataset/threads/private_pool.h"

#include <algorithm>
#include <string>
#include <thread>
#include <utility>

#include "core/op/op_def.h"
#include "core/op/producer_version.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/thread_pool.h"
#include "kernels/any/dataset/changed_run.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/call_limit.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/resource_handle.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

int64_t Cores() { return std::max<int64_t>(1, std::thread::hardware_concurrency()); }

// The limit that data sets share.
//
// Owner:    its store, and the data sets.
class ThreadPoolResource final : public Resource {
 public:
  static constexpr absl::string_view kTypeName =
      "N10tensorflow4data12experimental12_GLOBAL__N_118ThreadPoolResourceE";

  ThreadPoolResource(std::string name, int64_t threads) : name_(std::move(name)), limit_(threads) {}
  std::string ToString() const override { return "ThreadPool " + name_; }
  absl::string_view type_name() const override { return kTypeName; }
  CallLimit& limit() const { return limit_; }

 private:
  const std::string name_;
  mutable CallLimit limit_;
};

struct ThreadPoolHandle {
  NamedResource<ThreadPoolResource> kept;
  int64_t threads;

  ThreadPoolHandle(ResourcePlace place, int64_t of) : kept(std::move(place)), threads(of) {}
  static absl::StatusOr<std::unique_ptr<ThreadPoolHandle>> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const int64_t threads, node.Get<int64_t>("num_threads"));
    if (threads <= 0) return InvalidArgument("`num_threads` must be greater than zero.");
    SLUICE_ASSIGN(ResourcePlace place, ResourcePlace::Create(node));
    return std::make_unique<ThreadPoolHandle>(std::move(place), threads);
  }
  absl::Status Run(KernelContext& ctx) const {
    return kept.HandOut(ctx,
                        [&](const std::string& name) -> absl::StatusOr<RefPtr<ThreadPoolResource>> {
                          return MakeRefCounted<ThreadPoolResource>(name, threads);
                        });
  }
};

// The input's elements. Its stages call functions within the limit.
class Limited final : public ChangedRun {
 public:
  Limited(ElementSpec spec, Input input, RefPtr<ThreadPoolResource> pool)
      : ChangedRun(std::move(spec), std::move(input)), pool_(std::move(pool)) {}

 private:
  void Change(Running& running) const override { running.limit = &pool_->limit(); }

  const RefPtr<ThreadPoolResource> pool_;
};

struct ThreadPoolDataset {
  ElementSpec spec;
  static absl::StatusOr<ThreadPoolDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return ThreadPoolDataset{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(RefPtr<ThreadPoolResource> pool, ResourceOf<ThreadPoolResource>(ctx, 1));
    SetDataSet(ctx, MakeRefCounted<Limited>(spec, std::move(input), std::move(pool)));
    return absl::OkStatus();
  }
};

// A part of another queue's threads.
//
// Owner:    its data set, which outlives the calls that use it.
class FewerThreads final : public WorkQueue {
 public:
  FewerThreads(WorkQueue* all, int threads) : all_(all), threads_(threads) {}
  void Schedule(Task task) override { all_->Schedule(std::move(task)); }
  int num_threads() const override { return threads_; }
  // The calling thread is one of those that are counted.
  bool InWorker() const override { return true; }

 private:
  WorkQueue* const all_;
  const int threads_;
};

// The input's elements. The kernels of its functions run on fewer threads.
class KernelThreads final : public ChangedRun {
 public:
  KernelThreads(Input input, WorkQueue* all, int threads)
      : ChangedRun(std::move(input)), pool_(all, threads) {}

 private:
  void Change(Running& running) const override { running.pool = &pool_; }

  mutable FewerThreads pool_;
};

struct PrivateThreadPoolDataset {
  bool may_be_zero;

  static absl::StatusOr<PrivateThreadPoolDataset> Create(const NodeSpec& node) {
    return PrivateThreadPoolDataset{!IsFrom1x(node)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const int64_t threads, ScalarInput<int64_t>(ctx, 1, "num_threads"));
    if (threads < 0 && may_be_zero) return InvalidArgument("`num_threads` must be >= 0");
    if (threads < 1 && !may_be_zero) return InvalidArgument("`num_threads` must be >= 1");
    SetDataSet(ctx, WithCallsAtOnce(std::move(input), threads));
    return absl::OkStatus();
  }
};

struct MaxIntraOpParallelismDataset {
  static absl::StatusOr<MaxIntraOpParallelismDataset> Create(const NodeSpec&) {
    return MaxIntraOpParallelismDataset{};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const int64_t threads, ScalarInput<int64_t>(ctx, 1, "max_intra_op_parallelism"));
    if (threads < 0) return InvalidArgument("`max_intra_op_parallelism` must be >= 0");
    SetDataSet(ctx, WithKernelThreads(std::move(input), threads, ctx.pool()));
    return absl::OkStatus();
  }
};

}  // namespace

RefPtr<const DataSet> WithCallsAtOnce(Input input, int64_t calls) {
  ElementSpec spec = input->spec();
  auto pool = MakeRefCounted<ThreadPoolResource>("private", calls == 0 ? Cores() : calls);
  return MakeRefCounted<Limited>(std::move(spec), std::move(input), std::move(pool));
}

RefPtr<const DataSet> WithKernelThreads(Input input, int64_t threads, WorkQueue* pool) {
  if (pool == nullptr || threads == 0 || threads >= pool->num_threads()) return input;
  return MakeRefCounted<KernelThreads>(std::move(input), pool, static_cast<int>(threads));
}

void RegisterPrivatePools(KernelRegistry& kernels) {
  for (auto op : {"ThreadPoolHandle", "ExperimentalThreadPoolHandle"})
    kernels.Add<ThreadPoolHandle>(op, kCpu, {}, kCheap);
  for (auto op : {"ThreadPoolDataset", "ExperimentalThreadPoolDataset"})
    kernels.Add<ThreadPoolDataset>(op, kCpu);
  for (auto op : {"PrivateThreadPoolDataset", "ExperimentalPrivateThreadPoolDataset"})
    kernels.Add<PrivateThreadPoolDataset>(op, kCpu, {}, kCheap);
  for (auto op : {"MaxIntraOpParallelismDataset", "ExperimentalMaxIntraOpParallelismDataset"})
    kernels.Add<MaxIntraOpParallelismDataset>(op, kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
