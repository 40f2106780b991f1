# SPDX-License-Identifier: Apache-2.0
"""Variables in parts: one large variable as several along a dimension, for several tasks."""

import inspect
import math as _math

from ...graph.convert import convert_by
from ...graph.default_graph import control_dependencies, name_scope
from ...graph.tensor_shape import TensorShape
from .. import array as arrays
from .pieces import SaveSliceInfo


class PartitionedVariable:
    """A variable in parts along a dimension. As a tensor the parts are joined; iteration returns
    them.

    Args:
        name: Name of the whole variable, a str.
        shape: Shape of the whole variable.
        dtype: Dtype of the parts.
        variable_list: The parts in order, a list of variables.
        partitions: In how many parts each dimension is cut, a list of ints.
    """

    def __init__(self, name, shape, dtype, variable_list, partitions):
        self.name, self.dtype, self._parts = name, dtype, list(variable_list)
        self._shape, self.partitions = TensorShape(shape), list(partitions)
        self.graph = self._parts[0].graph

    @property
    def shape(self):
        """The shape of the whole variable, a TensorShape."""
        return self._shape

    def get_shape(self):
        """Returns the shape of the whole variable.

        Returns:
            A TensorShape.
        """
        return self._shape

    def __iter__(self):
        return iter(self._parts)

    def __len__(self):
        return len(self._parts)

    def __getitem__(self, key):
        return self._parts[key]

    def _partition_axes(self):
        return [i for i, n in enumerate(self.partitions) if n > 1] or [0]

    def as_tensor(self):
        """Joins all parts.

        Returns:
            A tensor.
        """
        with control_dependencies(None):
            whole = self._parts[0]
            if len(self._parts) > 1:
                with name_scope(self.name + "/ConcatPartitions/"):
                    whole = arrays.concat(self._parts, self._partition_axes()[0])
            with name_scope(None):
                return arrays.identity(whole, self.name)

    def _as_graph_element(self):
        return self.as_tensor()

    def assign(self, value, use_locking=False, name=None):
        """Sets every part.

        Args:
            value: A tensor of the whole shape, or a list of values for the parts.
            use_locking: Whether updates of the variable take its lock. A bool.
            name: Name of the operation, a str. None: a default name.

        Returns:
            A list of the results of the parts' assign().
        """
        if not isinstance(value, (list, tuple)):
            axis = self._partition_axes()[0]
            value = arrays.split(value, [p.shape.as_list()[axis] for p in self._parts], axis)
        return [p.assign(v, use_locking, name) for p, v in zip(self._parts, value)]

    def __repr__(self):
        return f"<sluice.PartitionedVariable '{self.name}' of {len(self)} parts, {self._shape}>"


class PartitionInfo:
    """The part that an initializer fills."""

    def __init__(self, full_shape, var_offset):
        self.full_shape, self.var_offset = list(full_shape), list(var_offset)


convert_by(PartitionedVariable, lambda variable, as_ref: variable.as_tensor())


def requires_partition_info(initializer):
    """Whether an initializer has an argument partition_info without a default."""
    try:
        found = inspect.signature(initializer).parameters.get("partition_info")
    except (TypeError, ValueError):  # a function without a signature
        return False
    return found is not None and found.default is found.empty


def make_parts(name, shape, dtype, initializer, partitions, make):
    """A PartitionedVariable; make(name, shape, dtype, initializer, partition_info) makes a part."""
    shape = TensorShape(shape).as_list()
    if len(partitions) != len(shape) or any(n < 1 for n in partitions):
        raise ValueError(f"variable {name}: {partitions} are not numbers of parts for {shape}")
    axes = [i for i, n in enumerate(partitions) if n > 1]
    if len(axes) > 1:
        raise NotImplementedError(f"variable {name}: parts along several dimensions: {partitions}")
    axis = axes[0] if axes else 0
    parts, offset = [], [0] * len(shape)
    for i, size in enumerate(_sizes(shape[axis], partitions[axis])):
        own = [*shape[:axis], size, *shape[axis + 1 :]]
        piece = initializer
        if not callable(initializer):
            piece = arrays.slice(initializer, offset, own)
        info = PartitionInfo(shape, offset)
        part = make(f"{name}/part_{i}", own, dtype, piece, partition_info=info)
        part._save_slice_info = SaveSliceInfo(name, shape, offset, own)
        parts.append(part)
        offset = [*offset[:axis], offset[axis] + size, *offset[axis + 1 :]]
    return PartitionedVariable(name, shape, dtype, parts, partitions)


def _sizes(whole, count):
    """As even as can be; the first ones are larger."""
    if count > whole:
        raise ValueError(f"a dimension of {whole} cannot have {count} parts")
    return [whole // count + (i < whole % count) for i in range(count)]


def fixed_size_partitioner(num_shards, axis=0):
    """Makes a partitioner with a fixed number of parts.

    Args:
        num_shards: How many parts, an int.
        axis: The dimension that is cut, an int.

    Returns:
        A function of (shape, dtype) that returns a list of ints.
    """

    def partitioner(shape, **_):
        parts = [1] * len(shape)
        parts[axis] = min(num_shards, shape[axis].value)
        return parts

    return partitioner


def variable_axis_size_partitioner(max_shard_bytes, axis=0, bytes_per_string_element=16,
                                   max_shards=None):  # fmt: skip
    """Makes a partitioner whose parts have a limited size.

    Args:
        max_shard_bytes: The most bytes of a part, an int.
        axis: The dimension that is cut, an int.
        bytes_per_string_element: How many bytes a string counts, an int.
        max_shards: The most parts, an int. None: no limit.

    Returns:
        A function of (shape, dtype) that returns a list of ints.

    Raises:
        ValueError: A number is not positive.
    """
    if max_shard_bytes < 1 or max_shards is not None and max_shards < 1:
        raise ValueError("max_shard_bytes and max_shards must be above 0")

    def partitioner(shape, dtype):
        sizes = shape.as_list()
        element = bytes_per_string_element if dtype.name == "string" else dtype.size
        row = element * _math.prod(sizes) // sizes[axis]
        rows = max(1, max_shard_bytes // row)
        count = min(sizes[axis], _math.ceil(sizes[axis] / rows))
        parts = [1] * len(sizes)
        parts[axis] = count if max_shards is None else min(max_shards, count)
        return parts

    return partitioner


def min_max_variable_partitioner(max_partitions=1, axis=0, min_slice_size=256 << 10,
                                 bytes_per_string_element=16):  # fmt: skip
    """Makes a partitioner whose parts have a least size.

    Args:
        max_partitions: The most parts, an int. 0 is 1.
        axis: The dimension that is cut, an int.
        min_slice_size: The fewest bytes of a part, an int.
        bytes_per_string_element: How many bytes a string counts, an int.

    Returns:
        A function of (shape, dtype) that returns a list of ints.

    Raises:
        ValueError: A number is not positive.
    """
    if max_partitions < 0 or min_slice_size < 1:
        raise ValueError("max_partitions must not be below 0, and min_slice_size be above it")

    def partitioner(shape, dtype):
        sizes = shape.as_list()
        element = bytes_per_string_element if dtype.name == "string" else dtype.size
        whole = element * _math.prod(sizes)
        parts = [1] * len(sizes)
        count = max(1, min(sizes[axis], max_partitions, _math.ceil(whole / min_slice_size)))
        parts[axis] = count
        return parts

    return partitioner
