# SPDX-License-Identifier: Apache-2.0
"""Reductions of dimensions."""

from ... import dtypes
from ...graph.convert import convert_to_tensor, number
from ...graph.default_graph import name_scope
from ..array import cast, reshape, shape, stop_gradient, where, zeros_like
from ..building import given, with_names
from .arithmetic import add, multiply, sqrt, square, subtract
from .comparison import is_finite, not_equal
from .complex_numbers import conj, real
from .elementary import exp, log
from .reducing import reduction

reduce_sum = reduction(
    "Sum",
    """Adds up the elements along dimensions.

    Example:
        >>> x = [[1, 2], [3, 4]]
        >>> sl.Session().run([sl.reduce_sum(x), sl.reduce_sum(x, axis=0)])
        [10, array([4, 6], dtype=int32)]
    """,
)


reduce_mean = reduction(
    "Mean",
    """Computes the mean of the elements along dimensions.

    Example:
        >>> sl.Session().run(sl.reduce_mean([[1.0, 2.0], [3.0, 6.0]], axis=1, keepdims=True))
        array([[1.5],
               [4.5]], dtype=float32)
    """,
)


reduce_max = reduction(
    "Max",
    """Returns the largest element along dimensions.

    Example:
        >>> sl.Session().run(sl.reduce_max([[1, 5], [3, 4]], axis=1))
        array([5, 4], dtype=int32)
    """,
)


reduce_min = reduction(
    "Min",
    """Returns the smallest element along dimensions.

    Example:
        >>> sl.Session().run(sl.reduce_min([[1, 5], [3, 4]], axis=1))
        array([1, 3], dtype=int32)
    """,
)


reduce_prod = reduction(
    "Prod",
    """Multiplies the elements along dimensions.

    Example:
        >>> sl.Session().run(sl.reduce_prod([1, 2, 3, 4]))
        24
    """,
)


reduce_all = reduction(
    "All",
    """Tests whether all elements along dimensions are true.

    Example:
        >>> sl.Session().run(sl.reduce_all([[True, False], [True, True]], axis=1))
        array([False,  True])
    """,
)


reduce_any = reduction(
    "Any",
    """Tests whether any element along dimensions is true.

    Example:
        >>> sl.Session().run(sl.reduce_any([[True, False], [False, False]], axis=1))
        array([ True, False])
    """,
)


reduce_euclidean_norm = reduction(
    "EuclideanNorm", "Computes the square root of the sum of squares along dimensions."
)


def reduce_variance(input_tensor, axis=None, keepdims=False, name=None):
    """Computes the variance along dimensions: the mean of |x - mean|^2.

    Args:
        input_tensor: A tensor of any floating-point or complex dtype.
        axis: The dimensions to reduce, an int or a list of ints. None: all dimensions.
        keepdims: Whether reduced dimensions stay, with size 1. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A real tensor without the reduced dimensions.
    """
    with name_scope(name or "reduce_variance"):
        x = convert_to_tensor(input_tensor)
        away = subtract(x, reduce_mean(x, axis, True))
        squares = real(multiply(away, conj(away))) if x.dtype.is_complex else square(away)
        return reduce_mean(squares, axis, keepdims)


def reduce_std(input_tensor, axis=None, keepdims=False, name=None):
    """Computes the standard deviation along dimensions: the square root of the variance.

    Args:
        input_tensor: A tensor of any floating-point or complex dtype.
        axis: The dimensions to reduce, an int or a list of ints. None: all dimensions.
        keepdims: Whether reduced dimensions stay, with size 1. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A real tensor without the reduced dimensions.
    """
    with name_scope(name or "reduce_std"):
        return sqrt(reduce_variance(input_tensor, axis, keepdims))


def reduce_logsumexp(input_tensor, axis=None, keepdims=None, name=None, reduction_indices=None,
                     keep_dims=None):  # fmt: skip
    """Computes the logarithm of the sum of e^x along dimensions, without overflow.

    Args:
        input_tensor: A tensor of any floating-point dtype.
        axis: The dimensions to reduce, an int or a list of ints. None: all dimensions.
        keepdims: Whether reduced dimensions stay, with size 1. A bool.
        name: Name of the operation, a str. None: a default name.
        reduction_indices: Older name of axis.
        keep_dims: Older name of keepdims.

    Returns:
        A tensor of the same dtype, without the reduced dimensions.

    Raises:
        ValueError: An argument is given by its name and by its older name.
    """
    x = convert_to_tensor(input_tensor)
    axis, keepdims = given(axis, reduction_indices), bool(given(keepdims, keep_dims))
    with name_scope(name, "ReduceLogSumExp"):
        top = reduce_max(x, axis, True)
        top = stop_gradient(where(is_finite(top), top, zeros_like(top)))
        total = log(reduce_sum(exp(subtract(x, top)), axis, keepdims))
        return add(total, top if keepdims else reshape(top, shape(total)))


def count_nonzero(input_tensor=None, axis=None, keepdims=None, dtype=dtypes.int64, name=None,
                  reduction_indices=None, keep_dims=None, input=None):  # fmt: skip
    """Counts the elements along dimensions that are not zero; of strings, those that are not empty.

    Args:
        input_tensor: A tensor of any numeric dtype, of bools or of strings.
        axis: The dimensions to reduce, an int or a list of ints. None: all dimensions.
        keepdims: Whether reduced dimensions stay, with size 1. A bool.
        dtype: Dtype of the result.
        name: Name of the operation, a str. None: a default name.
        reduction_indices: Older name of axis.
        keep_dims: Older name of keepdims.
        input: Another name of input_tensor.

    Returns:
        A tensor of dtype `dtype`, without the reduced dimensions.

    Raises:
        ValueError: An argument is given by its name and by its older name.

    Example:
        >>> sl.Session().run(sl.count_nonzero([0, 3, 0, 4]))
        2
    """
    x = convert_to_tensor(given(input_tensor, input))
    axis, keepdims = given(axis, reduction_indices), bool(given(keepdims, keep_dims))
    zero = number("" if x.dtype == dtypes.string else 0, x.dtype)
    return cast(reduce_sum(cast(not_equal(x, zero), dtypes.int64), axis, keepdims), dtype, name)


__all__ = with_names(globals())
