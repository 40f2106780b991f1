// SPDX-License-Identifier: Apache-2.0
#include "python_client/task_status.h"

#include <pybind11/stl.h>

#include <map>

#include "client/task_status.h"
#include "core/runtime/kernel_table.h"
#include "python_client/gil.h"
#include "python_client/numpy.h"

namespace sluice::python {
namespace py = pybind11;
namespace {

py::tuple Describe(const std::string& target, double timeout) {
  auto status = [&] {
    WithoutGil free;
    return client::DescribeTask(target, absl::Seconds(timeout));
  }();
  const auto task = ValueOrRaise(std::move(status));
  py::list devices;
  for (const DeviceAttributes& d : task.devices)
    devices.append(py::make_tuple(d.name, d.type, d.memory_limit, d.incarnation));
  std::map<std::string, int> kernels;
  for (const KernelSignature& kernel : task.kernels->signatures()) ++kernels[kernel.device_type];
  return py::make_tuple(task.task, task.version, devices, kernels, task.no_gpu, task.waiting);
}

}  // namespace

void DefineTaskStatus(py::module_& m) { m.def("describe_task", Describe); }

}  // namespace sluice::python
