// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_ELEMENT_BUFFER_H_
#define SLUICE_KERNELS_COMMON_DATASET_ELEMENT_BUFFER_H_

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {

// A buffer of elements that are taken in any order. Small elements of numbers, whose shapes are
// known, are kept as bytes: a million numbers take 8 MB, not 268.
//
// Threads:  one at a time.
class ElementBuffer {
 public:
  explicit ElementBuffer(const ElementSpec& spec);

  bool empty() const { return size() == 0; }
  size_t size() const { return rows_ ? rows_->end - rows_->begin : elements_.size(); }
  // Takes the values of `element`, whose memory may be used again.
  void Add(Element& element);
  // Takes the element at `i`, in the memory of `element` where it fits. The first one takes its
  // place, and its own place goes.
  // REQUIRES: i < size()
  absl::Status Take(size_t i, Element& element);
  absl::Status SaveOrRestore(SavedState& state);

 private:
  // The bytes of elements, in chunks of `per_chunk` rows.
  struct Rows {
    std::vector<DType> types;
    std::vector<Shape> shapes;
    size_t row_bytes = 0, per_chunk = 1;
    size_t begin = 0, end = 0;  // rows, counted from the first chunk's
    std::deque<std::unique_ptr<char[]>> chunks;

    char* At(size_t row) { return &chunks[row / per_chunk][row % per_chunk * row_bytes]; }
    bool Accepts(const Element& element) const;
    char* AddRow();
    void Write(const Element& element, char* row) const;
    absl::Status Read(const char* row, Element& element) const;
    void DropFirst();
  };

  absl::Status SaveOrRestoreRows(SavedState& state);
  void GiveUpRows();

  std::optional<Rows> rows_;  // none: the elements are as they came
  std::deque<Element> elements_;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_ELEMENT_BUFFER_H_
