// SPDX-License-Identifier: Apache-2.0
// AdjustHsvInYiq: turns hue and scales saturation and value by one matrix, in the YIQ space.
#include <array>
#include <cmath>

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/image/register.h"

namespace sluice::kernels {
namespace {

using Matrix = std::array<std::array<float, 3>, 3>;

constexpr Matrix kToYiq = {
    {{0.299f, 0.587f, 0.114f}, {0.596f, -0.274f, -0.322f}, {0.211f, -0.523f, 0.312f}}};
constexpr Matrix kToRgb = {{{1.0f, 0.95617069f, 0.62143257f},
                            {1.0f, -0.2726886f, -0.64681324f},
                            {1.0f, -1.103744f, 1.70062309f}}};

Matrix Product(const Matrix& a, const Matrix& b) {
  Matrix product{};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      for (int k = 0; k < 3; ++k) product[r][c] += a[r][k] * b[k][c];
    }
  }
  return product;
}

struct AdjustHsvInYiq {
  static absl::StatusOr<AdjustHsvInYiq> Create(const NodeSpec&) { return AdjustHsvInYiq{}; }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor in = ctx.input(0);
    if (in.rank() < 3) return InvalidArgument("input must be at least 3-D, got shape", in.shape());
    constexpr absl::string_view kNames[] = {"delta_h", "scale_s", "scale_v"};
    float values[3];
    for (int i = 0; i < 3; ++i) {
      const Tensor& value = ctx.input(1 + i);
      if (value.rank() != 0) return InvalidArgument(kNames[i], " must be scalar: ", value.shape());
      values[i] = value.scalar<float>();
    }
    if (const int64_t channels = in.dim(in.rank() - 1); channels != 3)
      return InvalidArgument("input must have 3 channels but instead has ", channels, " channels.");
    const auto [turn, saturation, value] = values;
    const float cosine = value * saturation * std::cos(turn),
                sine = value * saturation * std::sin(turn);
    const Matrix change = {{{value, 0, 0}, {0, cosine, -sine}, {0, sine, cosine}}};
    const Matrix whole = Product(Product(kToRgb, change), kToYiq);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, in.shape()));
    ParallelFor(ctx.pool(), in.num_elements() / 3, 5, [&](int64_t begin, int64_t end) {
      const float* from = in.data<float>() + 3 * begin;
      float* to = out->mutable_data<float>() + 3 * begin;
      for (int64_t i = begin; i < end; ++i, from += 3, to += 3) {
        for (int c = 0; c < 3; ++c)
          to[c] = whole[c][0] * from[0] + whole[c][1] * from[1] + whole[c][2] * from[2];
      }
    });
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterAdjustHsvInYiq(KernelRegistry& kernels) {
  kernels.Add<AdjustHsvInYiq>("AdjustHsvInYiq", kCpu, {{"T", {kFloat}}});
}

}  // namespace sluice::kernels
