// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/sparse/csr_matrix.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "absl/strings/str_join.h"
#include "core/codec/codec.h"
#include "core/threads/cancel_scope.h"

namespace sluice::kernels {
namespace {

constexpr int64_t kMost = std::numeric_limits<int32_t>::max();

// Sizes whose positions fit into memory and into 32 bits.
absl::Status CheckSizes(const Tensor& shape) {
  const int64_t* sizes = shape.data<int64_t>();
  const auto rank = static_cast<int>(shape.dim(0));
  for (int d = 0; d < rank; ++d) {
    if (sizes[d] < 0 || sizes[d] >= kMost)
      return InvalidArgument("a sparse matrix cannot have the size ", sizes[d]);
  }
  int64_t ends = 0;
  const int64_t batch = rank == 3 ? sizes[0] : 1;
  if (!MulFits(batch, sizes[rank - 2] + 1, &ends) || ends >= kMost)
    return InvalidArgument("a sparse matrix cannot have ", ends, " rows");
  return absl::OkStatus();
}

bool IsVector(const Tensor& x, DType dtype) { return x.rank() == 1 && x.dtype() == dtype; }

// Rising numbers from 0 to `last`.
bool AreEnds(const int32_t* ends, int64_t count, int64_t last) {
  if (ends[0] != 0 || ends[count] != last) return false;
  for (int64_t i = 0; i < count; ++i) {
    if (ends[i] > ends[i + 1]) return false;
  }
  return true;
}

absl::Status Check(const CsrMatrix& m) {
  const auto damaged = [] { return InvalidArgument("malformed CSRSparseMatrix"); };
  if (!IsVector(m.shape, kInt64) || (m.shape.dim(0) != 2 && m.shape.dim(0) != 3)) return damaged();
  SLUICE_RETURN_IF_ERROR(CheckSizes(m.shape));
  const bool fits =
      IsVector(m.batch_ends, kInt32) && m.batch_ends.dim(0) == m.batch() + 1 &&
      IsVector(m.row_ends, kInt32) && m.row_ends.dim(0) == m.batch() * (m.rows() + 1) &&
      IsVector(m.columns, kInt32) && m.values.rank() == 1 && m.values.dim(0) == m.columns.dim(0);
  if (!fits) return damaged();
  const int32_t* batches = m.batch_ends.data<int32_t>();
  if (!AreEnds(batches, m.batch(), m.columns.dim(0))) return damaged();
  for (int64_t b = 0; b < m.batch(); ++b) {
    if (!AreEnds(m.row_ends.data<int32_t>() + b * (m.rows() + 1), m.rows(),
                 batches[b + 1] - batches[b]))
      return damaged();
  }
  for (const int32_t column : m.columns.flat<int32_t>()) {
    if (column < 0 || column >= m.width()) return damaged();
  }
  return absl::OkStatus();
}

// TensorFlow's format: the dtype, then shape, batch pointers, row pointers, columns, values.
absl::StatusOr<RefPtr<Variant::Object>> Decode(const OpaqueVariant& from) {
  if (from.tensors().size() != 5) return InvalidArgument("malformed CSRSparseMatrix");
  auto made = MakeRefCounted<CsrMatrix>();
  made->shape = from.tensors()[0];
  made->batch_ends = from.tensors()[1];
  made->row_ends = from.tensors()[2];
  made->columns = from.tensors()[3];
  made->values = from.tensors()[4];
  SLUICE_RETURN_IF_ERROR(Check(*made));
  return RefPtr<Variant::Object>(made);
}

}  // namespace

absl::Status CsrMatrix::Encode(std::string* metadata, std::vector<Tensor>* tensors) const {
  metadata->clear();
  *tensors = {shape, batch_ends, row_ends, columns, values};
  return absl::OkStatus();
}

absl::StatusOr<const CsrMatrix*> CsrInput(const KernelContext& ctx, int input) {
  const Tensor& handle = ctx.input(input);
  if (handle.dtype() == kVariant && handle.rank() == 0) {
    const Variant& variant = handle.scalar<Variant>();
    if (const auto* matrix = variant.get_if<CsrMatrix>()) return matrix;
    const auto* opaque = variant.get_if<OpaqueVariant>();
    if (opaque != nullptr && opaque->type_name() == CsrMatrix::kTypeName) {
      SLUICE_ASSIGN(const Variant::Object* decoded, opaque->Decoded(Decode));
      return static_cast<const CsrMatrix*>(decoded);
    }
  }
  return InvalidArgument("Could not retrieve Variant input ", input);
}

absl::StatusOr<const CsrMatrix*> CsrInput(const KernelContext& ctx, int input, const char* name,
                                          DType type) {
  SLUICE_ASSIGN(const CsrMatrix* m, CsrInput(ctx, input));
  if (m->values.dtype() != type) {
    return InvalidArgument("dtype of ", name, " is not equal to 'type': ", m->values.dtype(),
                           " vs. ", type);
  }
  return m;
}

void SetCsrOutput(KernelContext& ctx, RefPtr<CsrMatrix> made) {
  ctx.SetOutput(0, Tensor::Scalar<Variant>(Variant(std::move(made))));
}

absl::Status CheckCsrValues(int64_t count) {
  if (count < kMost) return absl::OkStatus();
  return InvalidArgument("a sparse matrix cannot have ", count, " values");
}

absl::Status CheckOneTurn(const char* name, bool transpose, bool adjoint) {
  if (!transpose || !adjoint) return absl::OkStatus();
  return InvalidArgument("Only one of adjoint_", name, " and transpose_", name, " may be true.");
}

absl::StatusOr<RefPtr<CsrMatrix>> CsrOf(KernelContext& ctx, const Tensor& places, Tensor values,
                                        Tensor shape) {
  SLUICE_RETURN_IF_ERROR(CheckSizes(shape));
  const int64_t count = places.dim(0);
  SLUICE_RETURN_IF_ERROR(CheckCsrValues(count));
  auto made = MakeRefCounted<CsrMatrix>();
  made->shape = std::move(shape);
  made->values = std::move(values);
  const int rank = made->rank();
  const int64_t batch = made->batch(), rows = made->rows(), width = made->width();
  const auto zeros = [&ctx](int64_t size) -> absl::StatusOr<Tensor> {
    SLUICE_ASSIGN(Tensor made, ctx.AllocateTemporary(kInt32, Shape{size}));
    std::fill_n(made.mutable_data<int32_t>(), size, 0);
    return made;
  };
  SLUICE_ASSIGN(made->batch_ends, zeros(batch + 1));
  SLUICE_ASSIGN(made->row_ends, zeros(batch * (rows + 1)));
  SLUICE_ASSIGN(made->columns, zeros(count));
  int32_t *batch_ends = made->batch_ends.mutable_data<int32_t>(),
          *row_ends = made->row_ends.mutable_data<int32_t>(),
          *columns = made->columns.mutable_data<int32_t>();
  for (const int64_t i : Cancellable(count)) {
    const int64_t* place = places.data<int64_t>() + i * rank;
    const int64_t b = rank == 3 ? place[0] : 0, row = place[rank - 2], column = place[rank - 1];
    if (b < 0 || b >= batch || row < 0 || row >= rows || column < 0 || column >= width) {
      return InvalidArgument("Sparse index tuple indices[", i, ", :] = [",
                             absl::StrJoin(absl::MakeSpan(place, rank), ", "),
                             "] is out of bounds");
    }
    const int64_t* before = i == 0 ? place : place - rank;
    if (std::lexicographical_compare(place, place + rank - 1, before, before + rank - 1)) {
      return InvalidArgument("the rows of indices must not fall, but indices[", i, "] does");
    }
    ++batch_ends[b + 1];
    ++row_ends[b * (rows + 1) + row + 1];
    columns[i] = static_cast<int32_t>(column);
  }
  std::partial_sum(batch_ends, batch_ends + batch + 1, batch_ends);
  for (int64_t b = 0; b < batch; ++b) {
    int32_t* const first = row_ends + b * (rows + 1);
    std::partial_sum(first, first + rows + 1, first);
  }
  return made;
}

}  // namespace sluice::kernels
