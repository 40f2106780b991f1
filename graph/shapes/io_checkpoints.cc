// SPDX-License-Identifier: Apache-2.0
// Shapes of checkpoint ops.
#include "core/io/checkpoint/tensor_slice.h"
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// The shape from the text of a tensor's slice; unknown if there is none.
absl::StatusOr<PartialShape> SliceShape(const std::string& text) {
  if (text.empty()) return PartialShape();
  SLUICE_ASSIGN(const ShapeAndSlice part, ShapeAndSlice::Parse(text));
  return PartialShape(part.slice_shape);
}

// Inputs are `before` scalars or vectors of one size, then tensors.
absl::Status Restored(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(c.OfRank(0, 0).status());
  SLUICE_RETURN_IF_ERROR(c.OfRank(1, 1).status());
  SLUICE_RETURN_IF_ERROR(c.OfRank(2, 1).status());
  const Tensor* parts = c.constants[2];
  if (parts == nullptr || parts->num_elements() != static_cast<int64_t>(c.outputs.size())) {
    return absl::OkStatus();
  }
  for (size_t i = 0; i < c.outputs.size(); ++i) {
    SLUICE_ASSIGN(c.outputs[i], SliceShape(parts->data<std::string>()[i]));
  }
  return absl::OkStatus();
}

absl::Status RestoredSlice(ShapeContext& c) {
  for (int i = 0; i < 3; ++i) SLUICE_RETURN_IF_ERROR(c.OfRank(i, 0).status());
  if (c.constants[2] == nullptr) return absl::OkStatus();
  SLUICE_ASSIGN(c.outputs[0], SliceShape(c.constants[2]->scalar<std::string>()));
  return absl::OkStatus();
}

absl::Status RestoredWhole(ShapeContext& c) {
  for (int i = 0; i < 2; ++i) SLUICE_RETURN_IF_ERROR(c.OfRank(i, 0).status());
  return absl::OkStatus();
}

// Scalars in, scalars out.
absl::Status FromScalars(ShapeContext& c) {
  for (int i = 0; i < c.num_inputs(); ++i) SLUICE_RETURN_IF_ERROR(c.OfRank(i, 0).status());
  return AllScalars(c);
}

absl::Status Remapping(ShapeContext& c) {
  for (int i = 0; i < 2; ++i) SLUICE_RETURN_IF_ERROR(c.OfRank(i, 0).status());
  SLUICE_ASSIGN(const int64_t words, c.Get<int64_t>("num_new_vocab"));
  c.outputs[0] = PartialShape{words};
  c.outputs[1] = Shape{};
  return absl::OkStatus();
}

absl::Status RemappedMatrix(ShapeContext& c) {
  for (const int i : {2, 3}) SLUICE_RETURN_IF_ERROR(c.OfRank(i, 1).status());
  SLUICE_ASSIGN(const int64_t rows, c.Get<int64_t>("num_rows"));
  SLUICE_ASSIGN(const int64_t columns, c.Get<int64_t>("num_cols"));
  c.outputs[0] = PartialShape{rows, columns};
  return absl::OkStatus();
}

constexpr ShapeRule kRules[] = {
    {"GenerateVocabRemapping", Remapping},
    {"LoadAndRemapMatrix", RemappedMatrix},
    {"MergeV2Checkpoints", NoOutputs},
    {"Restore", RestoredWhole},
    {"RestoreSlice", RestoredSlice},
    {"RestoreV2", Restored},
    {"Save", NoOutputs},
    {"SaveSlices", NoOutputs},
    {"SaveV2", NoOutputs},
    {"ShardedFilename", FromScalars},
    {"ShardedFilespec", FromScalars},
};

}  // namespace

absl::Span<const ShapeRule> IoCheckpointsRules() { return kRules; }

}  // namespace sluice::graph
