// SPDX-License-Identifier: Apache-2.0
// A step of gated recurrent units (Cho et al. 2014), and its gradient.
#include <cmath>

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/common/gemm.h"
#include "kernels/cpu/rnn/register.h"
#include "kernels/cpu/rnn/rnn.h"

namespace sluice::kernels {
namespace {

enum Input { kX, kHPrev, kWru, kWc, kBru, kBc, kR, kU, kC, kDh };

struct Sizes {
  int64_t batch = 0, in = 0, cells = 0;
  int64_t state() const { return batch * cells; }
};

absl::StatusOr<Sizes> SizesOf(const KernelContext& ctx) {
  const Shape &x = ctx.input(kX).shape(), &state = ctx.input(kHPrev).shape();
  if (x.rank() != 2) return InvalidArgument("x must be 2D, but has shape ", x);
  if (state.rank() != 2) return InvalidArgument("h_prev must be 2D, but has shape ", state);
  const Sizes s{x.dim(0), x.dim(1), state.dim(1)};
  int64_t columns, rows;
  if (!MulFits(s.cells, 2, &columns) || !AddFits(s.in, s.cells, &rows)) {
    return InvalidArgument("cell size out of range: ", s.cells);
  }
  SLUICE_ASSIGN(const Shape states, Shape::Create({s.batch, s.cells}));
  SLUICE_ASSIGN(const Shape wide, Shape::Create({rows, columns}));
  SLUICE_ASSIGN(const Shape narrow, Shape::Create({rows, s.cells}));
  SLUICE_RETURN_IF_ERROR(CheckInputs(ctx, {{"h_prev", kHPrev, states},
                                           {"w_ru", kWru, wide},
                                           {"w_c", kWc, narrow},
                                           {"b_ru", kBru, Shape{columns}},
                                           {"b_c", kBc, Shape{s.cells}}}));
  return s;
}

// out[batch, n] = [x, h] w, where w has in + cells rows.
absl::Status Product(KernelContext& ctx, const Sizes& s, const float* x, const float* h,
                     const float* w, int64_t n, float* out) {
  SLUICE_RETURN_IF_ERROR(Gemm<float>(ctx.pool(), s.batch, n, s.in, {x, s.in}, {w, n}, out, n));
  return Gemm<float>(ctx.pool(), s.batch, n, s.cells, {h, s.cells}, {w + s.in * n, n}, out, n,
                     true);
}

// x_grad [batch, in] and h_grad [batch, cells] of that product.
absl::Status ProductGrad(KernelContext& ctx, const Sizes& s, const float* grad, const float* w,
                         int64_t n, float* x_grad, float* h_grad, bool accumulate) {
  SLUICE_RETURN_IF_ERROR(
      Gemm<float>(ctx.pool(), s.batch, s.in, n, {grad, n}, {w, n, true}, x_grad, s.in, accumulate));
  return Gemm<float>(ctx.pool(), s.batch, s.cells, n, {grad, n}, {w + s.in * n, n, true}, h_grad,
                     s.cells);
}

struct GruCell {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Sizes s, SizesOf(ctx));
    float* out[4];  // r, u, c, h
    for (int i = 0; i < 4; ++i) {
      SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(i, Shape{s.batch, s.cells}));
      out[i] = output->mutable_data<float>();
    }
    const auto in = [&](int i) { return ctx.input(i).data<float>(); };
    SLUICE_ASSIGN(Tensor both, ctx.AllocateTemporary(kFloat, Shape{s.batch, 2 * s.cells}));
    auto* const r_u = both.mutable_data<float>();
    SLUICE_RETURN_IF_ERROR(Product(ctx, s, in(kX), in(kHPrev), in(kWru), 2 * s.cells, r_u));
    SLUICE_ASSIGN(Tensor reset, ctx.AllocateTemporary(kFloat, Shape{s.batch, s.cells}));
    auto* const h_r = reset.mutable_data<float>();
    for (int64_t i = 0; i < s.state(); ++i) {
      const int64_t n = i / s.cells, c = i % s.cells;
      out[0][i] = Sigmoid(r_u[2 * n * s.cells + c] + in(kBru)[c]);
      out[1][i] = Sigmoid(r_u[(2 * n + 1) * s.cells + c] + in(kBru)[s.cells + c]);
      h_r[i] = in(kHPrev)[i] * out[0][i];
    }
    SLUICE_RETURN_IF_ERROR(Product(ctx, s, in(kX), h_r, in(kWc), s.cells, out[2]));
    for (int64_t i = 0; i < s.state(); ++i) {
      out[2][i] = std::tanh(out[2][i] + in(kBc)[i % s.cells]);
      out[3][i] = out[1][i] * in(kHPrev)[i] + (1 - out[1][i]) * out[2][i];
    }
    return absl::OkStatus();
  }
};

struct GruCellGrad {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Sizes s, SizesOf(ctx));
    const Shape state{s.batch, s.cells};
    SLUICE_RETURN_IF_ERROR(CheckInputs(
        ctx, {{"r", kR, state}, {"u", kU, state}, {"c", kC, state}, {"d_h", kDh, state}}));
    float* out[4];  // d_x, d_h_prev, d_c_bar, d_r_bar_u_bar
    const Shape shapes[] = {ctx.input(kX).shape(), state, state, Shape{s.batch, 2 * s.cells}};
    for (int i = 0; i < 4; ++i) {
      SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(i, shapes[i]));
      out[i] = output->mutable_data<float>();
    }
    const auto in = [&](int i) { return ctx.input(i).data<float>(); };
    const float *h = in(kHPrev), *r = in(kR), *u = in(kU), *c = in(kC), *d_h = in(kDh);
    float *const d_c = out[2], *const d_ru = out[3];
    for (int64_t i = 0; i < s.state(); ++i) {
      d_c[i] = d_h[i] * (1 - u[i]) * (1 - c[i] * c[i]);
    }
    SLUICE_ASSIGN(Tensor reset, ctx.AllocateTemporary(kFloat, state));
    auto* const d_hr = reset.mutable_data<float>();  // gradient of h_prev * r
    SLUICE_RETURN_IF_ERROR(ProductGrad(ctx, s, d_c, in(kWc), s.cells, out[0], d_hr, false));
    for (int64_t i = 0; i < s.state(); ++i) {
      const int64_t row = i / s.cells * 2 * s.cells, column = i % s.cells;
      d_ru[row + column] = d_hr[i] * h[i] * r[i] * (1 - r[i]);
      d_ru[row + s.cells + column] = d_h[i] * (h[i] - c[i]) * u[i] * (1 - u[i]);
    }
    SLUICE_RETURN_IF_ERROR(ProductGrad(ctx, s, d_ru, in(kWru), 2 * s.cells, out[0], out[1], true));
    for (int64_t i = 0; i < s.state(); ++i) out[1][i] += d_hr[i] * r[i] + d_h[i] * u[i];
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterGru(KernelRegistry& kernels) {
  kernels.Add<GruCell>("GRUBlockCell", kCpu, {{"T", kFloat}});
  kernels.Add<GruCellGrad>("GRUBlockCellGrad", kCpu, {{"T", kFloat}});
}

}  // namespace sluice::kernels
