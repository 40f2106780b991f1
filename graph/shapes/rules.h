// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_SHAPES_RULES_H_
#define SLUICE_GRAPH_SHAPES_RULES_H_

#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "graph/shape_inference.h"

namespace sluice::graph {

// An op and its shape function. graph/ops/families.txt lists the file of each op.
struct ShapeRule {
  absl::string_view op;
  ShapeFunction function;
};

absl::Span<const ShapeRule> ArrayRules();
absl::Span<const ShapeRule> ArrayIndexingRules();
absl::Span<const ShapeRule> ArrayRearrangeRules();
absl::Span<const ShapeRule> CollectiveRules();
absl::Span<const ShapeRule> ControlFlowRules();
absl::Span<const ShapeRule> DataFlowRules();
absl::Span<const ShapeRule> DatasetRules();
absl::Span<const ShapeRule> DebugRules();
absl::Span<const ShapeRule> FunctionsRules();
absl::Span<const ShapeRule> ImageRules();
absl::Span<const ShapeRule> IoRules();
absl::Span<const ShapeRule> IoCheckpointsRules();
absl::Span<const ShapeRule> LinalgRules();
absl::Span<const ShapeRule> ListRules();
absl::Span<const ShapeRule> LookupRules();
absl::Span<const ShapeRule> MathRules();
absl::Span<const ShapeRule> NnRules();
absl::Span<const ShapeRule> ParsingRules();
absl::Span<const ShapeRule> QuantizedRules();
absl::Span<const ShapeRule> RaggedRules();
absl::Span<const ShapeRule> RandomRules();
absl::Span<const ShapeRule> RnnRules();
absl::Span<const ShapeRule> RuntimeRules();
absl::Span<const ShapeRule> SignalRules();
absl::Span<const ShapeRule> SparseRules();
absl::Span<const ShapeRule> StateRules();
absl::Span<const ShapeRule> StringsRules();
absl::Span<const ShapeRule> SummaryRules();
absl::Span<const ShapeRule> TrainingRules();
absl::Span<const ShapeRule> TreesRules();
absl::Span<const ShapeRule> XlaRules();

// The rules of graph/shapes/<file>.cc.
struct ShapeFile {
  absl::string_view file;
  absl::Span<const ShapeRule> rules;
};
std::vector<ShapeFile> ShapeFiles();

// Functions that many ops share.
absl::Status Unchanged(ShapeContext& c);      // every output is like input 0
absl::Status EachUnchanged(ShapeContext& c);  // output i is like input i
absl::Status AllScalars(ShapeContext& c);     // every output is a scalar
absl::Status NoOutputs(ShapeContext& c);
absl::Status NothingKnown(ShapeContext& c);         // of any output
absl::Status Broadcast(ShapeContext& c);            // inputs 0 and 1 broadcast
absl::Status LikeSecond(ShapeContext& c);           // output 0 is like input 1
absl::Status MergedInputs(ShapeContext& c);         // all inputs have one shape, outputs too
absl::Status VectorOfUnknownSize(ShapeContext& c);  // every output
// Segments of the rows of data: as many rows as `count` says.
absl::Status Segments(ShapeContext& c, int64_t count, int id_rank);
absl::Status SegmentShape(ShapeContext& c);
absl::Status UnsortedSegmentShape(ShapeContext& c);  // data, segment_ids, num_segments
// The last dimension of the indices, input 1, indexes into params.
absl::Status GatherNdOf(ShapeContext& c, const PartialShape& params);

// The shape of input kInput, or of one like it, with this rank; only the rank if the shape is
// unknown.
template <int kInput, int kRank>
absl::Status StatedOfRank(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape stated, c.StatedBy(kInput));
  SLUICE_ASSIGN(c.outputs[0], stated.MergeWith(PartialShape::UnknownOfRank(kRank)));
  return absl::OkStatus();
}
template <int kInput, int kRank>
absl::Status LikeOfRank(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], c.OfRank(kInput, kRank));
  return absl::OkStatus();
}

// The shape to which two operands broadcast. INVALID_ARGUMENT if they do not.
absl::StatusOr<PartialShape> BroadcastShapes(const PartialShape& a, const PartialShape& b);
// a's sizes followed by b's; unknown if either rank is unknown.
absl::StatusOr<PartialShape> Concatenated(const PartialShape& a, const PartialShape& b);
// The common part of two possible shapes.
PartialShape Common(const PartialShape& a, const PartialShape& b);
// Dimensions [begin, end) of a shape with a known rank.
PartialShape SubShape(const PartialShape& shape, int begin, int end);
// INVALID_ARGUMENT if the known part of `shape` does not begin with `prefix`.
absl::Status CheckPrefix(const PartialShape& prefix, const PartialShape& shape);
// `axis` counted from the front, between 0 and rank - 1.
absl::StatusOr<int> FrontAxis(int64_t axis, int rank);
// Merges two sizes, either of which may be unknown (-1).
absl::StatusOr<int64_t> MergedSize(int64_t a, int64_t b);
// Products and sums of sizes; unknown (-1) if a part is unknown.
int64_t SizeProduct(int64_t a, int64_t b);
int64_t SizeSum(int64_t a, int64_t b);
// Elements of a tensor of `shape`; unknown (-1) if a size is unknown.
int64_t ElementCount(const PartialShape& shape);

// The known integers of the outputs of shape arithmetic (Shape, Pack, StridedSlice, ...); nullopt
// where nothing is known.
// REQUIRES: the outputs' shapes are set.
std::vector<std::optional<KnownInts>> KnownOutputs(const ShapeContext& c);

// The axes over which BroadcastGradientArgs (the sizes of a, of b) sums a's and b's gradients. Two
// equal shapes have none. Else a size of one is summed over, even if both have it.
std::optional<std::pair<KnownInts, KnownInts>> BroadcastGradientAxes(const ShapeContext& c);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_SHAPES_RULES_H_
