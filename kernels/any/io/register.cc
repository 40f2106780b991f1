// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/io/register.h"

namespace sluice::kernels {

void RegisterAnyIo(KernelRegistry& kernels) {
  RegisterReaders(kernels);
  RegisterRecordInput(kernels);
  RegisterFileOps(kernels);
  RegisterCheckpoints(kernels);
  RegisterOlderCheckpoints(kernels);
  RegisterRemapping(kernels);
}

}  // namespace sluice::kernels
