# SPDX-License-Identifier: Apache-2.0
"""What programs use of TensorFlow's sources although no public module has it."""

import contextlib
from numbers import Integral

import numpy as np

from .. import layers
from ..data import asking
from ..data.dataset import Dataset
from ..dtypes import REFERENCES, int32
from ..graph.convert import constant, convert_to_tensor
from ..graph.default_graph import control_dependencies, get_default_graph, get_name_scope
from ..graph.elements import IndexedSlices, Operation, Tensor
from ..graph.graph import Graph
from ..graph.op_defs import op_def_of
from ..graph.registry import OPS
from ..graph.static_values import static_value
from ..graph.tensor_shape import TensorShape
from ..keras.base.state import track_variable
from ..keras.engine.node import is_keras_tensor
from ..keras.fitting.adapted import TFOptimizer
from ..keras.fitting.older_optimizer import Optimizer
from ..keras.fitting.optimizers import Optimizer as OptimizerV2
from ..keras.models import hdf5
from ..keras.models.model import Model
from ..layers.choices import smart_case, smart_cond, smart_constant_value
from ..layers.sizes import op_format
from ..nest import is_nested
from ..ops import array as arrays
from ..ops import raw_ops
from ..ops.control_flow.grouping import group
from ..ops.gradient_overrides import Registry, function_of
from ..ops.lookup.tables import HashTable
from ..ops.rnn.around import assert_like_rnncell, is_like_rnn_cell
from ..ops.rnn.cells import LayerRNNCell, map_states, zeros_of
from ..ops.state.custom_gradients import custom_gradient
from ..ops.state.variables import Variable
from ..session.devices import list_logical_devices
from ..session.timeline import Timeline
from ..testing import decorators, keras_cases, keras_layers, keras_models
from ..testing.cases import TestCase
from ..training.meta_graph import register_proto_function
from ..training.sessions.monitored_session import MonitoredSession, SessionOfHooks
from ..training.summary import FileWriterCache
from . import (
    columns,
    debuggers,
    evaluation,
    file_io,
    keras_parts,
    keras_training,
    layered_sessions,
    lazy_modules,
    of_clusters,
    of_estimators,
    of_training,
    op_functions,
    reference_nodes,
    tpus,
)
from . import decorators as of_util
from .of_callbacks import CallbackList

# ---- layers


def normalize_tuple(value, n, name):
    """Makes a tuple of n ints.

    Args:
        value: An int, or n ints.
        n: How many there are, an int.
        name: What they are, a str for the error.

    Returns:
        The tuple.

    Raises:
        ValueError: They are not n ints.
    """
    if isinstance(value, Integral):
        return (int(value),) * n
    try:
        found = tuple(int(v) for v in value)
    except (TypeError, ValueError):
        found = ()
    if len(found) != n:
        text = f"The `{name}` argument must be a tuple of {n} integers. Received: {value}"
        raise ValueError(text)
    return found


def _one_of(what, values):
    def normalize(value):
        found = (values[0] if value is None else value).lower()
        if found not in values:
            raise ValueError(f"The `{what}` argument must be one of {values}. Received: {value}")
        return found

    normalize.__name__ = f"normalize_{what}"
    normalize.__doc__ = f"Returns `{what}` in lower case; None: the default. Others: ValueError."
    return normalize


normalize_data_format = _one_of("data_format", ("channels_last", "channels_first"))
normalize_padding = _one_of("padding", ("valid", "same", "causal"))


def convert_data_format(data_format, ndim):
    """Returns the data format of operations.

    Args:
        data_format: "channels_last" or "channels_first".
        ndim: How many dimensions the tensors have, an int from 3 to 5.

    Returns:
        A str such as "NHWC".

    Raises:
        ValueError: ndim or data_format is another one.
    """
    if ndim not in (3, 4, 5):
        raise ValueError(f"Input rank not supported: {ndim}")
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError(f"Invalid data_format: {data_format}")
    return op_format(data_format, ndim - 2)


def _check_padding(padding, *known):
    """Raises AssertionError where a padding is not one of some, as TensorFlow 1.15 does."""
    if padding not in known:
        raise AssertionError(f"the padding must be one of {known}, not {padding!r}")


def conv_output_length(input_length, filter_size, padding, stride, dilation=1):
    """Returns how many places a convolution has.

    Args:
        input_length: How many places its input has, an int. None: not known.
        filter_size: Size of the window, an int.
        padding: "same", "valid", "full" or "causal".
        stride: Step of the window, an int.
        dilation: Distance of the window's elements, an int.

    Returns:
        An int, or None.

    Raises:
        AssertionError: It is another padding.
    """
    if input_length is None:
        return None
    _check_padding(padding, "same", "valid", "full", "causal")
    window = filter_size + (filter_size - 1) * (dilation - 1)
    less = {"same": 0, "causal": 0, "valid": window - 1, "full": 1 - window}[padding]
    return (input_length - less + stride - 1) // stride


def conv_input_length(output_length, filter_size, padding, stride):
    """Returns how many places the input of a convolution has.

    Args:
        output_length: How many places its output has, an int. None: not known.
        filter_size: Size of the window, an int.
        padding: "same", "valid" or "full".
        stride: Step of the window, an int.

    Returns:
        An int, or None.

    Raises:
        AssertionError: It is another padding.
    """
    if output_length is None:
        return None
    _check_padding(padding, "same", "valid", "full")
    around = {"same": filter_size // 2, "valid": 0, "full": filter_size - 1}[padding]
    return (output_length - 1) * stride - 2 * around + filter_size


def deconv_output_length(input_length, filter_size, padding, output_padding=None, stride=0,
                         dilation=1):  # fmt: skip
    """Returns how many places a transposed convolution has.

    Args:
        input_length: How many places its input has, an int. None: not known.
        filter_size: Size of the window, an int.
        padding: "same", "valid" or "full".
        output_padding: How many places are added at one side, an int. None: what fits.
        stride: Step of the window, an int.
        dilation: Distance of the window's elements, an int.

    Returns:
        An int, or None.

    Raises:
        AssertionError: It is another padding.
    """
    _check_padding(padding, "same", "valid", "full")
    if input_length is None:
        return None
    window = filter_size + (filter_size - 1) * (dilation - 1)
    if output_padding is None:
        more = {"same": 0, "valid": max(window - stride, 0), "full": 2 - stride - window}
        return input_length * stride + more[padding]
    around = {"same": window // 2, "valid": 0, "full": window - 1}[padding]
    return (input_length - 1) * stride + window - 2 * around + output_padding


_CONV_UTILS = {
    function.__name__: function
    for function in (
        normalize_tuple, normalize_data_format, normalize_padding, convert_data_format,
        conv_output_length, conv_input_length, deconv_output_length,
    )  # fmt: skip
}

# ---- conditions


def with_dependencies(dependencies, output_tensor, name=None):
    """Returns a tensor that is there once operations have run.

    Args:
        dependencies: Operations and tensors, a list.
        output_tensor: The tensor.
        name: Name of the operation, a str. None: a default name.
    """
    with control_dependencies(dependencies):
        return arrays.identity(output_tensor, name=name)


def switch(data, pred, dtype=None, name=None):
    """Sends a tensor to one of two outputs.

    Args:
        data: The tensor.
        pred: A bool scalar.
        dtype: Dtype of a value that is not a tensor. None: what fits.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple of the output for False and that for True. Only one is there in a step.
    """
    return raw_ops.Switch(data=convert_to_tensor(data, dtype), pred=pred, name=name)


def merge(inputs, name=None):
    """Returns the tensor that is there: what follows switch().

    Args:
        inputs: Tensors, of which one is there in a step.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple of the tensor and its index in inputs.
    """
    return raw_ops.Merge(inputs=[convert_to_tensor(x) for x in inputs], name=name)


# ---- recurrent cells


def joined_sizes(prefix, suffix, static=False):
    """Puts sizes together.

    Args:
        prefix: An int, a TensorShape, or an int32 scalar or vector.
        suffix: The same.
        static: Whether to return what is known now. A bool.

    Returns:
        An int32 vector; with `static` a list of ints and None, or None.
    """
    parts = [p if isinstance(p, Tensor) else as_shape(p) for p in (prefix, suffix)]
    if static:
        known_parts = [static_value(p) if isinstance(p, Tensor) else p.as_list() for p in parts]
        return None if any(p is None for p in known_parts) else [
            None if size is None else int(size) for p in known_parts for size in np.atleast_1d(p)
        ]  # fmt: skip
    return arrays.concat(
        [
            arrays.reshape(p if isinstance(p, Tensor) else constant(p.as_list(), int32), [-1])
            for p in parts
        ],
        0,
    )


def as_shape(sizes):
    """Returns the TensorShape of an int, of a list of sizes or of a TensorShape."""
    return TensorShape([sizes] if isinstance(sizes, Integral) else sizes)


def zero_state(state_size, batch_size, dtype):
    """Makes the zero states of cells.

    Args:
        state_size: Sizes of a state, an int, a TensorShape or a structure of them.
        batch_size: The number of sequences, an int or an int32 scalar.
        dtype: Dtype of the states.

    Returns:
        A structure of tensors [batch_size, size].
    """
    return map_states(lambda size: zeros_of(batch_size, size, dtype), state_size)


def shape_internal(input, name=None, optimize=True, out_type=int32):
    """Returns the shape of a tensor: see shape().

    Args:
        input: The tensor.
        name: Name of the operation, a str. None: a default name.
        optimize: Accepted: a shape that is known is a constant.
        out_type: Dtype of the result.

    Returns:
        A vector.
    """
    del optimize
    return arrays.shape(input, name, out_type)


# ---- contexts


@contextlib.contextmanager
def graph_mode():
    """Does nothing: there are only graphs."""
    yield


def _never():
    """Returns False: there are only graphs."""
    return False


def _is_tensor(x):
    """Whether x is a tensor of a graph, also one of rows."""
    return isinstance(x, (Tensor, IndexedSlices)) or hasattr(x, "_as_graph_element")


def _graph_mode_decorator(f, *args, **kwargs):
    """Calls a function that returns a result and a function of its gradients."""
    return custom_gradient(f)(*args, **kwargs)


def register_dense_tensor_like_type(tensor_type):
    """Checks a class of things that are taken for tensors.

    Args:
        tensor_type: The class, which has a conversion function.

    Raises:
        TypeError: name or dtype of the class is not a property.
    """
    for name in ("name", "dtype"):
        if not isinstance(getattr(tensor_type, name, None), property):
            raise TypeError(f"Type {tensor_type.__name__} does not define a `{name}` property")


def _registered_ops():
    """Returns the signatures of all ops, a dict: name -> OpDef."""
    return {name: op_def_of(name) for name in OPS}


def _exported(*names, **options):
    """Returns a decorator that changes nothing: names of this package are fixed."""
    del names, options
    return lambda thing: thing


_CONDITIONS = {
    "smart_case": smart_case, "smart_cond": smart_cond,
    "smart_constant_value": smart_constant_value,
}
_OF_LAYERS = {"constant_value": smart_constant_value, "smart_cond": smart_cond}

# The older names of the classes of sluice.layers, which Keras has too.
_LAYERS = {
    "layers.convolutional": {
        "Convolution1D": layers.Conv1D, "Convolution2D": layers.Conv2D,
        "Convolution2DTranspose": layers.Conv2DTranspose, "Convolution3D": layers.Conv3D,
        "Convolution3DTranspose": layers.Conv3DTranspose, "Deconv2D": layers.Conv2DTranspose,
        "Deconv3D": layers.Conv3DTranspose, "Deconvolution2D": layers.Conv2DTranspose,
        "Deconvolution3D": layers.Conv3DTranspose, "SeparableConvolution1D": layers.SeparableConv1D,
        "SeparableConvolution2D": layers.SeparableConv2D,
    },
    "layers.normalization": {"BatchNorm": layers.BatchNormalization},
    "layers.pooling": {
        f"{'Avg' if kind == 'Average' else kind}Pool{n}D": getattr(layers, f"{kind}Pooling{n}D")
        for kind in ("Average", "Max")
        for n in (1, 2, 3)
    },
}  # fmt: skip

_HDF5 = {
    "load_attributes_from_hdf5_group": hdf5.list_of, "load_model_from_hdf5": hdf5.read_model,
    "load_weights_from_hdf5_group": hdf5.read_weights,
    "load_weights_from_hdf5_group_by_name": hdf5.read_weights_by_name,
    "save_attributes_to_hdf5_group": hdf5.keep_list, "save_model_to_hdf5": hdf5.write_model,
    "save_weights_to_hdf5_group": hdf5.write_weights,
}

# The path of a module -> its names.
NAMES = {
    "client.timeline": {"Timeline": Timeline},
    "eager.context": {
        "executing_eagerly": _never, "graph_mode": graph_mode, "in_graph_mode": lambda: True,
        "num_gpus": lambda: len(list_logical_devices("GPU")),
    },
    "framework.ops": {
        "Graph": Graph, "Operation": Operation, "Tensor": Tensor, "IndexedSlices": IndexedSlices,
        "executing_eagerly_outside_functions": _never,
        "register_proto_function": register_proto_function,
        "get_name_scope": get_name_scope,
        "_gradient_registry": Registry(), "get_gradient_function": function_of,
        "register_dense_tensor_like_type": register_dense_tensor_like_type,
    },
    "framework.dtypes": REFERENCES,
    "framework.op_def_registry": {"get_registered_ops": _registered_ops},
    "framework.smart_cond": _CONDITIONS,
    "framework.tensor_util": {"constant_value": static_value, "is_tensor": _is_tensor},
    "framework.test_util": {**decorators.NAMES, "TensorFlowTestCase": TestCase},
    "keras.backend": {
        "get_graph": get_default_graph, "identity": arrays.identity,
        "is_keras_tensor": is_keras_tensor, "track_variable": track_variable,
    },
    "keras.callbacks": {"CallbackList": CallbackList},
    "keras.engine.network": {"Network": Model}, "keras.engine.saving": _HDF5,
    "keras.keras_parameterized": keras_cases.NAMES,
    "keras.optimizer_v2.optimizer_v2": {"OptimizerV2": OptimizerV2},
    "keras.testing_utils": {**keras_models.NAMES, "layer_test": keras_layers.layer_test},
    "keras.optimizers": {"Optimizer": Optimizer, "TFOptimizer": TFOptimizer},
    "keras.saving.hdf5_format": _HDF5, "keras.utils.conv_utils": _CONV_UTILS,
    "keras.utils.tf_utils": {**_OF_LAYERS, "is_tensor": _is_tensor},
    **_LAYERS,
    **columns.NAMES,
    "data.experimental.ops.cardinality": {"INFINITE": -1, "UNKNOWN": -2},
    "data.ops.dataset_ops": {
        "DatasetV1": Dataset, "DatasetV2": Dataset, "get_structure": asking.get_structure,
        "get_legacy_output_classes": asking.get_output_classes,
        "get_legacy_output_shapes": asking.get_output_shapes,
        "get_legacy_output_types": asking.get_output_types,
    },
    "estimator.util": {"fn_args": of_util.fn_args},
    "ops.lookup_ops": {"HashTable": HashTable},
    "ops.variables": {"RefVariable": Variable, "VariableV1": Variable},
    "training.summary_io": {"SummaryWriterCache": FileWriterCache},
    "lib.io.file_io": file_io.NAMES,
    "layers.utils": {**_CONV_UTILS, **_OF_LAYERS},
    "framework.tensor_shape": {"as_shape": as_shape},
    "ops.resource_variable_ops": op_functions.OF_RESOURCES,
    "ops.array_ops": {"shape_internal": shape_internal},
    "ops.rnn_cell_impl": {
        "LayerRNNCell": LayerRNNCell, "_concat": joined_sizes, "_like_rnncell": is_like_rnn_cell,
        "_zero_state_tensors": zero_state, "assert_like_rnncell": assert_like_rnncell,
    },
    "ops.custom_gradient": {"_graph_mode_decorator": _graph_mode_decorator},
    "ops.control_flow_ops": {
        "with_dependencies": with_dependencies, "group": group, "switch": switch, "merge": merge,
    },
    "training.evaluation": evaluation.NAMES,
    "training.monitored_session": {
        "_HookedSession": SessionOfHooks, "_MonitoredSession": MonitoredSession.__bases__[0],
        **layered_sessions.NAMES,
    },
    **reference_nodes.NAMES,
    **tpus.NAMES,
    "debug": debuggers.NAMES,
    "tf2": {"enabled": _never},
    "util.all_util": lazy_modules.OF_ALL,
    "util.lazy_loader": lazy_modules.OF_LOADER,
    "util.tf_contextlib": of_util.OF_CONTEXTS,
    "util.tf_decorator": of_util.OF_DECORATORS,
    "util.tf_inspect": of_util.OF_INSPECT,
    "util.deprecation": {
        "deprecated": _exported, "deprecated_args": _exported, "silence": contextlib.nullcontext,
    },
    "util.nest": {"is_sequence": is_nested},
    "util.tf_export": {"tf_export": _exported, "keras_export": _exported},
}  # fmt: skip
for _part in (of_clusters, of_estimators, of_training, keras_parts, keras_training):
    for _path, _names in _part.NAMES.items():
        NAMES[_path] = {**NAMES.get(_path, {}), **_names}
