// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_PYTHON_CLIENT_ATTRS_H_
#define SLUICE_PYTHON_CLIENT_ATTRS_H_

#include <pybind11/pybind11.h>

#include "core/op/op_def.h"

namespace sluice::python {

// Python values of a node's attributes as the op's definition asks for them: dtypes as numbers,
// shapes as lists of sizes (None: unknown) or None, tensors as anything NumPy takes.
AttrMap ToAttrs(const OpDef& op, const pybind11::dict& values);
PartialShape ToShape(pybind11::handle sizes);
pybind11::object FromAttr(const Attr& attr);
// The sizes, -1 where one is unknown; None for an unknown rank.
pybind11::object FromShape(const PartialShape& shape);
// What raw_ops needs to know: {name, inputs, outputs, attrs, stateful, doc}.
pybind11::dict DescribeOp(const OpDef& op);

}  // namespace sluice::python

#endif  // SLUICE_PYTHON_CLIENT_ATTRS_H_
