# SPDX-License-Identifier: Apache-2.0
"""Elements that a condition, a mask or an index selects."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.seeds import count_more_nodes
from .. import raw_ops
from ..building import with_names
from .casting import cast
from .indexing import gather
from .joining import concat
from .ranges import range
from .shapes import shape
from .shaping import expand_dims, reshape, squeeze


def one_hot(indices, depth, on_value=None, off_value=None, axis=None, dtype=None, name=None):
    """Makes vectors with one element on and all others off.

    Args:
        indices: An integer tensor: the place of the element that is on. An index out of range: all
            are off.
        depth: The size of the new dimension, an int or an int32 scalar.
        on_value: Value of the element that is on, a scalar. None: 1.
        off_value: Value of all others, a scalar. None: 0.
        axis: Where the new dimension is in the result, an int. None: it is the last.
        dtype: Dtype of the result. None: that of the values; float32 if none is given.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor with one dimension more than indices.

    Example:
        >>> sl.Session().run(sl.one_hot([0, 2], 3))
        array([[1., 0., 0.],
               [0., 0., 1.]], dtype=float32)
    """
    with name_scope(name, "one_hot") as scope:
        values = [v for v in (on_value, off_value) if v is not None]
        given = [convert_to_tensor(v).dtype for v in values]
        dtype = next((t for t in (dtype, *given) if t is not None), dtypes.float32)
        on = convert_to_tensor(1 if on_value is None else on_value, dtype, "on_value")
        off = convert_to_tensor(0 if off_value is None else off_value, dtype, "off_value")
        return raw_ops.OneHot(
            indices=indices, depth=depth, on_value=on, off_value=off, name=scope,
            axis=-1 if axis is None else axis,
        )  # fmt: skip


def where(condition, x=None, y=None, name=None):
    """Chooses between two tensors, or finds where a condition holds.

    Args:
        condition: A bool tensor. With x and y: of their shape, or a vector that chooses rows.
        x: A tensor of any dtype: what is taken where condition holds.
        y: A tensor of the shape and dtype of x: what is taken elsewhere.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of x. Without x and y: an int64 tensor [n, rank] with the
        places where condition holds.

    Raises:
        ValueError: Only one of x and y is given.

    Example:
        >>> sl.Session().run(sl.where([True, False], [1, 2], [10, 20]))
        array([ 1, 20], dtype=int32)
    """
    return _chosen("Select", condition, x, y, name)


def where_v2(condition, x=None, y=None, name=None):
    """Takes elements of x where a condition holds, and of y elsewhere; all three are broadcast. Or
    finds where a condition holds.

    Args:
        condition: A bool tensor.
        x: A tensor of any dtype.
        y: A tensor of the dtype of x.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the dtype of x and of the broadcast shape. Without x and y: as where().

    Raises:
        ValueError: Only one of x and y is given.
    """
    return _chosen("SelectV2", condition, x, y, name)


def _chosen(op, condition, x, y, name):
    if x is None and y is None:
        with name_scope(name, "Where") as scope:
            condition = convert_to_tensor(condition, dtypes.bool_, "condition")
            return raw_ops.Where(input=condition, name=scope)
    if x is None or y is None:
        raise ValueError("where takes both x and y, or neither")
    return raw_ops.apply_op(op, name, condition=condition, t=x, e=y)


def boolean_mask(tensor, mask, name="boolean_mask", axis=None):
    """Takes the slices of a tensor for which a mask holds.

    Args:
        tensor: A tensor of any dtype.
        mask: A bool tensor of known rank. Its shape is that of tensor from dimension `axis` on.
        name: Name of the operation, a str. None: a default name.
        axis: The first dimension that the mask is for, an int. None: 0.

    Returns:
        A tensor of the dtype of tensor. The masked dimensions become one.

    Raises:
        ValueError: The rank of the mask is not known, or 0.

    Example:
        >>> sl.Session().run(sl.boolean_mask([1, 2, 3], [True, False, True]))
        array([1, 3], dtype=int32)
    """
    with name_scope(name, "boolean_mask"):
        tensor = convert_to_tensor(tensor, name="tensor")
        mask = convert_to_tensor(mask, dtypes.bool_, "mask")
        axis, dims = 0 if axis is None else axis, mask.shape.ndims
        if not dims:
            raise ValueError("the mask must have a known rank of at least 1")
        if tensor.shape.ndims is not None and not mask.shape.is_compatible_with(
            tensor.shape[axis : axis + dims]
        ):
            raise ValueError(
                f"the mask {mask.name} of shape {mask.shape} does not fit the dimensions from "
                f"{axis} on of {tensor.name}, whose shape is {tensor.shape}"
            )
        masked = raw_ops.Prod(input=shape(tensor)[axis : axis + dims], reduction_indices=[0])
        sizes = concat([shape(tensor)[:axis], [masked], shape(tensor)[axis + dims :]], 0)
        flat = reshape(tensor, sizes)
        places = squeeze(raw_ops.Where(input=reshape(mask, [-1])), [1])
        return gather(flat, places, axis=axis)


def sequence_mask(lengths, maxlen=None, dtype=dtypes.bool_, name=None):
    """Makes masks that hold at the first places of each sequence.

    Args:
        lengths: An integer tensor [...]: how many places of each sequence.
        maxlen: Size of the new dimension, an int or a scalar tensor. None: the largest length.
        dtype: Dtype of the result.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., maxlen].

    Example:
        >>> sl.Session().run(sl.sequence_mask([1, 3], 3))
        array([[ True, False, False],
               [ True,  True,  True]])
    """
    lengths = convert_to_tensor(lengths)
    count_more_nodes(1)  # TensorFlow has more, which decide later seeds
    if maxlen is None:
        maxlen = raw_ops.Max(input=reshape(lengths, [-1]), reduction_indices=0)
    columns = range(cast(convert_to_tensor(maxlen), lengths.dtype))
    return cast(raw_ops.Less(x=columns, y=expand_dims(lengths, -1)), dtype, name)


__all__ = with_names(globals())
