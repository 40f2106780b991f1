// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_COMMON_BIAS_ACTIVATION_H_
#define SLUICE_KERNELS_CPU_COMMON_BIAS_ACTIVATION_H_

#include "core/runtime/kernel.h"

namespace sluice::kernels {

// The second part of a fused op: adds a bias to each row of the result, then applies an activation.
// The results are those of the separate ops.
class BiasActivation {
 public:
  // Reads num_args and fused_ops. UNIMPLEMENTED unless there is one argument, and the ops are
  // BiasAdd, or BiasAdd and Relu or Relu6.
  static absl::StatusOr<BiasActivation> Create(const NodeSpec& node);

  // `count` rows of `channels` elements.
  void Apply(const float* bias, int64_t channels, float* rows, int64_t count) const;

 private:
  enum class Activation { kNone, kRelu, kRelu6 };
  explicit BiasActivation(Activation activation) : activation_(activation) {}

  Activation activation_;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_COMMON_BIAS_ACTIVATION_H_
