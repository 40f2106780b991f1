// SPDX-License-Identifier: Apache-2.0
// Sparse matrices as values: to and from dense and sparse tensors, their parts, and products with
// dense matrices.
#include <algorithm>

#include "absl/strings/str_join.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/cpu/common/conjugate.h"
#include "kernels/cpu/sparse/csr_matrix.h"
#include "kernels/cpu/sparse/register.h"

namespace sluice::kernels {
namespace {

// indices, values, dense_shape. The rows of the indices are in rising order.
struct FromSparseTensor {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &places = ctx.input(0), &values = ctx.input(1), &shape = ctx.input(2);
    if (places.rank() != 2) {
      return InvalidArgument("Input indices should be a matrix but received shape ",
                             places.shape());
    }
    if (values.rank() != 1)
      return InvalidArgument("Input values should be a vector but received shape ", values.shape());
    if (shape.rank() != 1)
      return InvalidArgument("Input shape should be a vector but received shape ", shape.shape());
    if (places.dim(0) != values.dim(0)) {
      return InvalidArgument("Number of elements in indices (", places.dim(0), ") and values (",
                             values.dim(0), ") do not match");
    }
    const int64_t rank = places.dim(1);
    if (rank != shape.dim(0)) {
      return InvalidArgument("Index rank (", rank, ") and shape rank (", shape.dim(0),
                             ") do not match");
    }
    if (rank != 2 && rank != 3)
      return InvalidArgument("SparseTensor must have rank 2 or 3; but indices has rank: ", rank);
    SLUICE_ASSIGN(RefPtr<CsrMatrix> made, CsrOf(ctx, places, values, shape));
    SetCsrOutput(ctx, std::move(made));
    return absl::OkStatus();
  }
};

// dense_input, indices: the elements at the indices.
struct FromDense {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &params = ctx.input(0), &places = ctx.input(1);
    const int rank = params.rank();
    if (rank != 2 && rank != 3) {
      return InvalidArgument("params must have rank == 2 or 3; but saw shape: ", params.shape());
    }
    if (places.rank() != 2)
      return InvalidArgument("indices must be a matrix, but saw shape: ", places.shape());
    if (places.dim(1) != rank) {
      return InvalidArgument("indices.shape[1] must be equal to the rank of params, but saw: ",
                             places.dim(1), " vs. ", rank);
    }
    SLUICE_ASSIGN(Tensor values, ctx.AllocateTemporary(params.dtype(), Shape{places.dim(0)}));
    SLUICE_RETURN_IF_ERROR(
        VisitDType(CsrTypes{}, params.dtype(), [&]<typename T>(Type<T>) -> absl::Status {
          for (const int64_t i : Cancellable(places.dim(0))) {
            const int64_t* place = places.data<int64_t>() + i * rank;
            int64_t at = 0;
            for (int d = 0; d < rank; ++d) {
              if (place[d] < 0 || place[d] >= params.dim(d)) {
                return InvalidArgument("indices[", i, "] = [",
                                       absl::StrJoin(absl::MakeSpan(place, rank), ", "),
                                       "] does not index into param shape ", params.shape());
              }
              at = at * params.dim(d) + place[d];
            }
            values.mutable_data<T>()[i] = params.data<T>()[at];
          }
          return absl::OkStatus();
        }));
    const auto sizes = params.shape().dims();
    SLUICE_ASSIGN(RefPtr<CsrMatrix> made,
                  CsrOf(ctx, places, std::move(values),
                        Tensor::Vector<int64_t>(std::vector<int64_t>(sizes.begin(), sizes.end()))));
    SetCsrOutput(ctx, std::move(made));
    return absl::OkStatus();
  }
};

struct ToDense {
  DType type;

  static absl::StatusOr<ToDense> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType type, node.Get<DType>("type"));
    return ToDense{type};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const CsrMatrix* m, CsrInput(ctx, 0));
    if (m->values.dtype() != type) {
      return InvalidArgument("Asked for a CSRSparseMatrix of type ", type,
                             " but saw dtype: ", m->values.dtype());
    }
    SLUICE_ASSIGN(const Shape shape, ShapeFrom(m->shape));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return VisitDType(CsrTypes{}, type, [&]<typename T>(Type<T>) {
      T* to = out->mutable_data<T>();
      std::fill_n(to, out->num_elements(), T{});
      for (const int64_t i : Cancellable(m->batch() * m->rows())) {
        const auto [first, last] = m->Row(i / m->rows(), i % m->rows());
        // The last of several values of one place stays, as in TensorFlow.
        for (int64_t k = first; k < last; ++k)
          to[i * m->width() + m->columns.data<int32_t>()[k]] = m->values.data<T>()[k];
      }
      return absl::OkStatus();
    });
  }
};

// -> indices, values, dense_shape.
struct ToSparseTensor {
  DType type;

  static absl::StatusOr<ToSparseTensor> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType type, node.Get<DType>("type"));
    return ToSparseTensor{type};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const CsrMatrix* m, CsrInput(ctx, 0));
    if (m->values.dtype() != type) {
      return InvalidArgument("Expected a CSRSparseMatrix of type ", type,
                             " but saw type: ", m->values.dtype());
    }
    SLUICE_ASSIGN(Tensor * places, ctx.AllocateOutput(0, Shape{m->values.dim(0), m->rank()}));
    int64_t* to = places->mutable_data<int64_t>();
    for (const int64_t i : Cancellable(m->batch() * m->rows())) {
      const auto [first, last] = m->Row(i / m->rows(), i % m->rows());
      for (int64_t k = first; k < last; ++k) {
        if (m->rank() == 3) *to++ = i / m->rows();
        *to++ = i % m->rows();
        *to++ = m->columns.data<int32_t>()[k];
      }
    }
    ctx.SetOutput(1, m->values);
    ctx.SetOutput(2, m->shape);
    return absl::OkStatus();
  }
};

// csr_sparse_matrix, index -> the row pointers, columns and values of one matrix.
struct Components {
  DType type;

  static absl::StatusOr<Components> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType type, node.Get<DType>("type"));
    return Components{type};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const CsrMatrix* m, CsrInput(ctx, 0, "input", type));
    const Tensor& index = ctx.input(1);
    if (index.rank() != 0)
      return InvalidArgument("index should be a scalar, but saw: ", index.shape());
    const int64_t b = index.scalar<int32_t>();
    if (b < 0 || b >= m->batch())
      return InvalidArgument("index (", b, ") not in [0, ", m->batch(), ")");
    const int64_t first = m->batch_ends.data<int32_t>()[b],
                  last = m->batch_ends.data<int32_t>()[b + 1];
    ctx.SetOutput(0, m->row_ends.Rows(b * (m->rows() + 1), (b + 1) * (m->rows() + 1)));
    ctx.SetOutput(1, m->columns.Rows(first, last));
    ctx.SetOutput(2, m->values.Rows(first, last));
    return absl::OkStatus();
  }
};

// The number of values: of a batch, one for each matrix.
struct CountValues {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const CsrMatrix* m, CsrInput(ctx, 0));
    const bool one = m->rank() == 2;
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, one ? Shape{} : Shape{m->batch()}));
    const int32_t* ends = m->batch_ends.data<int32_t>();
    for (int64_t b = 0; b < m->batch(); ++b)
      out->mutable_data<int32_t>()[b] = ends[b + 1] - ends[b];
    return absl::OkStatus();
  }
};

// a, a sparse matrix, times b, a dense one; each value of a adds a multiple of a row of b to a row
// of the product.
struct SparseMatMul {
  bool transpose_a, transpose_b, adjoint_a, adjoint_b, transpose_output, conjugate_output;

  static absl::StatusOr<SparseMatMul> Create(const NodeSpec& node) {
    SparseMatMul made{};
    const std::pair<const char*, bool*> flags[] = {
        {"transpose_a", &made.transpose_a},
        {"transpose_b", &made.transpose_b},
        {"adjoint_a", &made.adjoint_a},
        {"adjoint_b", &made.adjoint_b},
        {"transpose_output", &made.transpose_output},
        {"conjugate_output", &made.conjugate_output},
    };
    for (const auto& [name, flag] : flags) {
      SLUICE_ASSIGN(*flag, node.Get<bool>(name));
    }
    SLUICE_RETURN_IF_ERROR(CheckOneTurn("a", made.transpose_a, made.adjoint_a));
    SLUICE_RETURN_IF_ERROR(CheckOneTurn("b", made.transpose_b, made.adjoint_b));
    return made;
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const CsrMatrix* a, CsrInput(ctx, 0));
    const Tensor& b = ctx.input(1);
    if (a->values.dtype() != b.dtype()) {
      return InvalidArgument("Input types don't match.  a.dtype == ", a->values.dtype(),
                             " vs. b.dtype == ", b.dtype());
    }
    if (a->rank() != b.rank())
      return InvalidArgument("Ranks of a and b must match, saw: ", a->rank(), " vs. ", b.rank(),
                             ".");
    if (b.rank() == 3 && a->batch() != b.dim(0)) {
      return InvalidArgument("Batch sizes of a and b must match, saw: ", a->batch(), " vs. ",
                             b.dim(0), ".");
    }
    const bool turn_a = transpose_a || adjoint_a, turn_b = transpose_b || adjoint_b;
    const int64_t b_rows = b.dim(b.rank() - 2), b_width = b.dim(b.rank() - 1);
    const int64_t m = turn_a ? a->width() : a->rows(), inner = turn_a ? a->rows() : a->width();
    const int64_t n = turn_b ? b_rows : b_width;
    if (inner != (turn_b ? b_width : b_rows)) {
      return InvalidArgument("Inner product dimensions of A and B do not agree. Shapes are: [",
                             absl::StrJoin(a->shape.flat<int64_t>(), ","), "] vs. ", b.shape());
    }
    Shape::Dims dims;
    if (b.rank() == 3) dims.push_back(a->batch());
    dims.push_back(transpose_output ? n : m);
    dims.push_back(transpose_output ? m : n);
    SLUICE_ASSIGN(const Shape shape, Shape::Create(dims));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return VisitDType(CsrTypes{}, b.dtype(), [&]<typename T>(Type<T>) {
      T* const all = out->mutable_data<T>();
      std::fill_n(all, out->num_elements(), T{});
      // Steps from one row or column to the next.
      const int64_t b_down = turn_b ? 1 : b_width, b_right = turn_b ? b_width : 1;
      const int64_t down = transpose_output ? 1 : n, right = transpose_output ? m : 1;
      CancelPoints points(1 << 14);
      for (int64_t i = 0; i < a->batch() * a->rows(); ++i) {
        const int64_t matrix = i / a->rows(), row = i % a->rows();
        const auto [first, last] = a->Row(matrix, row);
        points.Pass(1 + (last - first) * n);
        for (int64_t k = first; k < last; ++k) {
          const int64_t column = a->columns.data<int32_t>()[k];
          T factor = a->values.data<T>()[k];
          if (adjoint_a) factor = Conjugate(factor);
          const T* from =
              b.data<T>() + matrix * b_rows * b_width + (turn_a ? row : column) * b_down;
          T* to = all + matrix * m * n + (turn_a ? column : row) * down;
          for (int64_t j = 0; j < n; ++j) {
            const T x = from[j * b_right];
            to[j * right] += factor * (adjoint_b ? Conjugate(x) : x);
          }
        }
      }
      if (conjugate_output) std::transform(all, all + out->num_elements(), all, Conjugate<T>);
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterCsrMatrices(KernelRegistry& kernels) {
  const DTypeSet types = SetOf(CsrTypes{});
  kernels.Add<FromSparseTensor>("SparseTensorToCSRSparseMatrix", kCpu, {{"T", types}});
  kernels.Add<FromDense>("DenseToCSRSparseMatrix", kCpu, {{"T", types}});
  kernels.Add<ToDense>("CSRSparseMatrixToDense", kCpu, {{"type", types}});
  kernels.Add<ToSparseTensor>("CSRSparseMatrixToSparseTensor", kCpu, {{"type", types}});
  kernels.Add<Components>("CSRSparseMatrixComponents", kCpu, {{"type", types}});
  kernels.Add<CountValues>("SparseMatrixNNZ", kCpu);
  kernels.Add<SparseMatMul>("SparseMatrixMatMul", kCpu, {{"T", types}});
}

}  // namespace sluice::kernels
