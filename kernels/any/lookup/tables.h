// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_LOOKUP_TABLES_H_
#define SLUICE_KERNELS_ANY_LOOKUP_TABLES_H_

#include "core/op/node_spec.h"
#include "kernels/any/lookup/table.h"

// The kinds of tables. A file with the name of the kind has its class.

namespace sluice::kernels {

using KeyTypes = TypeList<int32_t, int64_t, std::string>;

// Its content is set once: HashTable.
absl::StatusOr<RefPtr<Table>> MakeStaticTable(const PairType& type);

// Its content changes: MutableHashTable, MutableHashTableOfTensors.
absl::StatusOr<RefPtr<Table>> MakeMutableTable(const PairType& type);

// A table in two tensors with open addressing: MutableDenseHashTable.
struct DenseOptions {
  Tensor empty_key;
  Tensor deleted_key;  // invalid: none
  int64_t buckets = 0;
  float max_load = 0;  // the largest part of the buckets with keys
};
absl::StatusOr<RefPtr<Table>> MakeDenseTable(PairType type, const DenseOptions& options);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_LOOKUP_TABLES_H_
