// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_LAYOUT_H_
#define SLUICE_KERNELS_CUDA_COMMON_LAYOUT_H_

#include <cuda_runtime_api.h>

#include <cstdint>

namespace sluice::cuda {

// Divides by a number that is known at launch. A 32-bit division becomes a multiplication and a
// shift (Granlund and Montgomery, 1994), a fifth of the instructions of a division.
class Divisor {
 public:
  Divisor() = default;
  // REQUIRES: divisor >= 1
  explicit Divisor(int64_t divisor) : divisor_(divisor) {
    if (divisor > INT32_MAX) return;
    while ((int64_t{1} << shift_) < divisor) ++shift_;
    const uint64_t rest = (uint64_t{1} << shift_) - static_cast<uint64_t>(divisor);
    magic_ = static_cast<uint32_t>((rest << 32) / static_cast<uint64_t>(divisor) + 1);
  }

  __host__ __device__ int64_t divisor() const { return divisor_; }
  // REQUIRES: both numbers are below 2^31
  __host__ __device__ uint32_t DivideSmall(uint32_t n) const {
    const auto high = static_cast<uint32_t>((static_cast<uint64_t>(n) * magic_) >> 32);
    return (high + n) >> shift_;
  }

 private:
  int64_t divisor_ = 1;
  uint32_t magic_ = 1;
  uint32_t shift_ = 0;
};

// Maps an index over dimensions to an offset into each of `kOperands` arrays. Passed to a kernel by
// value.
template <int kOperands>
struct Layout {
  // Dimensions of size 1 are left out, so more dimensions would be more than 2^40 elements.
  static constexpr int kMaxRank = 40;
  struct Dim {
    Divisor size;
    int64_t stride[kOperands];  // in elements
  };
  struct Offsets {
    int64_t at[kOperands];
  };

  int64_t elements = 1;
  int32_t rank = 0;
  Dim dims[kMaxRank];  // innermost first

  // Adds the next outer dimension.
  void AddDim(int64_t size, const int64_t (&stride)[kOperands]) {
    elements *= size;
    if (size <= 1) return;
    dims[rank].size = Divisor(size);
    for (int o = 0; o < kOperands; ++o) dims[rank].stride[o] = stride[o];
    ++rank;
  }

  // REQUIRES: 0 <= index < elements
  __host__ __device__ Offsets OffsetsOf(int64_t index) const {
    Offsets offsets{};
    const bool small = elements <= INT32_MAX;
    for (int d = 0; d < rank; ++d) {
      const int64_t outer = d + 1 == rank ? 0
                            : small       ? dims[d].size.DivideSmall(static_cast<uint32_t>(index))
                                          : index / dims[d].size.divisor();
      const int64_t coordinate = index - outer * dims[d].size.divisor();
      for (int o = 0; o < kOperands; ++o) offsets.at[o] += coordinate * dims[d].stride[o];
      index = outer;
    }
    return offsets;
  }
};

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_COMMON_LAYOUT_H_
