// SPDX-License-Identifier: Apache-2.0
// Shapes of ops that move elements: blocks between dimensions, diagonals, reversals, distinct rows.
#include <algorithm>

#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// Blocks that move between the batch and the space dimensions: input, block_shape, crops or
// paddings; or input, crops or paddings, and one block_size for two dimensions.
absl::Status MoveBlocks(ShapeContext& c, bool to_batch) {
  const int margins = c.num_inputs() - 1;
  const auto block_size = GetAttrOr<int64_t>(c.node.attrs, "block_size", 0);
  PartialShape input = c.inputs[0];
  int64_t blocks = 2;
  if (margins == 1) {
    SLUICE_ASSIGN(input, c.OfRank(0, 4));
  } else {
    SLUICE_ASSIGN(const PartialShape block_shape, c.OfRank(1, 1));
    blocks = block_shape.dim(0);
  }
  if (!input.rank_known() || blocks < 0) return absl::OkStatus();
  if (blocks >= input.rank())
    return InvalidArgument("input of rank ", input.rank(), " is too small for ", blocks,
                           " block sizes");
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  for (int i = 0; i < static_cast<int>(blocks); ++i) {
    const auto block = margins == 1 ? std::optional<int64_t>(block_size) : c.Int(1, i);
    const auto begin = c.Int(margins, 2 * i), end = c.Int(margins, 2 * i + 1);
    if ((block && *block < 1) || (begin && *begin < 0) || (end && *end < 0))
      return InvalidArgument("block sizes must be positive, paddings and crops not negative");
    if (to_batch) {
      dims[0] = block ? SizeProduct(dims[0], *block) : -1;
    } else {
      if (block && dims[0] >= 0 && dims[0] % *block != 0)
        return InvalidArgument("batch ", dims[0], " is not divisible by block ", *block);
      dims[0] = !block || dims[0] < 0 ? -1 : dims[0] / *block;
    }
    int64_t& size = dims[i + 1];
    if (!block || !begin || !end) {
      size = -1;
    } else if (to_batch) {
      const int64_t padded = SizeSum(SizeSum(size, *begin), *end);
      if (padded >= 0 && padded % *block != 0)
        return InvalidArgument("padded size ", padded, " is not divisible by block ", *block);
      size = padded < 0 ? -1 : padded / *block;
    } else {
      const int64_t whole = SizeProduct(size, *block), cropped = SizeSum(*begin, *end);
      if (whole >= 0 && (cropped < 0 || whole < cropped))
        return InvalidArgument("crops are larger than size ", whole);
      size = whole < 0 ? -1 : whole - cropped;
    }
  }
  return c.Set(0, dims);
}
absl::Status SpaceToBatchShape(ShapeContext& c) { return MoveBlocks(c, true); }
absl::Status BatchToSpaceShape(ShapeContext& c) { return MoveBlocks(c, false); }

// Blocks that move between depth and space. A packed layout has four channels apart.
absl::Status DepthAndSpace(ShapeContext& c, bool to_depth) {
  SLUICE_ASSIGN(const int64_t block, c.Get<int64_t>("block_size"));
  const std::string format = GetAttrOr<std::string>(c.node.attrs, "data_format", "NHWC");
  if (block < 1) return InvalidArgument("block_size must be positive, got ", block);
  SLUICE_ASSIGN(const PartialShape input, c.OfRank(0, format == "NCHW_VECT_C" ? 5 : 4));
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  const int first = format == "NHWC" ? 1 : 2;
  const auto divide = [&](int64_t& size, int64_t by) -> absl::Status {
    if (size > 0 && size % by != 0)
      return InvalidArgument("size ", size, " must be divisible by ", by);
    if (size > 0) size /= by;
    return absl::OkStatus();
  };
  int64_t& depth = dims[format == "NHWC" ? 3 : 1];
  const int64_t area = SizeProduct(block, block);
  if (area < 0) return InvalidArgument("block_size ", block, " is too large");
  for (int d : {first, first + 1}) {
    if (to_depth) {
      SLUICE_RETURN_IF_ERROR(divide(dims[d], block));
    } else {
      dims[d] = SizeProduct(dims[d], block);
    }
  }
  if (to_depth) {
    depth = SizeProduct(depth, area);
  } else {
    SLUICE_RETURN_IF_ERROR(divide(depth, area));
  }
  return c.Set(0, dims);
}
absl::Status DepthToSpaceShape(ShapeContext& c) { return DepthAndSpace(c, false); }
absl::Status SpaceToDepthShape(ShapeContext& c) { return DepthAndSpace(c, true); }

absl::Status MatrixDiagShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape diagonal, c.OfRankAtLeast(0, 1));
  if (!diagonal.rank_known()) return absl::OkStatus();
  Shape::Dims dims(diagonal.dims().begin(), diagonal.dims().end());
  dims.push_back(dims.back());
  return c.Set(0, dims);
}

absl::Status MatrixDiagPartShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape input, c.OfRankAtLeast(0, 2));
  if (!input.rank_known()) return absl::OkStatus();
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  const int64_t columns = dims.back();
  dims.pop_back();
  dims.back() = dims.back() < 0 || columns < 0 ? -1 : std::min(dims.back(), columns);
  return c.Set(0, dims);
}

// The diagonals that input 1 selects; empty if they are unknown.
struct Diagonals {
  int64_t lower, upper;
  bool several() const { return lower < upper; }
  int64_t count() const { return upper - lower + 1; }
};
absl::StatusOr<std::optional<Diagonals>> ReadDiagonals(const ShapeContext& c) {
  const auto lower = c.Int(1, 0);
  if (!lower) return std::nullopt;
  const bool pair = c.ints[1]->size() > 1;
  const auto upper = pair ? c.Int(1, 1) : lower;
  if (!upper) return std::nullopt;
  if (c.ints[1]->size() > 2)
    return InvalidArgument("diag_index must be a scalar or a vector with one or two elements");
  constexpr int64_t kFarthest = int64_t{1} << 40;
  if (*lower > *upper)
    return InvalidArgument("lower_diag_index is greater than upper_diag_index: ", *lower, " > ",
                           *upper);
  if (*lower < -kFarthest || *upper > kFarthest)
    return InvalidArgument("diagonals ", *lower, " to ", *upper, " are out of range");
  return Diagonals{*lower, *upper};
}

// diagonal, k, num_rows, num_cols, padding: sizes that are not given are the smallest that fit the
// diagonals.
absl::Status MatrixDiagLaterShape(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape diagonal, c.OfRankAtLeast(0, 1));
  SLUICE_ASSIGN(const auto diagonals, ReadDiagonals(c));
  if (!diagonal.rank_known() || !diagonals) return absl::OkStatus();
  Shape::Dims dims(diagonal.dims().begin(), diagonal.dims().end());
  const int64_t length = dims.back();
  dims.pop_back();
  if (diagonals->several()) {
    if (dims.empty()) return InvalidArgument("diagonal must be at least 2-dim for several");
    SLUICE_RETURN_IF_ERROR(MergedSize(dims.back(), diagonals->count()).status());
    dims.pop_back();
  }
  const auto rows = c.Int(2), columns = c.Int(3);
  const int64_t least_rows = SizeSum(length, std::max<int64_t>(0, -diagonals->upper));
  const int64_t least_columns = SizeSum(length, std::max<int64_t>(0, diagonals->lower));
  int64_t height = rows.value_or(-1), width = columns.value_or(-1);
  if (rows && columns && length >= 0) {
    if (height < 0 && width < 0) {
      height = width = std::max(least_rows, least_columns);
    } else if (height < 0) {
      height = least_rows;
    } else if (width < 0) {
      width = least_columns;
    }
    if (height < least_rows || width < least_columns)
      return InvalidArgument("a matrix of ", height, " x ", width, " is too small for ", diagonal);
  }
  dims.push_back(std::max<int64_t>(height, -1));
  dims.push_back(std::max<int64_t>(width, -1));
  return c.Set(0, dims);
}

absl::Status MatrixDiagPartLaterShape(ShapeContext& c) {  // input, k, padding
  SLUICE_ASSIGN(const PartialShape input, c.OfRankAtLeast(0, 2));
  SLUICE_ASSIGN(const auto diagonals, ReadDiagonals(c));
  if (!input.rank_known() || !diagonals) return absl::OkStatus();
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  const int64_t columns = dims.back();
  dims.pop_back();
  const int64_t rows = dims.back();
  dims.pop_back();
  if (diagonals->several()) dims.push_back(diagonals->count());
  int64_t length = -1;
  if (rows >= 0 && columns >= 0) {
    length = std::min(rows + std::min<int64_t>(diagonals->upper, 0),
                      columns - std::max<int64_t>(diagonals->lower, 0));
    if (length < 0) return InvalidArgument("diagonals are outside of the matrix ", input);
  }
  dims.push_back(length);
  return c.Set(0, dims);
}

// Merges the batch size with that of the lengths.
absl::Status ReverseSequenceShape(ShapeContext& c) {  // input, seq_lengths
  SLUICE_ASSIGN(const PartialShape lengths, c.OfRank(1, 1));
  const PartialShape& input = c.inputs[0];
  if (!input.rank_known()) return absl::OkStatus();
  SLUICE_ASSIGN(const int64_t seq, c.Get<int64_t>("seq_dim"));
  const auto batch = GetAttrOr<int64_t>(c.node.attrs, "batch_dim", 0);
  if (seq < 0 || seq >= input.rank() || batch < 0 || batch >= input.rank())
    return InvalidArgument("seq_dim ", seq, " and batch_dim ", batch, " must be below the rank, ",
                           input.rank());
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  SLUICE_ASSIGN(dims[batch], MergedSize(dims[batch], lengths.dim(0)));
  return c.Set(0, dims);
}

absl::Status ReverseShape(ShapeContext& c) {  // tensor, dims: a bool for each
  SLUICE_ASSIGN(const PartialShape flags, c.OfRank(1, 1));
  const int rank = c.inputs[0].rank_known() ? c.inputs[0].rank() : -1;
  if (rank > 8) return InvalidArgument("reverse is not defined for rank ", rank);
  SLUICE_RETURN_IF_ERROR(MergedSize(rank, flags.dim(0)).status());
  c.outputs[0] = c.inputs[0];
  return absl::OkStatus();
}

absl::Status ConjugateTransposeShape(ShapeContext& c) { return FindShapeFunction("Transpose")(c); }

// x, axis: some of the rows along the axis.
absl::Status UniqueAlongShape(ShapeContext& c) {
  const PartialShape& x = c.inputs[0];
  const PartialShape& axes = c.inputs[1];
  const auto axis = c.Int(1);
  const bool flat = axes.rank() == 1 && axes.dim(0) == 0;
  for (size_t i = 1; i < c.outputs.size(); ++i) c.outputs[i] = PartialShape{-1};
  if (flat || x.rank() == 1) {
    c.outputs[0] = PartialShape{-1};
    if (x.rank() == 1) c.outputs[1] = x;
    return absl::OkStatus();
  }
  if (!x.rank_known() || !axis) return absl::OkStatus();
  SLUICE_ASSIGN(const int at, FrontAxis(*axis, x.rank()));
  Shape::Dims dims(x.dims().begin(), x.dims().end());
  c.outputs[1] = PartialShape{dims[at]};
  dims[at] = -1;
  return c.Set(0, dims);
}

absl::Status MirrorPadGradShape(ShapeContext& c) {  // input, paddings
  SLUICE_ASSIGN(const PartialShape paddings, c.OfRank(1, 2));
  SLUICE_RETURN_IF_ERROR(MergedSize(paddings.dim(1), 2).status());
  int64_t rank = paddings.dim(0);
  if (c.inputs[0].rank_known()) {
    SLUICE_ASSIGN(rank, MergedSize(rank, c.inputs[0].rank()));
  }
  if (rank < 0 || rank > kMaxRank) return absl::OkStatus();
  Shape::Dims dims(rank, -1);
  for (int i = 0; i < rank && c.inputs[0].rank_known(); ++i) {
    const auto before = c.Int(1, 2 * i), after = c.Int(1, 2 * i + 1);
    const int64_t size = c.inputs[0].dim(i);
    if (!before || !after || size < 0) continue;
    if (*before < 0 || *after < 0 || *before > size || *after > size - *before)
      return InvalidArgument("paddings ", *before, ", ", *after, " do not fit into ", size);
    dims[i] = size - *before - *after;
  }
  return c.Set(0, dims);
}

constexpr ShapeRule kRules[] = {
    {"BatchMatrixBandPart", Unchanged},
    {"BatchMatrixDiag", MatrixDiagShape},
    {"BatchMatrixDiagPart", MatrixDiagPartShape},
    {"BatchMatrixSetDiag", Unchanged},
    {"BatchToSpace", BatchToSpaceShape},
    {"BatchToSpaceND", BatchToSpaceShape},
    {"ConjugateTranspose", ConjugateTransposeShape},
    {"DepthToSpace", DepthToSpaceShape},
    {"MatrixDiag", MatrixDiagShape},
    {"MatrixDiagPart", MatrixDiagPartShape},
    {"MatrixDiagPartV2", MatrixDiagPartLaterShape},
    {"MatrixDiagPartV3", MatrixDiagPartLaterShape},
    {"MatrixDiagV2", MatrixDiagLaterShape},
    {"MatrixDiagV3", MatrixDiagLaterShape},
    {"MirrorPadGrad", MirrorPadGradShape},
    {"Reverse", ReverseShape},
    {"ReverseSequence", ReverseSequenceShape},
    {"SpaceToBatch", SpaceToBatchShape},
    {"SpaceToBatchND", SpaceToBatchShape},
    {"SpaceToDepth", SpaceToDepthShape},
    {"TileGrad", NothingKnown},
    {"UniqueV2", UniqueAlongShape},
    {"UniqueWithCountsV2", UniqueAlongShape},
};

}  // namespace

absl::Span<const ShapeRule> ArrayRearrangeRules() { return kRules; }

}  // namespace sluice::graph
