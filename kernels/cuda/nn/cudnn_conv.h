// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_NN_CUDNN_CONV_H_
#define SLUICE_KERNELS_CUDA_NN_CUDNN_CONV_H_

#include <cuda_runtime_api.h>

#include "kernels/common/nn/conv_plan.h"
#include "kernels/cuda/common/element.h"
#include "kernels/cuda/common/workspace.h"

namespace sluice::kernels {

// A convolution in cuDNN's terms: the same padding on both sides. Filters are [out_channels,
// height, width, in_channels / groups] where channels are last, else [out_channels, in_channels /
// groups, height, width].
struct CudnnConv {
  ConvDirection direction = ConvDirection::kForward;
  cuda::Element element = cuda::Element::kFloat;
  bool channels_last = false;
  int batch = 0, in_channels = 0, out_channels = 0, groups = 1;
  struct Line {
    int in = 1, kernel = 1, stride = 1, dilation = 1, pad = 0, out = 1;
    friend bool operator==(const Line&, const Line&) = default;
  };
  Line height, width;

  friend bool operator==(const CudnnConv&, const CudnnConv&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const CudnnConv& c) {
    for (const Line* l : {&c.height, &c.width}) {
      h = H::combine(std::move(h), l->in, l->kernel, l->stride, l->dilation, l->pad, l->out);
    }
    return H::combine(std::move(h), c.direction, c.element, c.channels_last, c.batch, c.in_channels,
                      c.out_channels, c.groups);
  }
};

// Enqueues a convolution; operands are as in DnnlConv. False, and nothing is enqueued, if cuDNN has
// no algorithm for it. Algorithms are asked for once for each convolution and GPU; the table of
// them is bounded, and so is the workspace. An algorithm whose result differs from run to run is
// used only if there is no other.
//
// Errors:   UNIMPLEMENTED if cuDNN cannot be opened, RESOURCE_EXHAUSTED if no algorithm's workspace
// can be had.
absl::StatusOr<bool> ConvolveByCudnn(const CudnnConv& conv, const void* a, const void* b, void* out,
                                     cudaStream_t stream, Workspace workspace);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_NN_CUDNN_CONV_H_
