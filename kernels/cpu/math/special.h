// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_MATH_SPECIAL_H_
#define SLUICE_KERNELS_CPU_MATH_SPECIAL_H_

#include "kernels/common/math/special_functions.h"

namespace sluice::kernels {

double Ndtri(double p);   // quantile function of the normal distribution
double Erfinv(double x);  // inverse of the error function

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_MATH_SPECIAL_H_
