# SPDX-License-Identifier: Apache-2.0
"""The places of indices in the dimensions of a batch."""

from . import ranges
from .casting import cast
from .joining import concat
from .shapes import shape
from .shaping import broadcast_to, reshape


def batch_places(indices, batch_dims):
    """For each of the first dimensions: which of its elements an index is of."""
    sizes = concat([shape(indices)[:-1], [1]], 0)
    dims = indices.shape.ndims
    for i in range(batch_dims):
        steps = cast(ranges.range(sizes[i]), indices.dtype)
        yield broadcast_to(reshape(steps, [-1 if j == i else 1 for j in range(dims)]), sizes)
