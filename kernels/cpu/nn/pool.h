// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_NN_POOL_H_
#define SLUICE_KERNELS_CPU_NN_POOL_H_

#include <algorithm>
#include <type_traits>

#include "core/runtime/kernel.h"
#include "kernels/common/nn/pool_plan.h"

namespace sluice::kernels {

template <typename T>
void AddTo(T& to, T value) {
  if constexpr (std::is_integral_v<T>) {  // wraps
    using U = std::make_unsigned_t<T>;
    to = static_cast<T>(static_cast<U>(to) + static_cast<U>(value));
  } else {
    to += value;
  }
}

// A pooling on the CPU: its loops run over channels, which lie last.
struct Pool : PoolOp {
  static absl::StatusOr<Pool> Create(const NodeSpec& node);

  // An operand in channels-last order, and a result to fill in that order.
  absl::StatusOr<Tensor> Ordered(KernelContext& ctx, const Tensor& in) const;
  absl::StatusOr<Tensor> OrderedResult(KernelContext& ctx, const Tensor& out) const;
  absl::Status Finish(KernelContext& ctx, const Tensor& result, Tensor& out) const;
};

// The inputs [begin, end) that an output covers, without padding.
struct Covered {
  int64_t begin, end;
  Covered(const Window& w, int64_t out)
      : begin(std::max<int64_t>(0, w.begin(out))), end(std::min(w.in, w.begin(out) + w.kernel)) {}
  int64_t size() const { return std::max<int64_t>(0, end - begin); }
};

// Calls fn(pixel) for the input pixels that output pixel (row, ox) covers; returns their number.
// Rows are those of all planes.
template <typename Fn>
int64_t ForEachPixel(const PoolSizes& s, int64_t row, int64_t ox, const Fn& fn) {
  const Covered planes(s.planes, row / s.height.out), rows(s.height, row % s.height.out);
  const Covered columns(s.width, ox);
  for (int64_t z = planes.begin; z < planes.end; ++z) {
    for (int64_t y = rows.begin; y < rows.end; ++y) {
      const int64_t pixel = (z * s.height.in + y) * s.width.in;
      for (int64_t x = columns.begin; x < columns.end; ++x) fn(pixel + x);
    }
  }
  return planes.size() * rows.size() * columns.size();
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_NN_POOL_H_
