// SPDX-License-Identifier: Apache-2.0
#include "python_client/numpy.h"

#include <pybind11/stl.h>

#include <cstring>
#include <string>
#include <vector>

#include "python_client/gil.h"

namespace sluice::python {
namespace py = pybind11;
namespace {

struct Pair {
  DType dtype;
  const char* numpy;
};
constexpr Pair kPairs[] = {
    {kFloat, "f4"},
    {kDouble, "f8"},
    {kInt32, "i4"},
    {kUint8, "u1"},
    {kInt16, "i2"},
    {kInt8, "i1"},
    {kComplex64, "c8"},
    {kInt64, "i8"},
    {kBool, "?"},
    {kUint16, "u2"},
    {kHalf, "f2"},
    {kUint32, "u4"},
    {kComplex128, "c16"},
    {kUint64, "u8"},
    // Quantised elements as their integers.
    {kQint8, "i1"},
    {kQuint8, "u1"},
    {kQint16, "i2"},
    {kQuint16, "u2"},
    {kQint32, "i4"},
    {kBfloat16, "f4"},  // NumPy lacks the type: float32 with its values
};

py::dtype NumpyType(DType dtype) {
  for (const Pair& pair : kPairs) {
    if (pair.dtype == dtype) return py::dtype(pair.numpy);
  }
  Raise(Unimplemented("tensors of dtype ", dtype, " have no NumPy form"));
}

DType TypeOfArray(const py::array& array) {
  const char kind = array.dtype().kind();
  if (kind == 'O' || kind == 'S' || kind == 'U') return kString;
  for (const Pair& pair : kPairs) {
    if (py::dtype(pair.numpy).is(array.dtype()) || array.dtype().equal(py::dtype(pair.numpy))) {
      return pair.dtype;
    }
  }
  Raise(InvalidArgument("arrays of dtype ", std::string(py::str(array.dtype())),
                        " cannot become tensors"));
}

Shape ShapeOf(const py::array& array) {
  return ValueOrRaise(
      Shape::Create(std::vector<int64_t>(array.shape(), array.shape() + array.ndim())));
}

Tensor Strings(const py::array& array) {
  Tensor tensor(kString, ShapeOf(array));
  py::list flat = array.attr("ravel")().attr("tolist")();
  std::string* out = tensor.mutable_data<std::string>();
  for (py::handle item : flat) {
    if (py::isinstance<py::bytes>(item) || py::isinstance<py::str>(item)) {
      *out++ = item.cast<std::string>();
    } else {
      Raise(InvalidArgument("expected bytes or str in a string tensor, got ",
                            std::string(py::str(py::type::of(item)))));
    }
  }
  return tensor;
}

// pybind11 2.10 reads an array type's item size at the position of NumPy before 2.0, so sizes are
// computed here.
size_t BytesOf(const py::array& array, DType dtype) {
  size_t bytes = SizeOf(dtype);
  for (py::ssize_t i = 0; i < array.ndim(); ++i) bytes *= static_cast<size_t>(array.shape(i));
  return bytes;
}

std::vector<py::ssize_t> StridesOf(const Tensor& tensor) {
  std::vector<py::ssize_t> strides(tensor.rank());
  auto stride = static_cast<py::ssize_t>(SizeOf(tensor.dtype()));
  for (int i = tensor.rank() - 1; i >= 0; --i) {
    strides[i] = stride;
    stride *= static_cast<py::ssize_t>(tensor.dim(i));
  }
  return strides;
}

// The nearest bfloat16 of each element, ties to even.
Tensor RoundedToBfloat16(const py::array& floats) {
  Tensor tensor(kBfloat16, ShapeOf(floats));
  const auto* in = static_cast<const uint32_t*>(floats.data());
  auto* out = static_cast<uint16_t*>(tensor.raw());
  for (int64_t i = 0; i < tensor.num_elements(); ++i) {
    const bool nan = (in[i] & 0x7fffffff) > 0x7f800000;
    const uint32_t rounded = in[i] + 0x7fff + ((in[i] >> 16) & 1);
    out[i] = static_cast<uint16_t>(nan ? (in[i] >> 16) | 0x40 : rounded >> 16);
  }
  return tensor;
}

py::object FloatsOfBfloat16(const Tensor& tensor) {
  const std::vector<py::ssize_t> dims(tensor.shape().dims().begin(), tensor.shape().dims().end());
  py::object array = py::module_::import("numpy").attr("empty")(py::cast(dims), py::str("f4"));
  auto* out = static_cast<uint32_t*>(array.cast<py::array>().mutable_data());
  const auto* in = static_cast<const uint16_t*>(tensor.raw());
  for (int64_t i = 0; i < tensor.num_elements(); ++i) out[i] = static_cast<uint32_t>(in[i]) << 16;
  return tensor.rank() == 0 ? py::object(array[py::tuple(0)]) : array;
}

// The array lives until the tensor is destroyed, on any thread.
Tensor Borrow(py::array array, DType dtype) {
  void* data = const_cast<void*>(array.data());
  const size_t bytes = BytesOf(array, dtype);
  const Shape shape = ShapeOf(array);
  PyObject* owner = array.release().ptr();
  return Tensor(dtype, shape, Buffer::Borrow(data, bytes, [owner] {
                  if (PythonEnds()) return;  // the memory goes with the process
                  WithGil gil;
                  Py_DECREF(owner);
                }));
}

}  // namespace

void Raise(const absl::Status& status) {
  py::object raise = py::module_::import("sluice.errors").attr("raise_for_code");
  raise(static_cast<int>(status.code()), py::bytes(std::string(status.message())));
  throw py::error_already_set();
}

void RaiseUnlessOk(const absl::Status& status) {
  if (!status.ok()) Raise(status);
}

Tensor ToTensor(py::handle value, DType dtype, bool borrow) {
  py::module_ numpy = py::module_::import("numpy");
  py::object given = py::reinterpret_borrow<py::object>(value);
  if (dtype == kInvalid) {
    given = py::module_::import("sluice.graph.values").attr("constant_array")(value)[py::int_(0)];
    dtype = TypeOfArray(given);
  }
  if (dtype == kString) return Strings(numpy.attr("asarray")(given));
  py::array array = numpy.attr("asarray")(given, NumpyType(dtype), "C");
  if (!(array.flags() & py::array::c_style)) array = numpy.attr("ascontiguousarray")(array);
  if (dtype == kBfloat16) return RoundedToBfloat16(array);
  constexpr size_t kWorthBorrowing = 4096;
  const bool aligned = reinterpret_cast<uintptr_t>(array.data()) % 16 == 0;
  const size_t bytes = BytesOf(array, dtype);
  if (borrow && aligned && bytes >= kWorthBorrowing) return Borrow(std::move(array), dtype);
  Tensor tensor(dtype, ShapeOf(array));
  if (bytes > 0) memcpy(tensor.raw(), array.data(), bytes);
  return tensor;
}

py::object ToNumpy(Tensor tensor) {
  const std::vector<py::ssize_t> dims(tensor.shape().dims().begin(), tensor.shape().dims().end());
  if (tensor.dtype() == kString) {
    py::list items;
    for (const std::string& s : tensor.flat<std::string>())
      items.append(py::bytes(s.data(), s.size()));
    if (tensor.rank() == 0) return py::object(items[0]);
    py::object array = py::module_::import("numpy").attr("empty")(py::cast(dims), py::str("O"));
    py::object flat = array.attr("reshape")(-1);
    for (size_t i = 0; i < items.size(); ++i) {
      flat.attr("__setitem__")(py::int_(i), py::object(items[i]));
    }
    return array;
  }
  if (tensor.dtype() == kBfloat16) return FloatsOfBfloat16(tensor);
  py::dtype dtype = NumpyType(tensor.dtype());
  if (tensor.rank() == 0) {
    py::array scalar(dtype, dims, dims, tensor.raw());
    return scalar[py::tuple(0)];
  }
  const std::vector<py::ssize_t> strides = StridesOf(tensor);
  if (!tensor.unique() || tensor.num_elements() == 0) {
    return py::array(dtype, dims, strides, tensor.raw());
  }
  auto* owner = new Tensor(std::move(tensor));
  py::capsule capsule(owner, [](void* held) { delete static_cast<Tensor*>(held); });
  return py::array(dtype, dims, strides, owner->raw(), capsule);
}

}  // namespace sluice::python
