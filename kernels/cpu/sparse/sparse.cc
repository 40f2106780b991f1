// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/sparse/sparse.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_join.h"
#include "core/tensor/variant.h"
#include "core/threads/cancel_scope.h"

namespace sluice::kernels {

absl::StatusOr<SparseTensor> SparseTensor::Of(const Tensor& indices, const Tensor& values,
                                              const Tensor& shape) {
  if (indices.rank() != 2)
    return InvalidArgument("Input indices should be a matrix but received shape ", indices.shape());
  if (values.rank() != 1)
    return InvalidArgument("Input values should be a vector but received shape ", values.shape());
  if (shape.rank() != 1)
    return InvalidArgument("Input shape should be a vector but received shape ", shape.shape());
  if (indices.dim(0) != values.dim(0)) {
    return InvalidArgument("indices and values rows (indexing dimension) must match. (indices = ",
                           indices.dim(0), ", values = ", values.dim(0), ")");
  }
  if (indices.dim(1) != shape.dim(0)) {
    return InvalidArgument("Order length must be SparseTensor rank. Index rank (", indices.dim(1),
                           ") and shape rank (", shape.dim(0), ") do not match.");
  }
  SLUICE_ASSIGN(Shape dims, ShapeFrom(shape));
  return SparseTensor{indices, values, std::move(dims)};
}

absl::Status SparseTensor::CheckBounds() const {
  for (const int64_t i : Cancellable(count())) {
    for (int d = 0; d < rank(); ++d) {
      if (row(i)[d] < 0 || row(i)[d] >= shape.dim(d)) {
        return InvalidArgument(
            "indices[", i, "] = [", absl::StrJoin(absl::MakeSpan(row(i), rank()), ","),
            "] is out of bounds: need 0 <= index < [", absl::StrJoin(shape.dims(), ","), "]");
      }
    }
  }
  return absl::OkStatus();
}

absl::Status SparseTensor::CheckOrder() const {
  SLUICE_RETURN_IF_ERROR(CheckBounds());
  for (int64_t i = 1; i < count(); ++i) {
    const int order = CompareRows(row(i - 1), row(i), rank());
    if (order < 0) continue;
    return InvalidArgument("indices[", i, "] = [",
                           absl::StrJoin(absl::MakeSpan(row(i), rank()), ","), "] is ",
                           order == 0 ? "repeated" : kOutOfOrder);
  }
  return absl::OkStatus();
}

int64_t SparseTensor::Flat(int64_t i) const {
  int64_t at = 0;
  for (int d = 0; d < rank(); ++d) at = at * shape.dim(d) + row(i)[d];
  return at;
}

int CompareRows(const int64_t* a, const int64_t* b, int rank) {
  for (int d = 0; d < rank; ++d) {
    if (a[d] != b[d]) return a[d] < b[d] ? -1 : 1;
  }
  return 0;
}

std::vector<int64_t> SortedRows(const int64_t* rows, int64_t count, int rank) {
  std::vector<int64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  CancelPoints points(1 << 16);
  const auto before = [&](int64_t i, int64_t j) {
    points.Pass();
    return CompareRows(rows + i * rank, rows + j * rank, rank) < 0;
  };
  if (!std::is_sorted(order.begin(), order.end(), before))
    std::stable_sort(order.begin(), order.end(), before);
  return order;
}

absl::Status SetRows(KernelContext& ctx, int output, absl::Span<const int64_t> rows, int rank) {
  const int64_t count = rank == 0 ? 0 : static_cast<int64_t>(rows.size()) / rank;
  SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(output, Shape{count, rank}));
  std::copy(rows.begin(), rows.end(), out->mutable_data<int64_t>());
  return absl::OkStatus();
}

absl::Status SetPicked(KernelContext& ctx, int output, const Tensor& values,
                       absl::Span<const int64_t> picks) {
  SLUICE_ASSIGN(Tensor * out,
                ctx.AllocateOutput(output, Shape{static_cast<int64_t>(picks.size())}));
  return VisitWidth(values.dtype(), [&]<typename T>(Type<T>) {
    T* to = out->mutable_data<T>();
    for (int64_t pick : picks) *to++ = values.data<T>()[pick];
    return absl::OkStatus();
  });
}

absl::Status SetSizes(KernelContext& ctx, int output, absl::Span<const int64_t> sizes) {
  SLUICE_ASSIGN(Tensor * out,
                ctx.AllocateOutput(output, Shape{static_cast<int64_t>(sizes.size())}));
  std::copy(sizes.begin(), sizes.end(), out->mutable_data<int64_t>());
  return absl::OkStatus();
}

}  // namespace sluice::kernels
