# SPDX-License-Identifier: Apache-2.0
"""Histograms and other counts."""

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor
from .. import raw_ops
from ..array import cast, concat, reshape
from ..building import with_names
from .arithmetic import add, maximum, minimum, multiply, realdiv, subtract
from .reductions import reduce_max
from .rounding import clip_by_value, floor


def histogram_fixed_width_bins(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    """Finds the bin of a histogram that each value belongs to.

    Args:
        values: A tensor of any real dtype.
        value_range: A pair [low, high] of the dtype of values. Values outside are in the first or
            the last bin.
        nbins: How many bins of equal width, an int or a scalar tensor.
        dtype: Dtype of the result.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape of values with numbers from 0 to nbins - 1.
    """
    values = convert_to_tensor(values)
    low, high = (convert_to_tensor(value_range, values.dtype)[i] for i in (0, 1))
    share = realdiv(subtract(values, low), subtract(high, low))
    places = floor(multiply(cast(convert_to_tensor(nbins), values.dtype), share))
    top = cast(subtract(convert_to_tensor(nbins), 1), values.dtype)
    return cast(clip_by_value(places, cast(0, values.dtype), top), dtype, name)


def histogram_fixed_width(values, value_range, nbins=100, dtype=dtypes.int32, name=None):
    """Counts how many values are in each bin of a histogram.

    Args:
        values: A tensor of any real dtype.
        value_range: A pair [low, high] of the dtype of values. Values outside count in the first or
            the last bin.
        nbins: How many bins of equal width, an int or a scalar tensor.
        dtype: Dtype of the result, int32 or int64.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [nbins] of counts.
    """
    values = convert_to_tensor(values)
    return raw_ops.HistogramFixedWidth(
        values=values, value_range=convert_to_tensor(value_range, values.dtype), nbins=nbins,
        dtype=dtypes.as_dtype(dtype), name=name,
    )  # fmt: skip


def bincount(arr, weights=None, minlength=None, maxlength=None, dtype=dtypes.int32):
    """Counts how often each number occurs; with weights, adds up their weights.

    Args:
        arr: An int32 tensor of numbers that are 0 or more.
        weights: A tensor of the shape of arr. None: each number counts 1.
        minlength: Smallest length of the result, an int. None: no limit.
        maxlength: Largest length of the result, an int. None: no limit. Numbers beyond it are left
            out.
        dtype: Dtype of the result if there are no weights.

    Returns:
        A tensor [max(arr) + 1], within the limits; of the dtype of weights if given.

    Example:
        >>> sl.Session().run(sl.bincount([1, 2, 2, 3]))
        array([0, 1, 2, 1], dtype=int32)
    """
    arr = cast(convert_to_tensor(arr), dtypes.int32)
    top = reduce_max(concat([reshape(arr, [-1]), [-1]], 0))
    size = add(top, 1)
    size = size if minlength is None else maximum(size, minlength)
    size = size if maxlength is None else minimum(size, maxlength)
    values = constant([], dtype) if weights is None else weights
    return raw_ops.Bincount(arr=arr, size=size, weights=values)


__all__ = with_names(globals())
