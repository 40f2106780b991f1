# SPDX-License-Identifier: Apache-2.0
"""Tensors of zeros for a batch."""

from numbers import Integral

from ... import nest
from ...graph.tensor_shape import TensorShape
from ...ops import array as arrays


def zeros_of(batch, size, dtype):
    """Makes zeros.

    Args:
        batch: How many rows, an int or an int32 scalar.
        size: Size of a row: an int, an int32 scalar or a TensorShape, or a structure of these.
        dtype: Dtype of the zeros.

    Returns:
        A tensor [batch, size], in the structure of size.
    """
    return nest.map_structure(lambda one: _zeros(batch, one, dtype), size)


def _zeros(batch, size, dtype):
    alone = isinstance(size, Integral) or hasattr(size, "graph")
    sizes = [size] if alone else TensorShape(size).as_list()
    dims = [batch, *sizes]
    made = arrays.zeros(arrays.stack(dims) if any(hasattr(d, "graph") for d in dims) else dims,
                        dtype)  # fmt: skip
    made.set_shape([int(d) if isinstance(d, Integral) else None for d in dims])
    return made
