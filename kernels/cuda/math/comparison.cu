// SPDX-License-Identifier: Apache-2.0
// Comparisons.
#include "kernels/cuda/common/elementwise.cuh"
#include "kernels/cuda/common/number.cuh"

namespace sluice::cuda {
namespace {

using Ordered =
    Joined<FloatingElements, ElementList<Element::kInt8, Element::kInt16, Element::kInt64,
                                         Element::kUInt8, Element::kUInt16>>;
using WithEquality =
    Joined<Ordered, ElementList<Element::kComplex64, Element::kComplex128, Element::kBool>>;

struct Equal {
  template <typename T>
  __device__ bool operator()(T a, T b) const {
    return a == b;
  }
};
struct NotEqual {
  template <typename T>
  __device__ bool operator()(T a, T b) const {
    return !(a == b);
  }
};
struct Less {
  template <typename T>
  __device__ bool operator()(T a, T b) const {
    return a < b;
  }
};
struct LessEqual {
  template <typename T>
  __device__ bool operator()(T a, T b) const {
    return a <= b;
  }
};
struct Greater {
  template <typename T>
  __device__ bool operator()(T a, T b) const {
    return a > b;
  }
};
struct GreaterEqual {
  template <typename T>
  __device__ bool operator()(T a, T b) const {
    return a >= b;
  }
};
struct ApproximateEqual {
  float parameter = 0;  // the tolerance
  template <typename T>
  __device__ bool operator()(T a, T b) const {
    return (a < b ? b - a : a - b) <= static_cast<T>(parameter);
  }
};

using Table =
    BinaryTable<BinaryRow<BinaryOp::kEqual, Equal, WithEquality>,
                BinaryRow<BinaryOp::kNotEqual, NotEqual, WithEquality>,
                BinaryRow<BinaryOp::kLess, Less, Ordered>,
                BinaryRow<BinaryOp::kLessEqual, LessEqual, Ordered>,
                BinaryRow<BinaryOp::kGreater, Greater, Ordered>,
                BinaryRow<BinaryOp::kGreaterEqual, GreaterEqual, Ordered>,
                BinaryRow<BinaryOp::kApproximateEqual, ApproximateEqual, FloatingElements>>;

}  // namespace

BinaryFamily Comparisons() { return Table::Family(); }

}  // namespace sluice::cuda
