"""Operations that fail, with InvalidArgumentError, when something does not hold.

What is known to be false when the graph is made raises at once: InvalidArgumentError for values,
ValueError for ranks.
"""

import numpy as np

from . import arrays, dtypes, errors, math, raw_ops
from .convert import convert_to_tensor
from .graph import name_scope


def static_value(tensor):
    """The value of a constant, an array; None of anything else."""
    tensor = convert_to_tensor(tensor)
    return np.asarray(tensor.op.get_attr("value")) if tensor.op.type == "Const" else None


def _holds(condition, static, data, message, summarize, default, name):
    with name_scope(name, default):
        if static is not None and not np.all(static):
            raise errors.InvalidArgumentError(f"{message or ''} {default}: {data}".strip())
        said = [message or default, *(d for d in data)]
        return arrays.Assert(math.reduce_all(condition), said, summarize=summarize)


def _comparison(default, function, compare, doc):
    def check(x, y, data=None, summarize=None, message=None, name=None):
        x = convert_to_tensor(x)
        y = convert_to_tensor(y, x.dtype)
        values = static_value(x), static_value(y)
        known = None if any(v is None for v in values) else compare(*values)
        data = [x, y] if data is None else data
        return _holds(function(x, y), known, data, message, summarize, default, name)

    check.__name__ = check.__qualname__ = default
    check.__doc__ = f"(x, y, ...): {doc}, element by element, broadcast against each other."
    return check


assert_equal = _comparison("assert_equal", math.equal, np.equal, "x == y")
assert_none_equal = _comparison("assert_none_equal", math.not_equal, np.not_equal, "x != y")
assert_less = _comparison("assert_less", math.less, np.less, "x < y")
assert_less_equal = _comparison("assert_less_equal", math.less_equal, np.less_equal, "x <= y")
assert_greater = _comparison("assert_greater", math.greater, np.greater, "x > y")
assert_greater_equal = _comparison(
    "assert_greater_equal", math.greater_equal, np.greater_equal, "x >= y"
)


def _against_zero(default, comparison, doc):
    def check(x, data=None, summarize=None, message=None, name=None):
        x = convert_to_tensor(x)
        zero = convert_to_tensor(np.zeros([], x.dtype.as_numpy_dtype))
        return comparison(x, zero, data or [x], summarize, message, name or default)

    check.__name__ = check.__qualname__ = default
    check.__doc__ = f"(x, ...): {doc}, every element."
    return check


assert_positive = _against_zero("assert_positive", assert_greater, "x > 0")
assert_negative = _against_zero("assert_negative", assert_less, "x < 0")
assert_non_negative = _against_zero("assert_non_negative", assert_greater_equal, "x >= 0")
assert_non_positive = _against_zero("assert_non_positive", assert_less_equal, "x <= 0")


def _rank(default, fits, doc):
    def check(x, rank, data=None, summarize=None, message=None, name=None):
        x = convert_to_tensor(x)
        have = x.shape.ndims
        if have is None:
            met = fits(arrays.rank(x), rank)
            return _holds(met, None, data or [arrays.shape(x)], message, summarize, default, name)
        if not fits(have, rank):
            raise ValueError(f"{message or ''} {x.name} has rank {have}, not {rank}".strip())
        return arrays.no_op("static_checks_determined_all_ok")

    check.__name__ = check.__qualname__ = default
    check.__doc__ = f"(x, rank, ...): {doc}."
    return check


assert_rank = _rank(
    "assert_rank",
    lambda have, rank: have == rank if isinstance(have, int) else math.equal(have, rank),
    "x has this rank",
)
assert_rank_at_least = _rank(
    "assert_rank_at_least", lambda have, rank: have >= rank, "x has at least this rank"
)


def assert_type(tensor, tf_type, message=None, name=None):
    """TypeError: the tensor has another dtype."""
    tensor = convert_to_tensor(tensor)
    if tensor.dtype != tf_type:
        wanted = dtypes.as_dtype(tf_type).name
        raise TypeError(f"{message or ''} {tensor.name} is {tensor.dtype.name}, not {wanted}")
    return arrays.no_op(name or "statically_determined_correct_type")


def assert_integer(x, message=None, name=None):
    """TypeError: the tensor's dtype is no integer."""
    x = convert_to_tensor(x)
    if not x.dtype.is_integer:
        raise TypeError(f"{message or ''} {x.name} is {x.dtype.name}, no integer".strip())
    return arrays.no_op(name or "statically_determined_was_integer")


def assert_scalar(tensor, name=None, message=None):
    """The tensor; ValueError: it is no scalar."""
    tensor = convert_to_tensor(tensor)
    if tensor.shape.ndims not in (0, None):
        raise ValueError(f"{message or ''} {tensor.name} of {tensor.shape} is no scalar".strip())
    return tensor


def verify_tensor_all_finite(t, msg, name=None):
    """The tensor; a run with NaN or infinity in it fails."""
    return raw_ops.CheckNumerics(tensor=t, message=msg, name=name)


__all__ = [n for n in dir() if n.startswith("assert_")] + ["verify_tensor_all_finite"]
