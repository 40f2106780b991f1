// SPDX-License-Identifier: Apache-2.0
// Finds the table that has an op.
#include "kernels/cuda/common/binary.h"
#include "kernels/cuda/common/unary.h"

namespace sluice::cuda {
namespace {

template <typename Op, typename Families>
auto Find(const Families& families, Op op, ElementResults* results) {
  for (const auto& family : families) {
    if (family.find(op, results)) return &family;
  }
  return static_cast<decltype(&families[0])>(nullptr);
}

const auto& Families(UnaryOp) {
  static const UnaryFamily kFamilies[] = {UnaryArithmetic(), UnaryTranscendental(),
                                          UnaryTrigonometry(), UnaryComplex(), UnarySpecial()};
  return kFamilies;
}

const auto& Families(BinaryOp) {
  static const BinaryFamily kFamilies[] = {BinaryArithmetic(), BinaryDivision(), BinaryMath(),
                                           Comparisons(),      BinaryBits(),     UnaryGradients(),
                                           BinarySpecial()};
  return kFamilies;
}

template <typename Op>
ElementResults ResultsOfOp(Op op) {
  ElementResults results;
  Find(Families(op), op, &results);
  return results;
}

template <typename Call>
cudaError_t LaunchCall(const Call& call) {
  ElementResults results;
  const auto* family = Find(Families(call.op), call.op, &results);
  return family == nullptr ? cudaErrorInvalidValue : family->launch(call);
}

}  // namespace

ElementResults ResultsOf(UnaryOp op) { return ResultsOfOp(op); }
ElementResults ResultsOf(BinaryOp op) { return ResultsOfOp(op); }

cudaError_t LaunchUnary(UnaryOp op, Element element, const void* x, void* y, int64_t n,
                        cudaStream_t stream) {
  return LaunchCall(UnaryCall{op, element, x, y, n, stream});
}

cudaError_t LaunchBinary(BinaryOp op, Element element, const void* a, const void* b, void* out,
                         const Layout<2>& layout, cudaStream_t stream, float parameter) {
  return LaunchCall(BinaryCall{op, element, a, b, out, &layout, stream, parameter});
}

cudaError_t LaunchBinary(BinaryOp op, Element element, const void* a, const void* b, void* out,
                         int64_t n, cudaStream_t stream) {
  Layout<2> layout;
  layout.AddDim(n, {1, 1});
  return LaunchBinary(op, element, a, b, out, layout, stream);
}

}  // namespace sluice::cuda
