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
from ...graph.seeds import count_more_nodes
from ...graph.static_values import static_value
from .. import array as arrays
from .. import math, raw_ops
from ..building import given
from ..control_flow.grouping import group, no_op
from .checks import Assert


def _holds(condition, static, data, summarize):
    if static is not None and not np.all(static):
        raise errors.InvalidArgumentError(None, None, "\n".join(map(_known_text, data)))
    return Assert(math.reduce_all(condition), data, summarize=summarize)


def _known_text(said):
    """A part of an error that is raised when the graph is made."""
    value = static_value(said) if hasattr(said, "graph") else None
    return str(said if value is None else value)


def _said(message, text, **tensors):
    """What an error shows: texts, and the tensors with their names."""
    parts = [message or "", text]
    for letter, tensor in tensors.items():
        parts += [f"{letter} ({tensor.name}) = ", tensor]
    return parts


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


def _comparison(default, sign, function, compare):
    def check(x, y, data=None, summarize=None, message=None, name=None):
        with name_scope(name, default, [x, y]):
            x = convert_to_tensor(x, name="x")
            y = convert_to_tensor(y, x.dtype, "y")
            condition = function(x, y)  # which refuses shapes that do not fit
            values = static_value(x), static_value(y)
            known = None if any(v is None for v in values) else compare(*values)
            if data is None:
                text = f"Condition x {sign} y did not hold element-wise:"
                data = _said(None, text, x=x, y=y)[1:]
            data = data if message is None else [message, *data]
            return _holds(condition, known, data, summarize)

    check.__name__ = check.__qualname__ = default
    check.__doc__ = (
        f"Checks that x {sign} y holds for every element. The two are broadcast.\n\nArgs:\n{_X}"
        f"    y: A tensor of the dtype of x.\n{_REST}{_FAILS}"
    )
    return check


assert_equal = _comparison("assert_equal", "==", math.equal, np.equal)
assert_none_equal = _comparison("assert_none_equal", "!=", math.not_equal, np.not_equal)
assert_less = _comparison("assert_less", "<", math.less, np.less)
assert_less_equal = _comparison("assert_less_equal", "<=", math.less_equal, np.less_equal)
assert_greater = _comparison("assert_greater", ">", math.greater, np.greater)
assert_greater_equal = _comparison(
    "assert_greater_equal", ">=", math.greater_equal, np.greater_equal
)


def _against_zero(default, sign, comparison, zero_first):
    def check(x, data=None, summarize=None, message=None, name=None):
        with name_scope(name, default, [x]):
            x = convert_to_tensor(x, name="x")
            if data is None:
                data = _said(message, f"Condition x {sign} 0 did not hold element-wise:", x=x)
            zero = convert_to_tensor(np.zeros([], x.dtype.as_numpy_dtype))
            pair = (zero, x) if zero_first else (x, zero)
            return comparison(*pair, data=data, summarize=summarize)

    check.__name__ = check.__qualname__ = default
    check.__doc__ = f"Checks that x {sign} 0 holds for every element.\n\nArgs:\n{_X}{_REST}{_FAILS}"
    return check


assert_positive = _against_zero("assert_positive", ">", assert_less, True)
assert_negative = _against_zero("assert_negative", "<", assert_less, False)
assert_non_negative = _against_zero("assert_non_negative", ">=", assert_less_equal, True)
assert_non_positive = _against_zero("assert_non_positive", "<=", assert_less_equal, False)


def _rank(default, words, fits, function, doc):
    def check(x, rank, data=None, summarize=None, message=None, name=None):
        with name_scope(name, default, [x, rank]):
            x = convert_to_tensor(x, name="x")
            rank = _scalar_int(rank)
            have, wanted = x.shape.ndims, static_value(rank)
            if wanted is not None and have is not None:
                if not fits(have, wanted):
                    raise ValueError(
                        f"{message or ''}.  Tensor {x.name} must have {words} {wanted}.  Received"
                        f" rank {have}, shape {x.shape}"
                    )
                return _all_ok()
            if data is None:
                text = f"Tensor {x.name} must have {words}"
                data = [message or "", text, rank, "Received shape: ", arrays.shape(x)]
            checks = []
            if wanted is None:
                checks = [assert_rank(rank, 0, ["Rank must be a scalar. Received rank: ", rank])]
            with control_dependencies(checks):
                met = function(arrays.rank(x), rank)
            return _holds(met, None, data, summarize)

    check.__name__ = check.__qualname__ = default
    rank = "    rank: The rank, an int or an int32 scalar.\n"
    check.__doc__ = f"Checks that {doc}.\n\nArgs:\n{_X}{rank}{_REST}{_WRONG_RANK}"
    return check


def _all_ok():
    count_more_nodes(1)  # TensorFlow makes the shape, which counts for later seeds
    return no_op("static_checks_determined_all_ok")


def _scalar_int(rank):
    """A rank as a tensor. ValueError: it is known not to be a scalar."""
    rank = convert_to_tensor(rank, name="rank")
    assert_type(rank, dtypes.int32)
    if static_value(rank) is not None and rank.shape.ndims != 0:
        raise ValueError("Rank must be a scalar.")
    return rank


assert_rank = _rank("assert_rank", "rank", np.equal, math.equal, "a tensor has a rank")
assert_rank_at_least = _rank(
    "assert_rank_at_least", "rank at least", np.greater_equal, math.greater_equal,
    "a tensor has at least a rank",
)  # fmt: skip


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
    with name_scope(name, "assert_rank_in", [x, *ranks]):
        x = convert_to_tensor(x, name="x")
        ranks = [_scalar_int(rank) for rank in ranks]
        have, wanted = x.shape.ndims, [static_value(rank) for rank in ranks]
        if have is not None and not any(rank is None for rank in wanted):
            if have not in wanted:
                raise ValueError(
                    f"{message or ''}.  Tensor {x.name} must have rank in"
                    f" {tuple(int(rank) for rank in wanted)}.  Received rank {have}, shape"
                    f" {x.shape}"
                )
            return _all_ok()
        if data is None:
            text = f"Tensor {x.name} must have rank in"
            data = [message or "", text, *ranks, "Received shape: ", arrays.shape(x)]
        unknown = [rank for rank, value in zip(ranks, wanted) if value is None]
        text = "Rank must be a scalar. Received rank: "
        with control_dependencies([assert_rank(rank, 0, [text, rank]) for rank in unknown]):
            met = math.reduce_any(math.equal(arrays.rank(x), arrays.stack(ranks)))
        return _holds(met, None, data, summarize)


def assert_near(x, y, rtol=None, atol=None, data=None, summarize=None, message=None, name=None):
    """Checks that |x - y| < atol + rtol |y| for every element.

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
    with name_scope(name, "assert_near", [x, y]):
        x = convert_to_tensor(x, name="x")
        y = convert_to_tensor(y, x.dtype, "y")
        bfloat16 = x.dtype == dtypes.bfloat16
        least = 10 * (2**-7 if bfloat16 else np.finfo(x.dtype.as_numpy_dtype).eps)
        rtol, atol = (convert_to_tensor(least if t is None else t, math.real(x).dtype)
                      for t in (rtol, atol))  # fmt: skip
        near = math.less(math.abs(x - y), atol + rtol * math.abs(y))
        if data is None:
            text = f"x and y not equal to tolerance rtol = {rtol}, atol = {atol}"
            data = _said(message, text, x=x, y=y)
        return _holds(near, None, data, summarize)


def assert_proper_iterable(values):
    """Checks that a value is a list or tuple of values, not a tensor, an array or a string.

    Args:
        values: The value.

    Raises:
        TypeError: It is not.
    """
    if hasattr(values, "graph") or isinstance(values, (str, bytes, np.ndarray)):
        raise TypeError(
            f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}'
        )
    if not hasattr(values, "__iter__"):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


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
        names = ", ".join(sorted(d.name for d in found))
        raise ValueError(f"the tensors must be of the same type, not of {names}")
    kind = found.pop() if found else dtypes.float32
    if not kind.is_floating:
        raise ValueError(f"Expected floating point type, got {kind}.")
    return kind


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
    with name_scope(name, "assert_type", [tensor]):
        tensor = convert_to_tensor(tensor, name="tensor")
        if tensor.dtype != tf_type:
            wanted = dtypes.as_dtype(tf_type)
            raise TypeError(f"{message or ''}  {tensor.name} must be of type {wanted}")
        return no_op("statically_determined_correct_type")


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
    with name_scope(name, "assert_integer", [x]):
        x = convert_to_tensor(x, name="x")
        if not x.dtype.is_integer:
            raise TypeError(
                f'{message or ""}  Expected "x" to be integer type.  Found: {x.name} of dtype'
                f" {x.dtype}"
            )
        return no_op("statically_determined_was_integer")


def assert_scalar(tensor, name=None, message=None):
    """Checks that a tensor is a scalar.

    Args:
        tensor: A tensor.
        name: Name of the operation, a str. None: a default name.
        message: Text of the error, a str.

    Returns:
        The tensor.

    Raises:
        ValueError: It is not a scalar, or may not be one.
    """
    with name_scope(name, "assert_scalar", [tensor]) as scope:
        tensor = convert_to_tensor(tensor, name=scope)
        if tensor.shape.ndims != 0:
            raise ValueError(
                f"{message or ''}Expected scalar shape for {tensor.name}, saw shape:"
                f" {tensor.shape}."
            )
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
