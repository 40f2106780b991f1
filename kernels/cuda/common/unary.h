// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_UNARY_H_
#define SLUICE_KERNELS_CUDA_COMMON_UNARY_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"
#include "kernels/cuda/common/element_results.h"

namespace sluice::cuda {

// The functions of one argument, named as their ops. Inv is Reciprocal.
enum class UnaryOp : uint8_t {
  kAbs,
  kNeg,
  kSign,
  kSquare,
  kSqrt,
  kRsqrt,
  kReciprocal,
  kCeil,
  kFloor,
  kRint,
  kRound,
  kInvert,
  kIsNan,
  kIsInf,
  kIsFinite,
  kLogicalNot,
  kExp,
  kExpm1,
  kLog,
  kLog1p,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kTanh,
  kAsinh,
  kAcosh,
  kAtanh,
  kSigmoid,
  kErf,
  kErfc,
  kLgamma,
  kDigamma,
  kConj,
  kReal,
  kImag,
  kAngle,
  kComplexAbs,
  kBesselI0e,
  kBesselI1e,
};

// The element types that LaunchUnary supports for an op.
ElementResults ResultsOf(UnaryOp op);

// y[i] = op(x[i]) for n elements. y may be x if both have elements of one size.
// cudaErrorInvalidValue: the op does not support such elements.
cudaError_t LaunchUnary(UnaryOp op, Element element, const void* x, void* y, int64_t n,
                        cudaStream_t stream);

// For the units with the kernels: each has one table of rows.
struct UnaryCall {
  UnaryOp op;
  Element element;
  const void* x;
  void* y;
  int64_t n;
  cudaStream_t stream;
};
struct UnaryFamily {
  bool (*find)(UnaryOp op, ElementResults* results);
  cudaError_t (*launch)(const UnaryCall& call);
};
UnaryFamily UnaryArithmetic();
UnaryFamily UnaryTranscendental();
UnaryFamily UnaryTrigonometry();
UnaryFamily UnaryComplex();
UnaryFamily UnarySpecial();

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_COMMON_UNARY_H_
