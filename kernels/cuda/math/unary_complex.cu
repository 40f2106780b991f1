// SPDX-License-Identifier: Apache-2.0
// Parts of complex numbers.
#include "kernels/cuda/common/elementwise.cuh"
#include "kernels/cuda/common/number.cuh"

namespace sluice::cuda {
namespace {

struct Conj {
  template <typename T>
  __device__ T operator()(T x) const {
    return Conjugate(x);
  }
};
struct Real {
  template <typename R>
  __device__ R operator()(Complex<R> x) const {
    return x.re;
  }
};
struct Imag {
  template <typename R>
  __device__ R operator()(Complex<R> x) const {
    return x.im;
  }
};
struct Angle {
  template <typename R>
  __device__ R operator()(Complex<R> x) const {
    return std::atan2(x.im, x.re);
  }
};
struct ComplexAbs {
  template <typename R>
  __device__ R operator()(Complex<R> x) const {
    return Magnitude(x);
  }
};

template <UnaryOp kOp, typename Fn>
using Row = UnaryRow<kOp, Fn, ComplexElements>;
using Table =
    UnaryTable<Row<UnaryOp::kConj, Conj>, Row<UnaryOp::kReal, Real>, Row<UnaryOp::kImag, Imag>,
               Row<UnaryOp::kAngle, Angle>, Row<UnaryOp::kComplexAbs, ComplexAbs>>;

}  // namespace

UnaryFamily UnaryComplex() { return Table::Family(); }

}  // namespace sluice::cuda
