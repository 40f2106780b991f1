// SPDX-License-Identifier: Apache-2.0
// Data sets for several replicas: rebatch.
#include <algorithm>

#include "absl/algorithm/container.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/batches.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/tensor_rows.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

// RebatchDataset: each batch in `replicas` pieces of one size. Where that does not divide, the last
// pieces are smaller, or empty. State: the batch, where its next piece begins, and how many are left.
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
      if (left_ == 0) {
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
        left_ = replicas_;
      }
      const int64_t size = rows_ / replicas_ + (rows_ % replicas_ == 0 ? 0 : 1);
      const int64_t end = std::min(rows_, at_ + size);
      element.clear();
      for (const Tensor& part : batch_) {
        SLUICE_ASSIGN(Tensor rows, part.Rows(at_, end).Copy());
        element.push_back(std::move(rows));
      }
      at_ = end;
      --left_;
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
      SLUICE_RETURN_IF_ERROR(state.Fields("Rebatch", batch_, left_, at_, rows_));
      const bool whole = absl::c_all_of(
          batch_, [&](const Tensor& part) { return part.rank() > 0 && part.dim(0) == rows_; });
      if (whole && left_ >= 0 && (left_ == 0 || !batch_.empty()) && at_ >= 0 && at_ <= rows_)
        return absl::OkStatus();
      return InvalidArgument("the saved state is that of another batch");
    }

   private:
    const std::unique_ptr<Stage> input_;
    const int64_t replicas_;
    const Running running_;
    Element batch_;
    int64_t left_ = 0, at_ = 0, rows_ = 0;
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

// RebatchDatasetV2: the rows of all batches in batches of these sizes, again
// and again. A size of 0 gives an empty batch. State: the batch that is read,
// its next row, and the next size.
class RebatchRows final : public DataSet {
 public:
  RebatchRows(ElementSpec spec, Input input, std::vector<int64_t> sizes, bool drop_remainder)
      : DataSet(std::move(spec)),
        input_(std::move(input)),
        sizes_(std::move(sizes)),
        drop_remainder_(drop_remainder) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    return std::make_unique<Run>(*this, std::move(input), running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(const RebatchRows& set, std::unique_ptr<Stage> input, const Running& running)
        : set_(set), input_(std::move(input)), running_(running) {}
    absl::StatusOr<bool> Next(Element& element) override {
      SLUICE_RETURN_IF_ERROR(running_.Check());
      const int64_t wanted = set_.sizes_[next_size_];
      if (batch_.empty()) SLUICE_RETURN_IF_ERROR(ReadBatch());
      if (batch_.empty()) return false;
      std::vector<Element> rows;
      while (static_cast<int64_t>(rows.size()) < wanted) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        if (at_ == batch_[0].dim(0)) {
          if (!ended_) SLUICE_RETURN_IF_ERROR(ReadBatch());
          if (ended_) break;
          continue;
        }
        Element& row = rows.emplace_back();
        for (const Tensor& part : batch_) {
          SLUICE_ASSIGN(Tensor copy, CopyOfRow(part, at_));
          row.push_back(std::move(copy));
        }
        ++at_;
      }
      if (static_cast<int64_t>(rows.size()) < wanted && (rows.empty() || set_.drop_remainder_))
        return false;
      next_size_ = (next_size_ + 1) % set_.sizes_.size();
      if (!rows.empty()) {
        SLUICE_ASSIGN(element, BatchOf(std::move(rows), nullptr));
        return true;
      }
      element.clear();
      for (const Tensor& part : batch_) {
        SLUICE_ASSIGN(Tensor empty, part.Rows(0, 0).Copy());
        element.push_back(std::move(empty));
      }
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
      SLUICE_RETURN_IF_ERROR(state.Fields("RebatchRows", batch_, at_, next_size_, ended_));
      const bool fits = absl::c_all_of(batch_, [&](const Tensor& part) {
        return part.rank() > 0 && part.dim(0) == batch_[0].dim(0) && at_ <= part.dim(0);
      });
      if (fits && at_ >= 0 && next_size_ < set_.sizes_.size()) return absl::OkStatus();
      return InvalidArgument("the saved state is that of other batches");
    }

   private:
    absl::Status ReadBatch() {
      Element read;
      SLUICE_ASSIGN(const bool more, input_->Next(read));
      ended_ = !more;
      if (!more) return absl::OkStatus();
      for (const Tensor& part : read) {
        if (part.rank() == 0) {
          return InvalidArgument(
              "Cannot rebatch dataset: All components must "
              "have at least one dimension.");
        }
        if (part.dim(0) != read[0].dim(0)) {
          return InvalidArgument(
              "Cannot rebatch dataset: All components must "
              "have the same size in the first "
              "dimension.");
        }
      }
      batch_ = std::move(read);
      at_ = 0;
      return absl::OkStatus();
    }
    const RebatchRows& set_;
    const std::unique_ptr<Stage> input_;
    const Running running_;
    Element batch_;
    int64_t at_ = 0;
    size_t next_size_ = 0;
    bool ended_ = false;
  };
  const Input input_;
  const std::vector<int64_t> sizes_;
  const bool drop_remainder_;
};

struct RebatchDatasetV2 {
  ElementSpec spec;

  static absl::StatusOr<RebatchDatasetV2> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return RebatchDatasetV2{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    if (ctx.input(1).rank() > 1) {
      return InvalidArgument("`batch_sizes` must be a scalar or a vector.");
    }
    const auto given = ctx.input(1).flat<int64_t>();
    const std::vector<int64_t> sizes(given.begin(), given.end());
    if (sizes.empty() || *std::min_element(sizes.begin(), sizes.end()) < 0)
      return InvalidArgument("`batch_sizes` must have a size, and none that is negative.");
    SLUICE_ASSIGN(const bool drop_remainder, ScalarInput<bool>(ctx, 2, "drop_remainder"));
    SetDataSet(ctx, MakeRefCounted<RebatchRows>(spec, std::move(input), sizes, drop_remainder));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterRebatches(KernelRegistry& kernels) {
  for (auto op : {"RebatchDataset", "ExperimentalRebatchDataset"})
    kernels.Add<RebatchDataset>(op, kCpu);
  kernels.Add<RebatchDatasetV2>("RebatchDatasetV2", kCpu);
}

}  // namespace sluice::kernels
