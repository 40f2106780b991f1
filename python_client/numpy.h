// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_PYTHON_CLIENT_NUMPY_H_
#define SLUICE_PYTHON_CLIENT_NUMPY_H_

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "core/status.h"
#include "core/tensor/tensor.h"

namespace sluice::python {

// Raises the Python class of the status's code (sluice.errors); the GIL is held.
[[noreturn]] void Raise(const absl::Status& status);
void RaiseUnlessOk(const absl::Status& status);
template <typename T>
T ValueOrRaise(absl::StatusOr<T> value) {
  if (!value.ok()) Raise(value.status());
  return *std::move(value);
}

// An array as a tensor of `dtype`; kInvalid: any Python value, as a constant. With `borrow`, a
// contiguous array of the right dtype is borrowed: its memory is read as long as the tensor lives.
// Otherwise its bytes are copied. Arrays of bfloat16 are float32.
Tensor ToTensor(pybind11::handle value, DType dtype, bool borrow);
// The array takes over a tensor without other references; the bytes of a shared one are copied.
// Strings become bytes objects.
pybind11::object ToNumpy(Tensor tensor);

}  // namespace sluice::python

#endif  // SLUICE_PYTHON_CLIENT_NUMPY_H_
