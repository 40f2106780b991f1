# SPDX-License-Identifier: Apache-2.0
"""Windows with holes, by ops that know only windows without: space is moved into the batch."""

import numpy as np

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.static_values import static_value
from ..array import batch_to_space_nd, shape, space_to_batch_nd, stack
from ..building import with_names


def required_space_to_batch_paddings(input_shape, block_shape, base_paddings=None, name=None):
    """Computes the paddings with which blocks divide a shape, and the crops that undo them.

    Args:
        input_shape: The sizes, an int32 vector [n].
        block_shape: The sizes of blocks, an int32 vector [n].
        base_paddings: The least paddings before and after, an int32 tensor [n, 2]. None: 0.
        name: Name of the operations, a str. None: a default name.

    Returns:
        A tuple: the paddings and the crops, int32 tensors [n, 2], for space_to_batch_nd() and
        batch_to_space_nd().

    Raises:
        ValueError: The size of block_shape is not known, or the shapes do not fit.
    """
    with name_scope(name, "required_space_to_batch_paddings"):
        block = convert_to_tensor(block_shape, dtypes.int32)
        sizes = convert_to_tensor(input_shape, dtypes.int32)
        block.shape.assert_has_rank(1)
        if not block.shape.is_fully_defined():
            raise ValueError(f"Shape {block.shape} is not fully defined")
        count = int(block.shape[0])
        if base_paddings is None:
            base_paddings = np.zeros([count, 2], np.int32)
        base = convert_to_tensor(base_paddings, dtypes.int32)
        sizes.shape.assert_is_compatible_with([count])
        base.shape.assert_is_compatible_with([count, 2])
        if not count:
            return base, base
        values = [static_value(one) for one in (sizes, block, base)]
        if all(value is not None for value in values):
            sizes, block, base = values
        start, end = base[:, 0], base[:, 1]
        extra = (block - (sizes + start + end) % block) % block
        end = end + extra
        paddings = [stack([start[i], end[i]]) for i in range(count)]
        crops = [stack([0, extra[i]]) for i in range(count)]
        return stack(paddings, name="paddings"), stack(crops, name="crops")


def _spatial_dims(given, count, data_format, rank):
    first = 2 if (data_format or "").startswith("NC") else 1
    given = list(range(first, count + first) if given is None else given)
    dims = sorted({int(dim) for dim in given})
    if dims != given or any(dim < 1 for dim in dims):
        raise ValueError(
            "spatial_dims must be a montonically increasing sequence of positive integers"
        )
    least = dims[-1] + (first == 1)
    if rank is not None and rank < least:
        raise ValueError(f"input tensor must have rank {least} at least")
    return dims


def _around(rows, fill, dims):
    """Rows for the spatial dimensions, and a row of `fill` for those between."""
    rows = dict(zip(dims, rows))
    width = next(iter(rows.values())).shape.as_list()
    other = convert_to_tensor(np.full(width, fill, np.int32))
    return stack([rows.get(dim, other) for dim in range(1, dims[-1] + 1)])


def with_space_to_batch(input, dilation_rate, padding, op, filter_shape=None, spatial_dims=None,
                        data_format=None):  # fmt: skip
    """Applies an op on windows so that the windows have holes.

    Args:
        input: A tensor [batch, ...] of any dtype.
        dilation_rate: The distances of a window's elements, an int32 vector [n].
        padding: "SAME" or "VALID", a str.
        op: A function of a tensor, of n and of the padding, a str, that returns a tensor of the
            same rank.
        filter_shape: The sizes of windows, an int32 vector. "SAME" requires it.
        spatial_dims: The n dimensions, a list of ints that increase. None: those after the batch,
            or after the channels where data_format begins with "NC".
        data_format: The order of dimensions, a str. None: the channels come last.

    Returns:
        A tensor.

    Raises:
        ValueError: An argument is wrong.
    """
    x = convert_to_tensor(input, name="input")
    rate = convert_to_tensor(dilation_rate, dtypes.int32, "dilation_rate")
    if rate.shape.ndims != 1:
        raise ValueError("rate must be rank 1")
    if not rate.shape.is_fully_defined():
        raise ValueError("rate must have known shape")
    count = int(rate.shape[0])
    dims = _spatial_dims(spatial_dims, count, data_format, x.shape.ndims)
    known = static_value(rate)
    if known is not None and (known < 1).any():
        raise ValueError("dilation_rate must be positive")
    if known is not None and (known == 1).all():
        return op(x, count, padding)
    if padding not in ("SAME", "VALID"):
        raise ValueError(f"Invalid padding method {padding!r}")
    base = None
    if padding == "SAME":
        if filter_shape is None:
            raise ValueError("filter_shape must be specified for SAME padding")
        extra = (convert_to_tensor(filter_shape, dtypes.int32)[:count] - 1) * rate
        base = stack([extra // 2, extra - extra // 2], axis=1)
    sizes = shape(x)
    sizes = stack([sizes[dim] for dim in dims])
    paddings, crops = required_space_to_batch_paddings(sizes, rate, base)
    rows = [[one[i] for i in range(count)] for one in (rate, paddings, crops)]
    block = _around(rows[0], 1, dims)
    moved = space_to_batch_nd(x, block, _around(rows[1], 0, dims))
    done = op(moved, count, "VALID")
    return batch_to_space_nd(done, block, _around(rows[2], 0, dims))


__all__ = with_names(globals())
