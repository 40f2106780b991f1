# SPDX-License-Identifier: Apache-2.0
"""Tensors scaled down to a norm."""

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor
from ...graph.default_graph import colocate_with, name_scope
from ...graph.elements import IndexedSlices
from .. import array as arrays
from .. import raw_ops
from ..building import with_names
from .arithmetic import maximum, minimum, rsqrt, sqrt
from .comparison import is_finite
from .reductions import reduce_sum


def global_norm(t_list, name=None):
    """Computes the Euclidean norm of all elements of several tensors.

    Args:
        t_list: A list of tensors, IndexedSlices or None.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A scalar.

    Example:
        >>> sl.Session().run(sl.global_norm([sl.constant([3.0]), sl.constant([4.0])]))
        5.0
    """
    _check_list(t_list)
    with name_scope(name, "global_norm"):
        halves = []
        for value in _values(t_list):
            if value is not None:
                with colocate_with(value.op):
                    halves.append(raw_ops.L2Loss(t=value))
        half = reduce_sum(arrays.stack(halves))
        return sqrt(half * constant(2.0, half.dtype), "global_norm")


def clip_by_global_norm(t_list, clip_norm, use_norm=None, name=None):
    """Scales tensors so that their common norm is not above a limit.

    Args:
        t_list: A list of tensors, IndexedSlices or None.
        clip_norm: The limit, a number or a scalar.
        use_norm: The norm, a scalar. None: global_norm(t_list).
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple: the list of scaled tensors, and the norm. They are NaN if the norm is not finite.
    """
    _check_list(t_list)
    norm = global_norm(t_list, name) if use_norm is None else use_norm
    with name_scope(name, "clip_by_global_norm") as scope:
        bound = minimum(1.0 / norm, constant(1.0, norm.dtype) / clip_norm)
        scale = clip_norm * bound
        nan = constant(float("nan"), norm.dtype)
        scale = arrays.where(is_finite(norm), scale, nan)
        clipped = []
        for i, value in enumerate(_values(t_list)):
            if value is not None:
                with colocate_with(value.op):
                    value = arrays.identity(value * scale, f"{scope}_{i}")
            clipped.append(_of_kind(t_list[i], value))
    return clipped, norm


def clip_by_norm(t, clip_norm, axes=None, name=None):
    """Scales a tensor so that its Euclidean norm is not above a limit.

    Args:
        t: A tensor or IndexedSlices.
        clip_norm: The limit, a number or a scalar.
        axes: The dimensions that the norm is over, a list of ints. None: all.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor or IndexedSlices of the same shape.

    Example:
        >>> sl.Session().run(sl.clip_by_norm([3.0, 4.0], 1.0))
        array([0.6, 0.8], dtype=float32)
    """
    with name_scope(name, "clip_by_norm") as scope:
        (values,) = _values([t], "t")
        squares = reduce_sum(values * values, axes, True)
        some = squares > 0  # the root's gradient at 0 is infinite
        safe = arrays.where(some, squares, arrays.ones_like(squares))
        norm = arrays.where(some, sqrt(safe), squares)
        scaled = values * clip_norm
        result = arrays.identity(scaled / maximum(norm, clip_norm), scope)
    return _of_kind(t, result)


def clip_by_average_norm(t, clip_norm, name=None):
    """Scales a tensor so that its norm, divided by its number of elements, is not above a limit.

    Args:
        t: A tensor of any floating-point dtype.
        clip_norm: The limit, a number or a scalar.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the same shape.
    """
    with name_scope(name, "clip_by_average_norm") as scope:
        t = convert_to_tensor(t, name="t")
        count = arrays.cast(arrays.size(t), dtypes.float32)
        inverse = rsqrt(reduce_sum(t * t, arrays.range(arrays.rank(t))))
        bound = minimum(inverse * count, constant(1.0) / clip_norm)
        return arrays.identity(t * clip_norm * bound, scope)


def _check_list(t_list):
    if not isinstance(t_list, (list, tuple)):
        raise TypeError(f"a list of tensors is needed, not {t_list!r}")


def _values(t_list, name=None):
    """The tensors of a list: of IndexedSlices their values."""
    dense = [t.values if isinstance(t, IndexedSlices) else t for t in t_list]
    return [
        None if t is None else convert_to_tensor(t, name=name or f"t_{i}")
        for i, t in enumerate(dense)
    ]


def _of_kind(t, values):
    """IndexedSlices of these values if t is one."""
    if isinstance(t, IndexedSlices):
        return IndexedSlices(values, t.indices, t.dense_shape)
    return values


__all__ = with_names(globals())
