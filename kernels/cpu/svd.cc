// Svd: a = u diag(s) v^H, singular values falling.
#include <Eigen/SVD>

#include "kernels/cpu/linalg.h"
#include "kernels/register.h"

namespace sluice::kernels {
namespace {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using MatrixIn = Eigen::Map<const Matrix<T>>;
template <typename T>
using MatrixOut = Eigen::Map<Matrix<T>>;

// The outputs of one matrix. Null u: singular values alone.
template <typename T>
struct Place {
  T *s, *u, *v;
};

template <typename T>
void Decompose(const MatrixIn<T>& a, bool full, const Place<T>& to) {
  const int64_t p = std::min(a.rows(), a.cols());
  const int64_t u_columns = full ? a.rows() : p, v_columns = full ? a.cols() : p;
  if (!a.allFinite()) {
    const T nan(std::numeric_limits<double>::quiet_NaN());
    std::fill_n(to.s, p, nan);
    if (to.u == nullptr) return;
    std::fill_n(to.u, a.rows() * u_columns, nan);
    std::fill_n(to.v, a.cols() * v_columns, nan);
    return;
  }
  unsigned options = 0;
  if (to.u != nullptr)
    options = full ? Eigen::ComputeFullU | Eigen::ComputeFullV
                   : Eigen::ComputeThinU | Eigen::ComputeThinV;
  const Eigen::BDCSVD<Matrix<T>> svd(a, options);
  for (int64_t k = 0; k < p; ++k) to.s[k] = T(svd.singularValues()[k]);
  if (to.u == nullptr) return;
  MatrixOut<T>(to.u, a.rows(), u_columns) = svd.matrixU();
  MatrixOut<T>(to.v, a.cols(), v_columns) = svd.matrixV();
}

struct Svd {
  bool compute_uv, full_matrices;

  static absl::StatusOr<Svd> Create(const NodeSpec& node) {
    Svd made;
    SLUICE_ASSIGN(made.compute_uv, node.Get<bool>("compute_uv"));
    SLUICE_ASSIGN(made.full_matrices, node.Get<bool>("full_matrices"));
    return made;
  }

  absl::StatusOr<Tensor*> AllocateVectors(KernelContext& ctx, int output, const Matrices& m,
                                          int64_t rows) const {
    const int64_t p = std::min(m.rows, m.columns);
    if (!compute_uv) return AllocateBatch(ctx, output, m, {0});
    return AllocateBatch(ctx, output, m, {rows, full_matrices ? rows : p});
  }

  // Of no values at all: whole u and v are identities.
  template <typename T>
  static void FillIdentity(Tensor& out, int64_t count, int64_t n) {
    for (int64_t i = 0; i < count; ++i)
      MatrixOut<T>(out.mutable_data<T>() + i * n * n, n, n).setIdentity();
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Matrices m, MatricesOf(ctx, 0));
    const int64_t p = std::min(m.rows, m.columns);
    SLUICE_ASSIGN(Tensor * s, AllocateBatch(ctx, 0, m, {p}));
    SLUICE_ASSIGN(Tensor * u, AllocateVectors(ctx, 1, m, m.rows));
    SLUICE_ASSIGN(Tensor * v, AllocateVectors(ctx, 2, m, m.columns));
    if (m.count == 0) return absl::OkStatus();
    const int64_t u_size = u->num_elements() / m.count, v_size = v->num_elements() / m.count;
    const double cost = 20 * static_cast<double>(m.size()) * static_cast<double>(p) + 500;
    return VisitDType(LinalgTypes{}, s->dtype(), [&]<typename T>(Type<T>) {
      if (m.size() == 0) {
        if (u_size > 0) FillIdentity<T>(*u, m.count, m.rows);
        if (v_size > 0) FillIdentity<T>(*v, m.count, m.columns);
        return absl::OkStatus();
      }
      return EachMatrix(ctx.pool(), m.count, cost, [&](int64_t i) {
        const MatrixIn<T> a(ctx.input(0).data<T>() + i * m.size(), m.rows, m.columns);
        Decompose(a, full_matrices,
                  Place<T>{s->mutable_data<T>() + i * p,
                           compute_uv ? u->mutable_data<T>() + i * u_size : nullptr,
                           v->mutable_data<T>() + i * v_size});
        return absl::OkStatus();
      });
    });
  }
};

}  // namespace

void RegisterSvd(KernelRegistry& kernels) {
  for (const char* op : {"Svd", "BatchSvd"}) kernels.Add<Svd>(op, kCpu, {{"T", kLinalg}});
}

}  // namespace sluice::kernels
