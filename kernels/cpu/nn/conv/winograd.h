// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_NN_CONV_WINOGRAD_H_
#define SLUICE_KERNELS_CPU_NN_CONV_WINOGRAD_H_

#include "kernels/cpu/nn/conv/conv.h"

namespace sluice::kernels {

// Convolutions of float with windows of 3 x 3 elements by minimal filtering (Winograd, 1980; Lavin
// and Gray, 2016): 36 products for a tile of 4 x 4 outputs instead of 144. The rounding error is
// about five times that of a sum of products, and a NaN or infinite input reaches all outputs of
// its tile.

// Whether it has code for these sizes, and takes less time than DnnlConv. Never, if the environment
// has TF_ENABLE_WINOGRAD_NONFUSED=0, as in TensorFlow.
bool WinogradIsFaster(ConvDirection direction, const ConvSizes& sizes);

// REQUIRES: WinogradIsFaster. Operands and `finish` are those of DnnlConv::Run.
absl::Status WinogradConv(KernelContext& ctx, ConvDirection direction, const ConvSizes& sizes,
                          const float* a, const float* b, float* out, const FinishRows* finish);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_NN_CONV_WINOGRAD_H_
