// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_RANDOM_MULTINOMIAL_H_
#define SLUICE_KERNELS_CUDA_RANDOM_MULTINOMIAL_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/common/philox.h"
#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// Draws `samples` classes for each row of logits, [rows, classes], with the CPU's numbers: `share`
// rows continue one part of the stream. Logits that are not finite are never drawn. `sums` is
// scratch of rows * classes. `out` is of int64_t if `wide`, else of int32_t. Elements: floating.
// REQUIRES: classes, samples and share > 0
cudaError_t LaunchMultinomial(Element element, const kernels::Philox& philox, const void* logits,
                              int64_t rows, int64_t classes, int64_t samples, int64_t share,
                              double* sums, void* out, bool wide, cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_RANDOM_MULTINOMIAL_H_
