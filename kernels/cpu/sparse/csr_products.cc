// SPDX-License-Identifier: Apache-2.0
// Transposes and products of sparse matrices whose results are sparse, too.
#include <algorithm>

#include "absl/strings/str_join.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/cpu/common/conjugate.h"
#include "kernels/cpu/sparse/csr_matrix.h"
#include "kernels/cpu/sparse/register.h"

namespace sluice::kernels {
namespace {

// The places, [values, rank], of a matrix whose rows and columns change places, and for each of
// them which value of `m` it has.
absl::Status TransposedPlaces(KernelContext& ctx, const CsrMatrix& m, Tensor* places,
                              std::vector<int64_t>* from) {
  SLUICE_ASSIGN(*places, ctx.AllocateTemporary(kInt64, Shape{m.values.dim(0), m.rank()}));
  from->resize(m.values.dim(0));
  int64_t* const to = places->mutable_data<int64_t>();
  const int rank = m.rank();
  std::vector<int64_t> next;  // of each column: where its next value goes
  for (int64_t b = 0; b < m.batch(); ++b) {
    next.assign(m.width() + 1, 0);
    const int64_t first = m.batch_ends.data<int32_t>()[b],
                  last = m.batch_ends.data<int32_t>()[b + 1];
    for (int64_t k = first; k < last; ++k) ++next[m.columns.data<int32_t>()[k] + 1];
    next[0] = first;
    for (int64_t c = 0; c < m.width(); ++c) next[c + 1] += next[c];
    for (const int64_t row : Cancellable(m.rows())) {
      const auto [begin, end] = m.Row(b, row);
      for (int64_t k = begin; k < end; ++k) {
        const int64_t column = m.columns.data<int32_t>()[k];
        const int64_t at = next[column]++;
        (*from)[at] = k;
        int64_t* place = to + at * rank;
        if (rank == 3) *place++ = b;
        place[0] = column;
        place[1] = row;
      }
    }
  }
  return absl::OkStatus();
}

Tensor Sizes(const CsrMatrix& like, int64_t rows, int64_t width) {
  std::vector<int64_t> sizes{rows, width};
  if (like.rank() == 3) sizes.insert(sizes.begin(), like.batch());
  return Tensor::Vector<int64_t>(sizes);
}

absl::StatusOr<RefPtr<CsrMatrix>> Transposed(KernelContext& ctx, const CsrMatrix& m,
                                             bool conjugate) {
  Tensor places;
  std::vector<int64_t> from;
  SLUICE_RETURN_IF_ERROR(TransposedPlaces(ctx, m, &places, &from));
  SLUICE_ASSIGN(Tensor values, ctx.AllocateTemporary(m.values.dtype(), m.values.shape()));
  SLUICE_RETURN_IF_ERROR(VisitDType(CsrTypes{}, m.values.dtype(), [&]<typename T>(Type<T>) {
    const T* in = m.values.data<T>();
    T* out = values.mutable_data<T>();
    for (const int64_t i : Cancellable(std::ssize(from)))
      out[i] = conjugate ? Conjugate(in[from[i]]) : in[from[i]];
    return absl::OkStatus();
  }));
  return CsrOf(ctx, places, std::move(values), Sizes(m, m.width(), m.rows()));
}

struct SparseTranspose {
  bool conjugate;
  DType type;

  static absl::StatusOr<SparseTranspose> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool conjugate, node.Get<bool>("conjugate"));
    SLUICE_ASSIGN(const DType type, node.Get<DType>("type"));
    return SparseTranspose{conjugate, type};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const CsrMatrix* m, CsrInput(ctx, 0, "input", type));
    SLUICE_ASSIGN(RefPtr<CsrMatrix> made, Transposed(ctx, *m, conjugate));
    SetCsrOutput(ctx, std::move(made));
    return absl::OkStatus();
  }
};

// Conj of a variant. TensorFlow has it for no other objects.
struct ConjugateMatrix {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const CsrMatrix* m, CsrInput(ctx, 0));
    auto made = MakeRefCounted<CsrMatrix>();
    made->shape = m->shape;
    made->batch_ends = m->batch_ends;
    made->row_ends = m->row_ends;
    made->columns = m->columns;
    SLUICE_ASSIGN(made->values, ctx.AllocateTemporary(m->values.dtype(), m->values.shape()));
    SLUICE_RETURN_IF_ERROR(VisitDType(CsrTypes{}, m->values.dtype(), [&]<typename T>(Type<T>) {
      const auto from = m->values.flat<T>();
      std::transform(from.begin(), from.end(), made->values.template mutable_data<T>(),
                     Conjugate<T>);
      return absl::OkStatus();
    }));
    SetCsrOutput(ctx, std::move(made));
    return absl::OkStatus();
  }
};

// a times b, row by row (Gustavson, 1978). A sum that is 0 stays a value of the product.
struct SparseSparseMatMul {
  DType type;
  bool turn_a, turn_b, adjoint_a, adjoint_b;

  static absl::StatusOr<SparseSparseMatMul> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType type, node.Get<DType>("type"));
    SLUICE_ASSIGN(const bool transpose_a, node.Get<bool>("transpose_a"));
    SLUICE_ASSIGN(const bool transpose_b, node.Get<bool>("transpose_b"));
    SLUICE_ASSIGN(const bool adjoint_a, node.Get<bool>("adjoint_a"));
    SLUICE_ASSIGN(const bool adjoint_b, node.Get<bool>("adjoint_b"));
    SLUICE_RETURN_IF_ERROR(CheckOneTurn("a", transpose_a, adjoint_a));
    SLUICE_RETURN_IF_ERROR(CheckOneTurn("b", transpose_b, adjoint_b));
    return SparseSparseMatMul{type, adjoint_a || transpose_a, adjoint_b || transpose_b, adjoint_a,
                              adjoint_b};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const CsrMatrix* a, CsrInput(ctx, 0, "a", type));
    SLUICE_ASSIGN(const CsrMatrix* b, CsrInput(ctx, 1, "b", type));
    const int64_t inner_a = turn_a ? a->rows() : a->width(),
                  inner_b = turn_b ? b->width() : b->rows();
    if (inner_a != inner_b) {
      return InvalidArgument("Inner product dimensions of A and B do not agree.  Shapes are: [",
                             absl::StrJoin(a->shape.flat<int64_t>(), ","), "] vs. [",
                             absl::StrJoin(b->shape.flat<int64_t>(), ","), "]");
    }
    if (a->rank() != b->rank() || a->batch() != b->batch()) {
      return InvalidArgument("Ranks and batch sizes of a and b must match, but the shapes are [",
                             absl::StrJoin(a->shape.flat<int64_t>(), ","), "] and [",
                             absl::StrJoin(b->shape.flat<int64_t>(), ","), "]");
    }
    RefPtr<CsrMatrix> turned_a, turned_b;
    if (turn_a) {
      SLUICE_ASSIGN(turned_a, Transposed(ctx, *a, adjoint_a));
      a = turned_a.get();
    }
    if (turn_b) {
      SLUICE_ASSIGN(turned_b, Transposed(ctx, *b, adjoint_b));
      b = turned_b.get();
    }
    return VisitDType(CsrTypes{}, type,
                      [&]<typename T>(Type<T>) { return Multiply<T>(ctx, *a, *b); });
  }

  template <typename T>
  static absl::Status Multiply(KernelContext& ctx, const CsrMatrix& a, const CsrMatrix& b) {
    SLUICE_ASSIGN(const int64_t count, CountProducts(a, b));
    SLUICE_ASSIGN(Tensor places, ctx.AllocateTemporary(kInt64, Shape{count, a.rank()}));
    SLUICE_ASSIGN(Tensor values, ctx.AllocateTemporary(a.values.dtype(), Shape{count}));
    int64_t* place = places.mutable_data<int64_t>();
    T* value = values.mutable_data<T>();
    std::vector<T> sums(b.width());
    CancelPoints points(1 << 14);
    EachRow(a, b, [&](int64_t matrix, int64_t row, const std::vector<int64_t>& columns) {
      for (const int64_t column : columns) sums[column] = T{};
      const auto [first, last] = a.Row(matrix, row);
      for (int64_t k = first; k < last; ++k) {
        const T factor = a.values.data<T>()[k];
        const auto [begin, end] = b.Row(matrix, a.columns.data<int32_t>()[k]);
        points.Pass(1 + end - begin);
        for (int64_t i = begin; i < end; ++i)
          sums[b.columns.data<int32_t>()[i]] += factor * b.values.data<T>()[i];
      }
      for (const int64_t column : columns) {
        if (a.rank() == 3) *place++ = matrix;
        *place++ = row;
        *place++ = column;
        *value++ = sums[column];
      }
    });
    SLUICE_ASSIGN(RefPtr<CsrMatrix> made,
                  CsrOf(ctx, places, std::move(values), Sizes(a, a.rows(), b.width())));
    SetCsrOutput(ctx, std::move(made));
    return absl::OkStatus();
  }

  static absl::StatusOr<int64_t> CountProducts(const CsrMatrix& a, const CsrMatrix& b) {
    int64_t count = 0;
    EachRow(a, b, [&count](int64_t, int64_t, const std::vector<int64_t>& columns) {
      count += std::ssize(columns);
    });
    SLUICE_RETURN_IF_ERROR(CheckCsrValues(count));
    return count;
  }

  // Calls visit(matrix, row, columns) with the columns of each row of the product, which rise.
  template <typename Visit>
  static void EachRow(const CsrMatrix& a, const CsrMatrix& b, const Visit& visit) {
    std::vector<int64_t> columns, seen(b.width(), -1);
    for (const int64_t i : Cancellable(a.batch() * a.rows())) {
      const int64_t matrix = i / a.rows(), row = i % a.rows();
      columns.clear();
      const auto [first, last] = a.Row(matrix, row);
      for (int64_t k = first; k < last; ++k) {
        const auto [begin, end] = b.Row(matrix, a.columns.data<int32_t>()[k]);
        for (int64_t j = begin; j < end; ++j) {
          const int64_t column = b.columns.data<int32_t>()[j];
          if (seen[column] == i) continue;
          seen[column] = i;
          columns.push_back(column);
        }
      }
      std::sort(columns.begin(), columns.end());
      visit(matrix, row, columns);
    }
  }
};

}  // namespace

void RegisterCsrProducts(KernelRegistry& kernels) {
  const DTypeSet types = SetOf(CsrTypes{});
  kernels.Add<SparseTranspose>("SparseMatrixTranspose", kCpu, {{"type", types}});
  kernels.Add<ConjugateMatrix>("Conj", kCpu, {{"T", kVariant}});
  kernels.Add<SparseSparseMatMul>("SparseMatrixSparseMatMul", kCpu, {{"type", types}});
}

}  // namespace sluice::kernels
