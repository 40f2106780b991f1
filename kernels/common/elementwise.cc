// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/elementwise.h"

#include "core/tensor/variant.h"
#include "kernels/common/math_plan.h"
#include "kernels/common/narrow.h"

namespace sluice::kernels {
namespace {

constexpr int64_t kBlock = 512;  // elements of half or bfloat16 computed at a time in float

bool IsNarrow(DType t) { return t == kHalf || t == kBfloat16; }

struct ElementwiseUnary {
  UnaryLoop loop;
  double cost;
  float parameter;

  absl::Status Run(KernelContext& ctx) const {
    const void* x = ctx.input(0).raw();
    const Shape shape = ctx.input(0).shape();
    SLUICE_ASSIGN(Tensor * y, loop.in == loop.out && IsPlain(loop.in)
                                  ? ctx.ForwardOrAllocate({0}, 0, shape)
                                  : ctx.AllocateOutput(0, shape));
    void* out = y->raw();
    const size_t in_size = ElementSize(loop.in), out_size = ElementSize(loop.out);
    ParallelFor(ctx.pool(), shape.num_elements(), cost, [&](int64_t begin, int64_t end) {
      loop.Run(At(x, begin, in_size), At(out, begin, out_size), end - begin, parameter);
    });
    return absl::OkStatus();
  }
};

struct ElementwiseBinary {
  const BinaryLoop loop;
  const double cost;
  const float parameter;
  const char* const failure;
  const absl::StatusCode failure_code;
  const OperandRule rule;

  absl::Status Run(KernelContext& ctx) const {
    const Shape& a_shape = ctx.input(0).shape();
    const Shape& b_shape = ctx.input(1).shape();
    if (a_shape == b_shape) return ComputeFlat(ctx, a_shape);
    SLUICE_ASSIGN(const auto plan, rule.Meet(a_shape, b_shape));
    if (plan.has_value()) return Compute(ctx, *plan);
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, Shape{}));
    *out->mutable_data<bool>() = rule.unequal;
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<Tensor*> Output(KernelContext& ctx, const Shape& shape) const {
    if (loop.in == loop.out && IsPlain(loop.in)) return ctx.ForwardOrAllocate({0, 1}, 0, shape);
    return ctx.AllocateOutput(0, shape);
  }

  // Without a plan, operands of one shape are walked as two rows of elements.
  absl::Status ComputeFlat(KernelContext& ctx, const Shape& shape) const {
    const void* a = ctx.input(0).raw();
    const void* b = ctx.input(1).raw();
    const int64_t n = shape.num_elements();
    SLUICE_ASSIGN(Tensor * result, Output(ctx, shape));
    void* out = result->raw();
    if (n == 1)
      return loop.Run(a, b, out, 1, 0, parameter) ? absl::OkStatus()
                                                  : MakeStatus(failure_code, failure);
    const size_t in_size = ElementSize(loop.in), out_size = ElementSize(loop.out);
    std::atomic<bool> good{true};
    ParallelFor(ctx.pool(), n, cost, [&](int64_t begin, int64_t end) {
      if (!loop.Run(At(a, begin, in_size), At(b, begin, in_size), At(out, begin, out_size),
                    end - begin, 0, parameter)) {
        good.store(false, std::memory_order_relaxed);
      }
    });
    return good.load(std::memory_order_relaxed) ? absl::OkStatus()
                                                : MakeStatus(failure_code, failure);
  }

  absl::Status Compute(KernelContext& ctx, const BroadcastPlan& plan) const {
    const void* a = ctx.input(0).raw();
    const void* b = ctx.input(1).raw();
    SLUICE_ASSIGN(Tensor * result, Output(ctx, plan.shape));
    if (plan.shape.num_elements() == 0) return absl::OkStatus();
    void* out = result->raw();
    const auto& inner = plan.dims.back();
    const int fixed = (inner.stride[0] == 0 ? kFixedA : 0) | (inner.stride[1] == 0 ? kFixedB : 0);
    const size_t in_size = ElementSize(loop.in), out_size = ElementSize(loop.out);
    std::atomic<bool> good{true};
    ParallelFor(ctx.pool(), plan.shape.num_elements(), cost, [&](int64_t begin, int64_t end) {
      WalkRuns(plan, begin, end, [&](int64_t at, const Offsets& from, int64_t n) {
        if (!loop.Run(At(a, from[0], in_size), At(b, from[1], in_size), At(out, at, out_size), n,
                      fixed, parameter)) {
          good.store(false, std::memory_order_relaxed);
        }
      });
    });
    return good ? absl::OkStatus() : MakeStatus(failure_code, failure);
  }
};

template <typename Loops>
std::vector<TypeConstraint> Constraint(const Loops& loops) {
  DTypeSet types;
  for (const auto& loop : loops) {
    if (loop.fn != nullptr) types = types | DTypeSet(loop.in);
  }
  // Ops on bool alone (LogicalAnd) have no attribute to constrain.
  if (types.bits() == DTypeSet(kBool).bits()) return {};
  return {{"T", types}};
}

// A GPU computes int32 of these ops in host memory, as TensorFlow's does: int32 counts and indexes.
constexpr absl::string_view kInt32OnHost[] = {
    "Abs",       "Add",         "AddV2",   "Div",          "Equal",
    "FloorDiv",  "FloorMod",    "Greater", "GreaterEqual", "Less",
    "LessEqual", "Maximum",     "Minimum", "Mod",          "Mul",
    "Neg",       "NotEqual",    "Sign",    "Square",       "SquaredDifference",
    "Sub",       "TruncateMod",
};

template <typename Create, typename Op>
void AddLoops(KernelRegistry& kernels, const Create& create, const Op& op, const HostMemory& all) {
  kernels.AddWith(create, op.name, kCpu, Constraint(op.loops));
  if (std::find(std::begin(kInt32OnHost), std::end(kInt32OnHost), op.name) !=
      std::end(kInt32OnHost)) {
    kernels.AddWith(create, op.name, kGpu, {{"T", kInt32}}, all);
  }
}

template <typename Op>
absl::StatusOr<float> Parameter(const NodeSpec& node, const Op& op) {
  if (op.parameter == nullptr) return 0.0f;
  return node.Get<float>(op.parameter);
}

template <typename Loop>
absl::Status CheckTypes(const NodeSpec& node, const Loop& loop) {
  if (loop.fn == nullptr || node.output_types[0] != loop.out) {
    return Unimplemented("no kernel for ", node.op, " of ", node.input_types[0], " giving ",
                         node.output_types[0]);
  }
  return absl::OkStatus();
}

}  // namespace

size_t ElementSize(DType dtype) {
  if (dtype == kString) return sizeof(std::string);
  if (dtype == kResource) return sizeof(ResourceHandle);
  if (dtype == kVariant) return sizeof(Variant);
  return SizeOf(dtype);
}

void Widen(DType narrow, const void* from, float* to, int64_t n) {
  narrow == kHalf ? WidenAll(static_cast<const Half*>(from), to, n)
                  : WidenAll(static_cast<const Bfloat16*>(from), to, n);
}

void Narrow(DType narrow, const float* from, void* to, int64_t n) {
  narrow == kHalf ? NarrowAll(from, static_cast<Half*>(to), n)
                  : NarrowAll(from, static_cast<Bfloat16*>(to), n);
}

bool UnaryLoop::Run(const void* x, void* y, int64_t n, float parameter) const {
  if (narrow || (!IsNarrow(in) && !IsNarrow(out))) return fn(x, y, n, parameter);
  float wide[kBlock], result[kBlock];
  bool good = true;
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t count = std::min(kBlock, n - i);
    Widen(in, At(x, i, 2), wide, count);
    void* to = IsNarrow(out) ? result : At(y, i, ElementSize(out));
    good &= fn(wide, to, count, parameter);
    if (IsNarrow(out)) Narrow(out, result, At(y, i, 2), count);
  }
  return good;
}

bool BinaryLoop::Run(const void* a, const void* b, void* to, int64_t n, int fixed,
                     float parameter) const {
  if (narrow || !IsNarrow(in)) return fn(a, b, to, n, fixed, parameter);
  float wide_a[kBlock], wide_b[kBlock], result[kBlock];
  if (fixed & kFixedA) Widen(in, a, wide_a, 1);
  if (fixed & kFixedB) Widen(in, b, wide_b, 1);
  bool good = true;
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t count = std::min(kBlock, n - i);
    if (!(fixed & kFixedA)) Widen(in, At(a, i, 2), wide_a, count);
    if (!(fixed & kFixedB)) Widen(in, At(b, i, 2), wide_b, count);
    void* target = IsNarrow(out) ? result : At(to, i, ElementSize(out));
    good &= fn(wide_a, wide_b, target, count, fixed, parameter);
    if (IsNarrow(out)) Narrow(out, result, At(to, i, 2), count);
  }
  return good;
}

void AddUnaryOp(KernelRegistry& kernels, const UnaryOp& op) {
  auto create = [op](const NodeSpec& node) -> absl::StatusOr<std::unique_ptr<Kernel>> {
    const UnaryLoop& loop = op.loops[static_cast<int>(node.input_types[0])];
    SLUICE_RETURN_IF_ERROR(CheckTypes(node, loop));
    SLUICE_ASSIGN(float parameter, Parameter(node, op));
    return MakeKernel(ElementwiseUnary{loop, op.cost, parameter});
  };
  AddLoops(kernels, create, op, HostMemory{"x", "y"});
}

void AddBinaryOp(KernelRegistry& kernels, const BinaryOp& op) {
  auto create = [op](const NodeSpec& node) -> absl::StatusOr<std::unique_ptr<Kernel>> {
    const BinaryLoop& loop = op.loops[static_cast<int>(node.input_types[0])];
    SLUICE_RETURN_IF_ERROR(CheckTypes(node, loop));
    SLUICE_ASSIGN(float parameter, Parameter(node, op));
    return MakeKernel(ElementwiseBinary{loop, op.cost, parameter, op.failure, op.failure_code,
                                        OperandRule::Create(node, op.same_shape, op.any_shape)});
  };
  AddLoops(kernels, create, op, HostMemory{"x", "y", "z"});
}

}  // namespace sluice::kernels
