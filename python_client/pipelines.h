// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_PYTHON_CLIENT_PIPELINES_H_
#define SLUICE_PYTHON_CLIENT_PIPELINES_H_

#include <pybind11/pybind11.h>

namespace sluice::python {

// Adds list_pipelines(target, seconds) to the module: a list of dicts with the fields of
// PipelineReport; their stages are dicts with those of StageReport.
void DefinePipelines(pybind11::module_& m);

}  // namespace sluice::python

#endif  // SLUICE_PYTHON_CLIENT_PIPELINES_H_
