// SPDX-License-Identifier: Apache-2.0
// Data sets for several workers and replicas: auto_shard, rebatch.
#include <algorithm>

#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/register.h"
#include "kernels/any/dataset/shards.h"
#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// RebatchDataset: each batch in `replicas` pieces. All pieces but the last ones of a short batch
// have the size that a piece of the first batch has. State: the batch, and where its next piece
// begins.
class Rebatch final : public DataSet {
 public:
  Rebatch(ElementSpec spec, Input input, int64_t replicas)
      : DataSet(std::move(spec)), input_(std::move(input)), replicas_(replicas) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    return std::make_unique<Run>(std::move(input), replicas_, running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(std::unique_ptr<Stage> input, int64_t replicas, const Running& running)
        : input_(std::move(input)), replicas_(replicas), running_(running) {}
    absl::StatusOr<bool> Next(Element& element) override {
      while (at_ >= rows_) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        SLUICE_ASSIGN(const bool more, input_->Next(batch_));
        if (!more) return false;
        at_ = rows_ = 0;
        for (const Tensor& part : batch_) {
          if (part.rank() == 0 || part.dim(0) != batch_[0].dim(0)) {
            return InvalidArgument(
                "Cannot split an element into batches of replicas: all its "
                "components must be batches of one size");
          }
        }
        if (!batch_.empty()) rows_ = batch_[0].dim(0);
        if (piece_ == 0) piece_ = (rows_ + replicas_ - 1) / replicas_;
      }
      const int64_t end = std::min(rows_, at_ + piece_);
      element.clear();
      for (const Tensor& part : batch_) {
        SLUICE_ASSIGN(Tensor rows, part.Rows(at_, end).Copy());
        element.push_back(std::move(rows));
      }
      at_ = end;
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
      return state.Fields("Rebatch", batch_, piece_, at_, rows_);
    }

   private:
    const std::unique_ptr<Stage> input_;
    const int64_t replicas_;
    const Running running_;
    Element batch_;
    int64_t piece_ = 0, at_ = 0, rows_ = 0;
  };
  const Input input_;
  const int64_t replicas_;
};

struct RebatchDataset {
  ElementSpec spec;

  static absl::StatusOr<RebatchDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return RebatchDataset{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const int64_t replicas, ScalarInput<int64_t>(ctx, 1, "num_replicas"));
    if (replicas <= 0) return InvalidArgument("num_replicas must be greater than zero.");
    SetDataSet(ctx, MakeRefCounted<Rebatch>(spec, std::move(input), replicas));
    return absl::OkStatus();
  }
};

// Every element whose number is the worker's, whatever the policy: each worker reads all files.
struct AutoShardDataset {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SLUICE_ASSIGN(const int64_t workers, ScalarInput<int64_t>(ctx, 1, "num_workers"));
    SLUICE_ASSIGN(const int64_t index, ScalarInput<int64_t>(ctx, 2, "index"));
    if (workers < 1) return InvalidArgument("num_workers must be >= 1, currently ", workers);
    if (index < 0 || index >= workers) {
      return InvalidArgument("index must be >= 0 and < ", workers, ", currently ", index);
    }
    if (workers > 1) input = MakeShard(std::move(input), workers, index, false);
    SetDataSet(ctx, std::move(input));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterDistribution(KernelRegistry& kernels) {
  for (auto op : {"AutoShardDataset", "ExperimentalAutoShardDataset"})
    kernels.Add<AutoShardDataset>(op, kCpu);
  for (auto op : {"RebatchDataset", "ExperimentalRebatchDataset"})
    kernels.Add<RebatchDataset>(op, kCpu);
}

}  // namespace sluice::kernels
