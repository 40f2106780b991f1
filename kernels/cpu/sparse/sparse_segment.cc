// SPDX-License-Identifier: Apache-2.0
// SparseSegment*: selects rows by index and combines rows with the same segment number; and the
// gradients.
#include "absl/strings/match.h"
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"
#include "kernels/cpu/math/segment_ids.h"
#include "kernels/cpu/sparse/register.h"

namespace sluice::kernels {
namespace {

enum class Scale { kNone, kMean, kSqrtN };

Scale ScaleOf(absl::string_view op) {
  if (absl::StrContains(op, "Mean")) return Scale::kMean;
  return absl::StrContains(op, "SqrtN") ? Scale::kSqrtN : Scale::kNone;
}

double Factor(Scale scale, int64_t count) {
  if (scale == Scale::kNone || count == 0) return 1;
  return scale == Scale::kMean ? 1.0 / static_cast<double>(count)
                               : 1.0 / std::sqrt(static_cast<double>(count));
}

absl::Status CheckPairs(const Tensor& indices, const Tensor& ids) {
  if (indices.rank() != 1) return InvalidArgument("indices should be a vector.");
  if (ids.rank() != 1) return InvalidArgument("segment_ids should be a vector.");
  if (indices.num_elements() != ids.num_elements())
    return InvalidArgument("segment_ids and indices should have same size.");
  return absl::OkStatus();
}

// row *= factor
absl::Status ScaleRow(DType dtype, void* row, int64_t n, double factor) {
  return VisitDType(FloatingTypes{}, dtype, [&]<typename T>(Type<T>) {
    using C = ComputeType<T>;
    T* x = static_cast<T*>(row);
    for (int64_t i = 0; i < n; ++i) x[i] = T(static_cast<C>(x[i]) * static_cast<C>(factor));
    return absl::OkStatus();
  });
}

struct SparseSegment {
  Scale scale;
  BinaryLoop add;

  static absl::StatusOr<SparseSegment> Create(const NodeSpec& node) {
    return SparseSegment{ScaleOf(node.op), AddLoop(node.input_types[0])};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &data = ctx.input(0), &indices = ctx.input(1), &ids = ctx.input(2);
    SLUICE_RETURN_IF_ERROR(CheckPairs(indices, ids));
    if (data.rank() < 1) return InvalidArgument("Shape must be at least rank 1");
    const int64_t count = ids.num_elements();
    SLUICE_ASSIGN(const int64_t segments, Segments(ctx, ids));
    SLUICE_RETURN_IF_ERROR(CheckSegments(ids, segments));
    // As in TensorFlow, the size of the result is checked before the indices.
    SLUICE_ASSIGN(Shape shape, JoinShapes(Shape{segments}, SubShape(data.shape(), 1, data.rank())));
    for (const int64_t i : Cancellable(count)) {
      const int64_t index = IndexAt(indices, i);
      if (index < 0 || index >= data.dim(0)) {
        return InvalidArgument("Bad: indices[", i, "] == ", index, " out of range [0, ",
                               data.dim(0), ")");
      }
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    std::memset(out->raw(), 0, out->bytes());
    return Combine(data, indices, ids, ProductOf(data.shape(), 1, data.rank()), *out);
  }

 private:
  // The number of rows is num_segments, if that is an input.
  static absl::StatusOr<int64_t> Segments(const KernelContext& ctx, const Tensor& ids) {
    SLUICE_ASSIGN(const int64_t needed, CountSegments(ids));
    if (ctx.num_inputs() < 4) return needed;
    if (ctx.input(3).rank() != 0)
      return InvalidArgument("num_segments should be a scalar, not shape ", ctx.input(3).shape());
    SLUICE_ASSIGN(int64_t segments, IntScalar(ctx.input(3)));
    if (segments < 0) return InvalidArgument("num_segments must be non-negative, got ", segments);
    if (needed > segments) return InvalidArgument("segment ids must be < num_segments");
    return segments;
  }

  absl::Status Combine(const Tensor& data, const Tensor& indices, const Tensor& ids, int64_t inner,
                       Tensor& out) const {
    const size_t element = SizeOf(data.dtype());
    for (int64_t i = 0, first = 0; i < ids.num_elements(); ++i) {
      const int64_t id = IndexAt(ids, i);
      void* to = At(out.raw(), id * inner, element);
      add.Run(to, At(data.raw(), IndexAt(indices, i) * inner, element), to, inner);
      if (i + 1 < ids.num_elements() && IndexAt(ids, i + 1) == id) continue;
      if (scale != Scale::kNone)
        SLUICE_RETURN_IF_ERROR(ScaleRow(out.dtype(), to, inner, Factor(scale, i + 1 - first)));
      first = i + 1;
    }
    return absl::OkStatus();
  }
};

// Row segment_ids[i] of the gradient is scaled and added to row indices[i] of the result. In the
// second version the result has only the rows that some index names, and a second output lists
// them.
struct SparseSegmentGrad {
  Scale scale;
  BinaryLoop add;
  bool named_rows_only;

  static absl::StatusOr<SparseSegmentGrad> Create(const NodeSpec& node) {
    return SparseSegmentGrad{ScaleOf(node.op), AddLoop(node.input_types[0]),
                             absl::EndsWith(node.op, "V2")};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &grad = ctx.input(0), &indices = ctx.input(1), &ids = ctx.input(2);
    SLUICE_RETURN_IF_ERROR(CheckPairs(indices, ids));
    if (grad.rank() < 1) return InvalidArgument("grad must be at least a vector");
    if (ctx.input(3).rank() != 0) return InvalidArgument("output_dim0 should be a scalar.");
    SLUICE_ASSIGN(int64_t rows, IntScalar(ctx.input(3)));
    if (rows < 0) return InvalidArgument("output_dim0 must be non-negative, got ", rows);
    SLUICE_ASSIGN(const int64_t needed, CountSegments(ids));
    // TensorFlow 1 checks the last id first, TensorFlow 2 checks each in order. The error has both
    // texts.
    const char* first = needed > grad.dim(0) ? "Invalid number of segments: " : "";
    std::vector<int64_t> counts(grad.dim(0), 0);
    std::vector<int64_t> to(ids.num_elements());  // row of the result
    for (const int64_t i : Cancellable(ids.num_elements())) {
      const int64_t id = IndexAt(ids, i), index = IndexAt(indices, i);
      if (id < 0 || id >= grad.dim(0))
        return InvalidArgument(first, "Segment id ", id, " out of range [0, ", grad.dim(0), ").");
      if (index < 0 || index >= rows)
        return InvalidArgument("Index ", index, " out of range [0, ", rows, ").");
      ++counts[id];
      to[i] = index;
    }
    if (named_rows_only) {
      SLUICE_ASSIGN(rows, NameRows(ctx, to));
    }
    SLUICE_ASSIGN(Shape shape, JoinShapes(Shape{rows}, SubShape(grad.shape(), 1, grad.rank())));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    std::memset(out->raw(), 0, out->bytes());
    return Spread(grad, ids, to, counts, *out);
  }

 private:
  // Numbers the rows in `to` in order and returns how many there are; output 1 lists them.
  static absl::StatusOr<int64_t> NameRows(KernelContext& ctx, std::vector<int64_t>& to) {
    std::vector<int64_t> names = to;
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    const auto count = static_cast<int64_t>(names.size());
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(1, Shape{count}));
    for (const int64_t i : Cancellable(count)) {
      if (out->dtype() == kInt32)
        out->mutable_data<int32_t>()[i] = static_cast<int32_t>(names[i]);
      else
        out->mutable_data<int64_t>()[i] = names[i];
    }
    for (int64_t& row : to) row = std::lower_bound(names.begin(), names.end(), row) - names.begin();
    return count;
  }

  absl::Status Spread(const Tensor& grad, const Tensor& ids, const std::vector<int64_t>& to,
                      const std::vector<int64_t>& counts, Tensor& out) const {
    const int64_t inner = ProductOf(grad.shape(), 1, grad.rank());
    const size_t element = SizeOf(grad.dtype());
    std::vector<char> row(static_cast<size_t>(inner) * element);
    for (const int64_t i : Cancellable(ids.num_elements())) {
      const int64_t id = IndexAt(ids, i);
      std::memcpy(row.data(), At(grad.raw(), id * inner, element), row.size());
      SLUICE_RETURN_IF_ERROR(ScaleRow(grad.dtype(), row.data(), inner, Factor(scale, counts[id])));
      void* sum = At(out.raw(), to[i] * inner, element);
      add.Run(sum, row.data(), sum, inner);
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSparseSegments(KernelRegistry& kernels) {
  for (const char* op : {"SparseSegmentSum", "SparseSegmentSumWithNumSegments"}) {
    kernels.Add<SparseSegment>(op, kCpu, {{"T", kReal}, {"Tidx", kIndex}, {"Tsegmentids", kIndex}});
  }
  for (const char* op : {"SparseSegmentMean", "SparseSegmentMeanWithNumSegments",
                         "SparseSegmentSqrtN", "SparseSegmentSqrtNWithNumSegments"}) {
    kernels.Add<SparseSegment>(op, kCpu,
                               {{"T", kFloating}, {"Tidx", kIndex}, {"Tsegmentids", kIndex}});
  }
  for (const char* op :
       {"SparseSegmentSumGrad", "SparseSegmentMeanGrad", "SparseSegmentSqrtNGrad",
        "SparseSegmentSumGradV2", "SparseSegmentMeanGradV2", "SparseSegmentSqrtNGradV2"}) {
    kernels.Add<SparseSegmentGrad>(op, kCpu,
                                   {{"T", kFloating}, {"Tidx", kIndex}, {"Tsegmentids", kIndex}});
  }
}

}  // namespace sluice::kernels
