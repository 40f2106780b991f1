// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_NN_DIRECT_CONV_H_
#define SLUICE_KERNELS_CUDA_NN_DIRECT_CONV_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"
#include "kernels/cuda/nn/window_span.h"

namespace sluice::cuda {

// A convolution of images. The filter is [height, width, in_channels / groups, out_channels].
struct DirectConv {
  Element element;
  int64_t batch, in_channels, out_channels, groups;
  WindowSpan height, width;
  bool channels_first;
};

// Convolutions by plain loops, one thread for each element of the result, sums in a fixed order:
// for int32, which wraps, and for what cuDNN does not support. Operands are as in DnnlConv: the
// input and the filter, the output's gradient and the filter, the input and the output's gradient.
cudaError_t LaunchDirectConv(const DirectConv& conv, const void* input, const void* filter,
                             void* out, cudaStream_t stream);
cudaError_t LaunchDirectConvInput(const DirectConv& conv, const void* grad, const void* filter,
                                  void* out, cudaStream_t stream);
cudaError_t LaunchDirectConvFilter(const DirectConv& conv, const void* input, const void* grad,
                                   void* out, cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_NN_DIRECT_CONV_H_
