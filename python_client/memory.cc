// SPDX-License-Identifier: Apache-2.0
#include "python_client/memory.h"

#include "core/tensor/memory_budget.h"
#include "core/tensor/memory_peak.h"

namespace sluice::python {
namespace py = pybind11;

void DefineMemory(py::module_& m) {
  m.def("memory_in_use",
        [] { return py::make_tuple(MemoryInUse(MemoryUse::kTensors), TensorPeak()); });
  m.def("reset_memory_peak", ResetTensorPeak);
  m.def("set_memory_limit", SetMemoryLimit);
  m.def("machine_memory", MachineMemory);
}

}  // namespace sluice::python
