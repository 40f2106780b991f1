// SPDX-License-Identifier: Apache-2.0
// Products with tridiagonal matrices, and solutions of their equations.
#include "core/threads/cancel_scope.h"
#include "kernels/cpu/common/try_each.h"
#include "kernels/cpu/linalg/linalg.h"
#include "kernels/cpu/linalg/register.h"

namespace sluice::kernels {
namespace {

constexpr int64_t kUnitsBetweenLooks = 1 << 18;  // of work, between two looks at the cancellation

// Gaussian elimination with row exchanges; a row of u then has up to three elements. Returns false
// if the matrix is singular.
template <typename T>
bool SolvePivoted(const T* super, const T* main, const T* sub, int64_t n, int64_t k, T* x,
                  std::vector<T>& u) {
  u.assign(static_cast<size_t>(3 * n), T(0));
  T *d = u.data(), *e = d + n, *f = e + n;  // the three diagonals of u
  CancelPoints points(kUnitsBetweenLooks);
  d[0] = main[0];
  if (n > 1) e[0] = super[0];
  for (int64_t i = 0; i + 1 < n; ++i) {
    points.Pass(k + 1);
    T next_d = main[i + 1], next_e = i + 2 < n ? super[i + 1] : T(0), below = sub[i + 1];
    T* row = x + i * k;
    T* next = row + k;
    if (std::abs(d[i]) < std::abs(below)) {  // exchange rows i and i + 1
      std::swap(d[i], below);
      std::swap(e[i], next_d);
      f[i] = next_e;
      next_e = T(0);
      std::swap_ranges(row, row + k, next);
    }
    if (d[i] == T(0)) return false;
    const T factor = below / d[i];
    d[i + 1] = next_d - factor * e[i];
    e[i + 1] = next_e - factor * f[i];
    for (int64_t j = 0; j < k; ++j) next[j] -= factor * row[j];
  }
  if (d[n - 1] == T(0)) return false;
  for (int64_t i = n - 1; i >= 0; --i) {
    points.Pass(k + 1);
    T* row = x + i * k;
    for (int64_t j = 0; j < k; ++j) {
      T value = row[j];
      if (i + 1 < n) value -= e[i] * row[k + j];
      if (i + 2 < n) value -= f[i] * row[2 * k + j];
      row[j] = value / d[i];
    }
  }
  return true;
}

// Thomas's algorithm, without exchanges.
template <typename T>
absl::Status SolvePlain(const T* super, const T* main, const T* sub, int64_t n, int64_t k, T* x,
                        std::vector<T>& u) {
  if (main[0] == T(0))
    return InvalidArgument("The first element of diagonal is zero, partial pivoting is required.");
  u.assign(static_cast<size_t>(n), T(0));
  T pivot = main[0];
  CancelPoints points(kUnitsBetweenLooks);
  for (int64_t j = 0; j < k; ++j) x[j] /= pivot;
  for (int64_t i = 1; i < n; ++i) {
    points.Pass(k + 1);
    u[i - 1] = super[i - 1] / pivot;
    pivot = main[i] - sub[i] * u[i - 1];
    if (pivot == T(0)) {
      return InvalidArgument(
          "The first element of a row is zero, partial pivoting is required: row ", i);
    }
    T* row = x + i * k;
    for (int64_t j = 0; j < k; ++j) row[j] = (row[j] - sub[i] * row[j - k]) / pivot;
  }
  for (int64_t i = n - 2; i >= 0; --i) {
    points.Pass(k + 1);
    T* row = x + i * k;
    for (int64_t j = 0; j < k; ++j) row[j] -= u[i] * row[k + j];
  }
  return absl::OkStatus();
}

// Diagonals [.., 3, n]: upper (its last element is not read), main, lower (its first is not read).
struct TridiagonalSolve {
  bool partial_pivoting;

  static absl::StatusOr<TridiagonalSolve> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(bool partial_pivoting, node.Get<bool>("partial_pivoting"));
    if (GetAttrOr(node.attrs, "perturb_singular", false))
      return Unimplemented("perturb_singular is for GPUs only");
    return TridiagonalSolve{partial_pivoting};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Matrices m, MatricesOf(ctx, 0));
    SLUICE_ASSIGN(const Matrices rhs, MatricesOf(ctx, 1));
    SLUICE_RETURN_IF_ERROR(CheckSameBatch(m, rhs));
    if (m.rows != 3) {
      return InvalidArgument("Expected diagonals to be provided as a matrix with 3 rows, got ",
                             m.rows, " rows.");
    }
    const int64_t n = m.columns, k = rhs.columns;
    if (rhs.rows != n)
      return InvalidArgument(
          "Expected the same number of left-hand sides and right-hand sides, got ", n, " and ",
          rhs.rows, ".");
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, ctx.input(1).shape()));
    if (out->num_elements() == 0) return absl::OkStatus();
    std::memcpy(out->raw(), ctx.input(1).raw(), out->bytes());
    return VisitDType(LinalgTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      const double cost = 10 * static_cast<double>(n) * static_cast<double>(k + 1);
      return TryEach(ctx.pool(), m.count, cost, [&](int64_t i) -> absl::Status {
        const T* super = ctx.input(0).data<T>() + i * 3 * n;
        T* x = out->mutable_data<T>() + i * n * k;
        std::vector<T> scratch;
        if (!partial_pivoting) return SolvePlain(super, super + n, super + 2 * n, n, k, x, scratch);
        if (!SolvePivoted(super, super + n, super + 2 * n, n, k, x, scratch))
          return InvalidArgument("The matrix is not invertible.");
        return absl::OkStatus();
      });
    });
  }
};

// Diagonals as rows [.., 1, n], and the right factor [.., n, k].
struct TridiagonalMatMul {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(MatricesOf(ctx, 0).status());
    SLUICE_ASSIGN(const Matrices rhs, MatricesOf(ctx, 3));
    static constexpr const char* kNames[] = {"superdiagonal", "main diagonal", "subdiagonal"};
    for (int i = 0; i < 3; ++i) {
      SLUICE_ASSIGN(const Matrices diagonal, MatricesOf(ctx, i));
      SLUICE_RETURN_IF_ERROR(CheckSameBatch(diagonal, rhs));
      if (diagonal.rows != 1 || diagonal.columns != rhs.rows)
        return InvalidArgument("Invalid ", kNames[i], " shape.");
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, ctx.input(3).shape()));
    if (out->num_elements() == 0) return absl::OkStatus();
    return VisitDType(LinalgTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      const int64_t n = rhs.rows, k = rhs.columns;
      ParallelFor(ctx.pool(), rhs.count * n, 3 * static_cast<double>(k),
                  [&](int64_t begin, int64_t end) {
                    for (int64_t row = begin; row < end; ++row) {
                      const int64_t i = row % n;
                      const T super = ctx.input(0).data<T>()[row];
                      const T main = ctx.input(1).data<T>()[row];
                      const T sub = ctx.input(2).data<T>()[row];
                      const T* x = ctx.input(3).data<T>() + row * k;
                      T* y = out->mutable_data<T>() + row * k;
                      for (int64_t j = 0; j < k; ++j) {
                        T sum = main * x[j];
                        if (i + 1 < n) sum += super * x[k + j];
                        if (i > 0) sum += sub * x[j - k];
                        y[j] = sum;
                      }
                    }
                  });
      return absl::OkStatus();
    });
  }
};

}  // namespace

void RegisterTridiagonal(KernelRegistry& kernels) {
  kernels.Add<TridiagonalSolve>("TridiagonalSolve", kCpu, {{"T", kLinalg}});
  kernels.Add<TridiagonalMatMul>("TridiagonalMatMul", kCpu, {{"T", kLinalg}});
}

}  // namespace sluice::kernels
