// SPDX-License-Identifier: Apache-2.0
// DynamicPartition and DynamicStitch on the GPU. A number that names no part is left out.
#include "core/runtime/device.h"
#include "kernels/common/array/partition_plan.h"
#include "kernels/common/axis.h"
#include "kernels/cuda/array/register.h"
#include "kernels/cuda/array/selection.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/common/primitives.h"

namespace sluice::kernels {
namespace {

// The outputs are as long as the counts say, which the host must know first.
struct DynamicPartition {
  void Start(KernelContext& ctx, Done done) const {
    const Tensor& partitions = ctx.input(1);
    absl::Status fits = CheckPartitions(ctx.input(0).shape(), partitions.shape());
    if (!fits.ok()) return done(std::move(fits));
    absl::StatusOr<Counts> counts = Count(ctx);
    if (!counts.ok()) return done(counts.status());
    ctx.device().CopyToHost(counts->starts, [&ctx, before = counts->before, done = std::move(done)](
                                                absl::StatusOr<Tensor> s) mutable {
      done(s.ok() ? Write(ctx, before, *s) : s.status());
    });
  }

 private:
  struct Counts {
    Tensor before;  // [parts * pieces + 1]: numbers before those of a part in a piece
    Tensor starts;  // [parts + 1]
  };
  static int64_t PiecesOf(int64_t n) {
    return std::max<int64_t>(1, (n + cuda::kPartitionPiece - 1) / cuda::kPartitionPiece);
  }

  static absl::StatusOr<Counts> Count(KernelContext& ctx) {
    const Tensor& partitions = ctx.input(1);
    const int64_t parts = ctx.num_outputs(), n = partitions.num_elements(), pieces = PiecesOf(n);
    Counts counts;
    SLUICE_ASSIGN(counts.before, ctx.AllocateTemporary(kInt64, Shape{parts * pieces + 1}));
    SLUICE_ASSIGN(counts.starts, ctx.AllocateTemporary(kInt64, Shape{parts + 1}));
    auto* before = static_cast<int64_t*>(counts.before.raw());
    SLUICE_RETURN_IF_ERROR(CudaPrimitives().Zero(ctx, kInt64, before, parts * pieces + 1));
    SLUICE_RETURN_IF_ERROR(Launched(cuda::LaunchCountParts(
        static_cast<const int32_t*>(partitions.raw()), n, parts, before, StreamOf(ctx))));
    SLUICE_RETURN_IF_ERROR(Launched(cuda::LaunchSumBefore(before, parts * pieces, StreamOf(ctx))));
    SLUICE_RETURN_IF_ERROR(Launched(cuda::LaunchPartStarts(
        before, parts, pieces, static_cast<int64_t*>(counts.starts.raw()), StreamOf(ctx))));
    return counts;
  }

  static absl::Status Write(KernelContext& ctx, const Tensor& before, const Tensor& starts) {
    const Tensor &data = ctx.input(0), &partitions = ctx.input(1);
    const int64_t parts = ctx.num_outputs(), n = partitions.num_elements();
    const int64_t* start = starts.data<int64_t>();
    const Shape row = SubShape(data.shape(), partitions.rank(), data.rank());
    std::vector<Tensor*> outputs(parts);
    for (int p = 0; p < parts; ++p) {
      Shape shape = row;
      shape.InsertDim(0, start[p + 1] - start[p]);
      SLUICE_ASSIGN(outputs[p], ctx.AllocateOutput(p, shape));
    }
    if (start[parts] == 0 || row.num_elements() == 0) return absl::OkStatus();
    SLUICE_ASSIGN(Tensor order, ctx.AllocateTemporary(kInt64, Shape{start[parts]}));
    SLUICE_RETURN_IF_ERROR(Launched(cuda::LaunchPartOrder(
        static_cast<const int32_t*>(partitions.raw()), n, parts,
        static_cast<int64_t*>(before.raw()), static_cast<int64_t*>(order.raw()), StreamOf(ctx))));
    for (int p = 0; p < parts; ++p) {
      GatherSizes sizes;
      sizes.limit = n;
      sizes.inner = row.num_elements();
      sizes.picks = start[p + 1] - start[p];
      SLUICE_RETURN_IF_ERROR(CudaPrimitives().GatherRows(
          ctx, data, order.Rows(start[p], start[p + 1]), sizes, *outputs[p]));
    }
    return absl::OkStatus();
  }
};

// The indices are on the host. It finds for each row of the result where its elements lie; the last
// index that names a row wins.
struct DynamicStitch {
  void Start(KernelContext& ctx, Done done) const {
    absl::StatusOr<StitchPlan> plan = StitchPlan::Make(ctx);
    if (!plan.ok()) return done(plan.status());
    absl::StatusOr<Tensor*> merged = ctx.AllocateOutput(0, plan->shape);
    if (!merged.ok() || plan->shape.num_elements() == 0) return done(merged.status());
    absl::StatusOr<Tensor> sources = SourcesOf(ctx, *plan);
    if (!sources.ok()) return done(sources.status());
    const int64_t inner = plan->row.num_elements();
    ctx.device().CopyFromHost(*sources, [&ctx, inner, merged = *merged, done = std::move(done)](
                                            absl::StatusOr<Tensor> there) mutable {
      if (!there.ok()) return done(there.status());
      done(Launched(cuda::LaunchRowsFrom(static_cast<int>(SizeOf(merged->dtype())),
                                         static_cast<const uint64_t*>(there->raw()), merged->dim(0),
                                         inner, merged->raw(), StreamOf(ctx))));
    });
  }

 private:
  static absl::StatusOr<Tensor> SourcesOf(const KernelContext& ctx, const StitchPlan& plan) {
    const int count = ctx.num_inputs() / 2;
    const int64_t rows = plan.shape.dim(0);
    SLUICE_ASSIGN(Tensor sources, Tensor::Allocate(CpuAllocator(), kUint64, Shape{rows}));
    auto* source = sources.mutable_data<uint64_t>();
    std::fill_n(source, rows, uint64_t{0});
    for (int i = 0; i < count; ++i) {
      const Tensor &indices = ctx.input(i), &data = ctx.input(count + i);
      const auto row_bytes = static_cast<uint64_t>(plan.row.num_elements()) * SizeOf(data.dtype());
      const auto first = reinterpret_cast<uintptr_t>(data.raw());
      for (int64_t k = 0; k < indices.num_elements(); ++k)
        source[indices.data<int32_t>()[k]] = first + static_cast<uint64_t>(k) * row_bytes;
    }
    return sources;
  }
};

}  // namespace

void RegisterCudaDynamicPartition(KernelRegistry& kernels) {
  kernels.Add<DynamicPartition>("DynamicPartition", kGpu, {{"T", kPlain}});
  for (const char* op : {"DynamicStitch", "ParallelDynamicStitch"})
    kernels.Add<DynamicStitch>(op, kGpu, {{"T", kPlain}}, HostMemory{"indices"});
}

}  // namespace sluice::kernels
