// Shapes of readers, files, staging areas and mutexes.
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
    {"ConsumeMutexLock", NoOutputs},
    {"FixedLengthRecordReader", OldHandle},
    {"FixedLengthRecordReaderV2", AllScalars},
    {"IdentityReader", OldHandle},
    {"IdentityReaderV2", AllScalars},
    {"LMDBReader", OldHandle},
    {"MapIncompleteSize", AllScalars},
    {"MapSize", AllScalars},
    {"MatchingFiles", AllVectors},
    {"MutexLock", AllScalars},
    {"MutexV2", AllScalars},
    {"OrderedMapIncompleteSize", AllScalars},
    {"OrderedMapSize", AllScalars},
    {"ReadFile", AllScalars},
    {"ReaderNumRecordsProduced", AllScalars},
    {"ReaderNumRecordsProducedV2", AllScalars},
    {"ReaderNumWorkUnitsCompleted", AllScalars},
    {"ReaderNumWorkUnitsCompletedV2", AllScalars},
    {"ReaderRead", AllScalars},
    {"ReaderReadUpTo", AllVectors},
    {"ReaderReadUpToV2", AllVectors},
    {"ReaderReadV2", AllScalars},
    {"ReaderSerializeState", AllScalars},
    {"ReaderSerializeStateV2", AllScalars},
    {"StageSize", AllScalars},
    {"TFRecordReader", OldHandle},
    {"TFRecordReaderV2", AllScalars},
    {"TextLineReader", OldHandle},
    {"TextLineReaderV2", AllScalars},
    {"WholeFileReader", OldHandle},
    {"WholeFileReaderV2", AllScalars},
};

}  // namespace

absl::Span<const ShapeRule> IoRules() { return kRules; }

}  // namespace sluice::graph
