// SPDX-License-Identifier: Apache-2.0
// Special functions, computed in double.
#include "kernels/common/math/special_functions.h"
#include "kernels/cuda/common/elementwise.cuh"

namespace sluice::cuda {
namespace {

using BothFloats = ElementList<Element::kFloat, Element::kDouble>;
using WithHalf = ElementList<Element::kFloat, Element::kDouble, Element::kHalf>;

struct BesselI0eOf {
  template <typename T>
  __device__ T operator()(T x) const {
    return static_cast<T>(kernels::BesselI0e(static_cast<double>(x)));
  }
};
struct BesselI1eOf {
  template <typename T>
  __device__ T operator()(T x) const {
    return static_cast<T>(kernels::BesselI1e(static_cast<double>(x)));
  }
};
struct IgammaOf {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return static_cast<T>(kernels::Igamma(static_cast<double>(a), static_cast<double>(b)));
  }
};
struct IgammacOf {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return static_cast<T>(kernels::Igammac(static_cast<double>(a), static_cast<double>(b)));
  }
};
struct IgammaGradAOf {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return static_cast<T>(kernels::IgammaGradA(static_cast<double>(a), static_cast<double>(b)));
  }
};
struct ZetaOf {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return static_cast<T>(kernels::Zeta(static_cast<double>(a), static_cast<double>(b)));
  }
};
struct PolygammaOf {
  template <typename T>
  __device__ T operator()(T a, T b) const {
    return static_cast<T>(kernels::Polygamma(static_cast<double>(a), static_cast<double>(b)));
  }
};

}  // namespace

UnaryFamily UnarySpecial() {
  return UnaryTable<UnaryRow<UnaryOp::kBesselI0e, BesselI0eOf, WithHalf>,
                    UnaryRow<UnaryOp::kBesselI1e, BesselI1eOf, WithHalf>>::Family();
}

BinaryFamily BinarySpecial() {
  return BinaryTable<BinaryRow<BinaryOp::kIgamma, IgammaOf, BothFloats>,
                     BinaryRow<BinaryOp::kIgammac, IgammacOf, BothFloats>,
                     BinaryRow<BinaryOp::kIgammaGradA, IgammaGradAOf, BothFloats>,
                     BinaryRow<BinaryOp::kZeta, ZetaOf, BothFloats>,
                     BinaryRow<BinaryOp::kPolygamma, PolygammaOf, BothFloats>>::Family();
}

}  // namespace sluice::cuda
