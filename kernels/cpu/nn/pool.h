// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_NN_POOL_H_
#define SLUICE_KERNELS_CPU_NN_POOL_H_

#include <algorithm>
#include <type_traits>
#include <vector>

#include "core/runtime/kernel.h"
#include "kernels/cpu/nn/window.h"

namespace sluice::kernels {

template <typename T>
void AddTo(T& to, T value) {
  if constexpr (std::is_integral_v<T>) {  // wraps
    using U = std::make_unsigned_t<T>;
    to = static_cast<T>(static_cast<U>(to) + static_cast<U>(value));
  } else {
    to += value;
  }
}

struct PoolSizes {
  int64_t batch, channels;
  Window planes, height, width;  // one plane: an image
  Window depth;                  // windows over channels: as wide as their stride

  int64_t in_pixels() const { return planes.in * height.in * width.in; }
  int64_t in_image() const { return in_pixels() * channels; }
  int64_t out_channels() const { return channels / depth.kernel; }
  int64_t out_rows() const { return planes.out * height.out; }  // of all planes
  int64_t out_image() const { return out_rows() * width.out * out_channels(); }
  double pixel_cost() const {
    return 0.5 * planes.kernel * height.kernel * width.kernel * channels;
  }
};

// The attributes of a pooling. Window sizes and strides are attributes, or in the V2 ops the last
// two inputs.
struct Pool {
  WindowAttrs attrs;
  std::vector<int64_t> ksize, strides;  // if empty, from inputs
  const char* not_over_channels;        // error text for such windows

  static absl::StatusOr<Pool> Create(const NodeSpec& node);

  // The sizes for an input of this shape. `depthwise`: windows over channels are supported too.
  absl::StatusOr<PoolSizes> Sizes(KernelContext& ctx, const Shape& input, bool depthwise) const;
  absl::StatusOr<Shape> OutputShape(const PoolSizes& s) const;

  // An operand in channels-last order, and a result to fill in that order.
  absl::StatusOr<Tensor> Ordered(KernelContext& ctx, const Tensor& in) const;
  absl::StatusOr<Tensor> OrderedResult(KernelContext& ctx, const Tensor& out) const;
  absl::Status Finish(KernelContext& ctx, const Tensor& result, Tensor& out) const;

 private:
  absl::StatusOr<PoolSizes> SizesOf(const Shape& input, absl::Span<const int64_t> k,
                                    absl::Span<const int64_t> s, bool depthwise) const;
};

// INVALID_ARGUMENT if a shape is not the expected one. The error calls it `name`, or `ranked` if
// its rank is wrong.
absl::Status CheckShape(absl::string_view name, absl::string_view ranked, const Shape& found,
                        const Shape& expected);

// The inputs [begin, end) that an output covers, without padding.
struct Covered {
  int64_t begin, end;
  Covered(const Window& w, int64_t out)
      : begin(std::max<int64_t>(0, w.begin(out))), end(std::min(w.in, w.begin(out) + w.kernel)) {}
  int64_t size() const { return std::max<int64_t>(0, end - begin); }
};

// Calls fn(pixel) for the input pixels that output pixel (row, ox) covers; returns their number.
// Rows are those of all planes.
template <typename Fn>
int64_t ForEachPixel(const PoolSizes& s, int64_t row, int64_t ox, const Fn& fn) {
  const Covered planes(s.planes, row / s.height.out), rows(s.height, row % s.height.out);
  const Covered columns(s.width, ox);
  for (int64_t z = planes.begin; z < planes.end; ++z) {
    for (int64_t y = rows.begin; y < rows.end; ++y) {
      const int64_t pixel = (z * s.height.in + y) * s.width.in;
      for (int64_t x = columns.begin; x < columns.end; ++x) fn(pixel + x);
    }
  }
  return planes.size() * rows.size() * columns.size();
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_NN_POOL_H_
