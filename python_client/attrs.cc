// SPDX-License-Identifier: Apache-2.0
#include "python_client/attrs.h"

#include <string>
#include <vector>

#include "python_client/numpy.h"

namespace sluice::python {
namespace py = pybind11;
namespace {

// Accepts everything that Python converts to an int, except strings, as TensorFlow's client does.
int64_t ToInt(py::handle value) {
  if (py::isinstance<py::str>(value) || py::isinstance<py::bytes>(value)) throw py::cast_error();
  PyObject* number = PyNumber_Long(value.ptr());
  if (number == nullptr) {
    PyErr_Clear();
    throw py::cast_error();
  }
  return py::reinterpret_steal<py::int_>(number).cast<int64_t>();
}

template <typename T>
T ToValue(py::handle value) {
  if constexpr (std::is_same_v<T, DType>) {
    return static_cast<DType>(value.cast<int>());
  } else if constexpr (std::is_same_v<T, PartialShape>) {
    return ToShape(value);
  } else if constexpr (std::is_same_v<T, Tensor>) {
    if (py::isinstance<Tensor>(value)) return value.cast<Tensor>();
    return ToTensor(value, kInvalid, /*borrow=*/false);
  } else if constexpr (std::is_same_v<T, FunctionRef>) {
    return FunctionRef{value.cast<std::string>(), nullptr};
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return ToInt(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    return py::bool_(py::reinterpret_borrow<py::object>(value));
  } else {
    return value.cast<T>();
  }
}

template <typename T>
Attr ToAttrOf(py::handle value, bool list) {
  if (!list) return Attr(ToValue<T>(value));
  std::vector<T> values;
  for (py::handle item : value) values.push_back(ToValue<T>(item));
  return Attr(std::move(values));
}

Attr ToAttr(AttrType type, py::handle value) {
  switch (type.kind) {
    case AttrKind::kString:
      return ToAttrOf<std::string>(value, type.list);
    case AttrKind::kInt:
      return ToAttrOf<int64_t>(value, type.list);
    case AttrKind::kFloat:
      return ToAttrOf<float>(value, type.list);
    case AttrKind::kBool:
      return ToAttrOf<bool>(value, type.list);
    case AttrKind::kType:
      return ToAttrOf<DType>(value, type.list);
    case AttrKind::kShape:
      return ToAttrOf<PartialShape>(value, type.list);
    case AttrKind::kTensor:
      return ToAttrOf<Tensor>(value, type.list);
    case AttrKind::kFunc:
      return ToAttrOf<FunctionRef>(value, type.list);
  }
  return Attr();
}

// An attribute without a declaration (its name begins with "_") has the type of its value; a list
// is one of strings.
Attr ToFreeAttr(py::handle value) {
  if (py::isinstance<py::bool_>(value)) return Attr(value.cast<bool>());
  if (py::isinstance<py::int_>(value)) return Attr(value.cast<int64_t>());
  if (py::isinstance<py::float_>(value)) return Attr(value.cast<float>());
  const bool text = py::isinstance<py::str>(value) || py::isinstance<py::bytes>(value);
  return ToAttrOf<std::string>(value, /*list=*/!text);
}

template <typename T>
py::object FromValue(const T& value) {
  if constexpr (std::is_same_v<T, DType>) {
    return py::int_(static_cast<int>(value));
  } else if constexpr (std::is_same_v<T, PartialShape>) {
    return FromShape(value);
  } else if constexpr (std::is_same_v<T, Tensor>) {
    return ToNumpy(value);
  } else if constexpr (std::is_same_v<T, FunctionRef> || std::is_same_v<T, AttrPlaceholder>) {
    return py::str(value.name);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return py::bytes(value);
  } else if constexpr (std::is_same_v<T, std::monostate>) {
    return py::none();
  } else if constexpr (std::is_same_v<T, EmptyList>) {
    return py::list();
  } else if constexpr (std::is_arithmetic_v<T>) {
    return py::cast(value);
  } else {
    py::list list;
    for (size_t i = 0; i < value.size(); ++i) {
      const typename T::value_type item = value[i];
      list.append(FromValue(item));
    }
    return list;
  }
}

py::list DescribeArgs(const std::vector<ArgDef>& args) {
  py::list list;
  for (const ArgDef& arg : args) {
    py::dict d;
    d["name"] = arg.name;
    d["type"] = static_cast<int>(arg.type);
    d["type_attr"] = arg.type_attr;
    d["list"] = !arg.number_attr.empty() || !arg.type_list_attr.empty();
    d["number_attr"] = arg.number_attr;
    d["type_list_attr"] = arg.type_list_attr;
    d["is_ref"] = arg.is_ref;
    list.append(d);
  }
  return list;
}

}  // namespace

PartialShape ToShape(py::handle value) {
  if (value.is_none()) return PartialShape();
  std::vector<int64_t> dims;
  for (py::handle dim : value) {
    dims.push_back(dim.is_none() ? -1 : ToInt(dim));
  }
  return ValueOrRaise(PartialShape::Create(dims));
}

AttrMap ToAttrs(const OpDef& op, const py::dict& values) {
  AttrMap attrs;
  for (auto [key, value] : values) {
    const std::string name = key.cast<std::string>();
    if (name[0] == '_') {
      attrs[name] = ToFreeAttr(value);
      continue;
    }
    const AttrDef* def = op.FindAttr(name);
    if (def == nullptr) Raise(InvalidArgument("op ", op.name, " has no attribute \"", name, "\""));
    try {
      attrs[name] = ToAttr(def->type, value);
    } catch (const py::cast_error&) {
      throw py::type_error(Cat("attribute \"", name, "\" of op ", op.name, " must be ",
                               def->type.ToString(), ", got ", std::string(py::repr(value))));
    }
  }
  return attrs;
}

py::object FromAttr(const Attr& attr) {
  return std::visit([](const auto& value) { return FromValue(value); }, attr.value);
}

py::object FromShape(const PartialShape& shape) {
  if (!shape.rank_known()) return py::none();
  py::list dims;
  for (int64_t dim : shape.dims()) dims.append(dim);
  return dims;
}

py::dict DescribeOp(const OpDef& op) {
  py::dict d;
  d["name"] = op.name;
  d["inputs"] = DescribeArgs(op.inputs);
  d["outputs"] = DescribeArgs(op.outputs);
  py::list attrs;
  for (const AttrDef& attr : op.attrs) {
    py::dict a;
    a["name"] = attr.name;
    a["type"] = attr.type.ToString();
    a["optional"] = attr.default_value.has_value();
    a["default"] = attr.default_value ? FromAttr(*attr.default_value) : py::none();
    a["minimum"] = attr.minimum ? py::object(py::int_(*attr.minimum)) : py::none();
    py::list allowed;
    for (DType type : attr.allowed_types) allowed.append(static_cast<int>(type));
    for (const std::string& text : attr.allowed_strings) allowed.append(text);
    a["allowed"] = allowed;  // empty: any
    attrs.append(a);
  }
  d["attrs"] = attrs;
  d["stateful"] = op.stateful;
  return d;
}

}  // namespace sluice::python
