// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/summary/register.h"

namespace sluice::kernels {

void RegisterAnySummary(KernelRegistry& kernels) {
  RegisterSummaries(kernels);
  RegisterSummaryWriters(kernels);
}

}  // namespace sluice::kernels
