// SPDX-License-Identifier: Apache-2.0
// MatMul and its batched forms.
#include <algorithm>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/math/matmul_plan.h"
#include "kernels/cpu/common/gemm.h"
#include "kernels/cpu/common/try_each.h"
#include "kernels/cpu/math/register.h"

namespace sluice::kernels {
namespace {

using ProductTypes =
    TypeList<float, double, Half, Bfloat16, int32_t, int64_t, Complex64, Complex128>;

struct MatMul {
  ProductOp op;

  static absl::StatusOr<MatMul> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const ProductOp op, ProductOp::CreateMatMul(node));
    return MatMul{op};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& a = ctx.input(0);
    const Tensor& b = ctx.input(1);
    SLUICE_ASSIGN(const ProductPlan plan, op.PlanMatMul(a.shape(), b.shape()));
    SLUICE_ASSIGN(Tensor * product, ctx.AllocateOutput(0, plan.output));
    return VisitDType(ProductTypes{}, a.dtype(), [&]<typename T>(Type<T>) {
      return Gemm<T>(ctx.pool(), plan.m, plan.n, plan.k, {a.data<T>(), a.dim(1), op.transpose_a},
                     {b.data<T>(), b.dim(1), op.transpose_b}, product->mutable_data<T>(), plan.n);
    });
  }
};

struct BatchMatMul {
  ProductOp op;

  static absl::StatusOr<BatchMatMul> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const ProductOp op, ProductOp::CreateBatchMatMul(node));
    return BatchMatMul{op};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &x = ctx.input(0), &y = ctx.input(1);
    SLUICE_ASSIGN(const ProductPlan plan, op.PlanBatchMatMul(x.shape(), y.shape()));
    SLUICE_ASSIGN(Tensor * product, ctx.AllocateOutput(0, plan.output));
    return Multiply(ctx, plan, x, y, *product);
  }

  absl::Status Multiply(KernelContext& ctx, const ProductPlan& plan, const Tensor& x,
                        const Tensor& y, Tensor& product) const {
    if (plan.output.num_elements() == 0) return absl::OkStatus();
    const std::vector<int64_t> from_x = plan.Offsets(&BatchDimension::matrices_a);
    const std::vector<int64_t> from_y = plan.Offsets(&BatchDimension::matrices_b);
    const int64_t m = plan.m, n = plan.n, k = plan.k;
    return VisitDType(ProductTypes{}, x.dtype(), [&]<typename T>(Type<T>) {
      auto one = [&](WorkQueue* pool, int64_t i) {
        return Gemm<T>(
            pool, m, n, k,
            {x.data<T>() + from_x[i] * m * k, x.dim(x.rank() - 1), op.transpose_a, op.transpose_a},
            {y.data<T>() + from_y[i] * k * n, y.dim(y.rank() - 1), op.transpose_b, op.transpose_b},
            product.mutable_data<T>() + i * m * n, n);
      };
      return RunBatch(ctx.pool(), static_cast<int64_t>(from_x.size()),
                      static_cast<double>(m * n) * static_cast<double>(k), one);
    });
  }

  // A few products are sharded one by one; many products are distributed over the threads.
  template <typename One>
  static absl::Status RunBatch(WorkQueue* pool, int64_t count, double multiplications,
                               const One& one) {
    if (pool == nullptr || count <= pool->num_threads()) {
      for (int64_t i = 0; i < count; ++i) SLUICE_RETURN_IF_ERROR(one(pool, i));
      return absl::OkStatus();
    }
    return TryEach(pool, count, 300 + multiplications / 16,
                   [&](int64_t i) { return one(nullptr, i); });
  }
};

// Products of integers of 8 and 16 bits, computed in 32 bits. Those of 16 bits wrap around.
struct BatchMatMulOfNarrow {
  BatchMatMul product;

  static absl::StatusOr<BatchMatMulOfNarrow> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const BatchMatMul product, BatchMatMul::Create(node));
    return BatchMatMulOfNarrow{product};
  }

  static absl::StatusOr<Tensor> AsInt32(KernelContext& ctx, const Tensor& x) {
    SLUICE_ASSIGN(Tensor wide, ctx.AllocateTemporary(kInt32, x.shape()));
    SLUICE_RETURN_IF_ERROR(
        VisitDType(TypeList<int8_t, uint8_t, int16_t>{}, x.dtype(), [&]<typename T>(Type<T>) {
          std::copy_n(x.data<T>(), x.num_elements(), wide.mutable_data<int32_t>());
          return absl::OkStatus();
        }));
    return wide;
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Tensor x, AsInt32(ctx, ctx.input(0)));
    SLUICE_ASSIGN(const Tensor y, AsInt32(ctx, ctx.input(1)));
    SLUICE_ASSIGN(const ProductPlan plan, product.op.PlanBatchMatMul(x.shape(), y.shape()));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, plan.output));
    if (out->dtype() == kInt32) return product.Multiply(ctx, plan, x, y, *out);
    SLUICE_ASSIGN(Tensor wide, ctx.AllocateTemporary(kInt32, plan.output));
    SLUICE_RETURN_IF_ERROR(product.Multiply(ctx, plan, x, y, wide));
    std::transform(wide.data<int32_t>(), wide.data<int32_t>() + wide.num_elements(),
                   out->mutable_data<int16_t>(),
                   [](int32_t value) { return static_cast<int16_t>(value); });
    return absl::OkStatus();
  }
};

// The hint that operands have many zeros is ignored: oneDNN on full matrices is faster.
struct SparseMatMul {
  bool transpose_a, transpose_b;

  static absl::StatusOr<SparseMatMul> Create(const NodeSpec& node) {
    SparseMatMul made;
    SLUICE_ASSIGN(made.transpose_a, node.Get<bool>("transpose_a"));
    SLUICE_ASSIGN(made.transpose_b, node.Get<bool>("transpose_b"));
    return made;
  }

  static absl::StatusOr<Tensor> AsFloat(const Tensor& x) {
    if (x.dtype() == kFloat) return x;
    SLUICE_ASSIGN(Tensor wide, Tensor::Allocate(CpuAllocator(), kFloat, x.shape()));
    std::copy_n(x.data<Bfloat16>(), x.num_elements(), wide.mutable_data<float>());
    return wide;
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& a = ctx.input(0);
    const Tensor& b = ctx.input(1);
    if (a.rank() != 2) return InvalidArgument("a is not a matrix");
    if (b.rank() != 2) return InvalidArgument("b is not a matrix");
    const int64_t m = a.dim(transpose_a ? 1 : 0), k = a.dim(transpose_a ? 0 : 1);
    const int64_t n = b.dim(transpose_b ? 0 : 1);
    if (k != b.dim(transpose_b ? 1 : 0)) {
      return InvalidArgument("Matrix size incompatible: a: ", a.shape(), ", b: ", b.shape());
    }
    SLUICE_ASSIGN(const Tensor left, AsFloat(a));
    SLUICE_ASSIGN(const Tensor right, AsFloat(b));
    SLUICE_ASSIGN(const Shape shape, Shape::Create({m, n}));
    SLUICE_ASSIGN(Tensor * product, ctx.AllocateOutput(0, shape));
    return Gemm<float>(ctx.pool(), m, n, k, {left.data<float>(), a.dim(1), transpose_a},
                       {right.data<float>(), b.dim(1), transpose_b}, product->mutable_data<float>(),
                       n);
  }
};

}  // namespace

void RegisterMatMul(KernelRegistry& kernels) {
  constexpr DTypeSet types = SetOf(ProductTypes{});
  kernels.Add<MatMul>("MatMul", kCpu, {{"T", types}});
  kernels.Add<BatchMatMul>("BatchMatMul", kCpu, {{"T", types}});
  kernels.Add<BatchMatMul>("BatchMatMulV2", kCpu, {{"T", types}});
  // V3 has a dtype for each argument.
  for (const DType dtype :
       {kFloat, kDouble, kHalf, kBfloat16, kInt32, kInt64, kComplex64, kComplex128}) {
    const DTypeSet same{dtype};
    kernels.Add<BatchMatMul>("BatchMatMulV3", kCpu, {{"Ta", same}, {"Tb", same}, {"Tout", same}});
  }
  constexpr DTypeSet bytes{kInt8, kUint8};
  kernels.Add<BatchMatMulOfNarrow>("BatchMatMulV3", kCpu,
                                   {{"Ta", bytes}, {"Tb", bytes}, {"Tout", {kInt32}}});
  kernels.Add<BatchMatMulOfNarrow>("BatchMatMulV3", kCpu,
                                   {{"Ta", {kInt16}}, {"Tb", {kInt16}}, {"Tout", {kInt16}}});
  constexpr DTypeSet narrow{kFloat, kBfloat16};
  kernels.Add<SparseMatMul>("SparseMatMul", kCpu, {{"Ta", narrow}, {"Tb", narrow}});
}

}  // namespace sluice::kernels
