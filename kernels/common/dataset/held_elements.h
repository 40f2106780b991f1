// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_HELD_ELEMENTS_H_
#define SLUICE_KERNELS_COMMON_DATASET_HELD_ELEMENTS_H_

#include <memory>
#include <utility>
#include <vector>

#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {

// Elements that are in memory. State: the next one.
class HeldElements final : public DataSet {
 public:
  HeldElements(ElementSpec spec, std::vector<Element> elements)
      : DataSet(std::move(spec)), elements_(std::move(elements)) {}
  int64_t Cardinality() const override { return static_cast<int64_t>(elements_.size()); }
  absl::StatusOr<std::unique_ptr<Stage>> Begin(const Running&) const override {
    return std::make_unique<Run>(elements_);
  }

 private:
  class Run final : public Stage {
   public:
    explicit Run(const std::vector<Element>& elements) : elements_(elements) {}
    absl::StatusOr<bool> Next(Element& element) override {
      if (next_ == elements_.size()) return false;
      element = elements_[next_++];
      return true;
    }

   private:
    const std::vector<Element>& elements_;
    size_t next_ = 0;
  };
  const std::vector<Element> elements_;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_HELD_ELEMENTS_H_
