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
  const std::vector<Element>& elements() const { return elements_; }
  int64_t Cardinality() const override { return static_cast<int64_t>(elements_.size()); }
  // Of all data sets, only this one can leave its process.
  absl::Status Encode(std::string* metadata, std::vector<Tensor>* tensors) const override;
  static absl::StatusOr<RefPtr<Variant::Object>> Decode(const std::vector<Tensor>& tensors);
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running&) const override {
    return std::make_unique<Run>(elements_);
  }

 private:
  class Run final : public Stage {
   public:
    explicit Run(const std::vector<Element>& elements) : elements_(elements) {}
    absl::StatusOr<bool> Next(Element& element) override {
      if (next_ >= elements_.size()) return false;
      element = elements_[next_++];
      return true;
    }
    absl::Status SaveOrRestore(SavedState& state) override {
      return state.Fields("HeldElements", next_);
    }

   private:
    const std::vector<Element>& elements_;
    size_t next_ = 0;
  };
  const std::vector<Element> elements_;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_HELD_ELEMENTS_H_
