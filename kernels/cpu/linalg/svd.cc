// SPDX-License-Identifier: Apache-2.0
// Svd: a = u diag(s) v^H, with singular values in falling order.
#include <limits>

#include "kernels/cpu/common/try_each.h"
#include "kernels/cpu/linalg/linalg.h"
#include "kernels/cpu/linalg/register.h"
#include "kernels/cpu/linalg/singular_values.h"
#include "kernels/cpu/linalg/wide.h"

namespace sluice::kernels {
namespace {

// The outputs of one matrix. A null u asks for singular values only.
template <typename T>
struct Place {
  T *s, *u, *v;
};

template <typename T>
void Decompose(const T* a, const Matrices& m, bool full, const Place<T>& to) {
  const int64_t p = std::min(m.rows, m.columns);
  const int64_t u_size = to.u == nullptr ? 0 : m.rows * (full ? m.rows : p);
  const int64_t v_size = to.u == nullptr ? 0 : m.columns * (full ? m.columns : p);
  const std::vector<Wide<T>> wide = Widened(a, m.size());
  std::vector<Wide<T>> s(p, std::numeric_limits<double>::quiet_NaN());
  std::vector<Wide<T>> u(u_size, s[0]), v(v_size, s[0]);
  if (AllFinite(wide)) {
    SingularValues(wide.data(), m.rows, m.columns, full, s.data(),
                   to.u == nullptr ? nullptr : u.data(), v.data());
  }
  CopyNarrowed(s, to.s);
  CopyNarrowed(u, to.u);
  CopyNarrowed(v, to.v);
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
    if (!compute_uv) {  // like TensorFlow: one zero, whatever the batch
      SLUICE_ASSIGN(Tensor * none, ctx.AllocateOutput(output, Shape{}));
      std::memset(none->raw(), 0, none->bytes());
      return none;
    }
    return AllocateBatch(ctx, output, m, {rows, full_matrices ? rows : p});
  }

  // Without singular values, the full u and v are identities.
  template <typename T>
  static void FillIdentity(Tensor& out, int64_t count, int64_t n) {
    std::fill_n(out.mutable_data<T>(), out.num_elements(), T(0));
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t k = 0; k < n; ++k) out.mutable_data<T>()[i * n * n + k * (n + 1)] = T(1);
    }
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Matrices m, MatricesOf(ctx, 0));
    const int64_t p = std::min(m.rows, m.columns);
    SLUICE_ASSIGN(Tensor * s, AllocateBatch(ctx, 0, m, {p}));
    SLUICE_ASSIGN(Tensor * u, AllocateVectors(ctx, 1, m, m.rows));
    SLUICE_ASSIGN(Tensor * v, AllocateVectors(ctx, 2, m, m.columns));
    if (m.count == 0) return absl::OkStatus();
    const int64_t u_size = compute_uv ? u->num_elements() / m.count : 0;
    const int64_t v_size = compute_uv ? v->num_elements() / m.count : 0;
    const double cost = 20 * static_cast<double>(m.size()) * static_cast<double>(p) + 500;
    return VisitDType(LinalgTypes{}, s->dtype(), [&]<typename T>(Type<T>) {
      if (m.size() == 0) {
        if (u_size > 0) FillIdentity<T>(*u, m.count, m.rows);
        if (v_size > 0) FillIdentity<T>(*v, m.count, m.columns);
        return absl::OkStatus();
      }
      return TryEach(ctx.pool(), m.count, cost, [&](int64_t i) {
        Decompose(ctx.input(0).data<T>() + i * m.size(), m, full_matrices,
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
