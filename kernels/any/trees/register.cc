// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/trees/register.h"

namespace sluice::kernels {

void RegisterAnyTrees(KernelRegistry& kernels) {
  RegisterEnsembleOps(kernels);
  RegisterPredictOps(kernels);
  RegisterGrowOps(kernels);
  RegisterStatsOps(kernels);
  RegisterBestSplitOps(kernels);
  RegisterQuantileOps(kernels);
}

}  // namespace sluice::kernels
