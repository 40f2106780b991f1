# SPDX-License-Identifier: Apache-2.0
"""Short functions that programs of 1.x use at the top of the package."""

import numpy as np

from . import dtypes
from .graph.convert import convert_to_tensor
from .graph.elements import IndexedSlices, Operation, Tensor
from .graph.static_values import static_value
from .ops import array as arrays
from .ops import math, raw_ops
from .ops.building import thin, with_names
from .ops.sparse.sparse_tensor import SparseTensor, SparseTensorValue
from .ops.state.initializing import local_variables_initializer, variables_initializer
from .ops.state.variable_scope import get_variable, variable_scope
from .ops.state.variables import Variable
from .training.scaffold import tables_initializer

newaxis = None


def _cast_to(dtype, name_by_default):
    def function(x, name=name_by_default):
        return arrays.cast(x, dtype, name or name_by_default)

    function.__doc__ = f"""Converts a tensor to {dtype.name}. Older form of cast().

    Args:
        x: A tensor of any numeric dtype or of bools, or a number.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of dtype {dtype.name} and of the shape of x.
    """
    return function


to_float = _cast_to(dtypes.float32, "ToFloat")
to_double = _cast_to(dtypes.float64, "ToDouble")
to_int32, to_int64 = _cast_to(dtypes.int32, "ToInt32"), _cast_to(dtypes.int64, "ToInt64")
to_bfloat16 = _cast_to(dtypes.bfloat16, "ToBFloat16")
to_complex64 = _cast_to(dtypes.complex64, "ToComplex64")
to_complex128 = _cast_to(dtypes.complex128, "ToComplex128")

timestamp = thin("Timestamp", "", "Returns the time when it runs, in seconds since 1970.")
sparse_to_dense = thin(
    "SparseToDense",
    "sparse_indices output_shape sparse_values default_value=0 validate_indices=True",
    """Makes a tensor with values at some places, and a default value elsewhere.

    Args:
        sparse_indices: An int32 or int64 tensor [n, rank]: the places.
        output_shape: The shape, a vector of the dtype of `sparse_indices`.
        sparse_values: A tensor [n] of any dtype; or a scalar for all places.
        default_value: A scalar of the dtype of `sparse_values`.
        validate_indices: Whether indices out of order or repeated are refused. A bool.

    Returns:
        A tensor of shape `output_shape`.
    """,
)


def initialize_local_variables():
    """Adds an operation that initialises all local variables. Older form of
    local_variables_initializer().

    Returns:
        The Operation.
    """
    return local_variables_initializer()


def initialize_variables(var_list, name="init"):
    """Adds an operation that initialises variables. Older form of variables_initializer().

    Args:
        var_list: A list of variables.
        name: Name of the operation, a str.

    Returns:
        The Operation.
    """
    return variables_initializer(var_list, name)


def get_static_value(tensor, partial=False):
    """Returns the value of a constant tensor without a session.

    Args:
        tensor: A tensor.
        partial: Accepted. It has no effect.

    Returns:
        An array; None if the value is not known when the graph is built. A value that is not a
        tensor is returned as it is.
    """
    return static_value(tensor) if is_tensor(tensor) else tensor


def is_tensor(x):
    """Tests whether a value is a tensor or stands for one.

    Args:
        x: Any value.

    Returns:
        A bool.

    Example:
        >>> sl.is_tensor(sl.constant(1)), sl.is_tensor(1)
        (True, False)
    """
    return isinstance(x, (Tensor, Variable)) and not isinstance(x, Operation)


def batch_gather(params, indices, name=None):
    """Takes rows of each batch by their indices.

    Args:
        params: A tensor [batch..., n, ...].
        indices: An int32 or int64 tensor [batch..., k].
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [batch..., k, ...] of the dtype of params.
    """
    indices = convert_to_tensor(indices)
    return arrays.gather(params, indices, axis=-1, batch_dims=indices.shape.ndims - 1, name=name)


def argsort(values, axis=-1, direction="ASCENDING", stable=False, name=None):
    """Returns the indices that would sort a tensor along its last dimension.

    Args:
        values: A tensor of any real dtype.
        axis: The dimension, an int: the last one.
        direction: "ASCENDING" or "DESCENDING".
        stable: Accepted. Equal elements always keep their order.
        name: Name of the operation, a str. None: a default name.

    Returns:
        An int32 tensor of the shape of values.

    Raises:
        NotImplementedError: axis is not the last dimension.

    Example:
        >>> sl.Session().run(sl.argsort([3.0, 1.0, 2.0]))
        array([1, 2, 0], dtype=int32)
    """
    del stable
    values = convert_to_tensor(values)
    if axis not in (-1, values.shape.ndims - 1):
        raise NotImplementedError("argsort: of the last dimension")
    if direction == "ASCENDING":
        values = math.negative(values) if values.dtype.is_floating else (
            convert_to_tensor(np.array(-1, values.dtype.as_numpy_dtype)) - values
        )  # fmt: skip
    size = arrays.shape(values)[-1]
    return raw_ops.TopKV2(input=values, k=size, name=name)[1]


def sort(values, axis=-1, direction="ASCENDING", name=None):
    """Sorts a tensor along its last dimension.

    Args:
        values: A tensor of any real dtype.
        axis: The dimension, an int: the last one.
        direction: "ASCENDING" or "DESCENDING".
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of values.

    Raises:
        NotImplementedError: axis is not the last dimension.
    """
    values = convert_to_tensor(values)
    order = argsort(values, axis, direction)
    return batch_gather(values, order, name)


def repeat(input, repeats, axis=None, name=None):
    """Repeats each element of a tensor.

    Args:
        input: A tensor of any dtype.
        repeats: How often, an int.
        axis: The dimension along which elements are repeated, an int. None: the tensor is
            flattened.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the dtype of input.
    """
    x = convert_to_tensor(input)
    if axis is None:
        x, axis = arrays.reshape(x, [-1]), 0
    places = arrays.range(arrays.shape(x)[axis] * repeats) // repeats
    return arrays.gather(x, places, axis=axis, name=name)


def create_partitioned_variables(shape, slicing, initializer, dtype=dtypes.float32, trainable=True,
                                 collections=None, name=None, reuse=None):  # fmt: skip
    """Makes a variable in parts.

    Args:
        shape: Shape of the whole variable, a list of ints.
        slicing: In how many parts each dimension is cut, a list of ints.
        initializer: An initializer.
        dtype: Dtype of the variable.
        trainable: Whether the parts are in the collection of trainable variables. A bool.
        collections: Names of graph collections that get the result, a list of str. None: the
            default.
        name: Name of the variable, a str. None: "PartitionedVariable".
        reuse: Whether existing variables are used: True, False or AUTO_REUSE.

    Returns:
        A list of variables.
    """
    with variable_scope(name, "PartitionedVariable", reuse=reuse):
        return list(get_variable(
            "part", shape, dtype, initializer, trainable=trainable,
            collections=collections, partitioner=lambda **_: slicing,
        ))  # fmt: skip


def convert_to_tensor_or_indexed_slices(value, dtype=None, name=None):
    """Converts a value to a tensor; IndexedSlices stay as they are.

    Args:
        value: IndexedSlices, or what convert_to_tensor() takes.
        dtype: Dtype of the tensor. None: it follows from the value.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor or IndexedSlices.
    """
    return value if isinstance(value, IndexedSlices) else convert_to_tensor(value, dtype, name)


def convert_to_tensor_or_sparse_tensor(value, dtype=None, name=None):
    """Converts a value to a tensor or, if it is sparse, to a SparseTensor.

    Args:
        value: A SparseTensor, a SparseTensorValue, or what convert_to_tensor() takes.
        dtype: Dtype of the tensor. None: it follows from the value.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor or SparseTensor.
    """
    if isinstance(value, SparseTensor):
        return value
    if isinstance(value, SparseTensorValue):
        return SparseTensor(*value)
    return convert_to_tensor(value, dtype, name)


def initialize_all_tables(name="init_all_tables"):
    """Adds an operation that initialises lookup tables. Older form of tables_initializer().

    Args:
        name: Name of the operation, a str.

    Returns:
        The Operation.
    """
    return tables_initializer(name)


def executing_eagerly():
    """Tells whether operations run at once. They never do: there are graphs only.

    Returns:
        False.
    """
    return False


def _nothing():
    """Does nothing: what it asks for is always so in this package."""


disable_eager_execution = disable_v2_behavior = disable_v2_tensorshape = _nothing
disable_tensor_equality = disable_control_flow_v2 = enable_control_flow_v2 = _nothing


def control_flow_v2_enabled():
    """Tells whether loops and conditionals are functions of the graph. They always are.

    Returns:
        True.
    """
    return True


with_names(globals())
__all__ = """
    argsort batch_gather control_flow_v2_enabled convert_to_tensor_or_indexed_slices
    convert_to_tensor_or_sparse_tensor create_partitioned_variables disable_control_flow_v2
    disable_eager_execution disable_tensor_equality disable_v2_behavior disable_v2_tensorshape
    enable_control_flow_v2 executing_eagerly get_static_value initialize_all_tables
    initialize_local_variables initialize_variables is_tensor newaxis repeat
    sort sparse_to_dense timestamp to_bfloat16 to_complex128 to_complex64 to_double
    to_float to_int32 to_int64
""".split()
