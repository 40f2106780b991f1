"""Short functions that programs of 1.x use at the top of the package."""

import numpy as np

from . import arrays, dtypes, math, raw_ops
from .assertions import static_value
from .building import thin
from .convert import convert_to_tensor
from .graph import IndexedSlices, Operation, Tensor
from .scaffold import tables_initializer
from .sparse import SparseTensor, SparseTensorValue
from .variable_scope import get_variable, variable_scope
from .variables import Variable, local_variables_initializer, variables_initializer

newaxis = None


def _cast_to(dtype):
    def function(x, name=None):
        return arrays.cast(x, dtype, name or f"To{dtype.name.capitalize()}")

    function.__doc__ = f"x as {dtype.name}."
    return function


to_float, to_double = _cast_to(dtypes.float32), _cast_to(dtypes.float64)
to_int32, to_int64 = _cast_to(dtypes.int32), _cast_to(dtypes.int64)
to_bfloat16 = _cast_to(dtypes.bfloat16)
to_complex64, to_complex128 = _cast_to(dtypes.complex64), _cast_to(dtypes.complex128)

timestamp = thin("Timestamp", "", "Seconds since 1970, a float64 scalar, when it runs.")
sparse_to_dense = thin(
    "SparseToDense",
    "sparse_indices output_shape sparse_values default_value=0 validate_indices=True",
    "A tensor of default_value with sparse_values at sparse_indices.",
)


def initialize_local_variables():
    """local_variables_initializer() by its older name."""
    return local_variables_initializer()


def initialize_variables(var_list, name="init"):
    """variables_initializer() by its older name."""
    return variables_initializer(var_list, name)


def get_static_value(tensor, partial=False):
    """The value of a constant, an array; None of anything else."""
    return static_value(tensor)


def is_tensor(x):
    """Is it a tensor, or does it stand for one?"""
    return isinstance(x, (Tensor, Variable)) and not isinstance(x, Operation)


def batch_gather(params, indices, name=None):
    """Rows of params for indices whose dimensions but the last are those of params."""
    indices = convert_to_tensor(indices)
    return arrays.gather(params, indices, axis=-1, batch_dims=indices.shape.ndims - 1, name=name)


def argsort(values, axis=-1, direction="ASCENDING", stable=False, name=None):
    """The positions, along the last dimension, at which sorted values are; equal ones in order."""
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
    """The values in order, along the last dimension."""
    values = convert_to_tensor(values)
    order = argsort(values, axis, direction)
    return batch_gather(values, order, name)


def repeat(input, repeats, axis=None, name=None):
    """Every element along `axis` (of all, in a vector) as often as `repeats`, an int, says."""
    x = convert_to_tensor(input)
    if axis is None:
        x, axis = arrays.reshape(x, [-1]), 0
    places = arrays.range(arrays.shape(x)[axis] * repeats) // repeats
    return arrays.gather(x, places, axis=axis, name=name)


def create_partitioned_variables(shape, slicing, initializer, dtype=dtypes.float32, trainable=True,
                                 collections=None, name=None, reuse=None):  # fmt: skip
    """A list of the parts of a variable: slicing[i] of them along dimension i."""
    with variable_scope(name, "PartitionedVariable", reuse=reuse):
        return list(get_variable(
            "part", shape, dtype, initializer, trainable=trainable,
            collections=collections, partitioner=lambda **_: slicing,
        ))  # fmt: skip


def convert_to_tensor_or_indexed_slices(value, dtype=None, name=None):
    """IndexedSlices as they are, anything else as a tensor."""
    return value if isinstance(value, IndexedSlices) else convert_to_tensor(value, dtype, name)


def convert_to_tensor_or_sparse_tensor(value, dtype=None, name=None):
    """A SparseTensor (of a SparseTensorValue) as such, anything else as a tensor."""
    if isinstance(value, SparseTensor):
        return value
    if isinstance(value, SparseTensorValue):
        return SparseTensor(*value)
    return convert_to_tensor(value, dtype, name)


def initialize_all_tables(name="init_all_tables"):
    """tables_initializer() by its older name."""
    return tables_initializer(name)


def executing_eagerly():
    """False: there are graphs only."""
    return False


def _nothing():
    """Does nothing: it is so here."""


disable_eager_execution = disable_v2_behavior = disable_v2_tensorshape = _nothing
disable_tensor_equality = disable_control_flow_v2 = enable_control_flow_v2 = _nothing


def control_flow_v2_enabled():
    """True: loops and conditionals are functions of the graph."""
    return True


__all__ = """
    argsort batch_gather control_flow_v2_enabled convert_to_tensor_or_indexed_slices
    convert_to_tensor_or_sparse_tensor create_partitioned_variables disable_control_flow_v2
    disable_eager_execution disable_tensor_equality disable_v2_behavior disable_v2_tensorshape
    enable_control_flow_v2 executing_eagerly get_static_value initialize_all_tables
    initialize_local_variables     initialize_variables is_tensor newaxis repeat
    sort sparse_to_dense timestamp to_bfloat16 to_complex128 to_complex64 to_double
    to_float to_int32 to_int64
""".split()
