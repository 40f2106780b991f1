// SPDX-License-Identifier: Apache-2.0
// Trigonometric and hyperbolic functions.
#include <cmath>

#include "kernels/cuda/common/elementwise.cuh"

namespace sluice::cuda {
namespace {

struct Sin {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::sin(x);
  }
};
struct Cos {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::cos(x);
  }
};
struct Tan {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::tan(x);
  }
};
struct Asin {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::asin(x);
  }
};
struct Acos {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::acos(x);
  }
};
struct Atan {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::atan(x);
  }
};
struct Sinh {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::sinh(x);
  }
};
struct Cosh {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::cosh(x);
  }
};
struct Asinh {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::asinh(x);
  }
};
struct Acosh {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::acosh(x);
  }
};
struct Atanh {
  template <typename T>
  __device__ T operator()(T x) const {
    return std::atanh(x);
  }
};

template <UnaryOp kOp, typename Fn>
using Row = UnaryRow<kOp, Fn, FloatingElements>;
using Table =
    UnaryTable<Row<UnaryOp::kSin, Sin>, Row<UnaryOp::kCos, Cos>, Row<UnaryOp::kTan, Tan>,
               Row<UnaryOp::kAsin, Asin>, Row<UnaryOp::kAcos, Acos>, Row<UnaryOp::kAtan, Atan>,
               Row<UnaryOp::kSinh, Sinh>, Row<UnaryOp::kCosh, Cosh>, Row<UnaryOp::kAsinh, Asinh>,
               Row<UnaryOp::kAcosh, Acosh>, Row<UnaryOp::kAtanh, Atanh>>;

}  // namespace

UnaryFamily UnaryTrigonometry() { return Table::Family(); }

}  // namespace sluice::cuda
