// SPDX-License-Identifier: Apache-2.0
// ReinterpretStringToFloat: a hash of each string as a number, for the features of tf.contrib's
// forests.
#include <functional>
#include <string>

#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/any/strings/register.h"

namespace sluice::kernels {
namespace {

struct ReinterpretStringToFloat {
  static absl::StatusOr<ReinterpretStringToFloat> Create(const NodeSpec&) {
    return ReinterpretStringToFloat{};
  }

  // As in TensorFlow, the hash is that of the C++ library: another one gives other numbers.
  absl::Status Run(KernelContext& ctx) const {
    const Tensor in = ctx.input(0);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, in.shape()));
    for (const int64_t i : Cancellable(in.num_elements())) {
      const size_t hash = std::hash<std::string>()(in.data<std::string>()[i]);
      out->mutable_data<float>()[i] = static_cast<float>(hash);
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterReinterpretString(KernelRegistry& kernels) {
  kernels.Add<ReinterpretStringToFloat>("ReinterpretStringToFloat", kCpu);
}

}  // namespace sluice::kernels
