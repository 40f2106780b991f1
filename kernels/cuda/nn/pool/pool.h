// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_NN_POOL_POOL_H_
#define SLUICE_KERNELS_CUDA_NN_POOL_POOL_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"
#include "kernels/cuda/nn/window_span.h"

namespace sluice::cuda {

// A pooling of images, or of volumes, which have planes besides. A window over channels is as wide
// as its stride.
struct PoolShape {
  Element element;
  int64_t batch, channels;
  WindowSpan planes, height, width;
  int64_t depth = 1;  // channels in a window
  bool channels_first;
};

// The largest elements of windows; a NaN is never larger. All real elements.
cudaError_t LaunchMaxPool(const PoolShape& shape, const void* in, void* out, cudaStream_t stream);

// The place of each window's largest element, the first if there are more: pixel * channels +
// channel within its image, or within all images, in channels-last order whatever the layout is.
// Negative if a window is all padding. `out`, if there is one, takes the elements. Indices are
// int32 or int64.
cudaError_t LaunchArgMaxPool(const PoolShape& shape, const void* in, bool include_batch, void* out,
                             Element index, void* places, cudaStream_t stream);

// Each element gathers the gradients of the windows whose place it is. Places are int64, within an
// image.
cudaError_t LaunchMaxPoolGrad(const PoolShape& shape, const int64_t* places, const void* grad,
                              void* out, cudaStream_t stream);
// TensorFlow's rule for volumes: each element that equals its window's maximum takes the whole
// gradient. Floating elements.
cudaError_t LaunchMaxPoolVolumeGrad(const PoolShape& shape, const void* in, const void* max,
                                    const void* grad, void* out, cudaStream_t stream);
// Each window takes the gradient at its place, or 0.
cudaError_t LaunchMaxPoolGradGrad(const PoolShape& shape, const int64_t* places, const void* grad,
                                  void* out, cudaStream_t stream);

// Adds gradients at places into `sums`, which holds zeros: `images` images of `in_image` elements,
// out of `out_image` gradients each. A place out of range is dropped. `sums` are double for double,
// float for other floating elements.
struct ArgMaxScatter {
  Element element, index;
  int64_t images, in_image, out_image;
  bool include_batch;
};
cudaError_t LaunchArgMaxScatter(const ArgMaxScatter& scatter, const void* grad, const void* places,
                                void* sums, cudaStream_t stream);
// Rounds sums of float to half or bfloat16.
cudaError_t LaunchRound(Element element, int64_t count, const float* sums, void* out,
                        cudaStream_t stream);

// Averages over the elements of windows, not over padding. Floating elements.
cudaError_t LaunchAvgPool(const PoolShape& shape, const void* in, void* out, cudaStream_t stream);
cudaError_t LaunchAvgPoolGrad(const PoolShape& shape, const void* grad, void* out,
                              cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_NN_POOL_POOL_H_
