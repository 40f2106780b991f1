// SPDX-License-Identifier: Apache-2.0
// ThreadPoolDataset: a limit for the calls of functions that data sets make at once. Other hints on
// threads.
#include "core/op/op_def.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/call_limit.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/resource_handle.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// The limit that data sets share. The threads are the process's.
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
class Limited final : public DataSet {
 public:
  Limited(ElementSpec spec, Input input, RefPtr<ThreadPoolResource> pool)
      : DataSet(std::move(spec)), input_(std::move(input)), pool_(std::move(pool)) {}
  int64_t Cardinality() const override { return input_->Cardinality(); }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    Running limited = running;
    limited.limit = &pool_->limit();
    return input_->Begin(limited);
  }

 private:
  const Input input_;
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

// PrivateThreadPoolDataset and MaxIntraOpParallelismDataset: the input. The threads of a data set
// are the process's.
struct ThreadsHint {
  std::string name;
  int64_t least;

  static absl::StatusOr<ThreadsHint> Create(const NodeSpec& node) {
    const std::string& name = node.op_def->inputs.back().name;
    return ThreadsHint{name, name == "num_threads" ? 1 : 0};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const int64_t threads, ScalarInput<int64_t>(ctx, 1, name));
    if (threads < least) return InvalidArgument("`", name, "` must be >= ", least);
    SetDataSet(ctx, std::move(input));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterPrivatePools(KernelRegistry& kernels) {
  for (auto op : {"ThreadPoolHandle", "ExperimentalThreadPoolHandle"})
    kernels.Add<ThreadPoolHandle>(op, kCpu, {}, kCheap);
  for (auto op : {"ThreadPoolDataset", "ExperimentalThreadPoolDataset"})
    kernels.Add<ThreadPoolDataset>(op, kCpu);
  for (auto op : {"PrivateThreadPoolDataset", "ExperimentalPrivateThreadPoolDataset",
                  "MaxIntraOpParallelismDataset", "ExperimentalMaxIntraOpParallelismDataset"})
    kernels.Add<ThreadsHint>(op, kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
