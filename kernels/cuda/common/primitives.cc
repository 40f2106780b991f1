// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/common/primitives.h"

#include <algorithm>
#include <vector>

#include "kernels/common/axis.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/common/moves.h"

namespace sluice::kernels {
namespace {

int Size(DType dtype) { return static_cast<int>(SizeOf(dtype)); }

absl::StatusOr<cuda::Meeting> MeetingOf(Combine how) {
  switch (how) {
    case Combine::kAdd:
      return cuda::Meeting::kAdd;
    case Combine::kSub:
      return cuda::Meeting::kSub;
    case Combine::kMul:
      return cuda::Meeting::kMul;
    case Combine::kDiv:
      return cuda::Meeting::kDiv;
    case Combine::kMin:
      return cuda::Meeting::kMin;
    case Combine::kMax:
      return cuda::Meeting::kMax;
    case Combine::kReplace:
      break;
  }
  return Internal("no arithmetic in replacing");
}

class OnCuda final : public Primitives {
 public:
  absl::string_view device_type() const override { return kGpu; }

  absl::Status Zero(KernelContext& ctx, DType dtype, void* to, int64_t n) const override {
    if (!IsPlain(dtype) || n == 0) return absl::OkStatus();
    return Launched(cudaMemsetAsync(to, 0, static_cast<size_t>(n) * SizeOf(dtype), StreamOf(ctx)));
  }
  absl::Status Fill(KernelContext& ctx, DType dtype, const void* value, void* to,
                    int64_t n) const override {
    if (!IsPlain(dtype)) return CpuPrimitives().Fill(ctx, dtype, value, to, n);
    return Launched(cuda::LaunchFill(Size(dtype), value, to, n, StreamOf(ctx)));
  }
  absl::Status Repeat(KernelContext& ctx, DType dtype, const void* value, void* to,
                      int64_t n) const override {
    return StridedCopy(ctx, dtype, {{n, 0, 1}}, value, to);
  }

  absl::Status StridedCopy(KernelContext& ctx, DType dtype, CopyDims dims, const void* from,
                           void* to) const override {
    if (!IsPlain(dtype)) return CpuPrimitives().StridedCopy(ctx, dtype, std::move(dims), from, to);
    for (const CopyDim& dim : dims) {
      if (dim.size == 0) return absl::OkStatus();
    }
    SimplifyCopy(dims);
    if (dims.size() == 1 && dims[0].from == 1 && dims[0].to == 1) {
      return Launched(cudaMemcpyAsync(to, from, static_cast<size_t>(dims[0].size) * SizeOf(dtype),
                                      cudaMemcpyDeviceToDevice, StreamOf(ctx)));
    }
    if (dims.size() > cuda::Layout<2>::kMaxRank)
      return Unimplemented("a copy over ", dims.size(), " dimensions on a GPU");
    std::vector<cuda::CopyLoop> loops;
    for (const CopyDim& dim : dims) loops.push_back({dim.size, dim.from, dim.to});
    return Launched(cuda::LaunchStridedCopy(
        Size(dtype), loops.data(), static_cast<int>(loops.size()), from, to, StreamOf(ctx)));
  }

  absl::Status Join(KernelContext& ctx, DType dtype, absl::Span<const JoinedPart> parts,
                    int64_t rows, void* to) const override {
    if (!IsPlain(dtype)) return CpuPrimitives().Join(ctx, dtype, parts, rows, to);
    std::vector<cuda::RowPart> some;
    int64_t width = 0;
    for (const JoinedPart& part : parts) {
      if (part.size > 0) some.push_back({part.from, part.size});
      width += part.size;
    }
    return Launched(cuda::LaunchJoin(Size(dtype), some.data(), static_cast<int64_t>(some.size()),
                                     rows, width, to, StreamOf(ctx)));
  }

  absl::Status Update(KernelContext& ctx, Combine how, Tensor& target,
                      const Tensor& value) const override {
    SLUICE_ASSIGN(const cuda::Meeting meeting, MeetingOf(how));
    if (!HasElement(target.dtype())) return NoCode(target.dtype());
    return Launched(cuda::LaunchUpdate(ElementOf(target.dtype()), meeting, target.raw(),
                                       value.raw(), target.num_elements(), StreamOf(ctx)));
  }
  absl::Status UpdateRows(KernelContext& ctx, Combine how, Tensor& target, RowSizes rows,
                          const Tensor& indices, const Tensor& updates) const override {
    cuda::SlicePositions positions{};
    positions.indices = IndicesOf(indices);
    positions.count = indices.num_elements();
    positions.depth = 1;
    positions.dims[0] = rows.limit;
    return Update(ctx, how, target, positions, rows.size, updates);
  }
  absl::Status UpdateSlices(KernelContext& ctx, Combine how, Tensor& target, const Tensor& indices,
                            const Tensor& updates, bool) const override {
    SLUICE_ASSIGN(const cuda::SlicePositions positions, PositionsIn(target.shape(), indices));
    const int64_t inner = ProductOf(target.shape(), positions.depth, target.rank());
    return Update(ctx, how, target, positions, inner, updates);
  }

  absl::Status GatherRows(KernelContext& ctx, const Tensor& params, const Tensor& indices,
                          const GatherSizes& sizes, Tensor& out) const override {
    const cuda::GatherShape shape{sizes.batch, sizes.outer, sizes.limit, sizes.inner, sizes.picks};
    return Launched(cuda::LaunchGatherRows(Size(params.dtype()), params.raw(), IndicesOf(indices),
                                           shape, out.raw(), StreamOf(ctx)));
  }
  absl::Status GatherSlices(KernelContext& ctx, const Tensor& params, const Tensor& indices, bool,
                            Tensor& out) const override {
    SLUICE_ASSIGN(const cuda::SlicePositions positions, PositionsIn(params.shape(), indices));
    const int64_t inner = ProductOf(params.shape(), positions.depth, params.rank());
    return Launched(cuda::LaunchGatherSlices(Size(params.dtype()), params.raw(), positions, inner,
                                             out.raw(), StreamOf(ctx)));
  }

 private:
  static absl::Status NoCode(DType dtype) {
    return Unimplemented("no kernel code for dtype ", dtype, " on a GPU");
  }
  static absl::Status Update(KernelContext& ctx, Combine how, Tensor& target,
                             const cuda::SlicePositions& positions, int64_t inner,
                             const Tensor& updates) {
    const bool scalar = updates.rank() == 0;
    if (how == Combine::kReplace) {
      return Launched(cuda::LaunchReplaceSlices(Size(target.dtype()), target.raw(), positions,
                                                inner, updates.raw(), scalar, StreamOf(ctx)));
    }
    SLUICE_ASSIGN(const cuda::Meeting meeting, MeetingOf(how));
    if (!HasElement(target.dtype())) return NoCode(target.dtype());
    return Launched(cuda::LaunchUpdateSlices(ElementOf(target.dtype()), meeting, target.raw(),
                                             positions, inner, updates.raw(), scalar,
                                             StreamOf(ctx)));
  }
};

}  // namespace

const Primitives& CudaPrimitives() {
  static const OnCuda on;
  return on;
}

cuda::Indices IndicesOf(const Tensor& tensor) { return {tensor.raw(), Size(tensor.dtype())}; }

absl::StatusOr<cuda::SlicePositions> PositionsIn(const Shape& shape, const Tensor& indices) {
  const int64_t depth = indices.dim(indices.rank() - 1);
  if (depth > cuda::SlicePositions::kMaxDepth)
    return Unimplemented("indices into ", depth, " dimensions on a GPU");
  cuda::SlicePositions positions{};
  positions.indices = IndicesOf(indices);
  positions.count = ProductOf(indices.shape(), 0, indices.rank() - 1);
  positions.depth = static_cast<int32_t>(depth);
  for (int d = 0; d < positions.depth; ++d) positions.dims[d] = shape.dim(d);
  return positions;
}

}  // namespace sluice::kernels
