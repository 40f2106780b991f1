// SPDX-License-Identifier: Apache-2.0
// Gradients of functions of one argument, from the function's output y and the incoming gradient.
#include "kernels/cuda/common/elementwise.cuh"

namespace sluice::cuda {
namespace {

struct SigmoidGrad {
  template <typename T>
  __device__ T operator()(T y, T dy) const {
    return dy * (y * (T(1) - y));
  }
};
struct TanhGrad {
  template <typename T>
  __device__ T operator()(T y, T dy) const {
    return dy * (T(1) - y * y);
  }
};
// A zero gradient stays zero, even if the slope is infinite there.
struct SqrtGrad {
  template <typename T>
  __device__ T operator()(T y, T dy) const {
    return dy == T(0) ? T(0) : dy * T(0.5) / y;
  }
};
struct RsqrtGrad {
  template <typename T>
  __device__ T operator()(T y, T dy) const {
    return dy == T(0) ? T(0) : T(-0.5) * dy * (y * y * y);
  }
};
struct ReciprocalGrad {
  template <typename T>
  __device__ T operator()(T y, T dy) const {
    return dy == T(0) ? T(0) : -dy * (y * y);
  }
};

template <BinaryOp kOp, typename Fn>
using Row = BinaryRow<kOp, Fn, FloatingElements>;
using Table =
    BinaryTable<Row<BinaryOp::kSigmoidGrad, SigmoidGrad>, Row<BinaryOp::kTanhGrad, TanhGrad>,
                Row<BinaryOp::kSqrtGrad, SqrtGrad>, Row<BinaryOp::kRsqrtGrad, RsqrtGrad>,
                Row<BinaryOp::kReciprocalGrad, ReciprocalGrad>>;

}  // namespace

BinaryFamily UnaryGradients() { return Table::Family(); }

}  // namespace sluice::cuda
