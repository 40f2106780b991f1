// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_NN_WINDOW_SPAN_H_
#define SLUICE_KERNELS_CUDA_NN_WINDOW_SPAN_H_

#include <cstdint>

namespace sluice::cuda {

// A window along one dimension, for device code: kernels/common/nn/window.h says more.
struct WindowSpan {
  int64_t in = 1, kernel = 1, stride = 1, dilation = 1, pad_before = 0, out = 1;
};

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_NN_WINDOW_SPAN_H_
