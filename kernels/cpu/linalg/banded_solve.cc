// SPDX-License-Identifier: Apache-2.0
// BandedTriangularSolve: equations with a triangular matrix that is stored as its diagonals. Column
// j of each band belongs to row j of the matrix; batch dimensions broadcast.
#include <algorithm>

#include "core/threads/cancel_scope.h"
#include "kernels/cpu/common/conjugate.h"
#include "kernels/cpu/common/try_each.h"
#include "kernels/cpu/linalg/linalg.h"
#include "kernels/cpu/linalg/register.h"

namespace sluice::kernels {
namespace {

// A triangular matrix [n, n] of `count` bands [count, n].
template <typename T>
struct Bands {
  const T* data;
  int64_t count, n;
  bool lower, adjoint;

  // The element of the matrix, or of its adjoint, that is `distance` >= 0 from the diagonal in row
  // `row`.
  T at(int64_t row, int64_t distance) const {
    const int64_t band = lower ? distance : count - 1 - distance;
    if (!adjoint) return data[band * n + row];
    return Conjugate(data[band * n + (lower ? row + distance : row - distance)]);
  }
  // The matrix or its adjoint is lower triangular.
  bool forward() const { return lower != adjoint; }
};

struct BandedTriangularSolve {
  bool lower, adjoint;

  static absl::StatusOr<BandedTriangularSolve> Create(const NodeSpec& node) {
    BandedTriangularSolve made;
    SLUICE_ASSIGN(made.lower, node.Get<bool>("lower"));
    SLUICE_ASSIGN(made.adjoint, node.Get<bool>("adjoint"));
    return made;
  }

  absl::Status Run(KernelContext& ctx) const {
    for (int i = 0; i < 2; ++i) {
      const Tensor& x = ctx.input(i);
      if (x.rank() < 2) return InvalidArgument("In[", i, "] ndims must be >= 2: ", x.rank());
      if (x.num_elements() == 0) {
        return InvalidArgument("In[", i, "] must not be an empty tensor: ", x.shape());
      }
    }
    SLUICE_ASSIGN(const Matrices bands, MatricesOf(ctx, 0));
    SLUICE_ASSIGN(const Matrices rhs, MatricesOf(ctx, 1));
    if (bands.columns != rhs.rows) {
      return InvalidArgument("In[0] mismatch In[1] shape: ", bands.columns, " vs. ", rhs.rows, ": ",
                             ctx.input(0).shape(), " ", ctx.input(1).shape());
    }
    SLUICE_ASSIGN(const MatrixPairs pairs, PairMatrices(bands, rhs));
    SLUICE_ASSIGN(Tensor * out, AllocateBatch(ctx, 0, pairs.result, {rhs.rows, rhs.columns}));
    const double cost = static_cast<double>(bands.size()) * static_cast<double>(rhs.columns) + 50;
    return VisitDType(LinalgTypes{}, out->dtype(), [&]<typename T>(Type<T>) {
      return TryEach(ctx.pool(), pairs.result.count, cost, [&](int64_t i) {
        const T* data = ctx.input(0).data<T>() + pairs.left[i] * bands.size();
        T* x = out->mutable_data<T>() + i * rhs.size();
        std::copy_n(ctx.input(1).data<T>() + pairs.right[i] * rhs.size(), rhs.size(), x);
        return Solve(Bands<T>{data, bands.rows, bands.columns, lower, adjoint}, x, rhs.columns);
      });
    });
  }

 private:
  // `x` has the right sides and becomes the solution.
  template <typename T>
  static absl::Status Solve(const Bands<T>& a, T* x, int64_t columns) {
    for (int64_t row = 0; row < a.n; ++row) {
      if (a.at(row, 0) == T(0)) return InvalidArgument("Input matrix is not invertible.");
    }
    CancelPoints points(1 << 20);
    for (int64_t i = 0; i < a.n; ++i) {
      points.Pass(a.count * columns);
      const int64_t row = a.forward() ? i : a.n - 1 - i;
      T* to = x + row * columns;
      for (int64_t distance = 1; distance < std::min(a.count, i + 1); ++distance) {
        const T* solved = x + (a.forward() ? row - distance : row + distance) * columns;
        const T factor = a.at(row, distance);
        for (int64_t c = 0; c < columns; ++c) to[c] -= factor * solved[c];
      }
      for (int64_t c = 0; c < columns; ++c) to[c] /= a.at(row, 0);
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterBandedSolve(KernelRegistry& kernels) {
  kernels.Add<BandedTriangularSolve>("BandedTriangularSolve", kCpu, {{"T", kLinalg}});
}

}  // namespace sluice::kernels
