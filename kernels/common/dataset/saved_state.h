// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_SAVED_STATE_H_
#define SLUICE_KERNELS_COMMON_DATASET_SAVED_STATE_H_

#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/status.h"
#include "core/tensor/tensor.h"
#include "core/tensor/variant.h"

namespace sluice::kernels {

// The state of a run through a data set: a sequence of values, which each stage writes, and reads
// in the same order. A stage has one function for both directions.
//
// Threads:  one at a time.
class SavedState {
 public:
  SavedState() : restoring_(false) {}  // to be written
  explicit SavedState(std::vector<Tensor> values) : restoring_(true), values_(std::move(values)) {}

  bool restoring() const { return restoring_; }
  const std::vector<Tensor>& values() const { return values_; }

  // Writes the name of the stage and the fields, or reads the fields.
  // Errors: INVALID_ARGUMENT if the state is that of another data set.
  template <typename... T>
  absl::Status Fields(absl::string_view stage, T&... fields) {
    absl::Status status = Name(stage);
    ((status.ok() ? void(status = Field(fields)) : void()), ...);
    return status;
  }

  absl::Status Field(Tensor& field);
  absl::Status Field(std::string& field);
  absl::Status Field(absl::Status& field);
  absl::Status Field(absl::StatusOr<bool>& field);
  template <std::integral T>
  absl::Status Field(T& field) {
    auto value = static_cast<int64_t>(field);
    SLUICE_RETURN_IF_ERROR(Integer(value));
    field = static_cast<T>(value);
    return absl::OkStatus();
  }
  // A vector or a deque, with any number of fields.
  template <typename List>
  requires requires(List list) { list.emplace_back(); }
  absl::Status Field(List& fields) {
    auto count = static_cast<int64_t>(fields.size());
    SLUICE_RETURN_IF_ERROR(Integer(count));
    if (restoring_) {
      if (count < 0 || count > left()) return Differs("a number of values");
      fields.clear();
      fields.resize(static_cast<size_t>(count));
    }
    for (auto& field : fields) SLUICE_RETURN_IF_ERROR(Field(field));
    return absl::OkStatus();
  }

 private:
  int64_t left() const { return static_cast<int64_t>(values_.size() - next_); }
  absl::Status Name(absl::string_view stage);
  absl::Status Integer(int64_t& value);
  // INVALID_ARGUMENT
  static absl::Status Differs(absl::string_view expected);

  const bool restoring_;
  std::vector<Tensor> values_;
  size_t next_ = 0;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_SAVED_STATE_H_
