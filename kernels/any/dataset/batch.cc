// SPDX-License-Identifier: Apache-2.0
// Data sets whose elements are batches of the input's: batch, padded_batch, and the way back,
// unbatch.
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

// BatchDataset and PaddedBatchDataset. It has no state of its own.
class Batch final : public DataSet {
 public:
  Batch(ElementSpec spec, Input input, BatchOptions options)
      : DataSet(std::move(spec)), input_(std::move(input)), options_(std::move(options)) {}
  int64_t Cardinality() const override {
    const int64_t n = input_->Cardinality();
    if (n < 0) return n;
    return n / options_.size + (n % options_.size != 0 && !options_.drop_remainder ? 1 : 0);
  }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    return std::make_unique<Run>(std::move(input), options_, running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(std::unique_ptr<Stage> input, const BatchOptions& options, const Running& running)
        : input_(std::move(input)), options_(options), running_(running) {}
    absl::StatusOr<bool> Next(Element& element) override {
      GrowingBatch batch(options_);
      Element row;
      absl::Status first_error;
      for (int64_t i = 0; i < options_.size && !ended_; ++i) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        const absl::StatusOr<bool> more = input_->Next(row);
        if (!more.ok() && !options_.counts_errors) return more;
        first_error.Update(more.status());
        ended_ = more.ok() && !*more;
        if (more.ok() && *more) batch.Add(row);
      }
      if (!first_error.ok()) return first_error;
      const int64_t count = batch.rows();
      if (count == 0 || (options_.drop_remainder && count < options_.size)) return false;
      SLUICE_ASSIGN(element, std::move(batch).Finish());
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
      return state.Fields("Batch", ended_);
    }

   private:
    const std::unique_ptr<Stage> input_;
    const BatchOptions& options_;
    const Running running_;
    bool ended_ = false;
  };
  const Input input_;
  const BatchOptions options_;
};

// UnbatchDataset: the rows of each element. State: the element and its next row.
class Unbatch final : public Stage {
 public:
  Unbatch(std::unique_ptr<Stage> input, const Running& running)
      : input_(std::move(input)), running_(running) {}
  absl::StatusOr<bool> Next(Element& element) override {
    while (row_ >= rows_) {
      SLUICE_RETURN_IF_ERROR(running_.Check());
      SLUICE_ASSIGN(const bool more, input_->Next(batch_));
      if (!more) return false;
      row_ = rows_ = 0;
      if (batch_.empty()) continue;
      for (const Tensor& part : batch_) {
        if (part.rank() == 0) {
          return InvalidArgument("Cannot unbatch an element with scalar components.");
        }
        if (part.dim(0) != batch_[0].dim(0)) {
          return InvalidArgument(
              "Input element must have the same batch size in each component. "
              "Component 0 had size ",
              batch_[0].dim(0), " but another has ", part.dim(0), ".");
        }
      }
      rows_ = batch_[0].dim(0);
    }
    element.resize(batch_.size());
    for (size_t i = 0; i < batch_.size(); ++i)
      SLUICE_RETURN_IF_ERROR(CopyRow(batch_[i], row_, element[i]));
    ++row_;
    return true;
  }
  absl::Status SaveOrRestore(SavedState& state) override {
    SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
    SLUICE_RETURN_IF_ERROR(state.Fields("Unbatch", batch_, row_, rows_));
    const bool whole = absl::c_all_of(
        batch_, [&](const Tensor& part) { return part.rank() > 0 && part.dim(0) == rows_; });
    if (row_ >= rows_ || (row_ >= 0 && whole)) return absl::OkStatus();
    return InvalidArgument("the saved state is that of another batch");
  }

 private:
  const std::unique_ptr<Stage> input_;
  const Running running_;
  Element batch_;
  int64_t row_ = 0, rows_ = 0;
};

struct BatchDataset {
  ElementSpec spec;
  bool can_drop;

  static absl::StatusOr<BatchDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return BatchDataset{std::move(spec), node.op != "BatchDataset"};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    BatchOptions options;
    SLUICE_ASSIGN(options.size, BatchSizeInput(ctx, 1));
    if (can_drop) {
      SLUICE_ASSIGN(options.drop_remainder,
                    ScalarInput<bool>(ctx, ctx.num_inputs() - 1, "drop_remainder"));
    }
    SetDataSet(ctx, MakeBatches(spec, std::move(input), std::move(options)));
    return absl::OkStatus();
  }
};

struct PaddedBatchDataset {
  ElementSpec spec;
  NodeSpec::Range shapes, values;
  bool can_drop;

  static absl::StatusOr<PaddedBatchDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    SLUICE_ASSIGN(const NodeSpec::Range shapes, node.InputRange("padded_shapes"));
    SLUICE_ASSIGN(const NodeSpec::Range values, node.InputRange("padding_values"));
    if (static_cast<size_t>(shapes.size()) != spec.types.size()) {
      return InvalidArgument("Number of padded shapes (", shapes.size(),
                             ") must match the number of components in the input dataset's "
                             "elements (",
                             spec.types.size(), ")");
    }
    return PaddedBatchDataset{std::move(spec), shapes, values, node.op == "PaddedBatchDatasetV2"};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    BatchOptions options;
    SLUICE_ASSIGN(options.size, BatchSizeInput(ctx, 1));
    if (can_drop) {
      SLUICE_ASSIGN(options.drop_remainder,
                    ScalarInput<bool>(ctx, ctx.num_inputs() - 1, "drop_remainder"));
    }
    SLUICE_ASSIGN(const Element sizes, KeptInputs(ctx, shapes));
    options.padding.emplace();
    SLUICE_ASSIGN(options.padding->values, KeptInputs(ctx, values));
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i].rank() != 1) return InvalidArgument("All padded shapes must be vectors");
      PartialShape shape;
      SLUICE_ASSIGN(shape, PartialShape::Create(sizes[i].flat<int64_t>()));
      options.padding->shapes.push_back(std::move(shape));
      if (options.padding->values[i].rank() != 0) {
        return InvalidArgument("All padding values must be scalars");
      }
      if (options.padding->values[i].dtype() != input->spec().types[i]) {
        return InvalidArgument("Mismatched type between padding value ", i,
                               " and input dataset's component ", i, ": ",
                               options.padding->values[i].dtype(), " vs. ", input->spec().types[i]);
      }
    }
    SetDataSet(ctx, MakeBatches(spec, std::move(input), std::move(options)));
    return absl::OkStatus();
  }
};

// The rows of all elements, which can be counted if the shapes say how many an element has.
class Rows final : public DataSet {
 public:
  Rows(ElementSpec spec, Input input) : DataSet(std::move(spec)), input_(std::move(input)) {}
  int64_t Cardinality() const override {
    const int64_t n = input_->Cardinality();
    if (n < 0) return n;
    for (const PartialShape& shape : input_->spec().shapes) {
      if (shape.rank() < 1 || shape.dim(0) < 0) continue;
      int64_t rows = 0;
      return MulFits(n, shape.dim(0), &rows) ? rows : kUnknown;
    }
    return kUnknown;
  }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    return std::make_unique<Unbatch>(std::move(input), running);
  }

 private:
  const Input input_;
};

struct UnbatchDataset {
  ElementSpec spec;
  static absl::StatusOr<UnbatchDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return UnbatchDataset{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    SetDataSet(ctx, MakeRefCounted<Rows>(spec, std::move(input)));
    return absl::OkStatus();
  }
};

}  // namespace

RefPtr<const DataSet> MakeBatches(ElementSpec spec, RefPtr<const DataSet> input,
                                  BatchOptions options) {
  return MakeRefCounted<Batch>(std::move(spec), std::move(input), std::move(options));
}

absl::StatusOr<int64_t> BatchSizeInput(const KernelContext& ctx, int i) {
  SLUICE_ASSIGN(const int64_t size, ScalarInput<int64_t>(ctx, i, "batch_size"));
  if (size > 0) return size;
  return InvalidArgument("Batch size must be greater than zero.");
}

void RegisterBatches(KernelRegistry& kernels) {
  for (auto op : {"BatchDataset", "BatchDatasetV2", "ParallelBatchDataset"})
    kernels.Add<BatchDataset>(op, kCpu);
  for (auto op : {"PaddedBatchDataset", "PaddedBatchDatasetV2"})
    kernels.Add<PaddedBatchDataset>(op, kCpu);
  for (auto op : {"UnbatchDataset", "ExperimentalUnbatchDataset"})
    kernels.Add<UnbatchDataset>(op, kCpu);
}

}  // namespace sluice::kernels
