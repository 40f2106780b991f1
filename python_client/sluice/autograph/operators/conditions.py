# SPDX-License-Identifier: Apache-2.0
"""`if`, conditional expressions, `and`, `or`, `not`, chained comparisons and assert."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...ops import raw_ops
from ...ops.debug.checks import Assert
from ...ops.functions.cond_and_while import cond
from .state import NOT_RETURNED, UNDEFINED, check_same, decode, encode, is_tensor, place

_BRANCHES = "in the TRUE branch", "in the FALSE branch"
_RESULT = "ag__result"  # the variable with the result of a function


def if_stmt(test, body, orelse, get_state, set_state, names):
    """Runs one of two functions, which set variables.

    Args:
        test: The condition.
        body, orelse: Functions without arguments.
        get_state, set_state: Read and set the variables that the functions may set.
        names: The names of those that are read later, which come first among the variables.

    Raises:
        ValueError: test is a tensor, and a branch leaves one of `names` undefined.
        TypeError: The branches give a variable different dtypes or structures.
    """
    if not is_tensor(test):
        body() if test else orelse()
        return
    before = get_state()

    def run(branch):
        def values():
            branch()
            found = get_state()
            set_state(before)
            return found[: len(names)]

        return values

    found = _chosen(test, run(body), run(orelse), names)
    set_state((*found, *before[len(names) :]))


def _chosen(test, body, orelse, names):
    """The values of the branch that a tensor chooses. The functions return as many as names."""
    values, encoded = {}, {}

    def traced(branch, function):
        def run():
            values[branch] = found = function()
            encoded[branch] = [encode(v) for v in found]
            if len(values) == 2:
                for row in zip(names, *(list(zip(values[b], encoded[b])) for b in (True, False))):
                    _check(*row)
            return encoded[branch]

        return run

    given = cond(truth(test), traced(True, body), traced(False, orelse), strict=True)
    if not any(_holds_tensors(e) for e in encoded[True]):
        return values[True]
    return [decode(v, e) for v, e in zip(values[True], given)]


def _holds_tensors(encoded):
    if isinstance(encoded, dict):
        encoded = list(encoded.values())
    return not isinstance(encoded, (tuple, list)) or any(map(_holds_tensors, encoded))


def _check(name, one, other):
    for value, partner, branch in ((one[0], other[0], "if"), (other[0], one[0], "else")):
        if value is UNDEFINED and partner is UNDEFINED:
            continue
        if value is UNDEFINED:
            raise ValueError(
                f"The following symbols must also be initialized in the {branch} branch: ('{name}',"
                f"). Alternatively, you may initialize them before the if statement.{place()}"
            )
        if value is NOT_RETURNED and partner is not NOT_RETURNED:
            raise ValueError(
                f"A value must also be returned from the {branch} branch. If a value is returned"
                " from one branch of a conditional a value must be returned from all branches."
                f"{place()}"
            )
    check_same("the result" if name == _RESULT else name, one, other, _BRANCHES)


def truth(value):
    """A tensor as a condition: what is not a bool is true if it is not zero."""
    tensor = convert_to_tensor(value)
    if tensor.dtype in (dtypes.bool_, dtypes.string):
        return tensor
    return raw_ops.NotEqual(x=tensor, y=raw_ops.ZerosLike(x=tensor))


def if_exp(test, body, orelse):
    """`body() if test else orelse()`."""
    if not is_tensor(test):
        return body() if test else orelse()
    return _chosen(test, lambda: [body()], lambda: [orelse()], ["the expression"])[0]


def and_(*operands):
    """`a and b and ...` of functions that give the operands."""
    return _joined(operands, lambda test, rest: (test, rest, lambda: test), bool)


def or_(*operands):
    """`a or b or ...` of functions that give the operands."""
    return _joined(operands, lambda test, rest: (test, lambda: test, rest), lambda x: not x)


def _joined(operands, branches, goes_on):
    first, *rest = operands
    value = first()
    if not rest:
        return value
    if is_tensor(value):
        return cond(*branches(truth(value), lambda: _joined(rest, branches, goes_on)))
    return _joined(rest, branches, goes_on) if goes_on(value) else value


def not_(value):
    """`not value`."""
    return raw_ops.LogicalNot(x=truth(value)) if is_tensor(value) else not value


def compared(left, *pairs):
    """`left < b < c ...`: pairs of a function that compares and one that gives the next value."""
    (compare, following), *rest = pairs
    right = following()
    found = compare(left, right)
    if not rest:
        return found
    if is_tensor(found):
        return cond(truth(found), lambda: compared(right, *rest), lambda: found)
    return compared(right, *rest) if found else found


def equal(a, b):
    """`a == b` by the values of tensors."""
    return _compare(a, b, raw_ops.Equal) if is_tensor(a) or is_tensor(b) else a == b


def not_equal(a, b):
    """`a != b` by the values of tensors."""
    return _compare(a, b, raw_ops.NotEqual) if is_tensor(a) or is_tensor(b) else a != b


def _compare(a, b, op):
    if is_tensor(a):
        a = convert_to_tensor(a)
        return op(x=a, y=convert_to_tensor(b, a.dtype))
    b = convert_to_tensor(b)
    return op(x=convert_to_tensor(a, b.dtype), y=b)


def assert_stmt(test, message):
    """`assert test, message()`. Of a tensor it fails in the run."""
    if is_tensor(test):
        said = message()
        Assert(truth(test), said if isinstance(said, list) else ["" if said is None else said])
    elif __debug__ and not test:
        said = message()
        raise AssertionError(*([] if said is None else [said]))


__all__ = """
    and_ assert_stmt compared equal if_exp if_stmt not_ not_equal or_
""".split()
