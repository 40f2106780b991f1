// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_NN_CONV_H_
#define SLUICE_KERNELS_CPU_NN_CONV_H_

#include <memory>

#include "core/runtime/kernel_context.h"
#include "kernels/cpu/nn/window.h"

namespace sluice::kernels {

// The sizes of a convolution of images, or of volumes, which also have planes. Filters are [planes
// if any, height, width, in_channels / groups, out_channels].
struct ConvSizes {
  int64_t batch = 0, in_channels = 0, out_channels = 0, groups = 1;
  Window planes, height, width;
  bool volume = false;
  bool channels_first = false;  // layout of input and output

  int64_t taps() const { return planes.kernel * height.kernel * width.kernel; }
  int64_t in_pixels() const { return planes.in * height.in * width.in; }
  int64_t out_pixels() const { return planes.out * height.out * width.out; }
  int64_t source_size() const { return in_channels * in_pixels(); }  // elements of one image
  int64_t destination_size() const { return out_channels * out_pixels(); }
  double multiplications() const {
    return 1.0 * batch * out_pixels() * out_channels * taps() * (in_channels / groups);
  }
};

enum class ConvDirection { kForward, kBackpropInput, kBackpropFilter };

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
  // No size is 0.
  absl::Status Run(KernelContext& ctx, const ConvSizes& sizes, const float* a, const float* b,
                   float* out);

 private:
  class Plans;
  std::unique_ptr<Plans> plans_;
};

// The same by rearranging patches into a matrix, for dtypes that oneDNN lacks (double, int32).
// Channels last only.
template <typename T>
absl::Status PatchConv(KernelContext& ctx, ConvDirection direction, const ConvSizes& sizes,
                       const T* a, const T* b, T* out);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_NN_CONV_H_
