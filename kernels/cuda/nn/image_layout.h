// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_NN_IMAGE_LAYOUT_H_
#define SLUICE_KERNELS_CUDA_NN_IMAGE_LAYOUT_H_

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sluice::cuda {

// How a dimension of the output of LaunchPermute lies in its input.
struct PermutedDimension {
  int64_t size, input_stride;  // elements
};

// Fills `out`, whose dimensions are dims[0], dims[1], dims[2] in row-major order, from `in`, where
// they lie elsewhere. Elements have 2, 4 or 8 bytes.
cudaError_t LaunchPermute(int element_size, const PermutedDimension (&dims)[3], const void* in,
                          void* out, cudaStream_t stream);

// Rows and columns of images [batch, rows, columns, inner].
struct ImageWindow {
  int64_t batch, inner;
  int64_t in_rows, in_columns, out_rows, out_columns;
  int64_t top, left;  // out(y, x) = in(y - top, x - left), 0 outside
};

// Pads images with zeros; crops them if `top` and `left` are negative.
cudaError_t LaunchMoveImages(int element_size, const ImageWindow& window, const void* in, void* out,
                             cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_NN_IMAGE_LAYOUT_H_
