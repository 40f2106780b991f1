// SPDX-License-Identifier: Apache-2.0
// Shapes of hash tables.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

absl::Status OldHandleShape(ShapeContext& c) {
  c.outputs[0] = PartialShape{2};
  return absl::OkStatus();
}

// The handle of a table with scalar keys carries the shape of a value. Nothing is known of others.
absl::Status HandleShape(ShapeContext& c, bool scalar_keys) {
  c.outputs[0] = Shape{};
  if (scalar_keys)
    c.outputs_hold[0] = GetAttrOr<PartialShape>(c.node.attrs, "value_shape", Shape{});
  return absl::OkStatus();
}

absl::Status MutableTableShape(ShapeContext& c) { return HandleShape(c, true); }

absl::Status DenseTableShape(ShapeContext& c) {  // empty_key, deleted_key
  return HandleShape(c, c.inputs[0].rank() == 0);
}

absl::Status FoundShape(ShapeContext& c) {  // table_handle, keys, default_value
  SLUICE_ASSIGN(c.outputs[0], Concatenated(c.inputs[1], c.held[0]));
  return absl::OkStatus();
}

// table_handle, keys, values: a vector of keys, and a value for each.
absl::Status ImportedShape(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape keys, c.OfRank(1, 1));
  return CheckPrefix(keys, c.inputs[2]);
}

// table_handle, keys, values: two vectors of one size.
absl::Status InitialShape(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape keys, c.OfRank(1, 1));
  return keys.MergeWith(c.inputs[2]).status();
}

constexpr ShapeRule kRules[] = {
    {"AnonymousHashTable", AllScalars},
    {"AnonymousMutableDenseHashTable", DenseTableShape},
    {"AnonymousMutableHashTable", MutableTableShape},
    {"AnonymousMutableHashTableOfTensors", MutableTableShape},
    {"HashTable", OldHandleShape},
    {"HashTableV2", AllScalars},
    {"InitializeTable", InitialShape},
    {"InitializeTableFromDataset", NoOutputs},
    {"InitializeTableFromTextFile", NoOutputs},
    {"InitializeTableFromTextFileV2", NoOutputs},
    {"InitializeTableV2", InitialShape},
    {"LookupTableExport", NothingKnown},
    {"LookupTableExportV2", NothingKnown},
    {"LookupTableFind", NothingKnown},
    {"LookupTableFindV2", FoundShape},
    {"LookupTableImport", ImportedShape},
    {"LookupTableImportV2", ImportedShape},
    {"LookupTableInsert", NoOutputs},
    {"LookupTableInsertV2", NoOutputs},
    {"LookupTableRemoveV2", NoOutputs},
    {"LookupTableSize", AllScalars},
    {"LookupTableSizeV2", AllScalars},
    {"MutableDenseHashTable", OldHandleShape},
    {"MutableDenseHashTableV2", DenseTableShape},
    {"MutableHashTable", OldHandleShape},
    {"MutableHashTableOfTensors", OldHandleShape},
    {"MutableHashTableOfTensorsV2", MutableTableShape},
    {"MutableHashTableV2", MutableTableShape},
};

}  // namespace

absl::Span<const ShapeRule> LookupRules() { return kRules; }

}  // namespace sluice::graph
