# SPDX-License-Identifier: Apache-2.0
"""Arrays of tensors that a loop writes and reads one by one."""

import numpy as np

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import get_default_graph
from ...graph.seeds import count_more_nodes
from ...graph.tensor_shape import TensorShape, dims_of
from .. import array as arrays
from .. import raw_ops
from ..control_flow.grouping import no_op

# How many more nodes 1.15 has, which decide seeds: its arrays are resources, those here lists.
_MADE, _READ, _STACKED, _JOINED, _UNSTACKED, _SPLIT = -1, -1, 3, -2, 3, -1


class TensorArray:
    """An array of tensors that a loop writes and reads one by one.

    A method that changes it returns a new TensorArray to use instead. Gradients flow through it. An
    element that was never written is zero.

    Args:
        dtype: Dtype of the tensors.
        size: How many tensors, an int or an int32 scalar.
        dynamic_size: Whether write() beyond the end makes it longer. A bool.
        clear_after_read: Accepted. It has no effect.
        tensor_array_name: Accepted. It has no effect.
        handle: Accepted. It has no effect.
        flow: The `flow` of another TensorArray, whose tensors it shares. None: a new array.
        infer_shape: Whether all tensors have the shape of the first one. A bool.
        element_shape: The static shape of each tensor. None: it is not known.
        colocate_with_first_write_call: Accepted. It has no effect.
        name: Name of the operation, a str. None: a default name.

    Example:
        >>> array = sl.TensorArray(sl.int32, size=2).write(0, 10).write(1, 20)
        >>> sl.Session().run(array.stack())
        array([10, 20], dtype=int32)
    """

    def __init__(self, dtype, size=None, dynamic_size=None, clear_after_read=None,
                 tensor_array_name=None, handle=None, flow=None, infer_shape=True,
                 element_shape=None, colocate_with_first_write_call=True, name=None):  # fmt: skip
        if flow is None and size is None:
            raise ValueError("size must be given")
        self.dtype = dtypes.as_dtype(dtype).base_dtype
        self._dynamic, self._infer = dynamic_size, infer_shape
        self.element_shape = TensorShape(element_shape)
        self.handle = handle
        self._entered = {get_default_graph()}
        if flow is None:
            self._count(_MADE)
            flow = raw_ops.TensorListReserve(
                element_shape=self._shape(), num_elements=convert_to_tensor(size, dtypes.int32),
                element_dtype=self.dtype, name=name or "TensorArray",
            )  # fmt: skip
        self.flow = flow

    def _shape(self):
        """The element's shape for an op: -1 where it is not known."""
        dims = dims_of(self.element_shape)
        return -1 if dims is None else convert_to_tensor(
            [-1 if d is None else d for d in dims], dtypes.int32
        )  # fmt: skip

    def _count(self, more):
        """Counts nodes as 1.15 has them: it also captures the handle of an array."""
        graph = get_default_graph()
        count_more_nodes(more)
        while graph not in self._entered and hasattr(graph, "outer"):
            self._entered.add(graph)
            count_more_nodes(1, graph)
            graph = graph.outer

    def identity(self):
        """Returns a TensorArray with the same tensors, after the current control dependencies.

        Returns:
            A TensorArray.
        """
        return with_flow(self, raw_ops.Identity(input=self.flow))

    def grad(self, source, flow=None, name=None):
        """Is not available: gradients() differentiates arrays.

        Args:
            source: Accepted.
            flow: Accepted.
            name: Name of the operation, a str. None: a default name.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("gradients() differentiates arrays")

    def close(self, name=None):
        """Adds an operation that does nothing: an array ends with its last use.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.
        """
        return no_op(name)

    def size(self, name=None):
        """Returns how many tensors it has.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            An int32 scalar.
        """
        return raw_ops.TensorListLength(input_handle=self.flow, name=name)

    def read(self, index, name=None):
        """Reads one tensor.

        Args:
            index: Its place, an int or an int32 scalar.
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tensor.

        Raises:
            errors.InvalidArgumentError: In run(): the index is out of range.
        """
        self._count(_READ)
        value = raw_ops.TensorListGetItem(
            input_handle=self.flow, index=index, element_shape=self._shape(),
            element_dtype=self.dtype, name=name,
        )  # fmt: skip
        value.set_shape(self.element_shape)
        return value

    def write(self, index, value, name=None):
        """Writes one tensor.

        Args:
            index: Its place, an int or an int32 scalar.
            value: The tensor.
            name: Name of the operation, a str. None: a default name.

        Returns:
            A TensorArray to use instead of this one.

        Raises:
            ValueError: The shape or dtype does not fit.
            errors.InvalidArgumentError: In run(): the index is out of range.
        """
        value = convert_to_tensor(value, self.dtype)
        self._count(0)
        made = raw_ops.TensorListSetItem(
            input_handle=self.flow, index=index, item=value, name=name,
            resize_if_index_out_of_bounds=bool(self._dynamic),
        )  # fmt: skip
        return with_flow(self, made, value.shape)

    def stack(self, name=None):
        """Puts all tensors together along a new first dimension.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tensor [size, ...].
        """
        self._count(_STACKED)
        value = raw_ops.TensorListStack(
            input_handle=self.flow, element_shape=self._shape(), element_dtype=self.dtype,
            name=name or "TensorArrayStack",
        )  # fmt: skip
        value.set_shape(TensorShape([None]).concatenate(self.element_shape))
        return value

    def gather(self, indices, name=None):
        """Puts some tensors together along a new first dimension.

        Args:
            indices: Their places, an int32 vector [n].
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tensor [n, ...].
        """
        self._count(_READ)
        value = raw_ops.TensorListGather(
            input_handle=self.flow, indices=indices, element_shape=self._shape(),
            element_dtype=self.dtype, name=name,
        )  # fmt: skip
        value.set_shape(TensorShape([None]).concatenate(self.element_shape))
        return value

    def concat(self, name=None):
        """Joins all tensors along their first dimension.

        Args:
            name: Name of the operation, a str. None: a default name.

        Returns:
            A tensor.
        """
        rest = self.element_shape
        rest = rest if rest.ndims is None else TensorShape([None]).concatenate(rest[1:])
        dims = dims_of(rest)
        shape = -1 if dims is None else convert_to_tensor([d or -1 for d in dims], dtypes.int32)
        self._count(_JOINED)
        value, _ = raw_ops.TensorListConcatV2(
            input_handle=self.flow, element_shape=shape,
            leading_dims=convert_to_tensor(np.array([], np.int64)),
            element_dtype=self.dtype, name=name,
        )  # fmt: skip
        return value

    def unstack(self, value, name=None):
        """Writes the rows of a tensor.

        Args:
            value: A tensor [size, ...].
            name: Name of the operation, a str. None: a default name.

        Returns:
            A TensorArray to use instead of this one.
        """
        value = convert_to_tensor(value, self.dtype)
        self._count(_UNSTACKED)
        made = raw_ops.TensorListFromTensor(
            tensor=value, element_shape=arrays.shape(value)[1:], name=name
        )
        return with_flow(self, made, value.shape[1:])

    def scatter(self, indices, value, name=None):
        """Writes the rows of a tensor to some places.

        Args:
            indices: The places, an int32 vector [n].
            value: A tensor [n, ...].
            name: Name of the operation, a str. None: a default name.

        Returns:
            A TensorArray to use instead of this one.
        """
        value = convert_to_tensor(value, self.dtype)
        self._count(0)
        made = raw_ops.TensorListScatterIntoExistingList(
            input_handle=self.flow, tensor=value, indices=indices, name=name
        )
        return with_flow(self, made, value.shape[1:])

    def split(self, value, lengths, name=None):
        """Writes pieces of a tensor.

        Args:
            value: A tensor [n, ...].
            lengths: How many rows each piece has, an integer vector.
            name: Name of the operation, a str. None: a default name.

        Returns:
            A TensorArray to use instead of this one.
        """
        value = convert_to_tensor(value, self.dtype)
        rest = TensorShape([None]).concatenate(value.shape[1:])
        dims = [-1 if d is None else d for d in rest.as_list()]
        self._count(_SPLIT)
        made = raw_ops.TensorListSplit(
            tensor=value, element_shape=convert_to_tensor(dims, dtypes.int32),
            lengths=arrays.cast(convert_to_tensor(lengths), dtypes.int64), name=name,
        )  # fmt: skip
        return with_flow(self, made, rest)

    @property
    def graph(self):
        """The default Graph."""
        return get_default_graph()

    def __repr__(self):
        return f"<sluice.TensorArray dtype={self.dtype.name} element_shape={self.element_shape}>"


def with_flow(array, flow, shape=None):
    """A TensorArray after a change. shape: that of the element that was written, if one was."""
    known = array.element_shape
    if shape is not None and not known.is_compatible_with(shape):
        raise ValueError(
            f"Inconsistent shapes: saw {shape} but expected {known} (and infer_shape="
            f"{array._infer})"
        )
    if shape is not None and array._infer:
        known = known.merge_with(shape)
    made = TensorArray(
        array.dtype, dynamic_size=array._dynamic, flow=flow, infer_shape=array._infer,
        element_shape=known, handle=array.handle,
    )  # fmt: skip
    made._entered = array._entered
    return made
