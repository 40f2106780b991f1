// SPDX-License-Identifier: Apache-2.0
#include "python_client/pipelines.h"

#include "client/pipelines.h"
#include "python_client/gil.h"
#include "python_client/numpy.h"

namespace sluice::python {
namespace py = pybind11;
namespace {

py::dict StageDict(const StageReport& stage) {
  using py::literals::operator""_a;
  return py::dict("node"_a = stage.node, "op"_a = stage.op, "reader"_a = stage.reader,
                  "elements"_a = stage.elements, "waited_us"_a = stage.waited_us,
                  "lines"_a = stage.lines, "workers"_a = stage.workers,
                  "reading_us"_a = stage.reading_us, "making_us"_a = stage.making_us,
                  "no_room_us"_a = stage.no_room_us);
}

py::list List(const std::string& target, double timeout) {
  using py::literals::operator""_a;
  auto found = [&] {
    WithoutGil free;
    return client::ListPipelines(target, absl::Seconds(timeout));
  }();
  py::list pipelines;
  for (const PipelineReport& one : ValueOrRaise(std::move(found))) {
    py::list stages;
    for (const StageReport& stage : one.stages) stages.append(StageDict(stage));
    pipelines.append(py::dict("iterator"_a = one.iterator, "device"_a = one.device,
                              "session"_a = one.session, "age_us"_a = one.age_us,
                              "stages"_a = stages));
  }
  return pipelines;
}

}  // namespace

void DefinePipelines(py::module_& m) { m.def("list_pipelines", List); }

}  // namespace sluice::python
