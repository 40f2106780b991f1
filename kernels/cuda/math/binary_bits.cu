// SPDX-License-Identifier: Apache-2.0
// Logic of bools and of bits.
#include "kernels/cuda/common/elementwise.cuh"
#include "kernels/cuda/common/number.cuh"

namespace sluice::cuda {
namespace {

struct And {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

// Shift counts below 0 become 0, those of the width or more become the width minus 1.
template <typename T>
__device__ int ShiftBy(T n) {
  constexpr int kMost = static_cast<int>(8 * sizeof(T)) - 1;
  return IsNegative(n) ? 0 : n > T(kMost) ? kMost : static_cast<int>(n);
}
struct LeftShift {
  template <typename T>
  __device__ T operator()(T a, T n) const {
    return static_cast<T>(static_cast<Modular<T>>(a) << ShiftBy(n));
  }
};
struct RightShift {
  template <typename T>
  __device__ T operator()(T a, T n) const {
    return static_cast<T>(a >> ShiftBy(n));
  }
};

using Bool = ElementList<Element::kBool>;
using Table = BinaryTable<BinaryRow<BinaryOp::kLogicalAnd, And, Bool>,
                          BinaryRow<BinaryOp::kLogicalOr, Or, Bool>,
                          BinaryRow<BinaryOp::kBitwiseAnd, And, IntegerElements>,
                          BinaryRow<BinaryOp::kBitwiseOr, Or, IntegerElements>,
                          BinaryRow<BinaryOp::kBitwiseXor, Xor, IntegerElements>,
                          BinaryRow<BinaryOp::kLeftShift, LeftShift, IntegerElements>,
                          BinaryRow<BinaryOp::kRightShift, RightShift, IntegerElements>>;

}  // namespace

BinaryFamily BinaryBits() { return Table::Family(); }

}  // namespace sluice::cuda
