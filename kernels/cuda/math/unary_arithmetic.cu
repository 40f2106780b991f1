// SPDX-License-Identifier: Apache-2.0
// Cheap functions of one argument: signs, roots, rounding, tests.
#include "kernels/cuda/common/elementwise.cuh"
#include "kernels/cuda/common/number.cuh"

namespace sluice::cuda {
namespace {

using Int64 = ElementList<Element::kInt64>;
using Floats = FloatingElements;
using WithInt64 = Joined<Floats, Int64>;
using WithComplex = Joined<WithInt64, ComplexElements>;

struct Abs {
  template <typename T>
  __device__ T operator()(T x) const {
    if constexpr (std::is_integral_v<T>) {
      return x < 0 ? Difference(T(0), x) : x;
    } else {
      return std::fabs(x);
    }
  }
};
struct Neg {
  template <typename T>
  __device__ T operator()(T x) const {
    if constexpr (std::is_integral_v<T>) {
      return Difference(T(0), x);
    } else {
      return -x;
    }
  }
};
struct Sign {
  template <typename T>
  __device__ T operator()(T x) const {
    if constexpr (kIsComplex<T>) {
      const auto size = Magnitude(x);
      return size == 0 ? T(0) : T(x.re / size, x.im / size);
    } else {
      return static_cast<T>((x > T(0)) - (x < T(0)));
    }
  }
};
struct Square {
  template <typename T>
  __device__ T operator()(T x) const {
    return Product(x, x);
  }
};
struct Sqrt {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::sqrt(x);
  }
};
struct Rsqrt {
  template <typename T>
  __device__ T operator()(T x) const {
    return T(1) / std::sqrt(x);
  }
};
struct Reciprocal {
  template <typename T>
  __device__ T operator()(T x) const {
    return Quotient(T(1), x);
  }
};
struct Ceil {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::ceil(x);
  }
};
struct Floor {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::floor(x);
  }
};
struct Round {  // half to even
  template <typename T>
  __device__ T operator()(T x) const {
    if constexpr (std::is_integral_v<T>) {
      return x;
    } else {
      return std::rint(x);
    }
  }
};
struct Invert {
  template <typename T>
  __device__ T operator()(T x) const {
    return static_cast<T>(~x);
  }
};
struct IsNan {
  template <typename T>
  __device__ bool operator()(T x) const {
    return x != x;
  }
};
struct IsInf {
  template <typename T>
  __device__ bool operator()(T x) const {
    return std::fabs(x) == static_cast<T>(HUGE_VAL);
  }
};
struct IsFinite {
  template <typename T>
  __device__ bool operator()(T x) const {
    return std::fabs(x) < static_cast<T>(HUGE_VAL);
  }
};
struct LogicalNot {
  __device__ bool operator()(bool x) const { return !x; }
};

using Table = UnaryTable<
    UnaryRow<UnaryOp::kAbs, Abs, WithInt64>, UnaryRow<UnaryOp::kNeg, Neg, WithComplex>,
    UnaryRow<UnaryOp::kSign, Sign, WithComplex>, UnaryRow<UnaryOp::kSquare, Square, WithInt64>,
    UnaryRow<UnaryOp::kSqrt, Sqrt, Floats>, UnaryRow<UnaryOp::kRsqrt, Rsqrt, Floats>,
    UnaryRow<UnaryOp::kReciprocal, Reciprocal, WithInt64>, UnaryRow<UnaryOp::kCeil, Ceil, Floats>,
    UnaryRow<UnaryOp::kFloor, Floor, Floats>, UnaryRow<UnaryOp::kRint, Round, Floats>,
    UnaryRow<UnaryOp::kRound, Round, Joined<Floats, IndexElements>>,
    UnaryRow<UnaryOp::kInvert, Invert, IntegerElements>, UnaryRow<UnaryOp::kIsNan, IsNan, Floats>,
    UnaryRow<UnaryOp::kIsInf, IsInf, Floats>, UnaryRow<UnaryOp::kIsFinite, IsFinite, Floats>,
    UnaryRow<UnaryOp::kLogicalNot, LogicalNot, ElementList<Element::kBool>>>;

}  // namespace

UnaryFamily UnaryArithmetic() { return Table::Family(); }

}  // namespace sluice::cuda
