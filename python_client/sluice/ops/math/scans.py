# SPDX-License-Identifier: Apache-2.0
"""Cumulative sums and products."""

from ..building import thin, with_names

cumsum = thin(
    "Cumsum",
    "x axis=0 exclusive=False reverse=False",
    """Computes cumulative sums along a dimension.

    Args:
        axis: Dimension to work along, an int32 or int64 scalar. Default: 0.
        exclusive: Whether a sum leaves out the element at its own place. A bool.
        reverse: Whether the sums run from the end to the start. A bool.

    Returns:
        A tensor of the shape and dtype of `x`.

    Example:
        >>> sl.Session().run(sl.cumsum([1, 2, 3]))
        array([1, 3, 6], dtype=int32)
    """,
)


cumprod = thin(
    "Cumprod",
    "x axis=0 exclusive=False reverse=False",
    """Computes cumulative products along a dimension.

    Args:
        axis: Dimension to work along, an int32 or int64 scalar. Default: 0.
        exclusive: Whether a product leaves out the element at its own place. A bool.
        reverse: Whether the products run from the end to the start. A bool.

    Returns:
        A tensor of the shape and dtype of `x`.
    """,
)


cumulative_logsumexp = thin(
    "CumulativeLogsumexp",
    "x axis=0 exclusive=False reverse=False",
    """Computes the logarithm of the cumulative sums of e^x along a dimension.

    Args:
        axis: Dimension to work along, an int32 or int64 scalar. Default: 0.
        exclusive: Whether a sum leaves out the element at its own place. A bool.
        reverse: Whether the sums run from the end to the start. A bool.

    Returns:
        A tensor of the shape and dtype of `x`.
    """,
)


__all__ = with_names(globals())
