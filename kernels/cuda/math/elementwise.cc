// SPDX-License-Identifier: Apache-2.0
// The element-wise ops of one and of two arguments.
#include "kernels/common/elementwise.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/math_plan.h"
#include "kernels/cuda/common/binary.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/common/layout_of.h"
#include "kernels/cuda/common/unary.h"
#include "kernels/cuda/math/register.h"

namespace sluice::kernels {
namespace {

using cuda::BinaryOp;
using cuda::ElementResults;
using cuda::UnaryOp;

struct UnaryKernel {
  UnaryOp op;
  Element element;

  absl::Status Run(KernelContext& ctx) const {
    const void* x = ctx.input(0).raw();
    const Shape shape = ctx.input(0).shape();
    SLUICE_ASSIGN(Tensor * y, ctx.input(0).dtype() == ctx.output_type(0)
                                  ? ctx.ForwardOrAllocate({0}, 0, shape)
                                  : ctx.AllocateOutput(0, shape));
    return Launched(
        cuda::LaunchUnary(op, element, x, y->raw(), shape.num_elements(), StreamOf(ctx)));
  }
};

struct BinaryKernel {
  BinaryOp op;
  Element element;
  float parameter;
  OperandRule rule;

  absl::Status Run(KernelContext& ctx) const {
    const Shape &a_shape = ctx.input(0).shape(), &b_shape = ctx.input(1).shape();
    if (a_shape == b_shape) {
      cuda::Layout<2> layout;
      layout.AddDim(a_shape.num_elements(), {1, 1});
      return Compute(ctx, a_shape, layout);
    }
    SLUICE_ASSIGN(const auto plan, rule.Meet(a_shape, b_shape));
    if (!plan.has_value()) {
      SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{}));
      return Launched(cudaMemsetAsync(out->raw(), rule.unequal ? 1 : 0, 1, StreamOf(ctx)));
    }
    return Compute(ctx, plan->shape, LayoutOf<2>(*plan));
  }

 private:
  absl::Status Compute(KernelContext& ctx, const Shape& shape,
                       const cuda::Layout<2>& layout) const {
    const void* a = ctx.input(0).raw();
    const void* b = ctx.input(1).raw();
    const Shape own = shape;  // the input's shape, because forwarding moves the input
    SLUICE_ASSIGN(Tensor * out, ctx.input(0).dtype() == ctx.output_type(0)
                                    ? ctx.ForwardOrAllocate({0, 1}, 0, own)
                                    : ctx.AllocateOutput(0, own));
    if (own.num_elements() == 0) return absl::OkStatus();
    return Launched(
        cuda::LaunchBinary(op, element, a, b, out->raw(), layout, StreamOf(ctx), parameter));
  }
};

struct UnaryName {
  const char* name;
  UnaryOp op;
};
constexpr UnaryName kUnary[] = {
    {"Abs", UnaryOp::kAbs},
    {"Acos", UnaryOp::kAcos},
    {"Acosh", UnaryOp::kAcosh},
    {"Angle", UnaryOp::kAngle},
    {"Asin", UnaryOp::kAsin},
    {"Asinh", UnaryOp::kAsinh},
    {"Atan", UnaryOp::kAtan},
    {"Atanh", UnaryOp::kAtanh},
    {"BesselI0e", UnaryOp::kBesselI0e},
    {"BesselI1e", UnaryOp::kBesselI1e},
    {"Ceil", UnaryOp::kCeil},
    {"ComplexAbs", UnaryOp::kComplexAbs},
    {"Conj", UnaryOp::kConj},
    {"Cos", UnaryOp::kCos},
    {"Cosh", UnaryOp::kCosh},
    {"Digamma", UnaryOp::kDigamma},
    {"Erf", UnaryOp::kErf},
    {"Erfc", UnaryOp::kErfc},
    {"Exp", UnaryOp::kExp},
    {"Expm1", UnaryOp::kExpm1},
    {"Floor", UnaryOp::kFloor},
    {"Imag", UnaryOp::kImag},
    {"Inv", UnaryOp::kReciprocal},
    {"Invert", UnaryOp::kInvert},
    {"IsFinite", UnaryOp::kIsFinite},
    {"IsInf", UnaryOp::kIsInf},
    {"IsNan", UnaryOp::kIsNan},
    {"Lgamma", UnaryOp::kLgamma},
    {"Log", UnaryOp::kLog},
    {"Log1p", UnaryOp::kLog1p},
    {"LogicalNot", UnaryOp::kLogicalNot},
    {"Neg", UnaryOp::kNeg},
    {"Real", UnaryOp::kReal},
    {"Reciprocal", UnaryOp::kReciprocal},
    {"Rint", UnaryOp::kRint},
    {"Round", UnaryOp::kRound},
    {"Rsqrt", UnaryOp::kRsqrt},
    {"Sigmoid", UnaryOp::kSigmoid},
    {"Sign", UnaryOp::kSign},
    {"Sin", UnaryOp::kSin},
    {"Sinh", UnaryOp::kSinh},
    {"Sqrt", UnaryOp::kSqrt},
    {"Square", UnaryOp::kSquare},
    {"Tan", UnaryOp::kTan},
    {"Tanh", UnaryOp::kTanh},
};

struct BinaryName {
  const char* name;
  BinaryOp op;
  const char* parameter = nullptr;  // a float attribute
  bool same_shape = false;          // see OperandRule
  bool any_shape = false;
};
constexpr BinaryName kBinary[] = {
    {"Add", BinaryOp::kAdd},
    {"AddV2", BinaryOp::kAdd},
    {"ApproximateEqual", BinaryOp::kApproximateEqual, "tolerance", true},
    {"Atan2", BinaryOp::kAtan2},
    {"BitwiseAnd", BinaryOp::kBitwiseAnd},
    {"BitwiseOr", BinaryOp::kBitwiseOr},
    {"BitwiseXor", BinaryOp::kBitwiseXor},
    {"Complex", BinaryOp::kComplex},
    {"Div", BinaryOp::kDiv},
    {"DivNoNan", BinaryOp::kDivNoNan},
    {"Equal", BinaryOp::kEqual, nullptr, false, true},
    {"FloorDiv", BinaryOp::kFloorDiv},
    {"FloorMod", BinaryOp::kFloorMod},
    {"Greater", BinaryOp::kGreater},
    {"GreaterEqual", BinaryOp::kGreaterEqual},
    {"Igamma", BinaryOp::kIgamma},
    {"IgammaGradA", BinaryOp::kIgammaGradA},
    {"Igammac", BinaryOp::kIgammac},
    {"InvGrad", BinaryOp::kReciprocalGrad, nullptr, true},
    {"LeftShift", BinaryOp::kLeftShift},
    {"Less", BinaryOp::kLess},
    {"LessEqual", BinaryOp::kLessEqual},
    {"LogicalAnd", BinaryOp::kLogicalAnd},
    {"LogicalOr", BinaryOp::kLogicalOr},
    {"Maximum", BinaryOp::kMaximum},
    {"Minimum", BinaryOp::kMinimum},
    {"Mod", BinaryOp::kTruncateMod},
    {"Mul", BinaryOp::kMul},
    {"MulNoNan", BinaryOp::kMulNoNan},
    {"NextAfter", BinaryOp::kNextAfter},
    {"NotEqual", BinaryOp::kNotEqual, nullptr, false, true},
    {"Polygamma", BinaryOp::kPolygamma},
    {"Pow", BinaryOp::kPow},
    {"RealDiv", BinaryOp::kRealDiv},
    {"ReciprocalGrad", BinaryOp::kReciprocalGrad, nullptr, true},
    {"RightShift", BinaryOp::kRightShift},
    {"RsqrtGrad", BinaryOp::kRsqrtGrad, nullptr, true},
    {"SigmoidGrad", BinaryOp::kSigmoidGrad, nullptr, true},
    {"SqrtGrad", BinaryOp::kSqrtGrad, nullptr, true},
    {"SquaredDifference", BinaryOp::kSquaredDifference},
    {"Sub", BinaryOp::kSub},
    {"TanhGrad", BinaryOp::kTanhGrad, nullptr, true},
    {"TruncateDiv", BinaryOp::kTruncateDiv},
    {"TruncateMod", BinaryOp::kTruncateMod},
    {"Xdivy", BinaryOp::kXdivy},
    {"Xlog1py", BinaryOp::kXlog1py},
    {"Xlogy", BinaryOp::kXlogy},
    {"Zeta", BinaryOp::kZeta},
};

// Fails unless the op maps the node's input type to its output type.
absl::Status CheckTypes(const NodeSpec& node, const ElementResults& results) {
  const DType in = node.input_types[0], out = node.output_types[0];
  if (HasElement(in) && HasElement(out) && results.Has(ElementOf(in)) &&
      results.Of(ElementOf(in)) == ElementOf(out)) {
    return absl::OkStatus();
  }
  return Unimplemented("no kernel for ", node.op, " of ", in, " giving ", out);
}

std::vector<TypeConstraint> Constraint(const ElementResults& results) {
  DTypeSet types;
  for (int t = 1; t < kNumDTypes; ++t) {
    const auto dtype = static_cast<DType>(t);
    if (HasElement(dtype) && results.Has(ElementOf(dtype))) types = types | DTypeSet(dtype);
  }
  // Ops on bool alone (LogicalAnd) have no attribute to constrain.
  if (types.bits() == DTypeSet(kBool).bits()) return {};
  return {{"T", types}};
}

}  // namespace

void RegisterCudaElementwise(KernelRegistry& kernels) {
  for (const UnaryName& entry : kUnary) {
    const ElementResults results = cuda::ResultsOf(entry.op);
    auto create = [entry,
                   results](const NodeSpec& node) -> absl::StatusOr<std::unique_ptr<Kernel>> {
      SLUICE_RETURN_IF_ERROR(CheckTypes(node, results));
      return MakeKernel(UnaryKernel{entry.op, ElementOf(node.input_types[0])});
    };
    kernels.AddWith(create, entry.name, kGpu, Constraint(results));
  }
  for (const BinaryName& entry : kBinary) {
    const ElementResults results = cuda::ResultsOf(entry.op);
    auto create = [entry,
                   results](const NodeSpec& node) -> absl::StatusOr<std::unique_ptr<Kernel>> {
      SLUICE_RETURN_IF_ERROR(CheckTypes(node, results));
      float parameter = 0;
      if (entry.parameter != nullptr) {
        SLUICE_ASSIGN(parameter, node.Get<float>(entry.parameter));
      }
      return MakeKernel(BinaryKernel{entry.op, ElementOf(node.input_types[0]), parameter,
                                     OperandRule::Create(node, entry.same_shape, entry.any_shape)});
    };
    kernels.AddWith(create, entry.name, kGpu, Constraint(results));
  }
}

}  // namespace sluice::kernels
