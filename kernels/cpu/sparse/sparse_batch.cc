// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/sparse/sparse_batch.h"

#include <algorithm>

#include "core/tensor/variant.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/axis.h"

namespace sluice::kernels {
namespace {

absl::Status CheckParts(absl::Span<const SparseTensor> parts, DType dtype) {
  if (parts.empty()) return InvalidArgument("there must be at least one sparse tensor");
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].values.dtype() != dtype) {
      return InvalidArgument("Requested SparseTensor of type ", dtype, " but SparseTensor[", i,
                             "].values.dtype() == ", parts[i].values.dtype());
    }
    if (parts[i].rank() != parts[0].rank()) {
      return InvalidArgument("Inconsistent shape across SparseTensors: rank prior to SparseTensor[",
                             i, "] was: ", parts[0].rank(), " but rank of SparseTensor[", i,
                             "] is: ", parts[i].rank());
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<SparseTensor>> Unstacked(const SparseTensor& batch) {
  if (batch.rank() < 2)
    return InvalidArgument("Rank of input SparseTensor should be > 1, but saw rank: ",
                           batch.rank());
  SLUICE_RETURN_IF_ERROR(batch.CheckOrder());
  const int rank = batch.rank() - 1;
  constexpr int64_t kMost = int64_t{1} << 24;
  if (batch.shape.dim(0) > kMost)
    return InvalidArgument("a batch of ", batch.shape.dim(0), " sparse tensors is too large");
  const Shape shape = SubShape(batch.shape, 1, batch.rank());
  std::vector<SparseTensor> parts;
  int64_t i = 0;
  for (const int64_t b : Cancellable(batch.shape.dim(0))) {
    const int64_t begin = i;
    while (i < batch.count() && batch.row(i)[0] == b) ++i;
    Tensor indices(kInt64, Shape{i - begin, rank});
    int64_t* to = indices.mutable_data<int64_t>();
    for (int64_t k = begin; k < i; ++k) to = std::copy_n(batch.row(k) + 1, rank, to);
    Tensor values(batch.values.dtype(), Shape{i - begin});
    SLUICE_RETURN_IF_ERROR(VisitWidth(values.dtype(), [&]<typename T>(Type<T>) {
      std::copy_n(batch.values.data<T>() + begin, i - begin, values.mutable_data<T>());
      return absl::OkStatus();
    }));
    parts.push_back({std::move(indices), std::move(values), shape});
  }
  return parts;
}

absl::Status SetStacked(KernelContext& ctx, int first, absl::Span<const SparseTensor> parts,
                        absl::Span<const int64_t> leading) {
  SLUICE_RETURN_IF_ERROR(CheckParts(parts, ctx.output_type(first + 1)));
  const int extra = static_cast<int>(leading.size()), rank = extra + parts[0].rank();
  Shape::Dims sizes(leading.begin(), leading.end());
  sizes.resize(rank, 0);
  int64_t count = 0;
  for (const SparseTensor& part : parts) {
    count += part.count();
    for (int d = extra; d < rank; ++d) sizes[d] = std::max(sizes[d], part.shape.dim(d - extra));
  }
  SLUICE_ASSIGN(Tensor * indices, ctx.AllocateOutput(first, Shape{count, rank}));
  int64_t* to = indices->mutable_data<int64_t>();
  Shape::Dims at(extra, 0);
  for (const SparseTensor& part : parts) {
    for (int64_t i = 0; i < part.count(); ++i) {
      to = std::copy(at.begin(), at.end(), to);
      to = std::copy_n(part.row(i), part.rank(), to);
    }
    for (int d = extra - 1; d >= 0 && ++at[d] == leading[d]; --d) at[d] = 0;
  }
  SLUICE_ASSIGN(Tensor * values, ctx.AllocateOutput(first + 1, Shape{count}));
  SLUICE_RETURN_IF_ERROR(VisitWidth(values->dtype(), [&]<typename T>(Type<T>) {
    T* value = values->mutable_data<T>();
    for (const SparseTensor& part : parts)
      value = std::copy_n(part.values.data<T>(), part.count(), value);
    return absl::OkStatus();
  }));
  return SetSizes(ctx, first + 2, sizes);
}

}  // namespace sluice::kernels
