# SPDX-License-Identifier: Apache-2.0
"""Functions that move the elements of a tensor."""

from .. import raw_ops
from ..building import thin, unary, with_names

reverse = thin(
    "ReverseV2",
    "tensor axis",
    """Reverses the order of elements along dimensions.

    Args:
        axis: The dimensions, an int32 or int64 vector.

    Returns:
        A tensor of the shape and dtype of `tensor`.

    Example:
        >>> sl.Session().run(sl.reverse([1, 2, 3], [0]))
        array([3, 2, 1], dtype=int32)
    """,
)


roll = thin(
    "Roll",
    "input shift axis",
    """Moves elements along dimensions. Those that leave at one end enter at the other.

    Args:
        shift: How far, an int32 or int64 scalar, or a vector with one number for each axis.
        axis: The dimensions, an int32 or int64 scalar or vector.

    Returns:
        A tensor of the shape and dtype of `input`.
    """,
)


space_to_batch_nd = thin(
    "SpaceToBatchND",
    "input block_shape paddings",
    """Moves blocks of the padded spatial dimensions into the batch dimension.

    Args:
        input: A tensor [batch, spatial..., rest...] of any dtype.
        block_shape: An int32 or int64 vector: the block's size in each spatial dimension.
        paddings: An int32 or int64 tensor [spatial dimensions, 2]: zeros before and after.

    Returns:
        A tensor of the dtype of `input`, with a larger batch and smaller spatial dimensions.
    """,
)


batch_to_space_nd = thin(
    "BatchToSpaceND",
    "input block_shape crops",
    """Moves batches into blocks of the spatial dimensions. It is the reverse of
    space_to_batch_nd().

    Args:
        input: A tensor [batch, spatial..., rest...] of any dtype.
        block_shape: An int32 or int64 vector: the block's size in each spatial dimension.
        crops: An int32 or int64 tensor [spatial dimensions, 2]: elements cut off at each end.

    Returns:
        A tensor of the dtype of `input`, with a smaller batch and larger spatial dimensions.
    """,
)


def reverse_sequence(input, seq_lengths, seq_axis=None, batch_axis=None, name=None, seq_dim=None,
                     batch_dim=None):  # fmt: skip
    """Reverses the first elements of each sequence of a batch.

    Args:
        input: A tensor of any dtype.
        seq_lengths: An int32 or int64 vector: how many elements of each sequence are reversed.
        seq_axis: The dimension along which elements are reversed, an int.
        batch_axis: The dimension of the batch, an int. None: 0.
        name: Name of the operation, a str. None: a default name.
        seq_dim: Older name of seq_axis.
        batch_dim: Older name of batch_axis.

    Returns:
        A tensor of the shape and dtype of input.
    """
    axis, batch = (seq_dim, batch_dim) if seq_axis is None else (seq_axis, batch_axis)
    return raw_ops.ReverseSequence(
        input=input, seq_lengths=seq_lengths, seq_dim=axis, batch_dim=batch or 0, name=name
    )


invert_permutation = unary(
    "InvertPermutation",
    """Computes y with y[x[i]] = i.

    Args:
        x: An int32 or int64 tensor [n] that holds each of 0 ... n - 1 once.
    """,
)


__all__ = with_names(globals())
