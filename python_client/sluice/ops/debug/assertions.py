# SPDX-License-Identifier: Apache-2.0
"""Operations that fail, with InvalidArgumentError, when something does not hold.

What is known to be false when the graph is made raises at once: InvalidArgumentError for values,
ValueError for ranks.
"""

import numpy as np

from ... import dtypes, errors
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies, get_default_graph, name_scope
from ...graph.elements import is_ref
from ...graph.static_values import static_value
from .. import array as arrays
from .. import math, raw_ops
from ..building import given
from ..control_flow.grouping import group, no_op
from .checks import Assert


def _holds(condition, static, data, message, summarize, default, name):
    with name_scope(name, default):
        if static is not None and not np.all(static):
            raise errors.InvalidArgumentError(f"{message or ''} {default}: {data}".strip())
        said = [message or default, *(d for d in data)]
        return Assert(math.reduce_all(condition), said, summarize=summarize)


_REST = """\
    data: A list of tensors that the error shows. None: the tensors that are checked.
    summarize: How many elements of each tensor the error shows, an int. None: 3.
    message: Text of the error, a str.
    name: Name of the operation, a str. None: a default name.

Returns:
    The Operation, to be used as a control dependency.

Raises:
"""
_FAILS = """\
    errors.InvalidArgumentError: It does not hold: at once if both values are known, else in run().
"""
_WRONG_RANK = """\
    ValueError: The rank is known, and another one.
    errors.InvalidArgumentError: In run(): the rank is another one.
"""
_X = "    x: A tensor.\n"


def _comparison(default, function, compare, doc):
    def check(x, y, data=None, summarize=None, message=None, name=None):
        x = convert_to_tensor(x)
        y = convert_to_tensor(y, x.dtype)
        values = static_value(x), static_value(y)
        known = None if any(v is None for v in values) else compare(*values)
        data = [x, y] if data is None else data
        return _holds(function(x, y), known, data, message, summarize, default, name)

    check.__name__ = check.__qualname__ = default
    check.__doc__ = (
        f"Checks that {doc} holds for every element. The two are broadcast.\n\nArgs:\n{_X}"
        f"    y: A tensor of the dtype of x.\n{_REST}{_FAILS}"
    )
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
    check.__doc__ = f"Checks that {doc} holds for every element.\n\nArgs:\n{_X}{_REST}{_FAILS}"
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
        return no_op("static_checks_determined_all_ok")

    check.__name__ = check.__qualname__ = default
    rank = "    rank: The rank, an int or an int32 scalar.\n"
    check.__doc__ = f"Checks that {doc}.\n\nArgs:\n{_X}{rank}{_REST}{_WRONG_RANK}"
    return check


assert_rank = _rank(
    "assert_rank",
    lambda have, rank: have == rank if isinstance(have, int) else math.equal(have, rank),
    "a tensor has a rank",
)
assert_rank_at_least = _rank(
    "assert_rank_at_least", lambda have, rank: have >= rank, "a tensor has at least a rank"
)


def assert_rank_in(x, ranks, data=None, summarize=None, message=None, name=None):
    """Checks that a tensor has one of several ranks.

    Args:
        x: A tensor.
        ranks: The ranks, a list of ints.
        data: A list of tensors that the error shows. None: the tensors that are checked.
        summarize: How many elements of each tensor a message shows, an int. None: 3.
        message: Text of the error, a str.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The Operation, to be used as a control dependency.

    Raises:
        ValueError: The rank is known, and not one of them.
        errors.InvalidArgumentError: In run(): the rank is not one of them.
    """
    x = convert_to_tensor(x)
    have = x.shape.ndims
    if have is None:
        met = math.reduce_any(math.equal(arrays.rank(x), list(ranks)))
        data = data or [arrays.shape(x)]
        return _holds(met, None, data, message, summarize, "assert_rank_in", name)
    if have not in ranks:
        raise ValueError(f"{message or ''} {x.name} has rank {have}, none of {ranks}".strip())
    return no_op("static_checks_determined_all_ok")


def assert_near(x, y, rtol=None, atol=None, data=None, summarize=None, message=None, name=None):
    """Checks that |x - y| <= atol + rtol |y| for every element.

    Args:
        x: A tensor of any floating-point or complex dtype.
        y: A tensor of the same dtype. The two are broadcast.
        rtol: The relative tolerance. None: 10 times the dtype's epsilon.
        atol: The absolute tolerance. None: 10 times the dtype's epsilon.
        data: A list of tensors that the error shows. None: the tensors that are checked.
        summarize: How many elements of each tensor a message shows, an int. None: 3.
        message: Text of the error, a str.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The Operation, to be used as a control dependency.

    Raises:
        errors.InvalidArgumentError: In run(): it does not hold.
    """
    x = convert_to_tensor(x)
    y = convert_to_tensor(y, x.dtype)
    least = 10 * (2**-7 if x.dtype == dtypes.bfloat16 else np.finfo(x.dtype.as_numpy_dtype).eps)
    rtol, atol = (convert_to_tensor(least if t is None else t, math.real(x).dtype)
                  for t in (rtol, atol))  # fmt: skip
    near = math.less_equal(math.abs(x - y), atol + rtol * math.abs(y))
    data = [x, y] if data is None else data
    return _holds(near, None, data, message, summarize, "assert_near", name)


def assert_proper_iterable(values):
    """Checks that a value is a list or tuple of values, not a tensor, an array or a string.

    Args:
        values: The value.

    Raises:
        TypeError: It is not.
    """
    if hasattr(values, "graph") or isinstance(values, (str, bytes, np.ndarray)):
        raise TypeError(f"expected several values, got {type(values).__name__}: {values!r}")
    if not hasattr(values, "__iter__"):
        raise TypeError(f"expected several values, got {values!r}")


def is_numeric_tensor(tensor):
    """Tests whether a value is a tensor of numbers.

    Args:
        tensor: Any value.

    Returns:
        A bool.
    """
    dtype = getattr(tensor, "dtype", None)
    return hasattr(tensor, "graph") and (
        dtype.is_floating or dtype.is_integer or dtype.is_complex or dtype.name.startswith("q")
    )


def assert_same_float_dtype(tensors=None, dtype=None):
    """Returns the floating-point dtype that tensors have in common.

    Args:
        tensors: A list of tensors.
        dtype: The dtype to expect. None: any.

    Returns:
        The DType; float32 if there are no tensors.

    Raises:
        ValueError: The dtypes differ, or are not floating-point.
    """
    found = {convert_to_tensor(t).dtype for t in tensors or ()}
    found |= {dtypes.as_dtype(dtype)} if dtype is not None else set()
    if len(found) > 1:
        raise ValueError(f"different dtypes: {sorted(d.name for d in found)}")
    kind = found.pop() if found else dtypes.float32
    if not kind.is_floating:
        raise ValueError(f"expected a floating dtype, got {kind.name}")
    return kind


def assert_shapes(shapes, data=None, summarize=None, message=None, name=None):
    """Checks the shapes of several tensors.

    Args:
        shapes: A dict: tensor or variable -> its sizes: numbers, None where any is fine, or names,
            which stand for one size wherever they occur.
        data: A list of tensors that the error shows. None: the tensors that are checked.
        summarize: How many elements of each tensor a message shows, an int. None: 3.
        message: Text of the error, a str.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The Operation, to be used as a control dependency.

    Raises:
        ValueError: Known shapes do not fit.
        errors.InvalidArgumentError: In run(): shapes do not fit.
    """
    checks, sizes = [], {}
    for value, symbols in shapes.items():
        x = convert_to_tensor(value)
        symbols = list(symbols) if isinstance(symbols, (list, tuple, str)) else [symbols]
        checks.append(assert_rank(x, len(symbols), data, summarize, message))
        for place, symbol in enumerate(symbols):
            if symbol is None:
                continue
            have = x.shape[place].value if x.shape.ndims is not None else None
            size = arrays.shape(x)[place] if have is None else have
            wanted = symbol if isinstance(symbol, int) else sizes.setdefault(symbol, size)
            if isinstance(size, int) and isinstance(wanted, int):
                if size != wanted:
                    where = f"dimension {place} of {x.name}"
                    raise ValueError(f"{message or ''} {where} is {size}, not {wanted}".strip())
                continue
            said = data or [f"dimension {place} of {x.name}", arrays.shape(x)]
            met = math.equal(size, wanted)
            checks.append(_holds(met, None, said, message, summarize, "assert_shapes", name))
    return group(*checks, name=name)


def assert_type(tensor, tf_type, message=None, name=None):
    """Checks the dtype of a tensor.

    Args:
        tensor: A tensor.
        tf_type: The dtype to expect.
        message: Text of the error, a str.
        name: Name of the operation, a str. None: a default name.

    Returns:
        An Operation that does nothing.

    Raises:
        TypeError: It has another dtype.
    """
    tensor = convert_to_tensor(tensor)
    if tensor.dtype != tf_type:
        wanted = dtypes.as_dtype(tf_type).name
        raise TypeError(f"{message or ''} {tensor.name} is {tensor.dtype.name}, not {wanted}")
    return no_op(name or "statically_determined_correct_type")


def assert_integer(x, message=None, name=None):
    """Checks that a tensor has an integer dtype.

    Args:
        x: A tensor.
        message: Text of the error, a str.
        name: Name of the operation, a str. None: a default name.

    Returns:
        An Operation that does nothing.

    Raises:
        TypeError: It has not.
    """
    x = convert_to_tensor(x)
    if not x.dtype.is_integer:
        raise TypeError(f"{message or ''} {x.name} is {x.dtype.name}, no integer".strip())
    return no_op(name or "statically_determined_was_integer")


def assert_scalar(tensor, name=None, message=None):
    """Checks that a tensor is a scalar.

    Args:
        tensor: A tensor.
        name: Name of the operation, a str. None: a default name.
        message: Text of the error, a str.

    Returns:
        The tensor.

    Raises:
        ValueError: It is not a scalar.
    """
    tensor = convert_to_tensor(tensor)
    if tensor.shape.ndims not in (0, None):
        raise ValueError(f"{message or ''} {tensor.name} of {tensor.shape} is not a scalar".strip())
    return tensor


def verify_tensor_all_finite(t=None, msg=None, name=None, x=None, message=None):
    """Fails if a tensor has NaN or infinity.

    Args:
        t: A tensor of any floating-point dtype.
        msg: Text of the error, a str.
        name: Name of the operation, a str. None: a default name.
        x: Another name of t.
        message: Another name of msg.

    Returns:
        A tensor with the value of t.

    Raises:
        errors.InvalidArgumentError: In run(): an element is NaN or infinite.
    """
    return raw_ops.CheckNumerics(tensor=given(t, x), message=given(msg, message), name=name)


def add_check_numerics_ops():
    """Adds an operation that fails if any floating-point tensor of the default graph has NaN or
    infinity.

    Returns:
        The Operation.

    Raises:
        ValueError: The graph has loops or conditionals.
    """
    checks = []
    for op in get_default_graph().get_operations():
        if op.type in ("If", "StatelessIf", "While", "StatelessWhile"):
            raise ValueError(f"{op.name}: tensors of loops and conditionals cannot be checked")
        for tensor in op.outputs:
            if tensor.dtype.is_floating and not is_ref(tensor):
                with control_dependencies(checks):
                    said = f"{op.name}:{tensor.value_index}"
                    checks = [raw_ops.CheckNumerics(tensor=tensor, message=said)]
    return group(*checks)


__all__ = [n for n in dir() if n.startswith("assert_")]
__all__ += ["add_check_numerics_ops", "is_numeric_tensor", "verify_tensor_all_finite"]
