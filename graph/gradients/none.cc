// SPDX-License-Identifier: Apache-2.0
#include "absl/strings/str_split.h"
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

// Ops that TensorFlow declares not differentiable: shapes, comparisons, random draws, lookups,
// strings, state. An op that sets a variable is not a function of it.
constexpr absl::string_view kNone = R"(
ApproximateEqual AsString Assert Assign AssignAdd AssignSub AudioMicrofrontend AudioSummary
AudioSummaryV2 BigQueryReader BipartiteMatch BitwiseAnd BitwiseOr BitwiseXor BroadcastGradientArgs
CTCBeamSearchDecoder CTCGreedyDecoder ConcatOffset Const DecodeBase64 DecodePaddedRaw
DecodeProtoV2 DecodeRaw DeleteSessionTensor DenseToDenseSetOperation DenseToSparseSetOperation
DrawBoundingBoxes EditDistance EncodeBase64 EncodeProto Equal EuclideanNorm ExtractGlimpse
FeatureUsageCounts FertileStatsDeserialize FertileStatsSerialize FinalizeTree
FixedLengthRecordReader GenerateVocabRemapping GetSessionHandle GetSessionHandleV2
GetSessionTensor Greater GreaterEqual GrowTreeV4 HSVToRGB HashTable HashTableV2 HistogramSummary
HyperplaneLSHProbes IdentityReader ImageConnectedComponents ImageSummary InitializeTable
InitializeTableFromTextFile InitializeTableFromTextFileV2 InitializeTableV2 Invert
InvertPermutation LMDBReader LeftShift Less LessEqual LinSpace LoadAndRemapMatrix LogicalAnd
LogicalNot LogicalOr LookupTableFind LookupTableFindV2 LookupTableInsert LookupTableInsertV2
LookupTableSize LookupTableSizeV2 MergeSummary Multinomial MutableDenseHashTable
MutableDenseHashTableV2 MutableHashTable MutableHashTableOfTensors MutableHashTableOfTensorsV2
MutableHashTableV2 NonMaxSuppression NonMaxSuppressionV2 NonMaxSuppressionWithOverlaps NotEqual
OneHot OnesLike ParameterizedTruncatedNormal ParseTensor PopulationCount ProcessInputV4 PyFunc
PyFuncStateless QueueClose QueueDequeue QueueDequeueMany QueueDequeueUpTo QueueEnqueue
QueueEnqueueMany QueueSize RaggedRange RaggedTensorToVariant RandomCrop RandomStandardNormal
RandomUniform Range Rank ReaderNumRecordsProduced ReaderNumWorkUnitsCompleted ReaderRead
ReaderReadUpTo ReaderReset ReaderRestoreState ReaderSerializeState ReduceDataset ReduceJoin
RegexReplace RemoteFusedGraphExecute ResamplerGrad RightShift Rpc SampleDistortedBoundingBox
SampleDistortedBoundingBoxV2 ScalarSummary ScatterAdd ScatterDiv ScatterMul ScatterNdAdd
ScatterNdSub ScatterNdUpdate ScatterSub SdcaFprint SdcaOptimizer SdcaOptimizerV2 SdcaShrinkL1
SerializeTensor SetSize Shape ShapeN SingleImageRandomDotStereograms Size
SkipGramGenerateCandidates SparseAddGrad SparseConcat SparseFeatureCross SparseFeatureCrossV2
SparseToSparseSetOperation Stack StackClose StackPop StackPush StatelessMultinomial
StatelessRandomNormal StatelessRandomUniform StatelessRandomUniformInt StatelessTruncatedNormal
StopGradient StringJoin StringSplit StringToHashBucket StringToHashBucketFast
StringToHashBucketStrong StringToNumber TFRecordReader TPUReplicatedInput TensorArray
TensorArrayClose TensorArrayCloseV2 TensorArrayCloseV3 TensorArrayGrad TensorArrayGradV2
TensorArrayGradV3 TensorArrayGradWithShape TensorArraySize TensorArraySizeV2 TensorArraySizeV3
TensorArrayV2 TensorArrayV3 TensorListConcatLists TensorListElementShape TensorListLength
TensorListPushBackBatch TensorSummary TensorSummaryV2 TextLineReader Timestamp TreeDeserialize
TreePredictionsV4 TreeSerialize TreeSize TruncatedNormal TryRpc VarIsInitializedOp VariableShape
WholeFileReader ZerosLike
)";

// Ops whose gradient function in TensorFlow returns none: they are constant almost everywhere.
constexpr absl::string_view kFlat = R"(
ArgMax ArgMin Ceil Floor FloorDiv LoopCond Rint Round TruncateDiv
)";

}  // namespace

void AddNoGradients(GradientTable& table) {
  for (absl::string_view list : {kNone, kFlat}) {
    for (absl::string_view op : absl::StrSplit(list, absl::ByAnyChar(" \n"), absl::SkipEmpty())) {
      table.try_emplace(op, nullptr);
    }
  }
}

}  // namespace sluice::graph
