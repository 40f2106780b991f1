// SPDX-License-Identifier: Apache-2.0
// Segments: combines rows with the same number. The sorted kind (SegmentSum) takes numbers that
// never fall. The unsorted kind takes them in any order, and the number of segments.
#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/axis.h"
#include "kernels/common/elementwise.h"
#include "kernels/common/math_plan.h"
#include "kernels/common/strided_copy.h"
#include "kernels/cpu/math/register.h"
#include "kernels/cpu/math/segment_ids.h"

namespace sluice::kernels {
namespace {

enum class Rule { kSum, kMean, kProd, kMax, kMin };

BinaryLoop RowLoop(Rule rule, DType dtype) {
  switch (rule) {
    case Rule::kProd:
      return MulLoop(dtype);
    case Rule::kMax:
      return MaximumLoop(dtype);
    case Rule::kMin:
      return MinimumLoop(dtype);
    default:
      return AddLoop(dtype);
  }
}

// The value of a segment without rows in the unsorted kind.
template <typename T>
T EmptyValue(Rule rule) {
  if (rule == Rule::kProd) return T(1);
  if constexpr (!std::is_same_v<T, Complex64> && !std::is_same_v<T, Complex128>) {
    if (rule == Rule::kMax) return std::numeric_limits<T>::lowest();
    if (rule == Rule::kMin) return std::numeric_limits<T>::max();
  }
  return T(0);
}

absl::Status FillWith(KernelContext& ctx, Rule rule, Tensor& out) {
  return VisitDType(NumericTypes{}, out.dtype(), [&]<typename T>(Type<T>) {
    const T value = EmptyValue<T>(rule);
    FillElements(ctx.pool(), out.dtype(), &value, out.raw(), out.num_elements());
    return absl::OkStatus();
  });
}

template <typename T>
void DivideRow(T* row, int64_t n, int64_t count) {
  for (int64_t i = 0; i < n; ++i) {
    if constexpr (std::is_integral_v<T>)
      row[i] = static_cast<T>(
          row[i] / static_cast<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(count));
    else if constexpr (kIsNarrowFloat<T>)
      row[i] = T(static_cast<float>(row[i]) / static_cast<float>(count));
    else
      row[i] = row[i] / T(count);
  }
}

// Combines columns [begin, end) of row `from` of the data into row `to` of the result. Shards are
// ranges of columns, so that every element is combined in the order of the rows.
template <typename Fn>
void ForColumns(KernelContext& ctx, int64_t rows, int64_t inner, Fn fn) {
  // Each block of columns reads all rows, so there are few blocks, of whole cache lines.
  constexpr int64_t kNarrowest = 32, kLine = 16;
  if (inner == 0) return;
  const int64_t threads = ctx.pool() == nullptr ? 1 : ctx.pool()->num_threads();
  const int64_t blocks = std::clamp<int64_t>(inner / kNarrowest, 1, 2 * threads);
  const int64_t width = ((inner + blocks - 1) / blocks + kLine - 1) / kLine * kLine;
  const double cost = static_cast<double>(rows) * (10 + 0.3 * static_cast<double>(width));
  ParallelFor(ctx.pool(), (inner + width - 1) / width, cost,
              [&](int64_t begin, int64_t end) { fn(begin * width, std::min(inner, end * width)); });
}

struct SegmentReduction {
  Rule rule;
  BinaryLoop combine;

  static absl::StatusOr<SegmentReduction> Create(const NodeSpec& node) {
    const Rule rule = node.op == "SegmentMean"   ? Rule::kMean
                      : node.op == "SegmentProd" ? Rule::kProd
                      : node.op == "SegmentMax"  ? Rule::kMax
                      : node.op == "SegmentMin"  ? Rule::kMin
                                                 : Rule::kSum;
    return SegmentReduction{rule, RowLoop(rule, node.input_types[0])};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &data = ctx.input(0), &ids = ctx.input(1);
    SLUICE_RETURN_IF_ERROR(CheckSegmentShapes(data.shape(), ids.shape()));
    const int64_t rows = ids.num_elements();
    SLUICE_ASSIGN(const int64_t segments, CountSegments(ids));
    SLUICE_RETURN_IF_ERROR(CheckSegments(ids, segments));
    SLUICE_ASSIGN(Shape shape, SegmentShape(data.shape(), segments));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    // Empty segments hold 0, or 1 for products.
    SLUICE_RETURN_IF_ERROR(FillWith(ctx, rule == Rule::kProd ? Rule::kProd : Rule::kSum, *out));
    const int64_t inner = ProductOf(data.shape(), 1, data.rank());
    if (rows == 0 || inner == 0) return absl::OkStatus();
    Combine(ctx, data, ids, inner, *out);
    return rule == Rule::kMean ? Divide(ids, inner, *out) : absl::OkStatus();
  }

 private:
  void Combine(KernelContext& ctx, const Tensor& data, const Tensor& ids, int64_t inner,
               Tensor& out) const {
    const size_t element = SizeOf(data.dtype());
    ForColumns(ctx, data.dim(0), inner, [&](int64_t begin, int64_t end) {
      int64_t before = -1;
      for (int64_t i = 0; i < data.dim(0); ++i) {
        const int64_t id = IndexAt(ids, i);
        const void* from = At(data.raw(), i * inner + begin, element);
        void* to = At(out.raw(), id * inner + begin, element);
        if (id != before)
          std::memcpy(to, from, static_cast<size_t>(end - begin) * element);
        else
          combine.Run(to, from, to, end - begin);
        before = id;
      }
    });
  }

  static absl::Status Divide(const Tensor& ids, int64_t inner, Tensor& out) {
    return VisitDType(NumericTypes{}, out.dtype(), [&]<typename T>(Type<T>) {
      for (int64_t i = 0, first = 0; i < ids.num_elements(); ++i) {
        const int64_t id = IndexAt(ids, i);
        if (i + 1 < ids.num_elements() && IndexAt(ids, i + 1) == id) continue;
        DivideRow(out.mutable_data<T>() + id * inner, inner, i + 1 - first);
        first = i + 1;
      }
      return absl::OkStatus();
    });
  }
};

struct UnsortedSegment {
  Rule rule;
  BinaryLoop combine;

  static absl::StatusOr<UnsortedSegment> Create(const NodeSpec& node) {
    const Rule rule = node.op == "UnsortedSegmentProd"  ? Rule::kProd
                      : node.op == "UnsortedSegmentMax" ? Rule::kMax
                      : node.op == "UnsortedSegmentMin" ? Rule::kMin
                                                        : Rule::kSum;
    return UnsortedSegment{rule, RowLoop(rule, node.input_types[0])};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &data = ctx.input(0), &ids = ctx.input(1);
    SLUICE_ASSIGN(const UnsortedSegmentPlan plan,
                  PlanUnsortedSegment(data.shape(), ids.shape(), ctx.input(2)));
    for (const int64_t i : Cancellable(ids.num_elements())) {
      if (IndexAt(ids, i) >= plan.segments) {
        return InvalidArgument("segment_ids", PositionText(ids.shape(), i), " = ", IndexAt(ids, i),
                               " is out of range [0, ", plan.segments, ")");
      }
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, plan.output));
    SLUICE_RETURN_IF_ERROR(FillWith(ctx, rule, *out));
    const int64_t inner = plan.inner;
    const size_t element = SizeOf(data.dtype());
    ForColumns(ctx, ids.num_elements(), inner, [&](int64_t begin, int64_t end) {
      for (const int64_t i : Cancellable(ids.num_elements())) {
        const int64_t id = IndexAt(ids, i);
        if (id < 0) continue;  // dropped
        void* to = At(out->raw(), id * inner + begin, element);
        combine.Run(to, At(data.raw(), i * inner + begin, element), to, end - begin);
      }
    });
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterSegments(KernelRegistry& kernels) {
  const DTypeSet unsorted_ids{kInt16, kInt32, kInt64};
  for (const char* op : {"SegmentSum", "SegmentMean", "SegmentProd"}) {
    kernels.Add<SegmentReduction>(op, kCpu, {{"T", kNumeric}, {"Tindices", kIndex}});
  }
  for (const char* op : {"SegmentMax", "SegmentMin"}) {
    kernels.Add<SegmentReduction>(op, kCpu, {{"T", kReal}, {"Tindices", kIndex}});
  }
  for (const char* op : {"UnsortedSegmentSum", "UnsortedSegmentProd"}) {
    kernels.Add<UnsortedSegment>(
        op, kCpu, {{"T", kNumeric}, {"Tindices", unsorted_ids}, {"Tnumsegments", kIndex}});
  }
  for (const char* op : {"UnsortedSegmentMax", "UnsortedSegmentMin"}) {
    kernels.Add<UnsortedSegment>(op, kCpu,
                                 {{"T", kReal}, {"Tindices", kIndex}, {"Tnumsegments", kIndex}});
  }
}

}  // namespace sluice::kernels
