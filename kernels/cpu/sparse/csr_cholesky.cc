// SPDX-License-Identifier: Apache-2.0
// Cholesky factors of sparse matrices, and orders of elimination that keep them sparse.
#include <algorithm>
#include <cmath>
#include <set>

#include "absl/strings/str_join.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/cpu/common/conjugate.h"
#include "kernels/cpu/sparse/csr_matrix.h"
#include "kernels/cpu/sparse/register.h"

namespace sluice::kernels {
namespace {

using Numbers = std::vector<int32_t>;

absl::Status CheckSquare(const CsrMatrix& m) {
  if (m.rows() == m.width()) return absl::OkStatus();
  return InvalidArgument("sparse matrix must be square; got: ", m.rows(), " != ", m.width());
}

// An order of elimination by minimum degree, with a quotient graph (Amestoy, Davis and Duff, 1996):
// eliminated variables are elements, which list the variables that they connect. The degree of a
// variable is an upper bound of the number of its neighbours.
class MinimumDegree {
 public:
  MinimumDegree(const CsrMatrix& m, int64_t matrix)
      : size_(m.rows()),
        neighbours_(size_),
        elements_(size_),
        degree_(size_),
        outside_(size_),
        seen_(size_) {
    for (int64_t row = 0; row < size_; ++row) {
      const auto [first, last] = m.Row(matrix, row);
      for (int64_t k = first; k < last; ++k) {
        const int32_t column = m.columns.data<int32_t>()[k];
        if (column == row) continue;
        neighbours_[row].push_back(column);
        neighbours_[column].push_back(static_cast<int32_t>(row));
      }
    }
    for (int32_t i = 0; i < size_; ++i) {
      Numbers& of = neighbours_[i];
      std::sort(of.begin(), of.end());
      of.erase(std::unique(of.begin(), of.end()), of.end());
      degree_[i] = std::ssize(of);
      next_.insert({degree_[i], i});
    }
  }

  void Run(int32_t* order) {
    for (const int64_t i : Cancellable(size_)) {
      const int32_t pivot = next_.begin()->second;
      next_.erase(next_.begin());
      order[i] = pivot;
      Eliminate(pivot, size_ - i - 1);
    }
  }

 private:
  // `left`: how many variables stay.
  void Eliminate(int32_t pivot, int64_t left) {
    const Numbers around = Connected(pivot);
    ++stamp_;
    // outside_[e]: how many variables of e the new element does not have.
    for (const int32_t i : around) {
      for (const int32_t e : elements_[i]) {
        if (e == pivot) continue;
        if (seen_[e] != stamp_) {
          seen_[e] = stamp_;
          outside_[e] = std::ssize(neighbours_[e]);
        }
        --outside_[e];
      }
    }
    for (const int32_t i : around) {
      std::erase_if(elements_[i], [&](int32_t e) { return outside_[e] == 0; });
      std::erase_if(neighbours_[i], [&](int32_t j) {
        return j == pivot || std::binary_search(around.begin(), around.end(), j);
      });
      int64_t degree = std::ssize(neighbours_[i]) + std::ssize(around) - 1;
      for (const int32_t e : elements_[i]) degree += outside_[e];
      elements_[i].push_back(pivot);
      next_.erase({degree_[i], i});
      degree_[i] = std::min(degree, left - 1);
      next_.insert({degree_[i], i});
    }
    neighbours_[pivot] = around;  // of an element: its variables
  }

  // The variables next to `pivot`, in order; its elements become part of it.
  Numbers Connected(int32_t pivot) {
    Numbers around = std::move(neighbours_[pivot]);
    for (const int32_t e : elements_[pivot]) {
      for (const int32_t i : neighbours_[e]) {
        if (i == pivot) continue;
        around.push_back(i);
        std::erase(elements_[i], e);
      }
      neighbours_[e] = {};
    }
    elements_[pivot] = {};
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
    return around;
  }

  const int64_t size_;
  std::vector<Numbers> neighbours_;  // variables next to a variable, and variables of an element
  std::vector<Numbers> elements_;    // elements next to a variable
  std::vector<int64_t> degree_, outside_;
  std::vector<int64_t> seen_;  // of an element: the stamp of the pivot that counted outside_ last
  int64_t stamp_ = 0;
  std::set<std::pair<int64_t, int32_t>> next_;  // degree and number of each variable
};

struct Ordering {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const CsrMatrix* m, CsrInput(ctx, 0));
    SLUICE_RETURN_IF_ERROR(CheckSquare(*m));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, m->rank() == 3 ? Shape{m->batch(), m->rows()}
                                                                     : Shape{m->rows()}));
    for (int64_t b = 0; b < m->batch(); ++b)
      MinimumDegree(*m, b).Run(out->mutable_data<int32_t>() + b * m->rows());
    return absl::OkStatus();
  }
};

// The factor of one matrix, row by row (Davis, Direct Methods for Sparse Linear Systems, 2006).
// Reads the lower triangle of the matrix, in the order of `order`.
template <typename T>
class Factor {
 public:
  Factor(const CsrMatrix& m, int64_t matrix, const int32_t* order)
      : size_(m.rows()), permuted_(size_), parent_(size_, -1), rows_(size_) {
    Numbers place(size_);
    for (int32_t i = 0; i < size_; ++i) place[order[i]] = i;
    for (int64_t row = 0; row < size_; ++row) {
      const auto [first, last] = m.Row(matrix, row);
      for (int64_t k = first; k < last; ++k) {
        const int32_t column = m.columns.data<int32_t>()[k];
        if (column > row) continue;
        const T value = m.values.data<T>()[k];
        const int32_t i = place[row], j = place[column];
        if (i >= j)
          permuted_[i].push_back({j, value});
        else
          permuted_[j].push_back({i, Conjugate(value)});
      }
    }
  }

  // False if the matrix is not positive definite.
  bool Run() {
    std::vector<T> sums(size_, T{});
    std::vector<int64_t> seen(size_, -1);
    CancelPoints points(1 << 14);
    for (int32_t k = 0; k < size_; ++k) {
      Numbers columns;
      T diagonal{};
      for (const auto& [column, value] : permuted_[k]) {
        if (column == k) {
          diagonal += value;
          continue;
        }
        sums[column] += value;
        // The columns of this row of the factor are on the way to the root of the elimination tree.
        for (int32_t j = column; j != -1 && j < k && seen[j] != k; j = parent_[j]) {
          seen[j] = k;
          columns.push_back(j);
          if (parent_[j] == -1) parent_[j] = k;
        }
      }
      std::sort(columns.begin(), columns.end());
      rows_[k].reserve(columns.size() + 1);
      for (const int32_t j : columns) {
        const auto& above = rows_[j];
        points.Pass(std::ssize(above));
        T sum = sums[j];
        for (size_t i = 0; i + 1 < above.size(); ++i)
          sum -= sums[above[i].first] * Conjugate(above[i].second);
        sums[j] = sum / above.back().second;
        diagonal -= sums[j] * Conjugate(sums[j]);
        rows_[k].push_back({j, sums[j]});
      }
      for (const int32_t j : columns) sums[j] = T{};
      const auto pivot = std::real(diagonal);
      if (pivot <= 0) return false;  // NaN gives NaN, as in TensorFlow
      rows_[k].push_back({k, T(std::sqrt(pivot))});
    }
    return true;
  }

  using Row = std::vector<std::pair<int32_t, T>>;
  const std::vector<Row>& rows() const { return rows_; }

 private:
  const int64_t size_;
  std::vector<Row> permuted_;  // the lower triangle of the permuted matrix
  Numbers parent_;             // of the elimination tree
  std::vector<Row> rows_;
};

struct Cholesky {
  DType type;

  static absl::StatusOr<Cholesky> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DType type, node.Get<DType>("type"));
    return Cholesky{type};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const CsrMatrix* m, CsrInput(ctx, 0, "input", type));
    SLUICE_RETURN_IF_ERROR(CheckSquare(*m));
    SLUICE_RETURN_IF_ERROR(CheckOrders(*m, ctx.input(1)));
    return VisitDType(CsrTypes{}, type,
                      [&]<typename T>(Type<T>) { return FactorAll<T>(ctx, *m, ctx.input(1)); });
  }

  static absl::Status CheckOrders(const CsrMatrix& m, const Tensor& orders) {
    const Shape expected = m.rank() == 3 ? Shape{m.batch(), m.rows()} : Shape{m.rows()};
    if (orders.shape() != expected) {
      return InvalidArgument("permutation must have the shape ", expected, ", but has ",
                             orders.shape());
    }
    std::vector<int64_t> seen(m.rows(), -1);
    for (int64_t b = 0; b < m.batch(); ++b) {
      for (int64_t i = 0; i < m.rows(); ++i) {
        const int32_t at = orders.data<int32_t>()[b * m.rows() + i];
        if (at < 0 || at >= m.rows())
          return InvalidArgument("permutation has the number ", at, " outside [0, ", m.rows(), ")");
        if (seen[at] == b) return InvalidArgument("permutation has the number ", at, " twice");
        seen[at] = b;
      }
    }
    return absl::OkStatus();
  }

  template <typename T>
  static absl::Status FactorAll(KernelContext& ctx, const CsrMatrix& m, const Tensor& orders) {
    std::vector<int64_t> places;
    std::vector<T> values;
    for (int64_t b = 0; b < m.batch(); ++b) {
      Factor<T> factor(m, b, orders.data<int32_t>() + b * m.rows());
      if (!factor.Run()) {
        return InvalidArgument("Sparse Cholesky factorization failed for batch index ", b,
                               ". The input might not be valid: it must be positive definite.");
      }
      for (int64_t row = 0; row < m.rows(); ++row) {
        for (const auto& [column, value] : factor.rows()[row]) {
          if (m.rank() == 3) places.push_back(b);
          places.push_back(row);
          places.push_back(column);
          values.push_back(value);
        }
      }
      SLUICE_RETURN_IF_ERROR(CheckCsrValues(std::ssize(values)));
    }
    const int64_t count = std::ssize(values);
    SLUICE_ASSIGN(Tensor where, ctx.AllocateTemporary(kInt64, Shape{count, m.rank()}));
    SLUICE_ASSIGN(Tensor what, ctx.AllocateTemporary(m.values.dtype(), Shape{count}));
    std::copy(places.begin(), places.end(), where.mutable_data<int64_t>());
    std::copy(values.begin(), values.end(), what.mutable_data<T>());
    SLUICE_ASSIGN(RefPtr<CsrMatrix> made, CsrOf(ctx, where, std::move(what), m.shape));
    SetCsrOutput(ctx, std::move(made));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterCsrCholesky(KernelRegistry& kernels) {
  kernels.Add<Ordering>("SparseMatrixOrderingAMD", kCpu);
  kernels.Add<Cholesky>("SparseMatrixSparseCholesky", kCpu, {{"type", SetOf(CsrTypes{})}});
}

}  // namespace sluice::kernels
