# SPDX-License-Identifier: Apache-2.0
"""The batch and the time dimension of sequences."""

from ...graph.convert import convert_to_tensor
from ...ops import array as arrays


def transpose_batch_time(x):
    """Swaps the first two dimensions.

    Args:
        x: A tensor [a, b, ...].

    Returns:
        A tensor [b, a, ...]. A tensor with less than two dimensions is returned as it is.
    """
    x = convert_to_tensor(x)
    rank = x.shape.ndims
    if rank is None:
        rest = arrays.range(2, arrays.rank(x))
        return arrays.transpose(x, arrays.concat([[1, 0], rest], 0))
    return x if rank < 2 else arrays.transpose(x, [1, 0, *range(2, rank)])


def best_effort_input_batch_size(flat_input):
    """Finds the size of the batch of inputs whose first dimension is time.

    Args:
        flat_input: Tensors [time, batch, ...], a list.

    Returns:
        An int if a shape says it, else an int32 scalar.

    Raises:
        ValueError: An input has less than two dimensions.
    """
    for one in flat_input:
        shape = one.shape
        if shape.ndims is None:
            continue
        if shape.ndims < 2:
            raise ValueError(f"Expected input tensor {one} to have rank at least 2")
        if shape[1].value is not None:
            return shape[1].value
    return arrays.shape(flat_input[0])[1]
