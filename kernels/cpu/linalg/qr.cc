// SPDX-License-Identifier: Apache-2.0
// Qr: a = q r by Householder's reflections.
#include "kernels/cpu/linalg/cancellable_eigen.h"

#include <Eigen/QR>

#include "kernels/cpu/common/try_each.h"
#include "kernels/cpu/linalg/linalg.h"
#include "kernels/cpu/linalg/register.h"

namespace sluice::kernels {
namespace {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using MatrixIn = Eigen::Map<const Matrix<T>>;
template <typename T>
using MatrixOut = Eigen::Map<Matrix<T>>;

struct Qr {
  bool full_matrices;

  static absl::StatusOr<Qr> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(bool full_matrices, node.Get<bool>("full_matrices"));
    return Qr{full_matrices};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Matrices m, MatricesOf(ctx, 0));
    const int64_t p = full_matrices ? m.rows : std::min(m.rows, m.columns);
    SLUICE_ASSIGN(Tensor * q, AllocateBatch(ctx, 0, m, {m.rows, p}));
    SLUICE_ASSIGN(Tensor * r, AllocateBatch(ctx, 1, m, {p, m.columns}));
    const double cost =
        4 * static_cast<double>(m.size()) * static_cast<double>(std::min(m.rows, m.columns)) + 100;
    return VisitDType(LinalgTypes{}, q->dtype(), [&]<typename T>(Type<T>) {
      return TryEach(ctx.pool(), m.count, cost, [&](int64_t i) {
        MatrixOut<T> to_q(q->mutable_data<T>() + i * m.rows * p, m.rows, p);
        MatrixOut<T> to_r(r->mutable_data<T>() + i * p * m.columns, p, m.columns);
        if (m.size() == 0) {
          to_q.setIdentity();
          return absl::OkStatus();
        }
        const MatrixIn<T> a(ctx.input(0).data<T>() + i * m.size(), m.rows, m.columns);
        const Eigen::HouseholderQR<Matrix<T>> qr(a);
        Matrix<T> identity = Matrix<T>::Identity(m.rows, p);
        to_q = qr.householderQ() * identity;
        to_r = qr.matrixQR().topRows(p).template triangularView<Eigen::Upper>();
        return absl::OkStatus();
      });
    });
  }
};

}  // namespace

void RegisterQr(KernelRegistry& kernels) { kernels.Add<Qr>("Qr", kCpu, {{"T", kLinalg}}); }

}  // namespace sluice::kernels
