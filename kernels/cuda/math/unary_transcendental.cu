// SPDX-License-Identifier: Apache-2.0
// Exponentials, logarithms, and functions that use them.
#include "kernels/cuda/common/elementwise.cuh"
#include "kernels/cuda/common/number.cuh"

namespace sluice::cuda {
namespace {

using Floats = FloatingElements;

struct Exp {
  template <typename T>
  __device__ T operator()(T x) const {
    return Exponential(x);
  }
};
struct Expm1 {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::expm1(x);
  }
};
struct Log {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::log(x);
  }
};
struct Log1p {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::log1p(x);
  }
};
struct Tanh {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::tanh(x);
  }
};
struct Sigmoid {
  template <typename T>
  __device__ T operator()(T x) const {
    return T(1) / (T(1) + std::exp(-x));
  }
};
struct Erf {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::erf(x);
  }
};
struct Erfc {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::erfc(x);
  }
};
struct Lgamma {
  template <typename T>
  __device__ T operator()(T x) const {
#ifdef __CUDACC__
    return std::lgamma(x);
#else
    int sign;  // lgamma writes a global
    return static_cast<T>(::lgamma_r(static_cast<double>(x), &sign));
#endif
  }
};
// The derivative of lgamma: reflected to x > 0, raised by the recurrence to x >= 6, then the
// asymptotic series. In double: the recurrence cancels near the root at 1.46.
struct Digamma {
  template <typename T>
  __device__ T operator()(T value) const {
    double x = static_cast<double>(value), result = 0;
    if (x <= 0 && std::floor(x) == x) return static_cast<T>(std::nan(""));
    if (x < 0) {
      constexpr double kPi = 3.14159265358979323846;
      result = -kPi / std::tan(kPi * x);
      x = 1 - x;
    }
    for (; x < 6; x += 1) result -= 1 / x;
    const double z = 1 / (x * x);
    const double series =
        z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - z * (1.0 / 132)))));
    return static_cast<T>(result + std::log(x) - 0.5 / x - series);
  }
};

using Table =
    UnaryTable<UnaryRow<UnaryOp::kExp, Exp, Joined<Floats, ComplexElements>>,
               UnaryRow<UnaryOp::kExpm1, Expm1, Floats>, UnaryRow<UnaryOp::kLog, Log, Floats>,
               UnaryRow<UnaryOp::kLog1p, Log1p, Floats>, UnaryRow<UnaryOp::kTanh, Tanh, Floats>,
               UnaryRow<UnaryOp::kSigmoid, Sigmoid, Floats>, UnaryRow<UnaryOp::kErf, Erf, Floats>,
               UnaryRow<UnaryOp::kErfc, Erfc, Floats>, UnaryRow<UnaryOp::kLgamma, Lgamma, Floats>,
               UnaryRow<UnaryOp::kDigamma, Digamma, Floats>>;

}  // namespace

UnaryFamily UnaryTranscendental() { return Table::Family(); }

}  // namespace sluice::cuda
