# SPDX-License-Identifier: Apache-2.0
"""Names of TensorFlow 1.15 that are not here, each with its reason, which the AttributeError says.

`*` stands for all names of a module. A name that nobody knows gets the nearest one that is there.
"""

import difflib

_PYTHON = "Python code cannot run in the servers"
_EAGER = "there are graphs only, and no eager execution"
_RAGGED = "of ragged tensors this is not there yet"
_LAYERS = "it stands above this client: use layers"
_BUILD = "it is about TensorFlow's own build"
_TPU = (
    "the servers have no TPUs: use distribute.MirroredStrategy for the devices of a task, or "
    "distribute.MultiWorkerMirroredStrategy for several tasks"
)
_COORDINATOR = "workers run the program themselves: no coordinator sends them functions"
_MODELS = (
    "objects of saved models are for eager execution: read models by "
    "saved_model.load(session, tags, folder), and those of Keras by keras.models.load_model()"
)
_CONTRIB = (
    "of contrib there are the modules and names that programs use most: see dir(sluice.contrib)"
)
_ESTIMATORS = (
    "of ready-made estimators there are deep, linear, combined and constant ones, trees and k-means"
)

_ROWS = {
    _PYTHON: "nondifferentiable_batch_function",
    _EAGER: """
        enable_eager_execution
        enable_v2_behavior enable_v2_tensorshape enable_tensor_equality wrap_function
        TypeSpec TensorArraySpec
        IndexedSlicesSpec Graph.switch_to_thread_local
        Tensor.experimental_ref Variable.experimental_ref
        debugging.get_log_device_placement debugging.set_log_device_placement
        config.experimental_run_functions_eagerly
        summary.initialize summary.all_v2_summary_ops
    """,
    "elements of data sets have no TensorArrays": "data.experimental.TensorArrayStructure",
    _RAGGED: """
        RaggedTensor.from_nested_value_rowids RaggedTensor.nested_value_rowids
        RaggedTensor.to_list
    """,
    _LAYERS: """
        layers.experimental.* contrib.learn.*
    """,
    _CONTRIB: "contrib.*",
    "of Keras this is not there yet": "keras.*",
    _BUILD: """
        CXX11_ABI_FLAG MONOLITHIC_BUILD load_file_system_library load_library
        load_op_library sysconfig.* user_ops.* test.* pywrap_tensorflow.*
        profiler.* lite.* tools.* summary.TaggedRunMetadata
        errors.raise_exception_on_not_ok_status
        summary.SummaryDescription summary.get_summary_description
    """,
    _TPU: "tpu.*",
    _COORDINATOR: """
        distribute.coordinator.* distribute.experimental.coordinator.*
        distribute.experimental.partitioners.* distribute.experimental.rpc.*
    """,
    "tasks are named by a ClusterSpec, and a session connects to one": """
        config.experimental_connect_to_cluster config.experimental_connect_to_host
    """,
    _MODELS: "saved_model.load_v2",
    "it rewrites graphs for a converter that is not there": """
        train.do_quantize_training_on_graphdef
    """,
    "checkpoints hold variables: keep the state in one": "train.experimental.PythonState",
    "it has no objects of its own": "ConditionalAccumulatorBase",
    _ESTIMATORS: "estimator.*",
}

REASONS = {name: reason for reason, row in _ROWS.items() for name in row.split()}


def reason(name):
    """The reason why a name is absent; None for unknown names."""
    parts = name.split(".")
    modules = [".".join(parts[:n]) + ".*" for n in range(len(parts), 0, -1)]
    return next((REASONS[key] for key in (name, *modules) if key in REASONS), None)


class _Absent(AttributeError):  # noqa: N818, it is shown as an AttributeError
    """An AttributeError that has its suggestion: Python adds none to a subclass's message.

    The suggestion is looked for when the error is shown: getattr() and hasattr() catch most.
    """

    def __init__(self, text, path, **more):
        super().__init__(text, **more)
        self._path = path

    def __str__(self):
        near = _nearest(self._path, self.name) if self._path is not None else None
        return self.args[0] + (f"; did you mean: {near}?" if near else "")


_Absent.__name__ = _Absent.__qualname__ = "AttributeError"
_Absent.__module__ = "builtins"

_modules = {}  # by the names under which programs know them


def explain(module, path, name):
    """Raises the AttributeError of a name that a module lacks.

    Args:
      module: the module.
      path: what programs call it, "train"; "" for the package.
      name: the name.

    Raises:
      AttributeError: always. It says why the name is not there, or which one is meant.
    """
    if name.startswith("_"):
        raise AttributeError(name)
    full = f"{path}.{name}" if path else name
    text, why = f"sluice has no {full}", reason(full)
    if why is not None:
        raise _Absent(f"{text}: {why}", None, name=name, obj=module)
    raise _Absent(text, path, name=name, obj=module)


def guard(module, path):
    """Gives a module a __getattr__ that explains what it lacks."""
    _modules[path] = module
    vars(module).setdefault("__getattr__", lambda name: explain(module, path, name))


def _nearest(path, name):
    """The public name that is most like `name`: in its own module first, then in others."""
    others = sorted((p for p in _modules if p not in (path, "raw_ops")), key=len)
    for cutoff in (1, 0.75):
        for places in ([path] if path in _modules else [], others):
            near = _most_like(places, name, cutoff)
            if near:
                return near
    return None


def _most_like(places, name, cutoff):
    names = {}
    for place in places:
        for known in dir(_modules[place]):
            if not known.startswith("_"):
                names.setdefault(known.lower(), f"{place}.{known}" if place else known)
    close = difflib.get_close_matches(name.lower(), names, 1, cutoff)
    return names[close[0]] if close else None
