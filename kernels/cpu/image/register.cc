// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/image/register.h"

namespace sluice::kernels {

void RegisterCpuImage(KernelRegistry& kernels) {
  RegisterImageRegions(kernels);
  RegisterColours(kernels);
  RegisterCropAndResize(kernels);
  RegisterDecodeImage(kernels);
  RegisterEncodeImage(kernels);
  RegisterNonMaxSuppression(kernels);
  RegisterResize(kernels);
  RegisterProjectiveTransform(kernels);
  RegisterResampler(kernels);
  RegisterPatches(kernels);
  RegisterAdjustHsvInYiq(kernels);
  RegisterBipartiteMatch(kernels);
  RegisterConnectedComponents(kernels);
}

}  // namespace sluice::kernels
