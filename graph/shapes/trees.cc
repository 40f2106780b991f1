// SPDX-License-Identifier: Apache-2.0
// Shapes of boosted trees.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

constexpr int64_t kUnknown = -1;

// The number of elements in an attribute `num_features` or its like.
int CountOf(const ShapeContext& c, absl::string_view attr) {
  return static_cast<int>(GetAttrOr<int64_t>(c.node.attrs, attr, 0));
}

// Inputs [first, first + count) have this rank.
absl::Status CheckRanks(const ShapeContext& c, int first, int count, int rank) {
  for (int i = first; i < first + count; ++i) SLUICE_RETURN_IF_ERROR(c.OfRank(i, rank).status());
  return absl::OkStatus();
}

// Inputs [first, first + count) have this rank, and equally many rows.
absl::StatusOr<int64_t> CommonRows(const ShapeContext& c, int first, int count, int rank,
                                   int64_t rows = kUnknown) {
  for (int i = first; i < first + count; ++i) {
    SLUICE_ASSIGN(const PartialShape shape, c.OfRank(i, rank));
    SLUICE_ASSIGN(rows, MergedSize(rows, shape.dim(0)));
  }
  return rows;
}

absl::Status HandleOnly(ShapeContext& c) { return CheckRanks(c, 0, 1, 0); }

absl::Status ScalarsOfHandle(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(HandleOnly(c));
  return AllScalars(c);
}

// tree_ensemble_handle, stamp_token, tree_ensemble_serialized.
absl::Status ScalarInputs(ShapeContext& c) { return CheckRanks(c, 0, c.num_inputs(), 0); }

absl::Status StatesShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(ScalarsOfHandle(c));
  return c.Set(4, {2});
}

// A handle, then features, each a vector of the batch.
absl::StatusOr<int64_t> BatchOf(const ShapeContext& c, int first) {
  return CommonRows(c, first, c.num_inputs() - first, 1);
}

absl::Status PredictShape(ShapeContext& c) {
  SLUICE_ASSIGN(const int64_t batch, BatchOf(c, 1));
  SLUICE_ASSIGN(const int64_t logits, c.Get<int64_t>("logits_dimension"));
  return c.Set(0, {batch, logits});
}

absl::Status DebugShape(ShapeContext& c) {
  SLUICE_ASSIGN(const int64_t batch, BatchOf(c, 1));
  return c.Set(0, {batch});
}

// tree_ensemble_handle, cached_tree_ids, cached_node_ids, bucketized_features.
absl::Status TrainingPredictShape(ShapeContext& c) {
  SLUICE_ASSIGN(const int64_t batch, BatchOf(c, 1));
  SLUICE_ASSIGN(const int64_t logits, c.Get<int64_t>("logits_dimension"));
  SLUICE_RETURN_IF_ERROR(c.Set(0, {batch, logits}));
  SLUICE_RETURN_IF_ERROR(c.Set(1, {batch}));
  return c.Set(2, {batch});
}

// tree_ensemble_handle, mean_gradients, mean_hessians, l1, l2.
absl::Status CenterBiasShape(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape gradients, c.OfRank(1, 2));
  SLUICE_ASSIGN(const PartialShape hessians, c.OfRank(2, 2));
  SLUICE_RETURN_IF_ERROR(gradients.MergeWith(hessians).status());
  SLUICE_RETURN_IF_ERROR(CheckRanks(c, 3, 2, 0));
  return AllScalars(c);
}

// node_ids, gradients, hessians, feature. Returns the number of columns of gradients and hessians.
absl::StatusOr<int64_t> CheckStats(const ShapeContext& c, int feature_rank) {
  SLUICE_ASSIGN(int64_t rows, CommonRows(c, 0, 1, 1));
  SLUICE_ASSIGN(rows, CommonRows(c, 1, 2, 2, rows));
  SLUICE_RETURN_IF_ERROR(CommonRows(c, 3, c.num_inputs() - 3, feature_rank, rows).status());
  SLUICE_ASSIGN(const PartialShape gradients, c.OfRank(1, 2));
  SLUICE_ASSIGN(const PartialShape hessians, c.OfRank(2, 2));
  return SizeSum(gradients.dim(1), hessians.dim(1));
}

absl::Status StatsSummaryShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckStats(c, 1).status());
  SLUICE_ASSIGN(const int64_t splits, c.Get<int64_t>("max_splits"));
  SLUICE_ASSIGN(const int64_t buckets, c.Get<int64_t>("num_buckets"));
  return c.Set(0, {CountOf(c, "num_features"), splits, buckets, 2});
}

absl::Status AggregateStatsShape(ShapeContext& c) {
  SLUICE_ASSIGN(const int64_t width, CheckStats(c, 2));
  SLUICE_ASSIGN(const PartialShape feature, c.OfRank(3, 2));
  SLUICE_ASSIGN(const int64_t splits, c.Get<int64_t>("max_splits"));
  SLUICE_ASSIGN(const int64_t buckets, c.Get<int64_t>("num_buckets"));
  return c.Set(0, {splits, feature.dim(1), SizeSum(buckets, 1), width});
}

absl::Status SparseAggregateStatsShape(ShapeContext& c) {
  SLUICE_ASSIGN(int64_t rows, CommonRows(c, 0, 1, 1));
  SLUICE_RETURN_IF_ERROR(CommonRows(c, 1, 2, 2, rows).status());
  SLUICE_RETURN_IF_ERROR(CheckRanks(c, 3, 1, 2));
  SLUICE_RETURN_IF_ERROR(CheckRanks(c, 4, 2, 1));
  SLUICE_RETURN_IF_ERROR(c.Set(0, {kUnknown, 4}));
  SLUICE_RETURN_IF_ERROR(c.Set(1, {kUnknown}));
  return c.Set(2, {4});
}

// node_id_range, and four scalars at the end.
absl::Status CheckLimits(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape range, c.OfRank(0, 1));
  SLUICE_RETURN_IF_ERROR(MergedSize(range.dim(0), 2).status());
  return CheckRanks(c, c.num_inputs() - 4, 4, 0);
}

absl::Status BestGainsShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckLimits(c));
  const int features = CountOf(c, "num_features");
  PartialShape summary = PartialShape::UnknownOfRank(3);
  for (int f = 0; f < features; ++f) {
    SLUICE_ASSIGN(summary, summary.MergeWith(c.inputs[1 + f]));
    for (int list = 0; list < 3; ++list)
      SLUICE_RETURN_IF_ERROR(c.Set(list * features + f, {kUnknown}));
    SLUICE_RETURN_IF_ERROR(c.Set(3 * features + f, {kUnknown, 1}));
    SLUICE_RETURN_IF_ERROR(c.Set(4 * features + f, {kUnknown, 1}));
  }
  return absl::OkStatus();
}

// Outputs 4 and 5 are the contributions.
absl::Status BestSplitOutputs(ShapeContext& c) {
  SLUICE_ASSIGN(const int64_t logits, c.Get<int64_t>("logits_dimension"));
  for (int i : {0, 1, 2, 3, 6}) SLUICE_RETURN_IF_ERROR(c.Set(i, {kUnknown}));
  SLUICE_RETURN_IF_ERROR(c.Set(4, {kUnknown, logits}));
  return c.Set(5, {kUnknown, logits});
}

absl::Status BestSplitShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckLimits(c));
  SLUICE_RETURN_IF_ERROR(CheckRanks(c, 1, 1, 4));
  return BestSplitOutputs(c);
}

absl::Status SparseBestSplitShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckLimits(c));
  SLUICE_RETURN_IF_ERROR(CheckRanks(c, 1, 1, 2));
  SLUICE_RETURN_IF_ERROR(CheckRanks(c, 2, 2, 1));
  return BestSplitOutputs(c);
}

// Lists from `first` on: vectors of equally many candidates for each feature, and matrices of
// contributions where `matrices` says so.
absl::Status CheckCandidates(ShapeContext& c, absl::string_view kinds) {
  const int features = CountOf(c, "num_features");
  SLUICE_ASSIGN(const PartialShape ids, c.OfRank(1, 1));
  SLUICE_RETURN_IF_ERROR(MergedSize(ids.dim(0), features).status());
  for (int f = 0; f < features; ++f) {
    int64_t rows = kUnknown;
    for (size_t list = 0; list < kinds.size(); ++list) {
      const int input = 2 + static_cast<int>(list) * features + f;
      SLUICE_ASSIGN(rows, CommonRows(c, input, 1, kinds[list] == 'm' ? 2 : 1, rows));
    }
  }
  return absl::OkStatus();
}

absl::Status UpdateShape(ShapeContext& c) { return CheckCandidates(c, "vvvmm"); }
absl::Status UpdateV2Shape(ShapeContext& c) { return CheckCandidates(c, "vvvvmmv"); }

// float_values, bucket_boundaries.
absl::Status BucketizeShape(ShapeContext& c) {
  const int features = CountOf(c, "num_features");
  SLUICE_RETURN_IF_ERROR(CheckRanks(c, features, features, 1));
  SLUICE_ASSIGN(const int64_t batch, CommonRows(c, 0, features, 1));
  for (int f = 0; f < features; ++f) SLUICE_RETURN_IF_ERROR(c.Set(f, {batch}));
  return absl::OkStatus();
}

absl::Status SummariesShape(ShapeContext& c) {
  for (size_t i = 0; i < c.outputs.size(); ++i)
    SLUICE_RETURN_IF_ERROR(c.Set(static_cast<int>(i), {kUnknown, 4}));
  return absl::OkStatus();
}

// float_values, example_weights, epsilon.
absl::Status MakeSummariesShape(ShapeContext& c) {
  const int features = CountOf(c, "num_features");
  SLUICE_RETURN_IF_ERROR(CommonRows(c, 0, features, 1).status());
  SLUICE_RETURN_IF_ERROR(CheckRanks(c, features, 1, 1));
  SLUICE_RETURN_IF_ERROR(CheckRanks(c, features + 1, 1, 0));
  return SummariesShape(c);
}

absl::Status AddSummariesShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(HandleOnly(c));
  for (int i = 1; i < c.num_inputs(); ++i) {
    SLUICE_ASSIGN(const PartialShape summary, c.OfRank(i, 2));
    SLUICE_RETURN_IF_ERROR(MergedSize(summary.dim(1), 4).status());
  }
  return absl::OkStatus();
}

absl::Status SetBoundariesShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(HandleOnly(c));
  return CheckRanks(c, 1, c.num_inputs() - 1, 1);
}

absl::Status GetBoundariesShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(HandleOnly(c));
  return VectorOfUnknownSize(c);
}

constexpr ShapeRule kRules[] = {
    {"BoostedTreesAggregateStats", AggregateStatsShape},
    {"BoostedTreesBucketize", BucketizeShape},
    {"BoostedTreesCalculateBestFeatureSplit", BestSplitShape},
    {"BoostedTreesCalculateBestGainsPerFeature", BestGainsShape},
    {"BoostedTreesCenterBias", CenterBiasShape},
    {"BoostedTreesCreateEnsemble", ScalarInputs},
    {"BoostedTreesCreateQuantileStreamResource", ScalarInputs},
    {"BoostedTreesDeserializeEnsemble", ScalarInputs},
    {"BoostedTreesEnsembleResourceHandleOp", AllScalars},
    {"BoostedTreesExampleDebugOutputs", DebugShape},
    {"BoostedTreesFlushQuantileSummaries", SummariesShape},
    {"BoostedTreesGetEnsembleStates", StatesShape},
    {"BoostedTreesMakeQuantileSummaries", MakeSummariesShape},
    {"BoostedTreesMakeStatsSummary", StatsSummaryShape},
    {"BoostedTreesPredict", PredictShape},
    {"BoostedTreesQuantileStreamResourceAddSummaries", AddSummariesShape},
    {"BoostedTreesQuantileStreamResourceDeserialize", SetBoundariesShape},
    {"BoostedTreesQuantileStreamResourceFlush", ScalarInputs},
    {"BoostedTreesQuantileStreamResourceGetBucketBoundaries", GetBoundariesShape},
    {"BoostedTreesQuantileStreamResourceHandleOp", AllScalars},
    {"BoostedTreesSerializeEnsemble", ScalarsOfHandle},
    {"BoostedTreesSparseAggregateStats", SparseAggregateStatsShape},
    {"BoostedTreesSparseCalculateBestFeatureSplit", SparseBestSplitShape},
    {"BoostedTreesTrainingPredict", TrainingPredictShape},
    {"BoostedTreesUpdateEnsemble", UpdateShape},
    {"BoostedTreesUpdateEnsembleV2", UpdateV2Shape},
    {"IsBoostedTreesEnsembleInitialized", ScalarsOfHandle},
    {"IsBoostedTreesQuantileStreamResourceInitialized", ScalarsOfHandle},
};

}  // namespace

absl::Span<const ShapeRule> TreesRules() { return kRules; }

}  // namespace sluice::graph
