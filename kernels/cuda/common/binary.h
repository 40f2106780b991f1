// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_BINARY_H_
#define SLUICE_KERNELS_CUDA_COMMON_BINARY_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"
#include "kernels/cuda/common/element_results.h"
#include "kernels/cuda/common/layout.h"

namespace sluice::cuda {

// The functions of two arguments, named as their ops. AddV2 is Add, InvGrad is ReciprocalGrad.
// The gradients take the function's output and the incoming gradient.
enum class BinaryOp : uint8_t {
  kAdd,
  kSub,
  kMul,
  kMaximum,
  kMinimum,
  kSquaredDifference,
  kDiv,
  kRealDiv,
  kFloorDiv,
  kTruncateDiv,
  kFloorMod,
  kTruncateMod,
  kDivNoNan,
  kMulNoNan,
  kXdivy,
  kXlogy,
  kXlog1py,
  kPow,
  kAtan2,
  kNextAfter,
  kComplex,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kApproximateEqual,
  kLogicalAnd,
  kLogicalOr,
  kBitwiseAnd,
  kBitwiseOr,
  kBitwiseXor,
  kLeftShift,
  kRightShift,
  kSigmoidGrad,
  kTanhGrad,
  kSqrtGrad,
  kRsqrtGrad,
  kReciprocalGrad,
  kIgamma,
  kIgammac,
  kIgammaGradA,
  kZeta,
  kPolygamma,
};

// The element types that LaunchBinary supports for an op.
ElementResults ResultsOf(BinaryOp op);

// out[i] = op(a[i], b[i]) for n elements. out may be a or b if both have elements of one size.
// cudaErrorInvalidValue: the op does not support such elements.
cudaError_t LaunchBinary(BinaryOp op, Element element, const void* a, const void* b, void* out,
                         int64_t n, cudaStream_t stream);
// The same with broadcasting: the layout has the positions of each result's operands. Its innermost
// strides are 0 or 1. `parameter` is the tolerance of ApproximateEqual.
cudaError_t LaunchBinary(BinaryOp op, Element element, const void* a, const void* b, void* out,
                         const Layout<2>& layout, cudaStream_t stream, float parameter = 0);

// For the units with the kernels: each has one table of rows.
struct BinaryCall {
  BinaryOp op;
  Element element;
  const void* a;
  const void* b;
  void* out;
  const Layout<2>* layout;
  cudaStream_t stream;
  float parameter;
};
struct BinaryFamily {
  bool (*find)(BinaryOp op, ElementResults* results);
  cudaError_t (*launch)(const BinaryCall& call);
};
BinaryFamily BinaryArithmetic();
BinaryFamily BinaryDivision();
BinaryFamily BinaryMath();
BinaryFamily Comparisons();
BinaryFamily BinaryBits();
BinaryFamily UnaryGradients();
BinaryFamily BinarySpecial();

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_COMMON_BINARY_H_
