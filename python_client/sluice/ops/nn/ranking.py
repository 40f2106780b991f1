# SPDX-License-Identifier: Apache-2.0
"""The largest values of a row."""

from .. import raw_ops
from ..building import thin, with_names


def top_k(input, k=1, sorted=True, name=None):
    """Finds the k largest elements of the last dimension.

    Args:
        input: A tensor [..., n] of any real dtype.
        k: How many elements, an int or an int32 scalar, at most n.
        sorted: Whether the largest comes first. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A named tuple. `values`: a tensor [..., k]; `indices`: an int32 tensor [..., k] of their
        places.

    Example:
        >>> values, indices = sl.Session().run(sl.nn.top_k([1.0, 7.0, 5.0], k=2))
        >>> values, indices
        (array([7., 5.], dtype=float32), array([1, 2], dtype=int32))
    """
    return raw_ops.TopKV2(input=input, k=k, sorted=sorted, name=name)


in_top_k = thin(
    "InTopKV2",
    "predictions targets k",
    """Tests whether the right class is among the k most likely ones.

    Args:
        predictions: A float32 tensor [batch, classes].
        targets: An int32 or int64 tensor [batch] of the right classes.
        k: How many classes count, an int.

    Returns:
        A bool tensor [batch].
    """,
)


__all__ = with_names(globals())
