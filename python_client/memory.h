// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_PYTHON_CLIENT_MEMORY_H_
#define SLUICE_PYTHON_CLIENT_MEMORY_H_

#include <pybind11/pybind11.h>

namespace sluice::python {

// Adds to the module, all in bytes: memory_in_use() = (tensors now, their peak),
// reset_memory_peak(), set_memory_limit(bytes) for this process (0: none), machine_memory().
void DefineMemory(pybind11::module_& m);

}  // namespace sluice::python

#endif  // SLUICE_PYTHON_CLIENT_MEMORY_H_
