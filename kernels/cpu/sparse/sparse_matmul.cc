// SPDX-License-Identifier: Apache-2.0
// SparseTensorDenseMatMul: each value of a adds a multiple of a row of b to a row of the product.
#include <cstring>

#include "core/runtime/kernel_registry.h"
#include "core/tensor/wrapping.h"
#include "kernels/common/axis.h"
#include "kernels/common/math/sparse_matmul_plan.h"
#include "kernels/cpu/common/conjugate.h"
#include "kernels/cpu/sparse/register.h"

namespace sluice::kernels {
namespace {

// b transposed, and conjugated.
template <typename T>
absl::StatusOr<Tensor> Adjoint(KernelContext& ctx, const Tensor& b) {
  SLUICE_ASSIGN(Tensor result, ctx.AllocateTemporary(b.dtype(), Shape{b.dim(1), b.dim(0)}));
  const T* from = b.data<T>();
  T* to = result.mutable_data<T>();
  for (int64_t i = 0; i < b.dim(0); ++i) {
    for (int64_t j = 0; j < b.dim(1); ++j) to[j * b.dim(0) + i] = Conjugate(*from++);
  }
  return result;
}

struct SparseTensorDenseMatMul {
  SparseMatMulPlan plan;

  static absl::StatusOr<SparseTensorDenseMatMul> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const SparseMatMulPlan plan, SparseMatMulPlan::Create(node));
    return SparseTensorDenseMatMul{plan};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &indices = ctx.input(0), &b = ctx.input(3);
    SLUICE_ASSIGN(const SparseMatMulPlan::Sizes sizes, plan.CheckInputs(ctx));
    const auto& [outer, inner, columns] = sizes;
    SLUICE_ASSIGN(const Shape product, Shape::Create({outer, columns}));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, product));
    if (b.num_elements() == 0) {  // zeros; no index is read
      if (out->bytes() > 0) std::memset(out->raw(), 0, out->bytes());
      return absl::OkStatus();
    }
    SLUICE_RETURN_IF_ERROR(CheckIndices(indices, outer, inner));
    return VisitDType(
        Join<Join<FloatingTypes, ComplexTypes>, IndexTypes>{}, b.dtype(),
        [&]<typename T>(Type<T>) -> absl::Status { return Multiply<T>(ctx, columns, *out); });
  }

 private:
  absl::Status CheckIndices(const Tensor& indices, int64_t outer, int64_t inner) const {
    for (int64_t i = 0; i < indices.dim(0); ++i) {
      const int64_t m = IndexAt(indices, 2 * i + (plan.adjoint_a ? 1 : 0)),
                    k = IndexAt(indices, 2 * i + (plan.adjoint_a ? 0 : 1));
      if (k < 0 || k >= inner)
        return InvalidArgument("k (", k, ") from index[", i, ",", plan.adjoint_a ? 0 : 1,
                               "] out of bounds (>=", inner, ")");
      if (m < 0 || m >= outer)
        return InvalidArgument("m (", m, ") from index[", i, ",", plan.adjoint_a ? 1 : 0,
                               "] out of bounds (>=", outer, ")");
    }
    return absl::OkStatus();
  }

  // Shards are ranges of columns: no two write to one element, and the order of additions is fixed.
  template <typename T>
  absl::Status Multiply(KernelContext& ctx, int64_t columns, Tensor& out) const {
    using C = ComputeType<T>;
    const Tensor &indices = ctx.input(0), &values = ctx.input(1);
    Tensor b = ctx.input(3);
    if (plan.adjoint_b) {
      SLUICE_ASSIGN(b, Adjoint<T>(ctx, b));
    }
    Tensor sums = out;  // narrow floats are summed in float
    if constexpr (kIsNarrowFloat<T>) {
      SLUICE_ASSIGN(sums, ctx.AllocateTemporary(kFloat, out.shape()));
    }
    C* to = sums.mutable_data<C>();
    std::fill_n(to, out.num_elements(), C{});
    const int64_t count = values.dim(0);
    const int64_t blocks = (columns + 15) / 16;
    ParallelFor(
        ctx.pool(), blocks, 16.0 * static_cast<double>(count), [&](int64_t begin, int64_t end) {
          const int64_t first = begin * 16, n = std::min(end * 16, columns) - first;
          for (int64_t i = 0; i < count; ++i) {
            const int64_t m = IndexAt(indices, 2 * i + (plan.adjoint_a ? 1 : 0)),
                          k = IndexAt(indices, 2 * i + (plan.adjoint_a ? 0 : 1));
            const auto value = static_cast<C>(plan.adjoint_a ? Conjugate(values.data<T>()[i])
                                                             : values.data<T>()[i]);
            const T* from = b.data<T>() + k * columns + first;
            C* row = to + m * columns + first;
            for (int64_t j = 0; j < n; ++j)
              row[j] = SumOf(row[j], sluice::ProductOf(value, static_cast<C>(from[j])));
          }
        });
    if constexpr (kIsNarrowFloat<T>) std::copy_n(to, out.num_elements(), out.mutable_data<T>());
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSparseMatMul(KernelRegistry& kernels) {
  kernels.Add<SparseTensorDenseMatMul>(
      "SparseTensorDenseMatMul", kCpu,
      {{"T", kFloating | kComplex | DTypeSet{kInt32, kInt64}}, {"Tindices", kIndex}});
}

}  // namespace sluice::kernels
