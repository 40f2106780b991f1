# SPDX-License-Identifier: Apache-2.0
"""Parts of tensors."""

from ...graph.convert import convert_to_tensor
from .. import raw_ops
from ..building import thin, with_names
from .filling import ones_like

slice = thin(
    "Slice",
    "input_:input begin size",
    """Takes a part of a tensor.

    Args:
        begin: An int32 or int64 vector: the first index of each dimension.
        size: An int32 or int64 vector: how many elements of each dimension; -1 means all that
            remain.

    Returns:
        A tensor of the dtype of `input_`.

    Raises:
        errors.InvalidArgumentError: In run(): the part is not within the tensor.

    Example:
        >>> sl.Session().run(sl.slice([1, 2, 3, 4], [1], [2]))
        array([2, 3], dtype=int32)
    """,
)


dynamic_partition = thin(
    "DynamicPartition",
    "data partitions num_partitions",
    """Sends each row of a tensor to one of several tensors.

    Args:
        data: A tensor [n, ...] of any dtype.
        partitions: An int32 tensor of the first dimensions of data: the number of the tensor for
            each row.
        num_partitions: How many tensors, an int.

    Returns:
        A list of tensors. Rows keep their order.
    """,
)


def split(value, num_or_size_splits, axis=0, num=None, name="split"):
    """Cuts a tensor into parts along a dimension.

    Args:
        value: A tensor of any dtype.
        num_or_size_splits: How many parts of equal size, an int; or the size of each part, a list
            of ints or a vector, in which one size may be -1.
        axis: Dimension to work along, an int; a negative one counts from the last.
        num: How many parts, an int, if the shape of the sizes is not known.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A list of tensors.

    Raises:
        ValueError: How many parts there are is not known.

    Example:
        >>> sl.Session().run(sl.split([1, 2, 3, 4], 2))
        [array([1, 2], dtype=int32), array([3, 4], dtype=int32)]
    """
    sizes = convert_to_tensor(num_or_size_splits)
    if isinstance(num_or_size_splits, int):
        parts = raw_ops.Split(
            split_dim=axis, value=value, num_split=num_or_size_splits, name=name or "split"
        )
    else:
        if sizes.shape.ndims == 0:
            raise ValueError(
                "Rank-0 tensors are not supported as the num_or_size_splits argument to split. "
                f"Argument provided: {num_or_size_splits}"
            )
        num = sizes.shape[0].value if num is None else num
        if num is None:
            raise ValueError("split: how many parts is not known: give num")
        parts = raw_ops.SplitV(
            value=value, size_splits=sizes, split_dim=axis, num_split=num, name=name or "split"
        )
    return parts


def unstack(value, num=None, axis=0, name="unstack"):
    """Cuts a tensor into its parts along a dimension, which is removed.

    Args:
        value: A tensor of any dtype.
        num: How many parts, an int. None: the known size of the dimension.
        axis: Dimension to work along, an int; a negative one counts from the last.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A list of tensors.

    Raises:
        ValueError: num is not given and the size is not known.

    Example:
        >>> sl.Session().run(sl.unstack([[1, 2], [3, 4]]))
        [array([1, 2], dtype=int32), array([3, 4], dtype=int32)]
    """
    value = convert_to_tensor(value)
    num = value.shape[axis].value if num is None else num
    if num is None:
        raise ValueError(f"the size of dimension {axis} of {value.name} is not known: give num")
    return raw_ops.Unpack(value=value, num=num, axis=axis, name=name or "unstack")


def strided_slice(input_, begin, end, strides=None, name=None, **masks):
    """Takes a part of a tensor, as input_[begin:end:strides] does.

    Args:
        input_: A tensor of any dtype.
        begin: An int32 or int64 vector: the first index of each dimension.
        end: The index after the last one of each dimension, of the same dtype.
        strides: The steps, of the same dtype. None: 1.
        name: Name of the operation, a str. None: a default name.
        **masks: begin_mask, end_mask, ellipsis_mask, new_axis_mask and shrink_axis_mask of the op,
            ints whose bits stand for dimensions.

    Returns:
        A tensor of the dtype of input_.

    Example:
        >>> sl.Session().run(sl.strided_slice([1, 2, 3, 4, 5], [0], [5], [2]))
        array([1, 3, 5], dtype=int32)
    """
    strides = ones_like(begin) if strides is None else strides
    return raw_ops.StridedSlice(
        input=input_, begin=begin, end=end, strides=strides, name=name or "strided_slice", **masks
    )


__all__ = with_names(globals())
