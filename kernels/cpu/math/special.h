// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_MATH_SPECIAL_H_
#define SLUICE_KERNELS_CPU_MATH_SPECIAL_H_

// Special functions of double arguments; NaN outside their domains.

namespace sluice::kernels {

double Digamma(double x);
double Zeta(double x, double q);         // sum over k >= 0 of (q + k)^-x, x > 1
double Polygamma(double n, double x);    // the n-th derivative of digamma
double Igamma(double a, double x);       // regularised lower incomplete gamma function
double Igammac(double a, double x);      // 1 - Igamma
double IgammaGradA(double a, double x);  // derivative of Igamma with respect to a
// Derivative of a sample of the gamma distribution with respect to its shape parameter.
double GammaSampleGrad(double alpha, double sample);
double Betainc(double a, double b, double x);  // regularised incomplete beta function
double BesselI0(double x);                     // modified, of the first kind
double BesselI1(double x);
double BesselI0e(double x);  // exp(-|x|) I0(x)
double BesselI1e(double x);
double Ndtri(double p);   // quantile function of the normal distribution
double Erfinv(double x);  // inverse of the error function

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_MATH_SPECIAL_H_
