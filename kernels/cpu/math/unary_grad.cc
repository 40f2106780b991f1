// SPDX-License-Identifier: Apache-2.0
// Gradients of functions of one argument, from the incoming gradient and the function's output.
#include "kernels/cpu/common/conjugate.h"
#include "kernels/cpu/common/loops.h"
#include "kernels/cpu/math/register.h"

namespace sluice::kernels {
namespace {

using WithComplex = Join<FloatingTypes, ComplexTypes>;

template <typename T, typename Fn>
constexpr auto Grad(const char* name, T types, Fn fn) {
  return Binary{name, types, RoundsEachStep{fn}, 0.7, nullptr, nullptr, true};
}

// A zero gradient stays zero, even if the slope is infinite there.
template <typename T, typename Fn>
T WhereNotZero(T dy, Fn fn) {
  return dy == T(0) ? T(0) : T(fn());
}

// y is the function's output, dy the gradient. The first two use y unchanged: the client conjugates
// it.
constexpr auto kOfOutput = std::tuple{
    Grad("SigmoidGrad", WithComplex{},
         []<typename T>(T y, T dy) {
           return kIsRoundedBfloat16<T> ? dy * y * (T(1) - y) : dy * (y * (T(1) - y));
         }),
    Grad("TanhGrad", WithComplex{}, []<typename T>(T y, T dy) { return dy * (T(1) - y * y); }),
    Grad("SqrtGrad", WithComplex{},
         []<typename T>(T y, T dy) {
           return WhereNotZero(dy, [&] {
             return kIsRoundedHalf<T> ? dy * (T(0.5) / Conjugate(y)) : dy * T(0.5) / Conjugate(y);
           });
         }),
    Grad("RsqrtGrad", WithComplex{},
         []<typename T>(T y, T dy) {
           return WhereNotZero(dy, [&] {
             const T z = Conjugate(y);
             return kIsRoundedHalf<T> ? (dy * z) * (T(-0.5) * (z * z)) : T(-0.5) * dy * (z * z * z);
           });
         }),
    Grad("InvGrad", WithComplex{},
         []<typename T>(T y, T dy) {
           return WhereNotZero(dy, [&] { return -dy * Conjugate(y * y); });
         }),
    Grad("ReciprocalGrad", WithComplex{},
         []<typename T>(T y, T dy) {
           return WhereNotZero(dy, [&] { return -dy * Conjugate(y * y); });
         }),
};

}  // namespace

void RegisterUnaryGrad(KernelRegistry& kernels) { AddBinaryTable(kernels, kOfOutput); }

}  // namespace sluice::kernels
