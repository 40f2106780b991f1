// SPDX-License-Identifier: Apache-2.0
// Shapes of readers and files.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

absl::Status AllVectors(ShapeContext& c) {
  for (PartialShape& output : c.outputs) output = PartialShape{-1};
  return absl::OkStatus();
}

absl::Status OldHandle(ShapeContext& c) {
  c.outputs[0] = PartialShape{2};
  return absl::OkStatus();
}

constexpr ShapeRule kRules[] = {
    {"FixedLengthRecordReader", OldHandle},
    {"FixedLengthRecordReaderV2", AllScalars},
    {"IdentityReader", OldHandle},
    {"IdentityReaderV2", AllScalars},
    {"LMDBReader", OldHandle},
    {"MatchingFiles", AllVectors},
    {"ReadFile", AllScalars},
    {"ReaderNumRecordsProduced", AllScalars},
    {"ReaderNumRecordsProducedV2", AllScalars},
    {"ReaderNumWorkUnitsCompleted", AllScalars},
    {"ReaderNumWorkUnitsCompletedV2", AllScalars},
    {"ReaderRead", AllScalars},
    {"ReaderReadUpTo", AllVectors},
    {"ReaderReadUpToV2", AllVectors},
    {"ReaderReadV2", AllScalars},
    {"ReaderReset", NoOutputs},
    {"ReaderResetV2", NoOutputs},
    {"ReaderRestoreState", NoOutputs},
    {"ReaderRestoreStateV2", NoOutputs},
    {"ReaderSerializeState", AllScalars},
    {"ReaderSerializeStateV2", AllScalars},
    {"RecordInput", NothingKnown},
    {"TFRecordReader", OldHandle},
    {"TFRecordReaderV2", AllScalars},
    {"TextLineReader", OldHandle},
    {"TextLineReaderV2", AllScalars},
    {"WholeFileReader", OldHandle},
    {"WholeFileReaderV2", AllScalars},
    {"WriteFile", NoOutputs},
};

}  // namespace

absl::Span<const ShapeRule> IoRules() { return kRules; }

}  // namespace sluice::graph
