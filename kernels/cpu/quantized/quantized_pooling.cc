// SPDX-License-Identifier: Apache-2.0
// Pooling of levels: the range stays.
#include <algorithm>
#include <utility>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/round_each.h"
#include "kernels/cpu/nn/pool.h"
#include "kernels/cpu/quantized/level_range.h"
#include "kernels/cpu/quantized/register.h"

namespace sluice::kernels {
namespace {

// The averages of levels, without their fractions.
void AverageRow(const PoolSizes& s, const uint8_t* image, int64_t row, uint8_t* out) {
  std::vector<uint32_t> sums(s.channels);
  for (int64_t x = 0; x < s.width.out; ++x, out += s.channels) {
    std::fill(sums.begin(), sums.end(), 0);
    const int64_t count = ForEachPixel(s, row, x, [&](int64_t pixel) {
      const uint8_t* in = image + pixel * s.channels;
      for (int64_t c = 0; c < s.channels; ++c) sums[c] += in[c];
    });
    const auto by = static_cast<uint32_t>(std::max<int64_t>(1, count));
    for (int64_t c = 0; c < s.channels; ++c) out[c] = static_cast<uint8_t>(sums[c] / by);
  }
}

void MaxRow(const PoolSizes& s, const uint8_t* image, int64_t row, uint8_t* out) {
  std::fill_n(out, s.width.out * s.channels, uint8_t{0});
  for (int64_t x = 0; x < s.width.out; ++x, out += s.channels) {
    ForEachPixel(s, row, x, [&](int64_t pixel) {
      const uint8_t* in = image + pixel * s.channels;
#pragma GCC ivdep
      for (int64_t c = 0; c < s.channels; ++c) out[c] = std::max(out[c], in[c]);
    });
  }
}

struct QuantizedPool {
  PoolOp pool;
  bool average;

  static absl::StatusOr<QuantizedPool> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(PoolOp pool, PoolOp::Create(node));
    return QuantizedPool{std::move(pool), node.op == "QuantizedAvgPool"};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    SLUICE_ASSIGN(const LevelRange range,
                  LevelRange::ReadScalars(ctx, 1, "min_input", "max_input"));
    SLUICE_ASSIGN(const PoolSizes s, pool.Sizes(ctx, in.shape(), !average));
    SLUICE_ASSIGN(const Shape shape, pool.OutputShape(s));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    range.Write(ctx);
    if (shape.num_elements() == 0) return absl::OkStatus();
    const auto* from = in.data<uint8_t>();
    auto* to = out->mutable_data<uint8_t>();
    if (s.depth.kernel > 1) {
      for (int64_t i = 0; i < shape.num_elements(); ++i, from += s.depth.kernel)
        to[i] = *std::max_element(from, from + s.depth.kernel);
      return absl::OkStatus();
    }
    const auto pool_row = average ? &AverageRow : &MaxRow;
    ParallelFor(ctx.pool(), s.batch * s.out_rows(), 0.3 * s.pixel_cost() * s.width.out,
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) {
                    pool_row(s, from + row / s.out_rows() * s.in_image(), row % s.out_rows(),
                             to + row * s.width.out * s.channels);
                  }
                });
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterQuantizedPooling(KernelRegistry& kernels) {
  for (const char* op : {"QuantizedAvgPool", "QuantizedMaxPool"})
    kernels.Add<QuantizedPool>(op, kCpu, {{"T", kQuint8}});
}

}  // namespace sluice::kernels
