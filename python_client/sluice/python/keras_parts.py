# SPDX-License-Identifier: Apache-2.0
"""What programs use of the sources of Keras although no public module has it."""

import inspect

import numpy as np

from .. import nest
from ..graph.elements import IndexedSlices, Tensor
from ..keras import layers
from ..keras.base import constraints
from ..keras.base.shapes import convert_shapes, shape_type_conversion
from ..keras.engine.added import AddLoss, AddMetric
from ..keras.engine.node import KerasHistory
from ..keras.engine.operations import TensorFlowOpLayer
from ..keras.fitting.losses import FunctionLoss, Reduction, huber_loss
from ..keras.fitting.metrics import FunctionMetric
from ..keras.layers import bases, cell_dropout, convolutional_recurrent, windows
from ..keras.models.summary import print_summary
from ..layers.input_spec import check_inputs
from ..layers.layer import snake_case
from ..ops.sparse.sparse_tensor import SparseTensor
from ..ops.state.variables import Variable


def has_arg(fn, name, accept_all=False):
    """Tests whether a function takes an argument.

    Args:
        fn: The function.
        name: Name of the argument, a str.
        accept_all: Whether a function with `**kwargs` takes each argument. A bool.

    Returns:
        A bool.
    """
    parameters = inspect.signature(fn).parameters
    if accept_all and any(p.kind == p.VAR_KEYWORD for p in parameters.values()):
        return True
    found = parameters.get(name)
    return found is not None and found.kind in (found.POSITIONAL_ONLY, found.POSITIONAL_OR_KEYWORD)


def to_list(x):
    """Makes a list of a value.

    Args:
        x: The value. A list stays itself.

    Returns:
        A list.
    """
    return x if isinstance(x, list) else [x]


def is_all_none(structure):
    """Tests whether a structure has no value.

    Args:
        structure: A structure of values and None.

    Returns:
        A bool.
    """
    return all(value is None for value in nest.flatten(structure))


def make_batches(size, batch_size):
    """Divides examples into batches.

    Args:
        size: How many examples there are, an int.
        batch_size: Size of a batch, an int.

    Returns:
        A list of pairs of ints: the first example of a batch, and the one after the last.
    """
    return [(i, min(size, i + batch_size)) for i in range(0, size, batch_size)]


def slice_arrays(arrays, start=None, stop=None):
    """Takes examples of arrays.

    Args:
        arrays: An array, a list of arrays and None, or None.
        start: The examples, a list or an array of ints; of a list of arrays also the first
            example, an int.
        stop: The example after the last, an int. None: all after the first.

    Returns:
        An array; of a list, a list; else [None], as in TensorFlow 1.15.

    Raises:
        ValueError: start is a list, and there is a stop.
    """
    if arrays is None:
        return [None]
    if isinstance(start, list) and stop is not None:
        raise ValueError("The stop argument has to be None if the value of start is a list.")
    are_places = hasattr(start, "__len__")
    places = slice(start, stop)
    if are_places:
        places = start.tolist() if hasattr(start, "shape") else start
    if isinstance(arrays, list):
        return [array[places] if hasattr(array, "__getitem__") else None for array in arrays]
    return arrays[places] if are_places else [None]


def convert_kernel(kernel):
    """Turns the kernel of a convolution round, as kernels of Theano are.

    Args:
        kernel: The kernel, an array of 3 to 5 dimensions.

    Returns:
        An array.

    Raises:
        ValueError: The number of dimensions is another one.
    """
    kernel = np.asarray(kernel)
    if not 3 <= kernel.ndim <= 5:
        raise ValueError("Invalid kernel shape:", kernel.shape)
    return np.flip(kernel, tuple(range(kernel.ndim - 2))).copy()


def is_placeholder(x):
    """Tests whether a tensor is a placeholder.

    Args:
        x: A tensor or a variable.

    Returns:
        A bool.
    """
    ends = [x.indices, x.values, x.dense_shape] if isinstance(x, SparseTensor) else [x]
    return any(getattr(end.op, "type", None) == "Placeholder" for end in ends)


def is_symbolic_tensor(tensor):
    """Tests whether a value is a tensor of a graph.

    Args:
        tensor: The value.

    Returns:
        A bool.
    """
    return isinstance(tensor, (Tensor, SparseTensor, Variable))


def is_tensor_or_variable(x):
    """Tests whether a value is a tensor or a variable.

    Args:
        x: The value.

    Returns:
        A bool.
    """
    return isinstance(x, (Tensor, SparseTensor, IndexedSlices, Variable))


def is_tensor_or_tensor_list(v):
    """Tests whether a value is a tensor, or a structure that begins with one.

    Args:
        v: The value.

    Returns:
        A bool.
    """
    return any(isinstance(first, Tensor) for first in nest.flatten(v)[:1])


def assert_input_compatibility(input_spec, inputs, layer_name):
    """Checks that inputs are what a layer takes.

    Args:
        input_spec: An InputSpec, a list of them, or None.
        inputs: A tensor, or a structure of them.
        layer_name: Name of the layer, a str.

    Raises:
        ValueError: They are not.
    """
    check_inputs(input_spec, inputs, layer_name)


NAMES = {
    "keras.backend": {"is_placeholder": is_placeholder},
    "keras.constraints": {
        "maxnorm": constraints.MaxNorm, "nonneg": constraints.NonNeg,
        "unitnorm": constraints.UnitNorm,
    },
    "keras.engine.base_layer": {
        "AddLoss": AddLoss, "AddMetric": AddMetric, "KerasHistory": KerasHistory,
        "TensorFlowOpLayer": TensorFlowOpLayer,
    },
    "keras.engine.input_spec": {"assert_input_compatibility": assert_input_compatibility},
    "keras.layers.convolutional": {
        "Conv": bases.Conv, "SeparableConv": bases.SeparableConv,
        "Deconv2D": layers.Conv2DTranspose, "Deconv3D": layers.Conv3DTranspose,
        "Deconvolution2D": layers.Conv2DTranspose, "Deconvolution3D": layers.Conv3DTranspose,
    },
    "keras.layers.pooling": {
        f"{kind}Pooling{n}D": getattr(module, f"{kind}Pooling{n}D")
        for kind, module in (("", bases), ("Global", windows)) for n in (1, 2, 3)
    },
    "keras.layers.convolutional_recurrent": {
        "ConvLSTM2DCell": convolutional_recurrent.ConvLSTM2DCell,
    },
    "keras.layers.recurrent": {
        "DropoutRNNCellMixin": cell_dropout.DropoutRNNCellMixin,
        "PeepholeLSTMCell": convolutional_recurrent.PeepholeLSTMCell,
    },
    "keras.losses": {"LossFunctionWrapper": FunctionLoss, "huber_loss": huber_loss},
    "keras.metrics": {"MeanMetricWrapper": FunctionMetric},
    "keras.utils.conv_utils": {"convert_kernel": convert_kernel},
    "ops.losses.loss_reduction": {"ReductionV2": Reduction},
    "keras.utils.generic_utils": {
        "has_arg": has_arg, "is_all_none": is_all_none, "make_batches": make_batches,
        "slice_arrays": slice_arrays, "to_list": to_list, "to_snake_case": snake_case,
    },
    "keras.utils.layer_utils": {"print_summary": print_summary},
    "keras.utils.tf_utils": {
        "convert_shapes": convert_shapes, "is_symbolic_tensor": is_symbolic_tensor,
        "is_tensor_or_tensor_list": is_tensor_or_tensor_list,
        "is_tensor_or_variable": is_tensor_or_variable,
        "shape_type_conversion": shape_type_conversion,
    },
}  # fmt: skip
