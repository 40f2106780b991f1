// SPDX-License-Identifier: Apache-2.0
// Shapes of arithmetic, comparisons, reductions, segments and matrix products.
#include <algorithm>

#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

absl::Status RangeShape(ShapeContext& c) {
  c.outputs[0] = PartialShape{-1};
  const auto start = c.Int(0), limit = c.Int(1), delta = c.Int(2);
  if (start && limit && delta) {
    if (*delta == 0) return InvalidArgument("Requires delta != 0: 0");
    if (*delta > 0 ? *start > *limit : *start < *limit) {
      return InvalidArgument(
          "Requires start <= limit when delta > 0, start >= limit when delta < 0: ", *start, ", ",
          *limit);
    }
    int64_t distance;
    if (__builtin_sub_overflow(*limit, *start, &distance) || distance == INT64_MIN ||
        *delta == INT64_MIN)
      return absl::OkStatus();
    const int64_t span = std::abs(distance), step = std::abs(*delta);
    return c.Set(0, {span / step + (span % step != 0)});
  }
  return absl::OkStatus();
}

absl::Status LinSpaceShape(ShapeContext& c) {
  const auto count = c.Int(2);
  if (count && *count <= 0) return InvalidArgument("Requires num > 0: ", *count);
  return c.Set(0, {count.value_or(-1)});
}

absl::Status MatMulShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape a, c.OfRank(0, 2));
  SLUICE_ASSIGN(PartialShape b, c.OfRank(1, 2));
  const bool ta = GetAttrOr(c.node.attrs, "transpose_a", false),
             tb = GetAttrOr(c.node.attrs, "transpose_b", false);
  const int64_t inner_a = a.dim(ta ? 0 : 1), inner_b = b.dim(tb ? 1 : 0);
  if (inner_a >= 0 && inner_b >= 0 && inner_a != inner_b) {
    return InvalidArgument("Matrix size-incompatible: In[0]: ", a, ", In[1]: ", b);
  }
  return c.Set(0, {a.dim(ta ? 1 : 0), b.dim(tb ? 0 : 1)});
}

absl::Status BatchMatMulShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape a, c.OfRankAtLeast(0, 2));
  SLUICE_ASSIGN(PartialShape b, c.OfRankAtLeast(1, 2));
  if (!a.rank_known() || !b.rank_known()) return absl::OkStatus();
  const bool ta = GetAttrOr(c.node.attrs, "adj_x", false),
             tb = GetAttrOr(c.node.attrs, "adj_y", false);
  const int ra = a.rank(), rb = b.rank();
  SLUICE_RETURN_IF_ERROR(
      MergedSize(a.dim(ta ? ra - 2 : ra - 1), b.dim(tb ? rb - 1 : rb - 2)).status());
  const PartialShape batch_a = SubShape(a, 0, ra - 2), batch_b = SubShape(b, 0, rb - 2);
  const bool alike = c.node.op() == "BatchMatMul";  // later ones broadcast
  SLUICE_ASSIGN(const PartialShape batch,
                alike ? batch_a.MergeWith(batch_b) : BroadcastShapes(batch_a, batch_b));
  SLUICE_ASSIGN(const PartialShape product,
                PartialShape::Create({a.dim(ta ? ra - 1 : ra - 2), b.dim(tb ? rb - 2 : rb - 1)}));
  SLUICE_ASSIGN(c.outputs[0], Concatenated(batch, product));
  return absl::OkStatus();
}

absl::Status ReductionShape(ShapeContext& c) {  // input, axes
  const PartialShape& input = c.inputs[0];
  const bool keep = GetAttrOr(c.node.attrs, "keep_dims", false);
  const KnownInts* axes = c.ints[1];
  const bool axes_known =
      axes != nullptr && std::find(axes->begin(), axes->end(), kUnknownInt) == axes->end();
  if (!input.rank_known() || !axes_known) {
    if (input.rank_known() && keep) c.outputs[0] = PartialShape::UnknownOfRank(input.rank());
    return absl::OkStatus();
  }
  std::vector<bool> reduced(input.rank(), false);
  for (int64_t axis : *axes) {
    auto at = FrontAxis(axis, input.rank());
    if (!at.ok())
      return InvalidArgument("Invalid reduction dimension ", axis, " for input with ", input.rank(),
                             " dimensions.");
    reduced[*at] = true;
  }
  Shape::Dims dims;
  for (int i = 0; i < input.rank(); ++i) {
    if (!reduced[i]) {
      dims.push_back(input.dim(i));
    } else if (keep) {
      dims.push_back(1);
    }
  }
  return c.Set(0, dims);
}

absl::Status ArgReductionShape(ShapeContext& c) {  // input, dimension
  const PartialShape& input = c.inputs[0];
  if (!input.rank_known()) return absl::OkStatus();
  if (input.rank() == 0) {
    c.outputs[0] = Shape{};
    return absl::OkStatus();
  }
  const auto axis = c.Int(1);
  if (!axis) {
    c.outputs[0] = PartialShape::UnknownOfRank(input.rank() - 1);
    return absl::OkStatus();
  }
  SLUICE_ASSIGN(int at, FrontAxis(*axis, input.rank()));
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  dims.erase(dims.begin() + at);
  return c.Set(0, dims);
}

// Select(condition, t, e): a vector condition may select rows.
absl::Status SelectShape(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], c.inputs[1].MergeWith(c.inputs[2]));
  const PartialShape &condition = c.inputs[0], &values = c.outputs[0];
  if (!condition.rank_known() || !values.rank_known() || condition.rank() == 0)
    return absl::OkStatus();
  if (condition.rank() == 1 && values.rank() > 1) return CheckPrefix(condition, values);
  return condition.MergeWith(values).status();
}

absl::Status SelectV2Shape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape values, BroadcastShapes(c.inputs[1], c.inputs[2]));
  SLUICE_ASSIGN(c.outputs[0], BroadcastShapes(c.inputs[0], values));
  return absl::OkStatus();
}

// The number of bins that input i says, -1 if it is not known.
absl::StatusOr<int64_t> BinsOf(const ShapeContext& c, int i) {
  const auto size = c.Int(i);
  if (size && *size < 0) return InvalidArgument("size (", *size, ") must be non-negative");
  return size.value_or(-1);
}

// The rank of a sparse tensor whose dense shape is input 2, -1 if it is not known.
int64_t RankOfSparse(const ShapeContext& c) {
  const PartialShape& dense = c.inputs[2];
  return dense.rank_known() && dense.rank() == 1 ? dense.dim(0) : -1;
}

absl::Status BincountShape(ShapeContext& c) {  // arr, size, weights
  SLUICE_ASSIGN(const int64_t bins, BinsOf(c, 1));
  return c.Set(0, {bins});
}

absl::Status DenseBincountShape(ShapeContext& c) {  // input, size, weights
  SLUICE_ASSIGN(const int64_t bins, BinsOf(c, 1));
  const PartialShape& values = c.inputs[0];
  if (!values.rank_known()) return absl::OkStatus();
  if (values.rank() > 2)
    return InvalidArgument("Shape must be at most rank 2 but is rank ", values.rank());
  return values.rank() == 2 ? c.Set(0, {values.dim(0), bins}) : c.Set(0, {bins});
}

absl::Status SparseBincountShape(ShapeContext& c) {  // indices, values, dense_shape, size, weights
  SLUICE_ASSIGN(const int64_t bins, BinsOf(c, 3));
  const int64_t rank = RankOfSparse(c);
  if (rank == 1) return c.Set(0, {bins});
  if (rank < 0) return absl::OkStatus();
  return c.Set(0, {c.Int(2).value_or(-1), bins});
}

absl::Status RaggedBincountShape(ShapeContext& c) {  // splits, values, size, weights
  SLUICE_ASSIGN(const int64_t bins, BinsOf(c, 2));
  return c.Set(0, {-1, bins});
}

// The parts of a sparse tensor of this rank (-1: unknown).
absl::Status SetCounts(ShapeContext& c, int64_t rank) {
  SLUICE_RETURN_IF_ERROR(c.Set(0, {-1, rank}));
  SLUICE_RETURN_IF_ERROR(c.Set(1, {-1}));
  return c.Set(2, {rank});
}

absl::Status DenseCountsShape(ShapeContext& c) {  // values, weights
  return SetCounts(c, c.inputs[0].rank_known() ? c.inputs[0].rank() : -1);
}

absl::Status SparseCountsShape(ShapeContext& c) {  // indices, values, dense_shape, weights
  return SetCounts(c, RankOfSparse(c));
}

absl::Status RaggedCountsShape(ShapeContext& c) { return SetCounts(c, 2); }

absl::Status HistogramShape(ShapeContext& c) {  // values, value_range, nbins
  const auto bins = c.Int(2);
  return c.Set(0, {bins && *bins >= 0 ? *bins : -1});
}

absl::Status CrossShape(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], c.inputs[0].MergeWith(c.inputs[1]));
  return absl::OkStatus();
}

// The operands of a gradient have the shape of the output's gradient.
// Operands are scalars or of one shape.
absl::Status BetaincShape(ShapeContext& c) {
  PartialShape merged;
  bool scalars = true;
  for (const PartialShape& input : c.inputs) {
    if (input.rank() == 0) continue;
    scalars = false;
    if (!input.rank_known()) continue;
    SLUICE_ASSIGN(merged, merged.MergeWith(input));
  }
  c.outputs[0] = scalars ? PartialShape(Shape{}) : merged;
  return absl::OkStatus();
}

absl::Status BitpackShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(c.OfRank(1, 0).status());
  SLUICE_ASSIGN(const PartialShape input, c.OfRankAtLeast(0, 1));
  if (!input.rank_known()) return absl::OkStatus();
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  if (dims.back() % 8 != 0 && dims.back() >= 0)
    return InvalidArgument("the last size must be divisible by 8, got ", dims.back());
  if (dims.back() >= 0) dims.back() /= 8;
  return c.Set(0, dims);
}

constexpr ShapeRule kRules[] = {
    {"Abs", Unchanged},
    {"AccumulateNV2", MergedInputs},
    {"Acos", Unchanged},
    {"Acosh", Unchanged},
    {"Add", Broadcast},
    {"AddN", MergedInputs},
    {"AddV2", Broadcast},
    {"All", ReductionShape},
    {"Angle", Unchanged},
    {"Any", ReductionShape},
    {"ApproximateEqual", CrossShape},
    {"ArgMax", ArgReductionShape},
    {"ArgMin", ArgReductionShape},
    {"Asin", Unchanged},
    {"Asinh", Unchanged},
    {"Atan", Unchanged},
    {"Atan2", Broadcast},
    {"Atanh", Unchanged},
    {"BatchMatMul", BatchMatMulShape},
    {"BatchMatMulV2", BatchMatMulShape},
    {"BatchMatMulV3", BatchMatMulShape},
    {"BesselI0", Unchanged},
    {"BesselI0e", Unchanged},
    {"BesselI1", Unchanged},
    {"BesselI1e", Unchanged},
    {"BesselJ0", Unchanged},
    {"BesselJ1", Unchanged},
    {"BesselK0", Unchanged},
    {"BesselK0e", Unchanged},
    {"BesselK1", Unchanged},
    {"BesselK1e", Unchanged},
    {"BesselY0", Unchanged},
    {"BesselY1", Unchanged},
    {"Betainc", BetaincShape},
    {"Bincount", BincountShape},
    {"BitwiseAnd", Broadcast},
    {"BitwiseOr", Broadcast},
    {"BitwiseXor", Broadcast},
    {"Bucketize", Unchanged},
    {"Cast", Unchanged},
    {"Ceil", Unchanged},
    {"ClipByValue", Unchanged},
    {"CompareAndBitpack", BitpackShape},
    {"Complex", Broadcast},
    {"ComplexAbs", Unchanged},
    {"Conj", Unchanged},
    {"Cos", Unchanged},
    {"Cosh", Unchanged},
    {"Cross", CrossShape},
    {"Cumprod", Unchanged},
    {"Cumsum", Unchanged},
    {"CumulativeLogsumexp", Unchanged},
    {"Dawsn", Unchanged},
    {"DenseBincount", DenseBincountShape},
    {"DenseCountSparseOutput", DenseCountsShape},
    {"Digamma", Unchanged},
    {"Div", Broadcast},
    {"DivNoNan", Broadcast},
    {"Equal", Broadcast},
    {"Erf", Unchanged},
    {"Erfc", Unchanged},
    {"Erfinv", Unchanged},
    {"EuclideanNorm", ReductionShape},
    {"Exp", Unchanged},
    {"Expint", Unchanged},
    {"Expm1", Unchanged},
    {"Floor", Unchanged},
    {"FloorDiv", Broadcast},
    {"FloorMod", Broadcast},
    {"FresnelCos", Unchanged},
    {"FresnelSin", Unchanged},
    {"Greater", Broadcast},
    {"GreaterEqual", Broadcast},
    {"HistogramFixedWidth", HistogramShape},
    {"Igamma", Broadcast},
    {"IgammaGradA", Broadcast},
    {"Igammac", Broadcast},
    {"Imag", Unchanged},
    {"Inv", Unchanged},
    {"InvGrad", Unchanged},
    {"Invert", Unchanged},
    {"IsFinite", Unchanged},
    {"IsInf", Unchanged},
    {"IsNan", Unchanged},
    {"L2Loss", AllScalars},
    {"LeftShift", Broadcast},
    {"Less", Broadcast},
    {"LessEqual", Broadcast},
    {"Lgamma", Unchanged},
    {"LinSpace", LinSpaceShape},
    {"Log", Unchanged},
    {"Log1p", Unchanged},
    {"LogicalAnd", Broadcast},
    {"LogicalNot", Unchanged},
    {"LogicalOr", Broadcast},
    {"MatMul", MatMulShape},
    {"Max", ReductionShape},
    {"Maximum", Broadcast},
    {"Mean", ReductionShape},
    {"Min", ReductionShape},
    {"Minimum", Broadcast},
    {"Mod", Broadcast},
    {"Mul", Broadcast},
    {"MulNoNan", Broadcast},
    {"Ndtri", Unchanged},
    {"Neg", Unchanged},
    {"NextAfter", Broadcast},
    {"NotEqual", Broadcast},
    {"Polygamma", Broadcast},
    {"PopulationCount", Unchanged},
    {"Pow", Broadcast},
    {"Prod", ReductionShape},
    {"RaggedBincount", RaggedBincountShape},
    {"RaggedCountSparseOutput", RaggedCountsShape},
    {"Range", RangeShape},
    {"Real", Unchanged},
    {"RealDiv", Broadcast},
    {"Reciprocal", Unchanged},
    {"ReciprocalGrad", Unchanged},
    {"RightShift", Broadcast},
    {"Rint", Unchanged},
    {"Round", Unchanged},
    {"Rsqrt", Unchanged},
    {"RsqrtGrad", Unchanged},
    {"SegmentMax", SegmentShape},
    {"SegmentMean", SegmentShape},
    {"SegmentMin", SegmentShape},
    {"SegmentProd", SegmentShape},
    {"SegmentSum", SegmentShape},
    {"Select", SelectShape},
    {"SelectV2", SelectV2Shape},
    {"Sigmoid", Unchanged},
    {"SigmoidGrad", Unchanged},
    {"Sign", Unchanged},
    {"Sin", Unchanged},
    {"Sinh", Unchanged},
    {"SparseBincount", SparseBincountShape},
    {"SparseCountSparseOutput", SparseCountsShape},
    {"SparseMatMul", MatMulShape},
    {"Spence", Unchanged},
    {"Sqrt", Unchanged},
    {"SqrtGrad", Unchanged},
    {"Square", Unchanged},
    {"SquaredDifference", Broadcast},
    {"Sub", Broadcast},
    {"Sum", ReductionShape},
    {"Tan", Unchanged},
    {"Tanh", Unchanged},
    {"TanhGrad", Unchanged},
    {"TruncateDiv", Broadcast},
    {"TruncateMod", Broadcast},
    {"UnsortedSegmentMax", UnsortedSegmentShape},
    {"UnsortedSegmentMin", UnsortedSegmentShape},
    {"UnsortedSegmentProd", UnsortedSegmentShape},
    {"UnsortedSegmentSum", UnsortedSegmentShape},
    {"Xdivy", Broadcast},
    {"Xlog1py", Broadcast},
    {"Xlogy", Broadcast},
    {"Zeta", Broadcast},
};

}  // namespace

absl::Span<const ShapeRule> MathRules() { return kRules; }

}  // namespace sluice::graph
