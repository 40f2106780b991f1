// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_PYTHON_CLIENT_FUNCTIONS_H_
#define SLUICE_PYTHON_CLIENT_FUNCTIONS_H_

#include <pybind11/pybind11.h>

namespace sluice::python {

// Adds the calls of Python functions that steps make, for sluice/ops/functions/py_func.py.
void DefineFunctions(pybind11::module_& m);

}  // namespace sluice::python

#endif  // SLUICE_PYTHON_CLIENT_FUNCTIONS_H_
