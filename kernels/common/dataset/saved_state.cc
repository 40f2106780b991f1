// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/saved_state.h"

namespace sluice::kernels {

absl::Status SavedState::Differs(absl::string_view expected) {
  return InvalidArgument("the saved state of the iterator does not fit its data set: ", expected,
                         " is missing. Has the definition of the data set changed?");
}

absl::Status SavedState::Field(Tensor& field) {
  if (!restoring_) {
    values_.push_back(field);
    return absl::OkStatus();
  }
  if (left() == 0) return Differs("a tensor");
  field = values_[next_++];
  return absl::OkStatus();
}

absl::Status SavedState::Field(std::string& field) {
  Tensor value = restoring_ ? Tensor() : Tensor::Scalar<std::string>(field);
  SLUICE_RETURN_IF_ERROR(Field(value));
  if (!restoring_) return absl::OkStatus();
  if (value.dtype() != kString || value.rank() != 0) return Differs("a string");
  field = value.scalar<std::string>();
  return absl::OkStatus();
}

absl::Status SavedState::Field(absl::Status& field) {
  int code = field.raw_code();
  std::string message(field.message());
  SLUICE_RETURN_IF_ERROR(Field(code));
  SLUICE_RETURN_IF_ERROR(Field(message));
  if (restoring_) field = absl::Status(static_cast<absl::StatusCode>(code), message);
  return absl::OkStatus();
}

absl::Status SavedState::Field(absl::StatusOr<bool>& field) {
  absl::Status failure = field.status();
  bool value = field.ok() && *field;
  SLUICE_RETURN_IF_ERROR(Field(failure));
  SLUICE_RETURN_IF_ERROR(Field(value));
  if (restoring_) field = failure.ok() ? absl::StatusOr<bool>(value) : failure;
  return absl::OkStatus();
}

absl::Status SavedState::Integer(int64_t& value) {
  Tensor tensor = restoring_ ? Tensor() : Tensor::Scalar<int64_t>(value);
  SLUICE_RETURN_IF_ERROR(Field(tensor));
  if (!restoring_) return absl::OkStatus();
  if (tensor.dtype() != kInt64 || tensor.rank() != 0) return Differs("a number");
  value = tensor.scalar<int64_t>();
  return absl::OkStatus();
}

absl::Status SavedState::Name(absl::string_view stage) {
  std::string name(stage);
  SLUICE_RETURN_IF_ERROR(Field(name));
  return name == stage ? absl::OkStatus() : Differs(stage);
}

}  // namespace sluice::kernels
