// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_PYTHON_CLIENT_ATTRS_H_
#define SLUICE_PYTHON_CLIENT_ATTRS_H_

#include <pybind11/pybind11.h>

#include "core/op/op_def.h"

namespace sluice::python {

// Python values of a node's attributes, in the form of the op's definition: dtypes as numbers,
// shapes as lists of sizes (None: unknown) or None, tensors as any value that NumPy accepts.
AttrMap ToAttrs(const OpDef& op, const pybind11::dict& values);
PartialShape ToShape(pybind11::handle sizes);
pybind11::object FromAttr(const Attr& attr);
// The sizes, -1 for an unknown one; None for an unknown rank.
pybind11::object FromShape(const PartialShape& shape);
// The data for raw_ops: {name, inputs, outputs, attrs, stateful, doc}.
pybind11::dict DescribeOp(const OpDef& op);

}  // namespace sluice::python

#endif  // SLUICE_PYTHON_CLIENT_ATTRS_H_
