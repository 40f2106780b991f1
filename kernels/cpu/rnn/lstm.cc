// SPDX-License-Identifier: Apache-2.0
// LSTM cells, one step or a whole sequence, and their gradients (Hochreiter and Schmidhuber 1997;
// with peepholes: Gers and Schmidhuber 2000).
#include <algorithm>
#include <array>
#include <cmath>

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/common/gemm.h"
#include "kernels/cpu/rnn/register.h"
#include "kernels/cpu/rnn/rnn.h"

namespace sluice::kernels {
namespace {

// The block of columns (0 to 3) that each gate has in the weights.
struct GateOrder {
  int i, ci, f, o;
};
constexpr GateOrder kFirst{0, 1, 2, 3}, kSecond{0, 2, 1, 3};

// Indices of inputs (a sequence's length comes before them) and outputs. A gradient op has more
// inputs.
enum Input { kX, kCsPrev, kHPrev, kW, kWci, kWcf, kWco, kB };
enum Output { kI, kCs, kF, kO, kCi, kCo, kH, kNumOutputs };
constexpr int kOutputsIn = kB + 1;  // the forward op's outputs among the inputs of a gradient op

struct Sizes {
  int64_t steps = 1, batch = 0, in = 0, cells = 0;
  int64_t state() const { return batch * cells; }
  int64_t columns() const { return 4 * cells; }
};

struct Lstm {
  GateOrder order = kFirst;
  float forget_bias = 0, cell_clip = 0;
  bool peephole = false, sequence = false;

  static absl::StatusOr<Lstm> Create(const NodeSpec& node) {
    Lstm lstm;
    if (node.op == "BlockLSTMV2" || node.op == "BlockLSTMGradV2") lstm.order = kSecond;
    lstm.sequence = node.op != "LSTMBlockCell" && node.op != "LSTMBlockCellGrad";
    lstm.forget_bias = GetAttrOr<float>(node.attrs, "forget_bias", 0);
    lstm.cell_clip = GetAttrOr<float>(node.attrs, "cell_clip", 0);
    SLUICE_ASSIGN(lstm.peephole, node.Get<bool>("use_peephole"));
    return lstm;
  }

  int first() const { return sequence ? 1 : 0; }
  absl::StatusOr<Sizes> SizesOf(const KernelContext& ctx) const;
  // The number of steps to compute; later steps give zeros.
  absl::StatusOr<int64_t> Length(const KernelContext& ctx, const Sizes& s) const;
};

absl::StatusOr<Sizes> Lstm::SizesOf(const KernelContext& ctx) const {
  const int at = first();
  const Shape& x = ctx.input(at + kX).shape();
  const Shape& state = ctx.input(at + kCsPrev).shape();
  if (x.rank() != (sequence ? 3 : 2)) {
    return InvalidArgument("x must be ", sequence ? "3D" : "2D", ", but has shape ", x);
  }
  if (state.rank() != 2) return InvalidArgument("cs_prev must be 2D, but has shape ", state);
  Sizes s;
  s.steps = sequence ? x.dim(0) : 1;
  s.batch = x.dim(x.rank() - 2);
  s.in = x.dim(x.rank() - 1);
  s.cells = state.dim(1);
  int64_t columns, rows;
  if (!MulFits(s.cells, 4, &columns) || !AddFits(s.in, s.cells, &rows)) {
    return InvalidArgument("cell size out of range: ", s.cells);
  }
  SLUICE_ASSIGN(const Shape states, Shape::Create({s.batch, s.cells}));
  SLUICE_ASSIGN(const Shape weights, Shape::Create({rows, columns}));
  const Shape cell{s.cells};
  SLUICE_RETURN_IF_ERROR(CheckInputs(ctx, {{"cs_prev", at + kCsPrev, states},
                                           {"h_prev", at + kHPrev, states},
                                           {"w", at + kW, weights},
                                           {"wci", at + kWci, cell},
                                           {"wcf", at + kWcf, cell},
                                           {"wco", at + kWco, cell},
                                           {"b", at + kB, Shape{columns}}}));
  return s;
}

absl::StatusOr<int64_t> Lstm::Length(const KernelContext& ctx, const Sizes& s) const {
  if (!sequence) return 1;
  const Tensor& length = ctx.input(0);
  if (length.rank() != 0) {
    return InvalidArgument("seq_len_max must be a scalar, but has shape ", length.shape());
  }
  const int64_t steps = length.scalar<int64_t>();
  if (steps < 0 || steps > s.steps) {
    return InvalidArgument("seq_len_max = ", steps, " is not in [0, ", s.steps, "]");
  }
  return steps;
}

using Outputs = std::array<float*, kNumOutputs>;
using Values = std::array<const float*, kNumOutputs>;

// One step: `gates` holds x w + h_prev w, rows of four blocks.
void Step(const Lstm& lstm, const Sizes& s, const FloatCell& cell, const float* gates,
          const float* cs_prev, const Outputs& out, WorkQueue* pool) {
  const float* bias = cell.in(kB);
  const auto gate = [&](int64_t n, int block, int64_t c) {
    const int64_t column = block * s.cells + c;
    return gates[n * s.columns() + column] + bias[column];
  };
  ParallelFor(pool, s.batch, 40.0 * s.cells, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) {
      for (int64_t c = 0; c < s.cells; ++c) {
        const int64_t at = n * s.cells + c;
        float i = gate(n, lstm.order.i, c), f = gate(n, lstm.order.f, c) + lstm.forget_bias;
        float o = gate(n, lstm.order.o, c);
        if (lstm.peephole) {
          i += cs_prev[at] * cell.in(kWci)[c];
          f += cs_prev[at] * cell.in(kWcf)[c];
        }
        i = Sigmoid(i);
        f = Sigmoid(f);
        const float ci = std::tanh(gate(n, lstm.order.ci, c));
        float cs = ci * i + cs_prev[at] * f;
        if (lstm.cell_clip > 0) cs = std::clamp(cs, -lstm.cell_clip, lstm.cell_clip);
        if (lstm.peephole) o += cs * cell.in(kWco)[c];
        o = Sigmoid(o);
        const float co = std::tanh(cs);
        out[kI][at] = i;
        out[kCs][at] = cs;
        out[kF][at] = f;
        out[kO][at] = o;
        out[kCi][at] = ci;
        out[kCo][at] = co;
        out[kH][at] = o * co;
      }
    }
  });
}

struct LstmForward {
  Lstm lstm;

  static absl::StatusOr<LstmForward> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Lstm lstm, Lstm::Create(node));
    return LstmForward{lstm};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Sizes s, lstm.SizesOf(ctx));
    SLUICE_ASSIGN(const int64_t length, lstm.Length(ctx, s));
    Shape shape{s.batch, s.cells};
    if (lstm.sequence) {
      SLUICE_ASSIGN(shape, Shape::Create({s.steps, s.batch, s.cells}));
    }
    SLUICE_ASSIGN(FloatCell cell, FloatCell::Create(ctx, lstm.first()));
    Outputs out;
    for (int i = 0; i < kNumOutputs; ++i) {
      SLUICE_ASSIGN(out[i], cell.Allocate(i, shape));
      std::fill(out[i] + length * s.state(), out[i] + shape.num_elements(), 0.0F);
    }
    SLUICE_ASSIGN(const Shape all, Shape::Create({length, s.batch, s.columns()}));
    SLUICE_ASSIGN(Tensor gates, ctx.AllocateTemporary(kFloat, all));
    auto* const rows = gates.mutable_data<float>();
    const float* w = cell.in(kW);
    SLUICE_RETURN_IF_ERROR(Gemm<float>(ctx.pool(), length * s.batch, s.columns(), s.in,
                                       {cell.in(kX), s.in}, {w, s.columns()}, rows, s.columns()));
    const float *cs_prev = cell.in(kCsPrev), *h_prev = cell.in(kHPrev);
    for (int64_t t = 0; t < length; ++t) {
      float* const now = rows + t * s.batch * s.columns();
      SLUICE_RETURN_IF_ERROR(Gemm<float>(ctx.pool(), s.batch, s.columns(), s.cells,
                                         {h_prev, s.cells}, {w + s.in * s.columns(), s.columns()},
                                         now, s.columns(), true));
      Step(lstm, s, cell, now, cs_prev, out, ctx.pool());
      cs_prev = out[kCs];
      h_prev = out[kH];
      for (float*& p : out) p += s.state();
    }
    return cell.Finish();
  }
};

// The gradients of one step's parts. dicfo are those of the four gates before their activations, in
// their blocks. cs_grad becomes the gradient of cs_prev. The sums of the peepholes are added to.
struct StepGradient {
  float *dicfo, *cs_grad;
  float *wci, *wcf, *wco;
};

void StepBack(const Lstm& lstm, const Sizes& s, const FloatCell& cell, const Values& v,
              const float* cs_prev, const float* h_grad, const StepGradient& g) {
  for (int64_t n = 0; n < s.batch; ++n) {
    float* const row = g.dicfo + n * s.columns();
    for (int64_t c = 0; c < s.cells; ++c) {
      const int64_t at = n * s.cells + c;
      const float i = v[kI][at], f = v[kF][at], o = v[kO][at], ci = v[kCi][at], co = v[kCo][at];
      const float d_o = o * (1 - o) * h_grad[at] * co;
      float dcs = (1 - co * co) * h_grad[at] * o + g.cs_grad[at];
      if (lstm.peephole) dcs += d_o * cell.in(kWco)[c];
      const float di = i * (1 - i) * dcs * ci;
      const float df = f * (1 - f) * dcs * cs_prev[at];
      row[lstm.order.i * s.cells + c] = di;
      row[lstm.order.ci * s.cells + c] = (1 - ci * ci) * dcs * i;
      row[lstm.order.f * s.cells + c] = df;
      row[lstm.order.o * s.cells + c] = d_o;
      g.cs_grad[at] = dcs * f;
      if (!lstm.peephole) continue;
      g.cs_grad[at] += di * cell.in(kWci)[c] + df * cell.in(kWcf)[c];
      g.wci[c] += di * cs_prev[at];
      g.wcf[c] += df * cs_prev[at];
      g.wco[c] += d_o * v[kCs][at];
    }
  }
}

absl::StatusOr<float*> Zeros(FloatCell& cell, int output, const Shape& shape) {
  SLUICE_ASSIGN(float* data, cell.Allocate(output, shape));
  std::fill_n(data, shape.num_elements(), 0.0F);
  return data;
}

// The values of the forward op that a gradient op receives, checked; `count` of them.
absl::StatusOr<Values> ForwardValues(const KernelContext& ctx, const FloatCell& cell, int first,
                                     int count, const Shape& shape) {
  static constexpr const char* kNames[] = {"i", "cs", "f", "o", "ci", "co", "h"};
  Values values{};
  for (int i = 0; i < count; ++i) {
    SLUICE_RETURN_IF_ERROR(CheckInputs(ctx, {{kNames[i], first + kOutputsIn + i, shape}}));
    values[i] = cell.in(kOutputsIn + i);
  }
  for (int i = count; i < count + 2; ++i) {
    SLUICE_RETURN_IF_ERROR(
        CheckInputs(ctx, {{i == count ? "cs_grad" : "h_grad", first + kOutputsIn + i, shape}}));
  }
  return values;
}

struct LstmCellGrad {
  Lstm lstm;

  static absl::StatusOr<LstmCellGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Lstm lstm, Lstm::Create(node));
    return LstmCellGrad{lstm};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Sizes s, lstm.SizesOf(ctx));
    const Shape state{s.batch, s.cells};
    SLUICE_ASSIGN(FloatCell cell, FloatCell::Create(ctx, 0));
    SLUICE_ASSIGN(const Values values, ForwardValues(ctx, cell, 0, kH, state));
    StepGradient g;
    SLUICE_ASSIGN(g.cs_grad, cell.Allocate(0, state));
    SLUICE_ASSIGN(const Shape rows, Shape::Create({s.batch, s.columns()}));
    SLUICE_ASSIGN(g.dicfo, cell.Allocate(1, rows));
    SLUICE_ASSIGN(g.wci, Zeros(cell, 2, Shape{s.cells}));
    SLUICE_ASSIGN(g.wcf, Zeros(cell, 3, Shape{s.cells}));
    SLUICE_ASSIGN(g.wco, Zeros(cell, 4, Shape{s.cells}));
    std::copy_n(cell.in(kOutputsIn + kH), s.state(), g.cs_grad);
    StepBack(lstm, s, cell, values, cell.in(kCsPrev), cell.in(kOutputsIn + kH + 1), g);
    return cell.Finish();
  }
};

struct BlockLstmGrad {
  Lstm lstm;
  enum Gradient { kXGrad, kCsPrevGrad, kHPrevGrad, kWGrad, kWciGrad, kWcfGrad, kWcoGrad, kBGrad };

  static absl::StatusOr<BlockLstmGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Lstm lstm, Lstm::Create(node));
    return BlockLstmGrad{lstm};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Sizes s, lstm.SizesOf(ctx));
    SLUICE_ASSIGN(const int64_t length, lstm.Length(ctx, s));
    SLUICE_ASSIGN(FloatCell cell, FloatCell::Create(ctx, 1));
    SLUICE_ASSIGN(const Shape states, Shape::Create({s.steps, s.batch, s.cells}));
    SLUICE_ASSIGN(const Values values, ForwardValues(ctx, cell, 1, kNumOutputs, states));
    std::array<float*, kBGrad + 1> grad;
    for (int i = 0; i <= kBGrad; ++i) {
      SLUICE_ASSIGN(grad[i], Zeros(cell, i, ctx.input(1 + i).shape()));
    }
    SLUICE_ASSIGN(const Shape all, Shape::Create({length, s.batch, s.columns()}));
    SLUICE_ASSIGN(Tensor dicfo, ctx.AllocateTemporary(kFloat, all));
    SLUICE_RETURN_IF_ERROR(
        BackInTime(ctx, s, length, cell, values, grad.data(), dicfo.mutable_data<float>()));
    SLUICE_RETURN_IF_ERROR(
        InputsAndWeights(ctx, s, length, cell, grad.data(), dicfo.data<float>()));
    return cell.Finish();
  }

 private:
  absl::Status BackInTime(KernelContext& ctx, const Sizes& s, int64_t length, const FloatCell& cell,
                          Values v, float* const* grad, float* dicfo) const {
    SLUICE_ASSIGN(Tensor sum, ctx.AllocateTemporary(kFloat, Shape{s.batch, s.cells}));
    auto* const h_grad = sum.mutable_data<float>();
    const float* w_h = cell.in(kW) + s.in * s.columns();
    const Values whole = v;
    for (int64_t t = length - 1; t >= 0; --t) {
      const int64_t at = t * s.state();
      for (int i = 0; i < kNumOutputs; ++i) v[i] = whole[i] + at;
      for (int64_t i = 0; i < s.state(); ++i) {
        grad[kCsPrevGrad][i] += cell.in(kOutputsIn + kNumOutputs)[at + i];
        h_grad[i] = cell.in(kOutputsIn + kNumOutputs + 1)[at + i] + grad[kHPrevGrad][i];
      }
      float* const now = dicfo + t * s.batch * s.columns();
      StepBack(lstm, s, cell, v, t == 0 ? cell.in(kCsPrev) : v[kCs] - s.state(), h_grad,
               {now, grad[kCsPrevGrad], grad[kWciGrad], grad[kWcfGrad], grad[kWcoGrad]});
      SLUICE_RETURN_IF_ERROR(Gemm<float>(ctx.pool(), s.batch, s.cells, s.columns(),
                                         {now, s.columns()}, {w_h, s.columns(), true},
                                         grad[kHPrevGrad], s.cells));
    }
    return absl::OkStatus();
  }

  static absl::Status InputsAndWeights(KernelContext& ctx, const Sizes& s, int64_t length,
                                       const FloatCell& cell, float* const* grad,
                                       const float* dicfo) {
    if (length == 0) return absl::OkStatus();
    const int64_t rows = length * s.batch;
    SLUICE_RETURN_IF_ERROR(Gemm<float>(ctx.pool(), rows, s.in, s.columns(), {dicfo, s.columns()},
                                       {cell.in(kW), s.columns(), true}, grad[kXGrad], s.in));
    SLUICE_RETURN_IF_ERROR(Gemm<float>(ctx.pool(), s.in, s.columns(), rows,
                                       {cell.in(kX), s.in, true}, {dicfo, s.columns()},
                                       grad[kWGrad], s.columns()));
    float* const w_h = grad[kWGrad] + s.in * s.columns();
    SLUICE_RETURN_IF_ERROR(Gemm<float>(ctx.pool(), s.cells, s.columns(), s.batch,
                                       {cell.in(kHPrev), s.cells, true}, {dicfo, s.columns()}, w_h,
                                       s.columns()));
    SLUICE_RETURN_IF_ERROR(Gemm<float>(
        ctx.pool(), s.cells, s.columns(), rows - s.batch, {cell.in(kOutputsIn + kH), s.cells, true},
        {dicfo + s.batch * s.columns(), s.columns()}, w_h, s.columns(), true));
    for (int64_t row = 0; row < rows; ++row) {
      const float* from = dicfo + row * s.columns();
      for (int64_t c = 0; c < s.columns(); ++c) grad[kBGrad][c] += from[c];
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterLstm(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> types{{"T", {kHalf, kFloat}}};
  for (const char* op : {"LSTMBlockCell", "BlockLSTM", "BlockLSTMV2"}) {
    kernels.Add<LstmForward>(op, kCpu, types);
  }
  kernels.Add<LstmCellGrad>("LSTMBlockCellGrad", kCpu, types);
  for (const char* op : {"BlockLSTMGrad", "BlockLSTMGradV2"}) {
    kernels.Add<BlockLstmGrad>(op, kCpu, types);
  }
}

}  // namespace sluice::kernels
