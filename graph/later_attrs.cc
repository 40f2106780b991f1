// SPDX-License-Identifier: Apache-2.0
#include "graph/later_attrs.h"

#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/codec/codec.h"
#include "core/op/attr_text.h"
#include "graph/all_ops.h"
#include "proto/graph.pb.h"

namespace sluice::graph {
namespace {

// "attribute: op op ...": the ops of 1.15 to which a later version added the attribute.
constexpr absl::string_view kAdded = R"(
Tcomplex: IRFFT IRFFT2D IRFFT3D RFFT RFFT2D RFFT3D
Tk: TopKV2
Treal: IRFFT IRFFT2D IRFFT3D RFFT RFFT2D RFFT3D
Tsegmentids: SparseSegmentMean SparseSegmentMeanGrad SparseSegmentMeanWithNumSegments
  SparseSegmentSqrtN SparseSegmentSqrtNGrad SparseSegmentSqrtNWithNumSegments SparseSegmentSum
  SparseSegmentSumWithNumSegments
Tshape: TensorListGetItem
allow_missing_files: MergeV2Checkpoints
allow_stateful: DatasetToGraph
allowed_devices: VarHandleOp
auto_shard_policy: AutoShardDataset ExperimentalAutoShardDataset
autotuner_thresh: TPUPartitionedCall
axis: Dequantize QuantizeAndDequantizeV2 QuantizeAndDequantizeV3 QuantizeV2
bad_indices_policy: GatherNd ResourceScatterNdAdd ResourceScatterNdSub ResourceScatterNdUpdate
  ScatterNd ScatterNdAdd ScatterNdNonAliasingAdd ScatterNdSub ScatterNdUpdate TensorScatterAdd
  TensorScatterSub TensorScatterUpdate
batch_padding_policy: BatchFunction
blank_index: CTCGreedyDecoder
buffer_size_min: PrefetchDataset
cardinality_options: DatasetCardinality
compilation_failure_closes_chips: ConfigureDistributedTPU
config: LoadTPUEmbeddingADAMParameters LoadTPUEmbeddingAdadeltaParameters
  LoadTPUEmbeddingAdagradParameters LoadTPUEmbeddingCenteredRMSPropParameters
  LoadTPUEmbeddingFTRLParameters LoadTPUEmbeddingMDLAdagradLightParameters
  LoadTPUEmbeddingMomentumParameters LoadTPUEmbeddingProximalAdagradParameters
  LoadTPUEmbeddingRMSPropParameters LoadTPUEmbeddingStochasticGradientDescentParameters
  RetrieveTPUEmbeddingADAMParameters RetrieveTPUEmbeddingAdadeltaParameters
  RetrieveTPUEmbeddingAdagradParameters RetrieveTPUEmbeddingCenteredRMSPropParameters
  RetrieveTPUEmbeddingFTRLParameters RetrieveTPUEmbeddingMDLAdagradLightParameters
  RetrieveTPUEmbeddingMomentumParameters RetrieveTPUEmbeddingProximalAdagradParameters
  RetrieveTPUEmbeddingRMSPropParameters RetrieveTPUEmbeddingStochasticGradientDescentParameters
debug_name: VarHandleOp
drop_remainder: SlidingWindowDataset
dtype: Dequantize
enable_large_batch_splitting: BatchFunction
enable_whole_mesh_compilations: ConfigureDistributedTPU
ensure_minimum_range: QuantizeV2
explicit_paddings: DepthwiseConv2dNative DepthwiseConv2dNativeBackpropFilter
  DepthwiseConv2dNativeBackpropInput MaxPool MaxPoolGrad
exponential_avg_factor: FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3
external_state_policy: SerializeIterator
force_synchronous: ExperimentalMapDataset MapDataset
grad_a: MatMul
grad_b: MatMul
grad_x: BatchMatMul BatchMatMulV2
grad_y: BatchMatMul BatchMatMulV2
index: TPUReplicatedInput
index_type: TopKV2
is_files: TensorSliceDataset
is_mirrored_variable: TPUReplicatedInput
is_packed: TPUReplicatedInput
log_warning: ExperimentalIgnoreErrorsDataset IgnoreErrorsDataset
logits_dimension: BoostedTreesUpdateEnsembleV2
low_priority_allowed_batch_sizes: BatchFunction
low_priority_batch_timeout_micros: BatchFunction
low_priority_max_batch_size: BatchFunction
low_priority_max_enqueued_batches: BatchFunction
metadata: BatchDataset BatchDatasetV2 CacheDataset CacheDatasetV2 ConcatenateDataset
  DatasetToSingleElement FilterDataset FixedLengthRecordDataset FixedLengthRecordDatasetV2
  FlatMapDataset GeneratorDataset GroupByWindowDataset InterleaveDataset MapAndBatchDataset
  MapDataset PaddedBatchDataset PaddedBatchDatasetV2 ParallelInterleaveDataset
  ParallelInterleaveDatasetV2 ParallelMapDataset PrefetchDataset RandomDataset RangeDataset
  ReduceDataset RepeatDataset ScanDataset ShardDataset ShuffleAndRepeatDataset ShuffleDataset
  ShuffleDatasetV2 SkipDataset TFRecordDataset TakeDataset TakeWhileDataset TensorDataset
  TensorSliceDataset TextLineDataset UnbatchDataset UniqueDataset WindowDataset ZipDataset
mixed_priority_policy: BatchFunction
mode: SnapshotDataset
multiply_linear_by_lr: ApplyFtrl ApplyFtrlV2 ResourceApplyFtrl ResourceApplyFtrlV2
  ResourceSparseApplyFtrl ResourceSparseApplyFtrlV2 SparseApplyFtrl SparseApplyFtrlV2
narrow_range: Dequantize QuantizeV2
num_features: EnqueueTPUEmbeddingSparseTensorBatch
num_groups: BoostedTreesUpdateEnsembleV2
num_replicas: AutoShardDataset
offset: InitializeTableFromTextFile InitializeTableFromTextFileV2
padding_list: QuantizedDepthwiseConv2DWithBiasAndRelu
  QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize
perturb_singular: TridiagonalSolve
ragged_keys: ParseExampleDataset
ragged_split_types: ParseExampleDataset
ragged_value_types: ParseExampleDataset
ram_budget: ModelDataset
replicate_on_split: RangeDataset TensorSliceDataset
reshuffle_each_iteration: ShuffleAndRepeatDataset
resize_if_index_out_of_bounds: TensorListSetItem
seed: SnapshotDataset
seed2: SnapshotDataset
shape_type: ConcatOffset
shuffle_on_read: SnapshotDataset
snapshot_name: SnapshotDataset
sparse_gradient: SparseSegmentMean SparseSegmentMeanWithNumSegments SparseSegmentSqrtN
  SparseSegmentSqrtNWithNumSegments SparseSegmentSum SparseSegmentSumWithNumSegments
stop_on_empty_dataset: DirectedInterleaveDataset
strip_device_assignment: DatasetToGraph
timeout_seconds: CollectiveBcastRecv CollectiveBcastSend CollectiveGather CollectiveReduce
tpu_cancellation_closes_chips: ConfigureDistributedTPU
tpu_compile_options_proto: TPUReplicateMetadata
use_default_device: ScanDataset
use_shardy_partitioner: TPUReplicateMetadata
use_spmd_for_xla_partitioning: TPUReplicateMetadata
validate_shape: AssignVariableOp
)";

using AttrsOfOp = absl::flat_hash_map<absl::string_view, std::vector<const AttrDef*>>;

AttrsOfOp ReadAdded() {
  AttrsOfOp added;
  absl::string_view attr;
  for (absl::string_view word : absl::StrSplit(kAdded, absl::ByAnyChar(" \n"), absl::SkipEmpty())) {
    if (absl::ConsumeSuffix(&word, ":")) {
      attr = word;
    } else if (const OpDef* op = AllOps().Find(word); op != nullptr && op->FindAttr(attr)) {
      added[word].push_back(op->FindAttr(attr));
    }
  }
  return added;
}

const AttrsOfOp& Added() {
  static const auto* const kRead = new AttrsOfOp(ReadAdded());
  return *kRead;
}

bool HasDefault(const AttrDef& def, const proto::AttrValue& value) {
  const absl::StatusOr<Attr> decoded = DecodeAttr(value);
  // An empty list has no kind in a message, so values are compared as text.
  return decoded.ok() && def.default_value &&
         AttrValueText(*decoded) == AttrValueText(*def.default_value);
}

void Strip(proto::NodeDef& node) {
  const auto added = Added().find(node.op());
  if (added == Added().end()) return;
  for (const AttrDef* def : added->second) {
    const auto found = node.attr().find(def->name);
    if (found != node.attr().end() && HasDefault(*def, found->second)) {
      node.mutable_attr()->erase(def->name);
    }
  }
}

}  // namespace

bool IsLaterAttr(absl::string_view op, absl::string_view attr) {
  const auto added = Added().find(op);
  if (added == Added().end()) return false;
  return absl::c_any_of(added->second, [&](const AttrDef* def) { return def->name == attr; });
}

void StripLaterAttrs(proto::FunctionDef* def) {
  for (proto::NodeDef& node : *def->mutable_node_def()) Strip(node);
}

void StripLaterAttrs(proto::GraphDef* def) {
  for (proto::NodeDef& node : *def->mutable_node()) Strip(node);
  if (!def->has_library()) return;
  for (proto::FunctionDef& function : *def->mutable_library()->mutable_function()) {
    StripLaterAttrs(&function);
  }
}

}  // namespace sluice::graph
