// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_IMAGE_REGISTER_H_
#define SLUICE_KERNELS_CPU_IMAGE_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterCpuImage(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterImageRegions(KernelRegistry& kernels);
void RegisterColours(KernelRegistry& kernels);
void RegisterCropAndResize(KernelRegistry& kernels);
void RegisterDecodeImage(KernelRegistry& kernels);
void RegisterEncodeImage(KernelRegistry& kernels);
void RegisterNonMaxSuppression(KernelRegistry& kernels);
void RegisterResize(KernelRegistry& kernels);
void RegisterProjectiveTransform(KernelRegistry& kernels);
void RegisterResampler(KernelRegistry& kernels);
void RegisterPatches(KernelRegistry& kernels);
void RegisterAdjustHsvInYiq(KernelRegistry& kernels);
void RegisterBipartiteMatch(KernelRegistry& kernels);
void RegisterConnectedComponents(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_IMAGE_REGISTER_H_
