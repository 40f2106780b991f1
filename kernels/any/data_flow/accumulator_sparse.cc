// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "kernels/any/data_flow/accumulator.h"

namespace sluice::kernels {
namespace {

// The source of a sum's row: row `a` of the sum so far, row `b` of the new gradient, or both.
struct Source {
  int64_t a = -1, b = -1;
};

std::vector<Source> Merge(absl::Span<const int64_t> a, absl::Span<const int64_t> b) {
  std::vector<Source> rows;
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    Source row;
    const bool from_a = i < a.size() && (j == b.size() || a[i] <= b[j]);
    const bool from_b = j < b.size() && (i == a.size() || b[j] <= a[i]);
    if (from_a) row.a = static_cast<int64_t>(i++);
    if (from_b) row.b = static_cast<int64_t>(j++);
    rows.push_back(row);
  }
  return rows;
}

template <typename T>
void AddRows(const T* a, const T* b, int64_t n, T* sum) {
  for (int64_t i = 0; i < n; ++i) {
    sum[i] = a == nullptr ? b[i] : a[i];
    if (a != nullptr && b != nullptr) sum[i] += b[i];
  }
}

}  // namespace

absl::Status SparseAccumulator::ApplyGradient(int64_t local_step, const Rows& gradient) {
  return Apply(local_step, [&] {
    SLUICE_RETURN_IF_ERROR(Check(gradient));
    return Add(gradient);
  });
}

absl::Status SparseAccumulator::Check(const Rows& gradient) const {
  const Tensor &indices = gradient.indices, &values = gradient.values;
  if (indices.rank() != 1)
    return InvalidArgument("Input indices should be vector but received shape: ", indices.shape());
  if (values.rank() == 0) return InvalidArgument("Values cannot be 0-dimensional.");
  if (values.dim(0) != indices.dim(0)) {
    return InvalidArgument("Expected ", indices.dim(0), " non-empty input values, got ",
                           values.dim(0));
  }
  if (gradient.shape.valid()) SLUICE_RETURN_IF_ERROR(CheckShape(gradient.shape));
  const int64_t limit = options_.shape.rank() > 0 ? options_.shape.dim(0) : -1;
  for (int64_t i = 0; limit >= 0 && i < indices.dim(0); ++i) {
    const int64_t index = indices.flat<int64_t>()[i];
    if (index < limit) continue;
    return InvalidArgument("Shape mismatch: index of slice ", i,
                           " exceeded limits of shape; index is ", index, " exceeded ", limit);
  }
  return CheckValues(values.shape());
}

absl::Status SparseAccumulator::CheckShape(const Tensor& shape) const {
  const PartialShape& own = options_.shape;
  if (own.rank() > shape.num_elements()) {
    return InvalidArgument("Shape mismatch: expected shape rank at least ", own.rank(), ", got ",
                           shape.num_elements());
  }
  for (int i = 0; i < own.rank(); ++i) {
    const int64_t size = shape.flat<int64_t>()[i];
    if (own.dim(i) == -1 || own.dim(i) == size) continue;
    return InvalidArgument("Shape mismatch: expected shape dim ", i, " to be ", own.dim(i),
                           ", got ", size);
  }
  return absl::OkStatus();
}

// Checks against the existing shape, or against the declared shape.
absl::Status SparseAccumulator::CheckValues(const Shape& values) const {
  const PartialShape expected = count_ > 0 ? PartialShape(values_.shape()) : options_.shape;
  if (count_ > 0 && expected.rank() != values.rank()) {
    return InvalidArgument("Shape mismatch: expected values rank ", expected.rank(), ", got ",
                           values.rank());
  }
  if (expected.rank() > values.rank()) {
    return InvalidArgument("Shape mismatch: expected values rank at least ", expected.rank(),
                           ", got ", values.rank());
  }
  for (int i = 1; i < expected.rank(); ++i) {
    if (expected.dim(i) == -1 || expected.dim(i) == values.dim(i)) continue;
    return InvalidArgument("Shape mismatch: expected values dim ", i, " to be ", expected.dim(i),
                           ", got ", values.dim(i));
  }
  return absl::OkStatus();
}

absl::Status SparseAccumulator::Add(const Rows& gradient) {
  const auto added = gradient.indices.flat<int64_t>();
  if (count_ == 0) {
    indices_.assign(added.begin(), added.end());
    counts_.assign(added.size(), 1);
    values_ = gradient.values;
    return absl::OkStatus();
  }
  const std::vector<Source> rows = Merge(indices_, added);
  Shape shape = gradient.values.shape();
  shape.SetDim(0, static_cast<int64_t>(rows.size()));
  SLUICE_ASSIGN(Tensor sum, Tensor::Allocate(CpuAllocator(), dtype(), shape));
  const int64_t n = rows.empty() ? 0 : shape.num_elements() / shape.dim(0);
  SLUICE_RETURN_IF_ERROR(VisitDType(FloatingTypes{}, dtype(), [&]<typename T>(Type<T>) {
    for (size_t i = 0; i < rows.size(); ++i) {
      const T* a = rows[i].a < 0 ? nullptr : values_.data<T>() + rows[i].a * n;
      const T* b = rows[i].b < 0 ? nullptr : gradient.values.data<T>() + rows[i].b * n;
      AddRows(a, b, n, sum.mutable_data<T>() + static_cast<int64_t>(i) * n);
    }
    return absl::OkStatus();
  }));
  std::vector<int64_t> indices, counts;
  for (const Source& row : rows) {
    indices.push_back(row.a >= 0 ? indices_[row.a] : added[row.b]);
    counts.push_back((row.a >= 0 ? counts_[row.a] : 0) + (row.b >= 0 ? 1 : 0));
  }
  indices_ = std::move(indices);
  counts_ = std::move(counts);
  values_ = std::move(sum);
  return absl::OkStatus();
}

absl::Status SparseAccumulator::Emit(KernelContext& ctx) {
  Tensor values = std::move(values_);
  if (options_.mean && count_ > 1) {  // for a single gradient the sum is the mean
    const int64_t n = counts_.empty() ? 0 : values.num_elements() / values.dim(0);
    SLUICE_RETURN_IF_ERROR(VisitDType(FloatingTypes{}, dtype(), [&]<typename T>(Type<T>) {
      T* row = values.mutable_data<T>();
      for (const int64_t count : counts_) {
        for (int64_t i = 0; i < n; ++i) *row++ /= T(static_cast<float>(count));
      }
      return absl::OkStatus();
    }));
  }
  const auto dims = values.shape().dims();
  std::vector<int64_t> shape(dims.begin(), dims.end());
  shape[0] = options_.shape.rank() > 0 ? options_.shape.dim(0) : -1;
  ctx.SetOutput(0, Tensor::Vector<int64_t>(indices_));
  ctx.SetOutput(1, std::move(values));
  ctx.SetOutput(2, Tensor::Vector<int64_t>(shape));
  return absl::OkStatus();
}

}  // namespace sluice::kernels
