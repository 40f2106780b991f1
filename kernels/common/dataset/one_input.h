// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_ONE_INPUT_H_
#define SLUICE_KERNELS_COMMON_DATASET_ONE_INPUT_H_

#include <memory>
#include <utility>

#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {

// A data set that is nothing but a stage over its input: T has a constructor from the input's stage
// and the run.
template <typename T>
class OneInput final : public DataSet {
 public:
  OneInput(ElementSpec spec, RefPtr<const DataSet> input)
      : DataSet(std::move(spec)), input_(std::move(input)) {}
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const override {
    SLUICE_ASSIGN(auto input, input_->Begin(running));
    return std::make_unique<T>(std::move(input), running);
  }

 private:
  const RefPtr<const DataSet> input_;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_ONE_INPUT_H_
