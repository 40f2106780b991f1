// SPDX-License-Identifier: Apache-2.0
// MatMul and its batched forms: by cuBLASLt, integers by a kernel of ours.
#include "kernels/cuda/math/register.h"

#include <algorithm>
#include <vector>

#include "core/device/cuda_status.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/math/matmul_plan.h"
#include "kernels/cuda/common/cublaslt_product.h"
#include "kernels/cuda/common/kernel.h"

namespace sluice::kernels {
namespace {

// The largest batch of one call: a grid's third dimension.
constexpr int64_t kMostOfBatch = 65535;

// A dimension of the batch, in bytes of the three operands.
struct BatchSteps {
  int64_t size, a, b, out;
};

absl::Status MultiplyBatch(KernelContext& ctx, const cuda::Product& product, const char* a,
                           const char* b, char* out) {
  if (product.element == Element::kInt32 || product.element == Element::kInt64) {
    return Launched(LaunchProduct(product, a, b, out, StreamOf(ctx)));
  }
  const int64_t bytes = cuda::SizeOfElement(product.element);
  for (int64_t begin = 0; begin < product.batch; begin += kMostOfBatch) {
    cuda::Product part = product;
    part.batch = std::min(kMostOfBatch, product.batch - begin);
    SLUICE_RETURN_IF_ERROR(MultiplyByCublasLt(
        part, a + begin * product.stride_a * bytes, b + begin * product.stride_b * bytes,
        out + begin * product.stride_out * bytes, StreamOf(ctx), KernelWorkspace{ctx}));
  }
  return absl::OkStatus();
}

// One call for the largest dimension of the batch, one after the other for the rest, of which there
// are none unless both operands stretch.
absl::Status MultiplyAll(KernelContext& ctx, const ProductPlan& plan, cuda::Product product,
                         const char* a, const char* b, char* out) {
  const int64_t bytes = cuda::SizeOfElement(product.element);
  std::vector<BatchSteps> steps(plan.batch.size());
  int64_t products = 1;
  for (size_t d = plan.batch.size(); d-- > 0;) {
    const BatchDimension& from = plan.batch[d];
    steps[d] = {from.size, from.matrices_a * plan.m * plan.k * bytes,
                from.matrices_b * plan.k * plan.n * bytes, products * plan.m * plan.n * bytes};
    products *= from.size;
  }
  if (!steps.empty()) {
    const auto largest =
        std::max_element(steps.begin(), steps.end(),
                         [](const BatchSteps& x, const BatchSteps& y) { return x.size < y.size; });
    product.batch = largest->size;
    product.stride_a = largest->a / bytes;
    product.stride_b = largest->b / bytes;
    product.stride_out = largest->out / bytes;
    products /= largest->size;
    steps.erase(largest);
  }
  for (int64_t i = 0; i < products; ++i) {
    int64_t rest = i, at_a = 0, at_b = 0, at_out = 0;
    for (size_t d = steps.size(); d-- > 0;) {
      const int64_t index = rest % steps[d].size;
      rest /= steps[d].size;
      at_a += index * steps[d].a;
      at_b += index * steps[d].b;
      at_out += index * steps[d].out;
    }
    SLUICE_RETURN_IF_ERROR(MultiplyBatch(ctx, product, a + at_a, b + at_b, out + at_out));
  }
  return absl::OkStatus();
}

absl::Status Multiply(KernelContext& ctx, const ProductOp& op, const ProductPlan& plan,
                      bool conjugate) {
  const Tensor& a = ctx.input(0);
  SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, plan.output));
  if (out->num_elements() == 0) return absl::OkStatus();
  if (plan.k == 0) {
    return cuda::ToStatus(cudaMemsetAsync(out->raw(), 0, out->bytes(), StreamOf(ctx)),
                          "clearing a product");
  }
  const cuda::Product product{.element = ElementOf(a.dtype()),
                              .m = plan.m,
                              .n = plan.n,
                              .k = plan.k,
                              .transpose_a = op.transpose_a,
                              .transpose_b = op.transpose_b,
                              .conjugate = conjugate};
  return MultiplyAll(ctx, plan, product, static_cast<const char*>(a.raw()),
                     static_cast<const char*>(ctx.input(1).raw()), static_cast<char*>(out->raw()));
}

struct MatMul {
  ProductOp op;

  static absl::StatusOr<MatMul> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const ProductOp op, ProductOp::CreateMatMul(node));
    return MatMul{op};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const ProductPlan plan,
                  op.PlanMatMul(ctx.input(0).shape(), ctx.input(1).shape()));
    return Multiply(ctx, op, plan, /*conjugate=*/false);
  }
};

struct BatchMatMul {
  ProductOp op;

  static absl::StatusOr<BatchMatMul> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const ProductOp op, ProductOp::CreateBatchMatMul(node));
    return BatchMatMul{op};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const ProductPlan plan,
                  op.PlanBatchMatMul(ctx.input(0).shape(), ctx.input(1).shape()));
    return Multiply(ctx, op, plan, /*conjugate=*/true);
  }
};

}  // namespace

void RegisterCudaMatMul(KernelRegistry& kernels) {
  constexpr DTypeSet types{kHalf,  kBfloat16, kFloat,     kDouble,
                           kInt32, kInt64,    kComplex64, kComplex128};
  kernels.Add<MatMul>("MatMul", kGpu, {{"T", types}});
  kernels.Add<BatchMatMul>("BatchMatMul", kGpu, {{"T", types}});
  kernels.Add<BatchMatMul>("BatchMatMulV2", kGpu, {{"T", types}});
}

}  // namespace sluice::kernels
