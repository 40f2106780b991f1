// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/random/generator_state.h"

#include "kernels/common/variables.h"

namespace sluice::kernels {

absl::StatusOr<Philox> TakeFromVariable(KernelContext& ctx, int input, bool tagged,
                                        uint64_t blocks) {
  SLUICE_ASSIGN(LockedVariable variable, LockedVariable::Lock(ctx, input, LockedVariable::kWrite));
  const Tensor& now = variable.value();
  if (now.dtype() != kInt64)
    return InvalidArgument("dtype of RNG state variable must be int64, not ", now.dtype());
  if (now.rank() != 1)
    return InvalidArgument("RNG state must have one and only one dimension, not ", now.rank());
  if (tagged) {
    if (now.dim(0) < 1) return InvalidArgument("Size of tensor must be at least 1");
    SLUICE_RETURN_IF_ERROR(CheckAlgorithm(now.data<int64_t>()[0]));
  }
  const int64_t first = tagged ? 1 : 0;
  if (now.dim(0) < first + 3) {
    return InvalidArgument("For the Philox algorithm, the size of state must be at least ",
                           first + 3, "; got ", now.dim(0));
  }
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
