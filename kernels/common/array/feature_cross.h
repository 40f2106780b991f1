// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_ARRAY_FEATURE_CROSS_H_
#define SLUICE_KERNELS_COMMON_ARRAY_FEATURE_CROSS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/runtime/kernel_context.h"

namespace sluice::kernels {

// Combines two hashes into one (a step of MurmurHash64).
uint64_t JoinHashes(uint64_t a, uint64_t b);

// The values of one feature in each row, strings or numbers.
struct FeatureColumn {
  Tensor values;
  Tensor first;  // int64: row r has the values [first[r], first[r + 1])
  bool dense = false;

  int64_t begin(int64_t row) const { return first.data<int64_t>()[row]; }
  int64_t count(int64_t row) const { return begin(row + 1) - begin(row); }
};

// The rows of a matrix.
absl::StatusOr<FeatureColumn> DenseColumn(KernelContext& ctx, Tensor matrix);

// A FeatureCross computes every combination of one value from each column, per row, as text or as a
// hash. The last column's values change fastest.
//
// Threads:  immutable once its members are set.
struct FeatureCross {
  // How numbers are hashed. kPlain: a number is its own hash. kBytes and kSalted hash its low 4
  // bytes, as TensorFlow does, but kBytes treats a dense column as kPlain does.
  enum class ValueHash { kPlain, kBytes, kSalted };

  std::vector<FeatureColumn> columns;
  std::string between = "_X_";  // texts of two columns
  uint64_t buckets = 0;         // 0: as many as positive numbers
  bool keyed = true;            // a hash begins with `key`, else with the first column's
  uint64_t key = 0;
  uint64_t (*join)(uint64_t, uint64_t) = JoinHashes;
  ValueHash value_hash = ValueHash::kPlain;
  uint64_t salt[2] = {0, 0};

  // The number of the first cross of each row, and after them the number of crosses; int64.
  // INVALID_ARGUMENT if there are too many.
  absl::StatusOr<Tensor> Starts(KernelContext& ctx, int64_t rows) const;
  // Writes the crosses [begin, end) of a row, which are all of them, to a string or an int64 tensor.
  void WriteRow(int64_t row, int64_t begin, int64_t end, Tensor& out) const;

 private:
  uint64_t HashOf(const FeatureColumn& column, int64_t at) const;
  uint64_t HashOf(int64_t row, const std::vector<int64_t>& at) const;
  std::string TextOf(int64_t row, const std::vector<int64_t>& at) const;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_ARRAY_FEATURE_CROSS_H_
