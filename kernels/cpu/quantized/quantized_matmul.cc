// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/kernel_registry.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/quantized/level_range.h"
#include "kernels/cpu/quantized/multiply_levels.h"
#include "kernels/cpu/quantized/register.h"

namespace sluice::kernels {
namespace {

struct QuantizedMatMul {
  bool transpose_a, transpose_b;

  static absl::StatusOr<QuantizedMatMul> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const bool a, node.Get<bool>("transpose_a"));
    SLUICE_ASSIGN(const bool b, node.Get<bool>("transpose_b"));
    return QuantizedMatMul{a, b};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &a = ctx.input(0), &b = ctx.input(1);
    SLUICE_ASSIGN(const LevelRange a_range, LevelRange::Read(ctx, 2));
    SLUICE_ASSIGN(const LevelRange b_range, LevelRange::Read(ctx, 4));
    SLUICE_RETURN_IF_ERROR(a_range.CheckNotEmpty("a"));
    SLUICE_RETURN_IF_ERROR(b_range.CheckNotEmpty("b"));
    if (a.rank() != 2) return InvalidArgument("In[0] is not a matrix");
    if (b.rank() != 2) return InvalidArgument("In[1] is not a matrix");
    const int64_t m = a.dim(transpose_a ? 1 : 0), k = a.dim(transpose_a ? 0 : 1);
    const int64_t n = b.dim(transpose_b ? 0 : 1);
    if (k != b.dim(transpose_b ? 1 : 0)) {
      return InvalidArgument("Matrix size-compatible: In[0]: ", a.shape(), ", In[1]: ", b.shape());
    }
    SLUICE_ASSIGN(const Shape shape, Shape::Create({m, n}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const auto* levels = a.data<uint8_t>();
    const auto zero = static_cast<uint32_t>(ZeroLevel<Quint8>(a_range));
    const auto row = [&](int64_t i, int32_t* values) {
      const uint8_t* from = levels + (transpose_a ? i : i * k);
      const int64_t step = transpose_a ? m : 1;
      for (int64_t p = 0; p < k; ++p) values[p] = static_cast<int32_t>(from[p * step] - zero);
    };
    SLUICE_RETURN_IF_ERROR(
        MultiplyLevels(ctx, m, n, k, row, {b.data<uint8_t>(), b.dim(1), transpose_b},
                       ZeroLevel<Quint8>(b_range), out->mutable_data<int32_t>()));
    RangeOfProducts<Quint8, Quint8>(a_range, b_range).Write(ctx);
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterQuantizedMatMul(KernelRegistry& kernels) {
  kernels.Add<QuantizedMatMul>("QuantizedMatMul", kCpu,
                               {{"T1", kQuint8}, {"T2", kQuint8}, {"Toutput", kQint32}});
}

}  // namespace sluice::kernels
