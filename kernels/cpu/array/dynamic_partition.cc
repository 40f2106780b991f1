// SPDX-License-Identifier: Apache-2.0
// DynamicPartition splits rows by number; DynamicStitch puts them together again.
#include "core/runtime/kernel_registry.h"
#include "core/tensor/variant.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/array/partition_plan.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"
#include "kernels/cpu/array/register.h"

namespace sluice::kernels {
namespace {

void CopyRow(DType dtype, const void* from, void* to, int64_t n) {
  if (IsPlain(dtype)) {
    std::memcpy(to, from, static_cast<size_t>(n) * SizeOf(dtype));
    return;
  }
  (void)VisitWidth(dtype, [&]<typename T>(Type<T>) {
    std::copy_n(static_cast<const T*>(from), n, static_cast<T*>(to));
    return absl::OkStatus();
  });
}

struct DynamicPartition {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor data = ctx.input(0), partitions = ctx.input(1);
    const int parts = ctx.num_outputs();
    SLUICE_RETURN_IF_ERROR(CheckPartitions(data.shape(), partitions.shape()));
    const int32_t* part = partitions.data<int32_t>();
    std::vector<int64_t> counts(parts, 0);
    for (const int64_t i : Cancellable(partitions.num_elements())) {
      if (part[i] < 0 || part[i] >= parts) {
        return InvalidArgument("partitions", PositionText(partitions.shape(), i), " = ", part[i],
                               " is not in [0, ", parts, ")");
      }
      ++counts[part[i]];
    }
    const Shape row = SubShape(data.shape(), partitions.rank(), data.rank());
    std::vector<Tensor*> outputs(parts);
    for (int p = 0; p < parts; ++p) {
      Shape shape = row;
      shape.InsertDim(0, counts[p]);
      SLUICE_ASSIGN(outputs[p], ctx.AllocateOutput(p, shape));
    }
    const int64_t n = row.num_elements();
    if (n == 0) return absl::OkStatus();
    const size_t element = ElementSize(data.dtype());
    std::vector<int64_t> at(parts, 0);
    for (const int64_t i : Cancellable(partitions.num_elements())) {
      const int p = part[i];
      CopyRow(data.dtype(), At(data.raw(), i * n, element),
              At(outputs[p]->raw(), at[p]++ * n, element), n);
    }
    return absl::OkStatus();
  }
};

// Row indices[i] of the result is row i of the data; the last one wins.
struct DynamicStitch {
  absl::Status Run(KernelContext& ctx) const {
    const int count = ctx.num_inputs() / 2;
    SLUICE_ASSIGN(const StitchPlan plan, StitchPlan::Make(ctx));
    const Shape &row = plan.row, &shape = plan.shape;
    SLUICE_ASSIGN(Tensor * merged, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    // Sets the rows that no index selects.
    if (IsPlain(merged->dtype())) std::memset(merged->raw(), 0, merged->bytes());
    const int64_t n = row.num_elements();
    const size_t element = ElementSize(merged->dtype());
    for (int i = 0; i < count; ++i) {
      const Tensor &indices = ctx.input(i), &data = ctx.input(count + i);
      for (const int64_t k : Cancellable(indices.num_elements())) {
        CopyRow(data.dtype(), At(data.raw(), k * n, element),
                At(merged->raw(), indices.data<int32_t>()[k] * n, element), n);
      }
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterDynamicPartition(KernelRegistry& kernels) {
  kernels.Add<DynamicPartition>("DynamicPartition", kCpu, {{"T", kAnyType}});
  kernels.Add<DynamicStitch>("DynamicStitch", kCpu, {{"T", kAnyType}});
  kernels.Add<DynamicStitch>("ParallelDynamicStitch", kCpu, {{"T", kAnyType}});
}

}  // namespace sluice::kernels
