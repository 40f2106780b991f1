// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_NN_SPAN_OF_H_
#define SLUICE_KERNELS_CUDA_NN_SPAN_OF_H_

#include "kernels/common/nn/window.h"
#include "kernels/cuda/nn/window_span.h"

namespace sluice::kernels {

// A window for device code.
inline cuda::WindowSpan SpanOf(const Window& w) {
  return {w.in, w.kernel, w.stride, w.dilation, w.pad_before, w.out};
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_NN_SPAN_OF_H_
