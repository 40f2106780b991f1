// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_IMAGE_RESAMPLE_H_
#define SLUICE_KERNELS_CPU_IMAGE_RESAMPLE_H_

#include <vector>

#include "core/runtime/kernel.h"
#include "kernels/common/image/resize_plan.h"
#include "kernels/common/image/resize_scale.h"

namespace sluice::kernels {

// A linear filter along one dimension: output i is the weighted sum of neighbouring inputs.
class Filter {
 public:
  explicit Filter(int64_t inputs) : inputs_(inputs) {}

  // The next output reads inputs [start, start + weights.size()). For inputs outside, the nearest
  // one inside is read.
  // REQUIRES: inputs > 0 unless weights is empty.
  void Add(int64_t start, absl::Span<const float> weights);
  // The filter that carries gradients from outputs back to inputs.
  Filter Transposed() const;

  struct Span {
    int64_t start, size;
    const float* weights;
  };
  Span span(int64_t output) const {
    const int64_t begin = offsets_[output];
    return {starts_[output], offsets_[output + 1] - begin, weights_.data() + begin};
  }
  int64_t inputs() const { return inputs_; }
  int64_t outputs() const { return static_cast<int64_t>(starts_.size()); }
  int64_t widest() const { return widest_; }

 private:
  int64_t inputs_, widest_ = 0;
  std::vector<int64_t> starts_, offsets_ = {0};
  std::vector<float> weights_;
};

Filter BilinearFilter(int64_t in, int64_t out, const ResizeScale& scale);
// Convolution with cubic pieces (Keys 1981). With half pixel centers, a = -0.5 and pixels outside
// have no weight. Else a = -0.75 and the edges repeat.
Filter BicubicFilter(int64_t in, int64_t out, const ResizeScale& scale);
// Averages over the area that an output covers.
Filter AreaFilter(int64_t in, int64_t out, const ResizeScale& scale);

// out[n, y, x, c] applies the columns' filter and then the rows' filter to images [n,
// rows.inputs(), columns.inputs(), c], which may have any real dtype. `out` is float.
absl::Status Resample(KernelContext& ctx, const Tensor& images, const Filter& rows,
                      const Filter& columns, Tensor& out);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_IMAGE_RESAMPLE_H_
