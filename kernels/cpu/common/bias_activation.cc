// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/common/bias_activation.h"

#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "core/status.h"
#include "kernels/common/nn/activations.h"

namespace sluice::kernels {
namespace {

template <typename Fn>
void AddAndCall(const float* bias, int64_t channels, float* rows, int64_t count, const Fn& fn) {
  for (int64_t i = 0; i < count; ++i, rows += channels) {
#pragma GCC ivdep
    for (int64_t j = 0; j < channels; ++j) rows[j] = fn(rows[j] + bias[j]);
  }
}

}  // namespace

absl::StatusOr<BiasActivation> BiasActivation::Create(const NodeSpec& node) {
  SLUICE_ASSIGN(const int64_t args, node.Get<int64_t>("num_args"));
  SLUICE_ASSIGN(const auto ops, node.Get<std::vector<std::string>>("fused_ops"));
  const std::string names = absl::StrJoin(ops, ",");
  if (args == 1) {
    if (names == "BiasAdd") return BiasActivation(Activation::kNone);
    if (names == "BiasAdd,Relu") return BiasActivation(Activation::kRelu);
    if (names == "BiasAdd,Relu6") return BiasActivation(Activation::kRelu6);
  }
  return Unimplemented("fusing [", names, "] with ", args, " arguments is not supported");
}

void BiasActivation::Apply(const float* bias, int64_t channels, float* rows, int64_t count) const {
  switch (activation_) {
    case Activation::kNone:
      return AddAndCall(bias, channels, rows, count, [](float x) { return x; });
    case Activation::kRelu:
      return AddAndCall(bias, channels, rows, count, activations::Relu{});
    case Activation::kRelu6:
      return AddAndCall(bias, channels, rows, count, activations::Relu6{});
  }
}

}  // namespace sluice::kernels
