# SPDX-License-Identifier: Apache-2.0
"""How sparse a tensor is."""

from ... import dtypes
from ...graph.convert import convert_to_tensor, number
from ...graph.default_graph import name_scope
from ..array import cast, identity
from ..array import size as size_of
from ..functions.switch_cond import switch_cond
from ..math.arithmetic import divide, subtract
from ..math.comparison import less_equal, not_equal
from ..math.reductions import reduce_sum


def zero_fraction(value, name=None):
    """Computes the fraction of elements that are zero.

    Args:
        value: A tensor of any numeric dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A float32 scalar within [0, 1]; NaN for a tensor without elements.
    """
    with name_scope(name, "zero_fraction"):
        value = convert_to_tensor(value, name="value")
        size = size_of(value, out_type=dtypes.int64)
        # A small count takes int32. The nodes are those of 1.x: later seeds follow from how many.
        nonzero = switch_cond(
            less_equal(size, dtypes.int32.max),
            lambda: cast(_count_nonzero(value, dtypes.int32), dtypes.int64),
            lambda: _count_nonzero(value, dtypes.int64),
        )
        with name_scope("counts_to_fraction"):
            zeros = cast(subtract(size, nonzero, name="sub"), dtypes.float32)
            fraction = divide(zeros, cast(size, dtypes.float32))
        return identity(fraction, "fraction")


def _count_nonzero(value, dtype):
    with name_scope("count_nonzero"):
        ones = cast(not_equal(value, number(0, value.dtype, name="zeros")), dtype)
        return reduce_sum(ones, name="nonzero_count")
