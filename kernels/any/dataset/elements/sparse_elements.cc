// SPDX-License-Identifier: Apache-2.0
// Data sets of sparse tensors: the rows of one, and batches of dense elements as one.
#include <algorithm>

#include "core/runtime/kernel_registry.h"
#include "kernels/any/dataset/batches.h"
#include "kernels/any/dataset/register.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/tensor_variant.h"

namespace sluice::kernels {
namespace {

using Input = RefPtr<const DataSet>;

struct Sparse {
  Tensor indices, values, shape;
};

absl::Status Copy(const Tensor& from, int64_t begin, int64_t count, Tensor& to, int64_t at) {
  return VisitWidth(from.dtype(), [&]<typename T>(Type<T>) {
    std::copy_n(from.data<T>() + begin, count, to.mutable_data<T>() + at);
    return absl::OkStatus();
  });
}

// SparseTensorSliceDataset: indices, values and shape of each row. State: the row, and its first
// value.
class RowsOfSparse final : public DataSet {
 public:
  RowsOfSparse(ElementSpec spec, Sparse all)
      : DataSet(std::move(spec)),
        all_(std::move(all)),
        rank_(all_.indices.dim(1)),
        rows_(all_.shape.flat<int64_t>()[0]) {}
  int64_t Cardinality() const override { return rows_; }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running&) const override {
    return std::make_unique<Run>(*this);
  }

 private:
  class Run final : public Stage {
   public:
    explicit Run(const RowsOfSparse& set) : set_(set) {}
    absl::StatusOr<bool> Next(Element& element) override {
      if (row_ >= set_.rows_) return false;
      const auto indices = set_.all_.indices.flat<int64_t>();
      const auto count = set_.all_.values.num_elements();
      const int64_t begin = value_, columns = set_.rank_ - 1;
      const auto at = [&](int64_t value) { return indices.data() + value * set_.rank_; };
      while (value_ < count && *at(value_) == row_) ++value_;
      ++row_;
      Tensor of(kInt64, Shape{value_ - begin, columns});
      int64_t* to = of.mutable_data<int64_t>();
      for (int64_t i = begin; i < value_; ++i) to = std::copy_n(at(i) + 1, columns, to);
      const Tensor& from = set_.all_.values;
      SLUICE_ASSIGN(Tensor values,
                    Tensor::Allocate(CpuAllocator(), from.dtype(), Shape{value_ - begin}));
      SLUICE_RETURN_IF_ERROR(Copy(from, begin, value_ - begin, values, 0));
      element.clear();
      element.push_back(std::move(of));
      element.push_back(std::move(values));
      element.push_back(Tensor::Vector<int64_t>(set_.all_.shape.flat<int64_t>().subspan(1)));
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(state.Fields("SparseTensorSlice", row_, value_));
      if (row_ >= 0 && value_ >= 0) return absl::OkStatus();
      return InvalidArgument("the saved state names row ", row_, " and value ", value_);
    }

   private:
    const RowsOfSparse& set_;
    int64_t row_ = 0, value_ = 0;
  };
  const Sparse all_;
  const int64_t rank_, rows_;
};

struct SparseTensorSliceDataset {
  static absl::Status Check(const Sparse& all) {
    const Shape& indices = all.indices.shape();
    if (indices.rank() != 2) {
      return InvalidArgument("Input indices should be a matrix but received shape ", indices);
    }
    if (all.values.rank() != 1) {
      return InvalidArgument("Input values should be a vector but received shape ",
                             all.values.shape());
    }
    if (all.shape.rank() != 1) {
      return InvalidArgument("Input shape should be a vector but received shape ",
                             all.shape.shape());
    }
    if (all.values.dim(0) != indices.dim(0)) {
      return InvalidArgument("Number of values must match first dimension of indices. Got ",
                             all.values.dim(0), " values, indices shape: ", indices);
    }
    if (all.shape.dim(0) != indices.dim(1)) {
      return InvalidArgument("Number of dimensions must match second dimension of indices. Got ",
                             all.shape.dim(0), " dimensions, indices shape: ", indices);
    }
    if (all.shape.dim(0) == 0) {
      return InvalidArgument("The shape argument requires at least one element.");
    }
    Shape::Dims dims;
    for (const int64_t size : all.shape.flat<int64_t>()) dims.push_back(size);
    SLUICE_RETURN_IF_ERROR(Shape::Create(dims).status());
    int64_t previous = 0;
    const auto numbers = all.indices.flat<int64_t>();
    for (size_t i = 0; i < numbers.size(); i += static_cast<size_t>(indices.dim(1))) {
      if (numbers[i] < previous) {
        return Unimplemented(
            "The SparseTensor must be ordered in the batch dimension; handling arbitrarily "
            "ordered input is not currently supported.");
      }
      previous = numbers[i];
    }
    return absl::OkStatus();
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Element parts, KeptInputs(ctx, {0, 3}));
    Sparse all{std::move(parts[0]), std::move(parts[1]), std::move(parts[2])};
    SLUICE_RETURN_IF_ERROR(Check(all));
    const int64_t rank = all.shape.dim(0), any = -1;
    ElementSpec spec{{kInt64, all.values.dtype(), kInt64}, {}};
    SLUICE_ASSIGN(PartialShape indices, PartialShape::Create({any, rank - 1}));
    SLUICE_ASSIGN(PartialShape values, PartialShape::Create({any}));
    spec.shapes = {std::move(indices), std::move(values), PartialShape(Shape{rank - 1})};
    SetDataSet(ctx, MakeRefCounted<RowsOfSparse>(std::move(spec), std::move(all)));
    return absl::OkStatus();
  }
};

// DenseToSparseBatchDataset: a batch of dense elements as one sparse tensor, in a vector of three
// variants. An unknown size of a row becomes the largest in the batch. It has no state of its own.
class SparseBatches final : public DataSet {
 public:
  SparseBatches(ElementSpec spec, Input input, int64_t size, PartialShape row)
      : DataSet(std::move(spec)), input_(std::move(input)), size_(size), row_(std::move(row)) {}
  int64_t Cardinality() const override {
    const int64_t n = input_->Cardinality();
    return n < 0 ? n : n / size_ + (n % size_ == 0 ? 0 : 1);
  }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    return std::make_unique<Run>(*this, std::move(input), running);
  }

 private:
  class Run final : public Stage {
   public:
    Run(const SparseBatches& set, std::unique_ptr<Stage> input, const Running& running)
        : set_(set), input_(std::move(input)), running_(running) {}
    absl::StatusOr<bool> Next(Element& element) override {
      std::vector<Tensor> rows;
      const PartialShape& wanted = set_.row_;
      std::vector<int64_t> shape(static_cast<size_t>(wanted.rank()) + 1);
      for (int d = 0; d < wanted.rank(); ++d)
        shape[static_cast<size_t>(d) + 1] = std::max<int64_t>(0, wanted.dim(d));
      while (static_cast<int64_t>(rows.size()) < set_.size_) {
        SLUICE_RETURN_IF_ERROR(running_.Check());
        Element row;
        SLUICE_ASSIGN(const bool more, input_->Next(row));
        if (!more) break;
        SLUICE_RETURN_IF_ERROR(Fit(row[0].shape(), shape));
        rows.push_back(std::move(row[0]));
      }
      if (rows.empty()) return false;
      shape[0] = static_cast<int64_t>(rows.size());
      SLUICE_ASSIGN(const Sparse batch, Join(rows, shape));
      Tensor parts(kVariant, Shape{3});
      const Tensor* const from[] = {&batch.indices, &batch.values, &batch.shape};
      for (size_t part = 0; part < 3; ++part) {
        SLUICE_ASSIGN(parts.mutable_data<Variant>()[part], VariantOf(*from[part]));
      }
      element.clear();
      element.push_back(std::move(parts));
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      SLUICE_RETURN_IF_ERROR(input_->SaveOrRestore(state));
      return state.Fields("DenseToSparseBatch");
    }

   private:
    // The sizes in `shape` that the row shape leaves open grow to those of the row.
    absl::Status Fit(const Shape& row, std::vector<int64_t>& shape) const {
      const PartialShape& wanted = set_.row_;
      if (row.rank() != wanted.rank()) {
        return InvalidArgument("Input element had shape (", row,
                               ") that is incompatible with the row shape (", wanted, ").");
      }
      for (int d = 0; d < row.rank(); ++d) {
        int64_t& size = shape[static_cast<size_t>(d) + 1];
        if (wanted.dim(d) < 0) {
          size = std::max(size, row.dim(d));
        } else if (row.dim(d) > wanted.dim(d)) {
          return DataLoss("Input element had shape (", row, ") that is larger than the row shape (",
                          wanted, ").");
        }
      }
      return absl::OkStatus();
    }
    static absl::StatusOr<Sparse> Join(const std::vector<Tensor>& rows,
                                       const std::vector<int64_t>& shape) {
      int64_t total = 0;
      for (const Tensor& row : rows) total += row.num_elements();
      const auto rank = static_cast<int64_t>(shape.size());
      SLUICE_ASSIGN(const Shape of_indices, Shape::Create({total, rank}));
      Sparse made;
      SLUICE_ASSIGN(made.indices, Tensor::Allocate(CpuAllocator(), kInt64, of_indices));
      SLUICE_ASSIGN(made.values, Tensor::Allocate(CpuAllocator(), rows[0].dtype(), Shape{total}));
      made.shape = Tensor::Vector<int64_t>(shape);
      int64_t* index = made.indices.mutable_data<int64_t>();
      int64_t next = 0;
      for (size_t r = 0; r < rows.size(); ++r) {
        const Tensor& row = rows[r];
        SLUICE_RETURN_IF_ERROR(Copy(row, 0, row.num_elements(), made.values, next));
        next += row.num_elements();
        std::vector<int64_t> at(static_cast<size_t>(row.rank()));
        for (int64_t i = 0; i < row.num_elements(); ++i) {
          *index++ = static_cast<int64_t>(r);
          index = std::copy(at.begin(), at.end(), index);
          for (int d = row.rank() - 1; d >= 0; --d) {
            int64_t& digit = at[static_cast<size_t>(d)];
            if (++digit < row.dim(d)) break;
            digit = 0;
          }
        }
      }
      return made;
    }

    const SparseBatches& set_;
    const std::unique_ptr<Stage> input_;
    const Running running_;
  };
  const Input input_;
  const int64_t size_;
  const PartialShape row_;
};

struct DenseToSparseBatchDataset {
  ElementSpec spec;
  static absl::StatusOr<DenseToSparseBatchDataset> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return DenseToSparseBatchDataset{std::move(spec)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(Input input, DataSetInput(ctx, 0));
    if (input->spec().types.size() != 1) {
      return InvalidArgument(
          "DenseToSparseBatchDataset only supports inputs with a single component.");
    }
    SLUICE_ASSIGN(const int64_t size, BatchSizeInput(ctx, 1));
    if (ctx.input(2).rank() != 1) return InvalidArgument("row_shape must be a vector");
    SLUICE_ASSIGN(PartialShape row, PartialShape::Create(ctx.input(2).flat<int64_t>()));
    SetDataSet(ctx, MakeRefCounted<SparseBatches>(ElementSpec{{kVariant}, {PartialShape(Shape{3})}},
                                                  std::move(input), size, std::move(row)));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSparseElements(KernelRegistry& kernels) {
  kernels.Add<SparseTensorSliceDataset>("SparseTensorSliceDataset", kCpu);
  for (auto op : {"DenseToSparseBatchDataset", "ExperimentalDenseToSparseBatchDataset"})
    kernels.Add<DenseToSparseBatchDataset>(op, kCpu);
}

}  // namespace sluice::kernels
