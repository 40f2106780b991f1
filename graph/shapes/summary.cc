// SPDX-License-Identifier: Apache-2.0
// Shapes of summary ops.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

constexpr ShapeRule kRules[] = {
    {"AudioSummary", AllScalars},
    {"AudioSummaryV2", AllScalars},
    {"CloseSummaryWriter", NoOutputs},
    {"CreateSummaryDbWriter", NoOutputs},
    {"CreateSummaryFileWriter", NoOutputs},
    {"FlushSummaryWriter", NoOutputs},
    {"HistogramSummary", AllScalars},
    {"ImageSummary", AllScalars},
    {"ImportEvent", NoOutputs},
    {"MergeSummary", AllScalars},
    {"ScalarSummary", AllScalars},
    {"SummaryWriter", AllScalars},
    {"TensorSummary", AllScalars},
    {"TensorSummaryV2", AllScalars},
    {"WriteAudioSummary", NoOutputs},
    {"WriteGraphSummary", NoOutputs},
    {"WriteHistogramSummary", NoOutputs},
    {"WriteImageSummary", NoOutputs},
    {"WriteRawProtoSummary", NoOutputs},
    {"WriteScalarSummary", NoOutputs},
    {"WriteSummary", NoOutputs},
};

}  // namespace

absl::Span<const ShapeRule> SummaryRules() { return kRules; }

}  // namespace sluice::graph
