// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_NN_DEPTHWISE_CONV_H_
#define SLUICE_KERNELS_CUDA_NN_DEPTHWISE_CONV_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"
#include "kernels/cuda/nn/window_span.h"

namespace sluice::cuda {

// A depthwise convolution. The filter is [height, width, channels, multiplier]; output channel c *
// multiplier + m comes from input channel c. Floating elements.
struct DepthwiseShape {
  Element element;
  int64_t batch, channels, multiplier;
  WindowSpan height, width;
  bool channels_first;
};

cudaError_t LaunchDepthwiseConv(const DepthwiseShape& shape, const void* input, const void* filter,
                                void* out, cudaStream_t stream);
cudaError_t LaunchDepthwiseConvInput(const DepthwiseShape& shape, const void* grad,
                                     const void* filter, void* out, cudaStream_t stream);
// A block sums each element of the filter, in a fixed order.
cudaError_t LaunchDepthwiseConvFilter(const DepthwiseShape& shape, const void* input,
                                      const void* grad, void* out, cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_NN_DEPTHWISE_CONV_H_
