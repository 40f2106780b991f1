// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_LOOKUP_PAIR_SOURCES_H_
#define SLUICE_KERNELS_ANY_LOOKUP_PAIR_SOURCES_H_

#include <memory>
#include <string>

#include "kernels/any/lookup/table.h"

namespace sluice::kernels {

// The elements of two tensors. INVALID_ARGUMENT if there are none.
// REQUIRES: the tensors have the same number of elements.
absl::StatusOr<std::unique_ptr<PairSource>> PairsOfTensors(const Tensor& keys,
                                                           const Tensor& values);

// How the lines of a text file become pairs.
struct TextFormat {
  static constexpr int64_t kLineNumber = -1, kWholeLine = -2;
  int64_t key_column = 0, value_column = 0;  // or one of the above
  int64_t lines = -1;                        // that are read; -1: all
  char delimiter = '\t';                     // of columns
  int64_t offset = 0;                        // added to line numbers
};
// NOT_FOUND and other errors of files. A wrong line is INVALID_ARGUMENT when it is read; so are
// fewer lines than `lines`.
absl::StatusOr<std::unique_ptr<PairSource>> PairsOfTextFile(const std::string& path,
                                                            const TextFormat& format,
                                                            const PairType& type);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_LOOKUP_PAIR_SOURCES_H_
