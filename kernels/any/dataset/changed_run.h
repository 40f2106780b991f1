// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATASET_CHANGED_RUN_H_
#define SLUICE_KERNELS_ANY_DATASET_CHANGED_RUN_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {

// The input's elements. The stages before it run with other limits, options or records.
class ChangedRun : public DataSet {
 public:
  ChangedRun(ElementSpec spec, RefPtr<const DataSet> input)
      : DataSet(std::move(spec)), input_(std::move(input)) {}
  explicit ChangedRun(RefPtr<const DataSet> input)
      : DataSet(input->spec()), input_(std::move(input)) {}
  int64_t Cardinality() const final { return input_->Cardinality(); }
  absl::StatusOr<std::unique_ptr<Stage>> BeginAt(const Running& running) const final {
    Running changed = running;
    Change(changed);
    return input_->Begin(changed);
  }

 protected:
  const DataSet& input() const { return *input_; }

 private:
  // What the run refers to afterwards outlives it.
  virtual void Change(Running& running) const = 0;

  const RefPtr<const DataSet> input_;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATASET_CHANGED_RUN_H_
