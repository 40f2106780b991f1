// SPDX-License-Identifier: Apache-2.0
// Powers, logarithms and angles of two arguments.
#include "kernels/cuda/common/elementwise.cuh"
#include "kernels/cuda/common/number.cuh"

namespace sluice::cuda {
namespace {

using Floats = FloatingElements;
using WithComplex = Joined<Floats, ComplexElements>;

struct Pow {
  template <typename T>
  __device__ T operator()(T base, T exponent) const {
    if constexpr (!std::is_integral_v<T>) {
      return std::pow(base, exponent);
    } else {
      if (exponent < 0) {  // the CPU fails; here the fraction is truncated
        if (base == 1) return 1;
        return base == T(-1) ? static_cast<T>((exponent & 1) != 0 ? -1 : 1) : T(0);
      }
      T result = 1;
      for (T square = base; exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0) result = Product(result, square);
        square = Product(square, square);
      }
      return result;
    }
  }
};
struct Atan2 {
  template <typename T>
  __device__ T operator()(T y, T x) const {
    return std::atan2(y, x);
  }
};
struct Xlogy {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a == T(0) ? T(0) : a * Logarithm(b);
  }
};
struct Xlog1py {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return a == T(0) ? T(0) : a * std::log1p(b);
  }
};
struct NextAfter {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return std::nextafter(a, b);
  }
};
struct MakeComplex {
  template <typename R>
  __device__ Complex<R> operator()(R re, R im) const {
    return {re, im};
  }
};

using FloatAndDouble = ElementList<Element::kFloat, Element::kDouble>;
using Table =
    BinaryTable<BinaryRow<BinaryOp::kPow, Pow, Joined<Floats, ElementList<Element::kInt64>>>,
                BinaryRow<BinaryOp::kAtan2, Atan2, Floats>,
                BinaryRow<BinaryOp::kXlogy, Xlogy, WithComplex>,
                BinaryRow<BinaryOp::kXlog1py, Xlog1py, Floats>,
                BinaryRow<BinaryOp::kNextAfter, NextAfter, FloatAndDouble>,
                BinaryRow<BinaryOp::kComplex, MakeComplex, FloatAndDouble>>;

}  // namespace

BinaryFamily BinaryMath() { return Table::Family(); }

}  // namespace sluice::cuda
