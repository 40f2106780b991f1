// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_PYTHON_CLIENT_FILES_H_
#define SLUICE_PYTHON_CLIENT_FILES_H_

#include <pybind11/pybind11.h>

namespace sluice::python {

// Adds core/io/file.h to the module, for sluice/gfile.py: the client and the kernels use the same
// file systems.
void DefineFiles(pybind11::module_& m);

}  // namespace sluice::python

#endif  // SLUICE_PYTHON_CLIENT_FILES_H_
