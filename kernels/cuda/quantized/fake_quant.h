// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_QUANTIZED_FAKE_QUANT_H_
#define SLUICE_KERNELS_CUDA_QUANTIZED_FAKE_QUANT_H_

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sluice::cuda {

// The ranges of fake quantisation: element i has that of i modulo `channels`.
struct QuantRanges {
  const float* min = nullptr;  // in device memory; null: one range, min_value to max_value
  const float* max = nullptr;
  float min_value = 0, max_value = 0;
  int64_t channels = 1;
  int32_t bits = 8;
  bool narrow = false;
};

cudaError_t LaunchFakeQuant(const QuantRanges& ranges, const float* x, float* y, int64_t n,
                            cudaStream_t stream);
// dx[i] is grad[i] inside of the range, else 0.
cudaError_t LaunchFakeQuantGrad(const QuantRanges& ranges, const float* grad, const float* x,
                                float* dx, int64_t n, cudaStream_t stream);
// The gradients of min and max: the sums of grad below and above the range of each channel, added
// in a fixed order.
cudaError_t LaunchFakeQuantRangeGrad(const QuantRanges& ranges, const float* grad, const float* x,
                                     float* dmin, float* dmax, int64_t n, cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_QUANTIZED_FAKE_QUANT_H_
