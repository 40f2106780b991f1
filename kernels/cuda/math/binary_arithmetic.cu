// SPDX-License-Identifier: Apache-2.0
// Sums, products and extremes.
#include "kernels/cuda/common/elementwise.cuh"
#include "kernels/cuda/common/number.cuh"

namespace sluice::cuda {
namespace {

using Floats = FloatingElements;
using WithInt64 = Joined<Floats, ElementList<Element::kInt64>>;
using WithComplex = Joined<Floats, ComplexElements>;
// The integers of TensorFlow's Mul. Sub of unsigned integers wraps.
using Arithmetic =
    Joined<Joined<WithInt64, ComplexElements>,
           ElementList<Element::kInt8, Element::kInt16, Element::kUInt8, Element::kUInt16>>;

struct Add {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return Sum(a, b);
  }
};
struct Sub {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return Difference(a, b);
  }
};
struct Mul {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return Product(a, b);
  }
};
// If the comparison is undefined, the first operand wins, as on the CPU: NaN with 1 is NaN.
struct Maximum {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct Minimum {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct SquaredDifference {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    const T difference = Difference(a, b);
    return Product(difference, difference);
  }
};
struct MulNoNan {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return b == T(0) ? T(0) : a * b;
  }
};

using Table = BinaryTable<
    BinaryRow<BinaryOp::kAdd, Add, Arithmetic>, BinaryRow<BinaryOp::kSub, Sub, Arithmetic>,
    BinaryRow<BinaryOp::kMul, Mul, Arithmetic>, BinaryRow<BinaryOp::kMaximum, Maximum, WithInt64>,
    BinaryRow<BinaryOp::kMinimum, Minimum, WithInt64>,
    BinaryRow<BinaryOp::kSquaredDifference, SquaredDifference, WithInt64>,
    BinaryRow<BinaryOp::kMulNoNan, MulNoNan, WithComplex>>;

}  // namespace

BinaryFamily BinaryArithmetic() { return Table::Family(); }

}  // namespace sluice::cuda
