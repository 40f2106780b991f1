// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_NN_CONV_CONV_H_
#define SLUICE_KERNELS_CPU_NN_CONV_CONV_H_

#include <memory>

#include "absl/functional/function_ref.h"
#include "core/runtime/kernel_context.h"
#include "kernels/common/nn/conv_plan.h"

namespace sluice::kernels {

// Gets complete rows of an output, one row for each pixel: the first element, and the number of
// rows. Threads call it at the same time.
using FinishRows = absl::FunctionRef<void(float* rows, int64_t count)>;

// Convolutions of float by oneDNN. Plans (compiled primitives with their memory formats) are cached
// by sizes.
//
// Threads:  any; one mutex guards the plans.
class DnnlConv {
 public:
  explicit DnnlConv(ConvDirection direction);
  ~DnnlConv();
  // Forward: a = input, b = filter, out = output. Input gradient: a = output gradient, b = filter,
  // out = input gradient. Filter gradient: a = input, b = output gradient, out = filter gradient.
  // No size is 0. False, and nothing is computed, if PatchConv is faster: ten times if oneDNN has
  // only its reference code for these sizes.
  // With `finish`, the output is computed in parts that stay in the cache, and handed to it; only
  // forward, with channels last.
  absl::StatusOr<bool> Run(KernelContext& ctx, const ConvSizes& sizes, const float* a,
                           const float* b, float* out, const FinishRows* finish = nullptr);

 private:
  class Plans;
  std::unique_ptr<Plans> plans_;
};

// The same by rearranging patches into a matrix, for dtypes that oneDNN lacks (double, int32) and
// for sizes that it has no fast code for. Channels last only.
template <typename T>
absl::Status PatchConv(KernelContext& ctx, ConvDirection direction, const ConvSizes& sizes,
                       const T* a, const T* b, T* out);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_NN_CONV_CONV_H_
