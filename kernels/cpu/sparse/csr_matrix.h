// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_SPARSE_CSR_MATRIX_H_
#define SLUICE_KERNELS_CPU_SPARSE_CSR_MATRIX_H_

#include <string>
#include <utility>
#include <vector>

#include "core/runtime/kernel_context.h"
#include "core/tensor/variant.h"

namespace sluice::kernels {

// The dtypes that the values of a CsrMatrix can have.
using CsrTypes = Join<TypeList<float, double>, ComplexTypes>;

// A CsrMatrix is a sparse matrix, or a batch of them of one size, as the element of a variant
// tensor: the values of each row in turn, their columns, and where the rows begin.
//
// Threads:  immutable.
class CsrMatrix final : public Variant::Object {
 public:
  static constexpr absl::string_view kTypeName = "tensorflow::CSRSparseMatrix";

  // All but `values` are as TensorFlow has them:
  Tensor shape;       // int64 [2] or [3]: the batch, rows and columns
  Tensor batch_ends;  // int32 [batch + 1]: where the values of a matrix begin; the first is 0
  Tensor row_ends;    // int32 [batch * (rows + 1)]: the same for rows, in each matrix from 0
  Tensor columns;     // int32 [values]
  Tensor values;

  absl::string_view type_name() const override { return kTypeName; }
  absl::Status Encode(std::string* metadata, std::vector<Tensor>* tensors) const override;

  int rank() const { return static_cast<int>(shape.dim(0)); }
  int64_t batch() const { return rank() == 3 ? shape.data<int64_t>()[0] : 1; }
  int64_t rows() const { return shape.data<int64_t>()[rank() - 2]; }
  int64_t width() const { return shape.data<int64_t>()[rank() - 1]; }
  // The values and columns of a row are [first, last) of all.
  std::pair<int64_t, int64_t> Row(int64_t matrix, int64_t row) const {
    const int64_t begin = batch_ends.data<int32_t>()[matrix];
    const int32_t* ends = row_ends.data<int32_t>() + matrix * (rows() + 1) + row;
    return {begin + ends[0], begin + ends[1]};
  }
};

// The matrix in a scalar input; it lives as long as the input. INVALID_ARGUMENT if there is none, or
// if a received one is damaged.
absl::StatusOr<const CsrMatrix*> CsrInput(const KernelContext& ctx, int input);

// The same of a matrix whose values must have the dtype of the attribute `type`; `name` is the
// input's.
absl::StatusOr<const CsrMatrix*> CsrInput(const KernelContext& ctx, int input, const char* name,
                                          DType type);

void SetCsrOutput(KernelContext& ctx, RefPtr<CsrMatrix> made);

// INVALID_ARGUMENT if a matrix cannot have so many values: their positions have 32 bits.
absl::Status CheckCsrValues(int64_t count);

// The attributes of a product for its operand `name`, "a" or "b". INVALID_ARGUMENT if both are set.
absl::Status CheckOneTurn(const char* name, bool transpose, bool adjoint);

// From places in rising order, [n, rank] within `shape`, and their values. INVALID_ARGUMENT unless
// sizes and places fit.
absl::StatusOr<RefPtr<CsrMatrix>> CsrOf(KernelContext& ctx, const Tensor& places, Tensor values,
                                        Tensor shape);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_SPARSE_CSR_MATRIX_H_
