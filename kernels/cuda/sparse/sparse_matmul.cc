// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/sparse/sparse_matmul.h"

#include "core/runtime/kernel_registry.h"
#include "kernels/common/math/sparse_matmul_plan.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/common/primitives.h"
#include "kernels/cuda/math/cast.h"
#include "kernels/cuda/sparse/register.h"

namespace sluice::kernels {
namespace {

struct CudaSparseMatMul {
  SparseMatMulPlan plan;

  static absl::StatusOr<CudaSparseMatMul> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const SparseMatMulPlan plan, SparseMatMulPlan::Create(node));
    return CudaSparseMatMul{plan};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &indices = ctx.input(0), &values = ctx.input(1), &b = ctx.input(3);
    SLUICE_ASSIGN(const SparseMatMulPlan::Sizes sizes, plan.CheckInputs(ctx));
    SLUICE_ASSIGN(const Shape shape, Shape::Create({sizes.outer, sizes.columns}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const DType dtype = out->dtype();
    Tensor sums = *out;
    if (SizeOf(dtype) == 2) {
      SLUICE_ASSIGN(sums, ctx.AllocateTemporary(kFloat, shape));
    }
    SLUICE_RETURN_IF_ERROR(
        CudaPrimitives().Zero(ctx, sums.dtype(), sums.raw(), sums.num_elements()));
    const cuda::SparseProduct product{IndicesOf(indices), values.raw(),   b.raw(),
                                      values.dim(0),      sizes.outer,    sizes.inner,
                                      sizes.columns,      plan.adjoint_a, plan.adjoint_b};
    SLUICE_RETURN_IF_ERROR(
        Launched(cuda::LaunchSparseProduct(ElementOf(dtype), product, sums.raw(), StreamOf(ctx))));
    if (SizeOf(dtype) != 2) return absl::OkStatus();
    return Launched(cuda::LaunchCast(Element::kFloat, ElementOf(dtype), /*truncate=*/false,
                                     sums.raw(), out->raw(), shape.num_elements(), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaSparseMatMul(KernelRegistry& kernels) {
  kernels.Add<CudaSparseMatMul>("SparseTensorDenseMatMul", kGpu,
                                {{"T", kFloating | kComplex}, {"Tindices", kIndex}},
                                HostMemory{"a_shape"});
}

}  // namespace sluice::kernels
