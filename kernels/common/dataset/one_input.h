// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_ONE_INPUT_H_
#define SLUICE_KERNELS_COMMON_DATASET_ONE_INPUT_H_

#include <memory>
#include <utility>

#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {

// A data set that is nothing but a stage over its input: T has a constructor from the input's stage
// and the run. It has an unknown number of elements, or as many as the input.
template <typename T>
class OneInput final : public DataSet {
 public:
  OneInput(ElementSpec spec, RefPtr<const DataSet> input, bool keeps_count = false)
      : DataSet(std::move(spec)), input_(std::move(input)), keeps_count_(keeps_count) {}
  int64_t Cardinality() const override { return keeps_count_ ? input_->Cardinality() : kUnknown; }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    return std::make_unique<T>(std::move(input), running);
  }

 private:
  const RefPtr<const DataSet> input_;
  const bool keeps_count_;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_ONE_INPUT_H_
