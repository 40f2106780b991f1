// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_PYTHON_CLIENT_TASK_STATUS_H_
#define SLUICE_PYTHON_CLIENT_TASK_STATUS_H_

#include <pybind11/pybind11.h>

namespace sluice::python {

// Adds describe_task(target, seconds) to the module: (task, version, [(device, type, memory limit
// in bytes, incarnation)], {device type: kernels}).
void DefineTaskStatus(pybind11::module_& m);

}  // namespace sluice::python

#endif  // SLUICE_PYTHON_CLIENT_TASK_STATUS_H_
