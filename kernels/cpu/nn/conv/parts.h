// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_NN_CONV_PARTS_H_
#define SLUICE_KERNELS_CPU_NN_CONV_PARTS_H_

#include <vector>

#include "core/threads/thread_pool.h"
#include "kernels/cpu/nn/conv/conv.h"

namespace sluice::kernels {

// A piece of a convolution that one thread computes: some images, or a band of the rows of one
// image or of the planes of one volume.
struct ConvPart {
  ConvSizes sizes;
  int64_t source = 0, destination = 0;  // offset of its first element in either
  bool is_band = false;                 // another part may use its source rows too
};

// The number of parts that pays for the work, at most one per thread.
int64_t ConvPartsWorth(const WorkQueue* pool, const ConvSizes& sizes);

// About `parts` pieces: first whole images; if there are fewer, bands of them (channels last only).
std::vector<ConvPart> CutConv(const ConvSizes& sizes, int64_t parts);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_NN_CONV_PARTS_H_
