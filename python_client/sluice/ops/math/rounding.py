# SPDX-License-Identifier: Apache-2.0
"""Rounding and clipping, element by element."""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from ...graph.elements import IndexedSlices
from .. import raw_ops
from ..building import unary, with_names
from .arithmetic import maximum, minimum

floor = unary(
    "Floor",
    """Rounds x down to an integer. The dtype stays.

    Example:
        >>> sl.Session().run(sl.floor([1.7, -1.2]))
        array([ 1., -2.], dtype=float32)
    """,
)


ceil = unary("Ceil", "Rounds x up to an integer. The dtype stays.")


rint = unary("Rint", "Rounds x to the nearest integer; halves go to the even one. The dtype stays.")


def round(x, name=None):  # noqa: A001
    """Rounds to the nearest integer; halves go to the even one. The dtype stays.

    Args:
        x: A tensor of any numeric dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of x.
    """
    return raw_ops.Round(x=x, name=name)


def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    """Moves elements that are outside of a range to its nearest end.

    Args:
        t: A tensor of any real dtype, or IndexedSlices.
        clip_value_min: The low end of the range: a number, or a tensor that is broadcast with t.
        clip_value_max: The high end of the range: a number, or a tensor that is broadcast with t.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of t, or IndexedSlices.

    Raises:
        ValueError: The limits are larger than t.

    Example:
        >>> sl.Session().run(sl.clip_by_value([-5, 0, 5], -1, 1))
        array([-1,  0,  1], dtype=int32)
    """
    if isinstance(t, IndexedSlices):
        values = clip_by_value(t.values, clip_value_min, clip_value_max, name)
        return IndexedSlices(values, t.indices, t.dense_shape)
    with name_scope(name, "clip_by_value") as scope:
        t = convert_to_tensor(t, name="t")
        clipped = maximum(minimum(t, clip_value_max), clip_value_min, name=scope)
    if not t.shape.is_compatible_with(clipped.shape):
        raise ValueError(
            f"the limits of clip_by_value() have shape {clipped.shape}, but {t.name} has {t.shape}"
        )
    return clipped


__all__ = with_names(globals())
