// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_QUANTIZED_FAKE_QUANT_PLAN_H_
#define SLUICE_KERNELS_COMMON_QUANTIZED_FAKE_QUANT_PLAN_H_

#include "core/runtime/kernel.h"

// The rules of fake quantisation, on every device. They do not look at elements.

namespace sluice::kernels {

struct FakeQuantOptions {
  int bits;
  bool narrow;

  static absl::StatusOr<FakeQuantOptions> Create(const NodeSpec& node);
};

// The range that is an attribute of a node.
struct FakeQuantRange {
  FakeQuantOptions options;
  float min, max;

  static absl::StatusOr<FakeQuantRange> Create(const NodeSpec& node);
};

absl::Status CheckSameShape(const Tensor& gradient, const Tensor& x);
// Checks min and max: one number for all, or one for each index of the last dimension. Returns how
// many.
absl::StatusOr<int64_t> CheckRanges(const Tensor& x, const Tensor& min, const Tensor& max,
                                    bool per_channel);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_QUANTIZED_FAKE_QUANT_PLAN_H_
