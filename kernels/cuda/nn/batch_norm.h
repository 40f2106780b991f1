// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_NN_BATCH_NORM_H_
#define SLUICE_KERNELS_CUDA_NN_BATCH_NORM_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// Images as rows of channels: half, bfloat16 or float. Statistics are float vectors, one element
// for each channel.
struct BatchNormShape {
  Element element;
  int64_t rows, channels;
  int64_t pixels;  // rows of one image
  bool channels_first;

  // Rows are summed in chunks, in float; chunks are added in double, in order.
  constexpr int64_t chunk() const { return rows < (int64_t{256} << 9) ? 256 : (rows + 511) / 512; }
  constexpr int64_t chunks() const { return (rows + chunk() - 1) / chunk(); }
  constexpr int64_t partial_sums() const { return 2 * chunks() * channels; }
};

// Mean and variance, which divides by the count, of each channel. NaN without rows. `partial` has
// partial_sums() elements.
cudaError_t LaunchBatchStatistics(const BatchNormShape& shape, const void* x, float* partial,
                                  float* mean, float* variance, cudaStream_t stream);

// Writes a forward op's statistics: outputs 1 and 2, the variance times `unbiased`, mixed with
// running averages if there are some (`factor` of the new ones), and copies into the reserves.
struct BatchNormOutputs {
  float unbiased, factor;
  const float *running_mean, *running_variance;  // both, or null
  float *mean, *variance, *reserve_mean, *reserve_variance;
};
cudaError_t LaunchBatchNormOutputs(int64_t channels, const float* mean, const float* variance,
                                   const BatchNormOutputs& outputs, cudaStream_t stream);

struct BatchNormVectors {
  const float *scale, *mean, *variance;
  float epsilon;
};

// y = (x - mean) * scale / sqrt(variance + epsilon) + offset
cudaError_t LaunchBatchNormalize(const BatchNormShape& shape, const void* x,
                                 const BatchNormVectors& vectors, const float* offset, void* y,
                                 cudaStream_t stream);

// The gradients; without `training` the statistics were constants. `partial` has partial_sums()
// elements, `factors` has 3 * channels.
struct BatchNormGradients {
  void* x;
  float *scale, *offset;
};
cudaError_t LaunchBatchNormGrad(const BatchNormShape& shape, bool training, const void* dy,
                                const void* x, const BatchNormVectors& vectors, float* partial,
                                float* factors, const BatchNormGradients& gradients,
                                cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_NN_BATCH_NORM_H_
