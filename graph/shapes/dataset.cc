// SPDX-License-Identifier: Apache-2.0
// Shapes of data sets, iterators and optionals: all but elements are scalars.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// The shapes that the node states.
absl::Status StatedShapes(ShapeContext& c) {
  SLUICE_ASSIGN(const auto shapes, c.Get<std::vector<PartialShape>>("output_shapes"));
  for (size_t i = 0; i < std::min(shapes.size(), c.outputs.size()); ++i) c.outputs[i] = shapes[i];
  return absl::OkStatus();
}

// MapDefun: as many rows as the arguments have, of the stated shapes.
absl::Status RowsOfCalls(ShapeContext& c) {
  SLUICE_ASSIGN(const auto shapes, c.Get<std::vector<PartialShape>>("output_shapes"));
  SLUICE_ASSIGN(const auto arguments, c.Get<std::vector<DType>>("Targuments"));
  if (shapes.size() != c.outputs.size()) {
    return InvalidArgument("`output_shapes` must be the same length as `output_types` (",
                           shapes.size(), " vs. ", c.outputs.size(), ")");
  }
  int64_t rows = -1;
  for (size_t i = 0; i < std::min(arguments.size(), c.inputs.size()); ++i) {
    if (c.inputs[i].rank() == 0) {
      return InvalidArgument("Arguments must have rank at least 1. Input ", i, " has rank of 0.");
    }
    if (!c.inputs[i].rank_known()) continue;
    const absl::StatusOr<int64_t> merged = MergedSize(rows, c.inputs[i].dim(0));
    if (!merged.ok()) return InvalidArgument("Arguments must have the same dimension 0.");
    rows = *merged;
  }
  for (size_t i = 0; i < shapes.size(); ++i) {
    SLUICE_ASSIGN(c.outputs[i], Concatenated({rows}, shapes[i]));
  }
  return absl::OkStatus();
}

constexpr ShapeRule kRules[] = {
    {"AnonymousIterator", AllScalars},
    {"AnonymousIteratorV2", AllScalars},
    {"AnonymousIteratorV3", AllScalars},
    {"AnonymousMemoryCache", AllScalars},
    {"AnonymousMultiDeviceIterator", AllScalars},
    {"AnonymousMultiDeviceIteratorV3", AllScalars},
    {"AnonymousRandomSeedGenerator", AllScalars},
    {"AnonymousSeedGenerator", AllScalars},
    {"AssertCardinalityDataset", AllScalars},
    {"AssertNextDataset", AllScalars},
    {"AutoShardDataset", AllScalars},
    {"BatchDataset", AllScalars},
    {"BatchDatasetV2", AllScalars},
    {"BytesProducedStatsDataset", AllScalars},
    {"CSVDataset", AllScalars},
    {"CSVDatasetV2", AllScalars},
    {"CacheDataset", AllScalars},
    {"CacheDatasetV2", AllScalars},
    {"ChooseFastestBranchDataset", AllScalars},
    {"ChooseFastestDataset", AllScalars},
    {"ConcatenateDataset", AllScalars},
    {"ComputeBatchSize", AllScalars},
    {"DatasetCardinality", AllScalars},
    {"DatasetFromGraph", AllScalars},
    {"DatasetToGraph", AllScalars},
    {"DatasetToGraphV2", AllScalars},
    {"DatasetToSingleElement", StatedShapes},
    {"DatasetToTFRecord", NoOutputs},
    {"DeleteIterator", AllScalars},
    {"DeleteMemoryCache", NoOutputs},
    {"DeleteMultiDeviceIterator", NoOutputs},
    {"DeleteRandomSeedGenerator", NoOutputs},
    {"DeleteSeedGenerator", NoOutputs},
    {"DenseToSparseBatchDataset", AllScalars},
    {"DeserializeIterator", AllScalars},
    {"DirectedInterleaveDataset", AllScalars},
    {"DummyMemoryCache", AllScalars},
    {"DummySeedGenerator", AllScalars},
    {"ExperimentalAssertNextDataset", AllScalars},
    {"ExperimentalAutoShardDataset", AllScalars},
    {"ExperimentalBytesProducedStatsDataset", AllScalars},
    {"ExperimentalCSVDataset", AllScalars},
    {"ExperimentalChooseFastestDataset", AllScalars},
    {"ExperimentalDatasetCardinality", AllScalars},
    {"ExperimentalDatasetToTFRecord", NoOutputs},
    {"ExperimentalDenseToSparseBatchDataset", AllScalars},
    {"ExperimentalDirectedInterleaveDataset", AllScalars},
    {"ExperimentalGroupByReducerDataset", AllScalars},
    {"ExperimentalGroupByWindowDataset", AllScalars},
    {"ExperimentalIgnoreErrorsDataset", AllScalars},
    {"ExperimentalIteratorGetDevice", AllScalars},
    {"ExperimentalLMDBDataset", AllScalars},
    {"ExperimentalLatencyStatsDataset", AllScalars},
    {"ExperimentalMapAndBatchDataset", AllScalars},
    {"ExperimentalMapDataset", AllScalars},
    {"ExperimentalMatchingFilesDataset", AllScalars},
    {"ExperimentalMaxIntraOpParallelismDataset", AllScalars},
    {"ExperimentalNonSerializableDataset", AllScalars},
    {"ExperimentalParallelInterleaveDataset", AllScalars},
    {"ExperimentalParseExampleDataset", AllScalars},
    {"ExperimentalPrivateThreadPoolDataset", AllScalars},
    {"ExperimentalRandomDataset", AllScalars},
    {"ExperimentalRebatchDataset", AllScalars},
    {"ExperimentalScanDataset", AllScalars},
    {"ExperimentalSetStatsAggregatorDataset", AllScalars},
    {"ExperimentalSleepDataset", AllScalars},
    {"ExperimentalSlidingWindowDataset", AllScalars},
    {"ExperimentalSqlDataset", AllScalars},
    {"ExperimentalStatsAggregatorHandle", AllScalars},
    {"ExperimentalStatsAggregatorSummary", AllScalars},
    {"ExperimentalTakeWhileDataset", AllScalars},
    {"ExperimentalThreadPoolDataset", AllScalars},
    {"ExperimentalThreadPoolHandle", AllScalars},
    {"ExperimentalUnbatchDataset", AllScalars},
    {"ExperimentalUniqueDataset", AllScalars},
    {"FilterByLastComponentDataset", AllScalars},
    {"FilterDataset", AllScalars},
    {"FixedLengthRecordDataset", AllScalars},
    {"FixedLengthRecordDatasetV2", AllScalars},
    {"FlatMapDataset", AllScalars},
    {"GeneratorDataset", AllScalars},
    {"GetElementAtIndex", StatedShapes},
    {"GroupByReducerDataset", AllScalars},
    {"GroupByWindowDataset", AllScalars},
    {"IgnoreErrorsDataset", AllScalars},
    {"InterleaveDataset", AllScalars},
    {"Iterator", AllScalars},
    {"IteratorFromStringHandle", AllScalars},
    {"IteratorFromStringHandleV2", AllScalars},
    {"IteratorGetDevice", AllScalars},
    {"IteratorGetNext", StatedShapes},
    {"IteratorGetNextAsOptional", AllScalars},
    {"IteratorGetNextSync", StatedShapes},
    {"IteratorToStringHandle", AllScalars},
    {"IteratorV2", AllScalars},
    {"LMDBDataset", AllScalars},
    {"LatencyStatsDataset", AllScalars},
    {"LegacyParallelInterleaveDatasetV2", AllScalars},
    {"ListDataset", AllScalars},
    {"LoadDataset", AllScalars},
    {"MakeIterator", AllScalars},
    {"MapAndBatchDataset", AllScalars},
    {"MapDataset", AllScalars},
    {"MapDefun", RowsOfCalls},
    {"MatchingFilesDataset", AllScalars},
    {"MaxIntraOpParallelismDataset", AllScalars},
    {"ModelDataset", AllScalars},
    {"MultiDeviceIterator", AllScalars},
    {"MultiDeviceIteratorFromStringHandle", AllScalars},
    {"MultiDeviceIteratorGetNextFromShard", StatedShapes},
    {"MultiDeviceIteratorInit", AllScalars},
    {"MultiDeviceIteratorToStringHandle", AllScalars},
    {"NonSerializableDataset", AllScalars},
    {"OneShotIterator", AllScalars},
    {"OptimizeDataset", AllScalars},
    {"OptimizeDatasetV2", AllScalars},
    {"OptionalFromValue", AllScalars},
    {"OptionalGetValue", StatedShapes},
    {"OptionalHasValue", AllScalars},
    {"OptionalNone", AllScalars},
    {"OptionsDataset", AllScalars},
    {"PaddedBatchDataset", AllScalars},
    {"PaddedBatchDatasetV2", AllScalars},
    {"ParallelBatchDataset", AllScalars},
    {"ParallelFilterDataset", AllScalars},
    {"ParallelInterleaveDataset", AllScalars},
    {"ParallelInterleaveDatasetV2", AllScalars},
    {"ParallelInterleaveDatasetV3", AllScalars},
    {"ParallelInterleaveDatasetV4", AllScalars},
    {"ParallelMapDataset", AllScalars},
    {"ParallelMapDatasetV2", AllScalars},
    {"ParseExampleDataset", AllScalars},
    {"ParseExampleDatasetV2", AllScalars},
    {"PrefetchDataset", AllScalars},
    {"PrivateThreadPoolDataset", AllScalars},
    {"RandomDataset", AllScalars},
    {"RandomDatasetV2", AllScalars},
    {"RangeDataset", AllScalars},
    {"RebatchDataset", AllScalars},
    {"ReduceDataset", StatedShapes},
    {"RepeatDataset", AllScalars},
    {"RewriteDataset", AllScalars},
    {"RebatchDatasetV2", AllScalars},
    {"SamplingDataset", AllScalars},
    {"SaveDataset", NoOutputs},
    {"SaveDatasetV2", AllScalars},
    {"ScanDataset", AllScalars},
    {"SerializeIterator", AllScalars},
    {"SetStatsAggregatorDataset", AllScalars},
    {"ShardDataset", AllScalars},
    {"ShuffleAndRepeatDataset", AllScalars},
    {"ShuffleDataset", AllScalars},
    {"ShuffleDatasetV2", AllScalars},
    {"ShuffleDatasetV3", AllScalars},
    {"SkipDataset", AllScalars},
    {"SleepDataset", AllScalars},
    {"SlidingWindowDataset", AllScalars},
    {"SluicePipeModeDataset", AllScalars},
    {"SparseTensorSliceDataset", AllScalars},
    {"SnapshotDataset", AllScalars},
    {"SnapshotDatasetReader", AllScalars},
    {"SnapshotDatasetV2", AllScalars},
    {"SqlDataset", AllScalars},
    {"StatsAggregatorHandle", AllScalars},
    {"StatsAggregatorHandleV2", AllScalars},
    {"StatsAggregatorSetSummaryWriter", NoOutputs},
    {"StatsAggregatorSummary", AllScalars},
    {"TFRecordDataset", AllScalars},
    {"TakeDataset", AllScalars},
    {"TakeWhileDataset", AllScalars},
    {"TensorDataset", AllScalars},
    {"TensorSliceDataset", AllScalars},
    {"TextLineDataset", AllScalars},
    {"ThreadPoolDataset", AllScalars},
    {"ThreadPoolHandle", AllScalars},
    {"UnbatchDataset", AllScalars},
    {"UniqueDataset", AllScalars},
    {"UnwrapDatasetVariant", AllScalars},
    {"WindowDataset", AllScalars},
    {"WrapDatasetVariant", AllScalars},
    {"ZipDataset", AllScalars},
};

}  // namespace

absl::Span<const ShapeRule> DatasetRules() { return kRules; }

}  // namespace sluice::graph
