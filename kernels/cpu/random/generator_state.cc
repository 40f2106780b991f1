// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/random/generator_state.h"

#include "kernels/common/variables.h"

namespace sluice::kernels {

absl::StatusOr<Philox> TakeFromVariable(KernelContext& ctx, int input, bool tagged,
                                        uint64_t blocks) {
  SLUICE_ASSIGN(LockedVariable variable, LockedVariable::Lock(ctx, input, LockedVariable::kWrite));
  const Tensor& now = variable.value();
  SLUICE_RETURN_IF_ERROR(CheckStateVector(now));
  if (tagged) {
    if (now.dim(0) < 1) return InvalidArgument("Size of tensor must be at least 1");
    SLUICE_RETURN_IF_ERROR(CheckAlgorithm(now.data<int64_t>()[0]));
  }
  const int64_t first = tagged ? 1 : 0;
  SLUICE_RETURN_IF_ERROR(CheckStateSize(now, first));
  SLUICE_RETURN_IF_ERROR(variable.PrepareToWrite(ctx, CpuPrimitives()));
  auto* state = variable.value().mutable_data<int64_t>() + first;
  const Philox taken(static_cast<uint64_t>(state[2]), static_cast<uint64_t>(state[0]),
                     static_cast<uint64_t>(state[1]));
  Philox next = taken;
  next.Skip(blocks);
  state[0] = static_cast<int64_t>(next.low());
  state[1] = static_cast<int64_t>(next.high());
  return taken;
}

}  // namespace sluice::kernels
