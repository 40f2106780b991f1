# SPDX-License-Identifier: Apache-2.0
"""Comparison and logic, element by element."""

from ..building import binary, unary, with_names

equal = binary(
    "Equal",
    """Tests whether x == y, element by element.

    Example:
        >>> sl.Session().run(sl.equal([1, 2], [1, 3]))
        array([ True, False])
    """,
)


not_equal = binary("NotEqual", "Tests whether x != y, element by element.")


less = binary(
    "Less",
    """Tests whether x < y, element by element.

    Example:
        >>> sl.Session().run(sl.less([1, 2, 3], 2))
        array([ True, False, False])
    """,
)


less_equal = binary("LessEqual", "Tests whether x <= y, element by element.")


greater = binary(
    "Greater",
    """Tests whether x > y, element by element.

    Example:
        >>> sl.Session().run(sl.greater([1, 2, 3], 2))
        array([False, False,  True])
    """,
)


greater_equal = binary("GreaterEqual", "Tests whether x >= y, element by element.")


logical_and = binary(
    "LogicalAnd",
    """Computes the logical AND of x and y.

    Example:
        >>> sl.Session().run(sl.logical_and([True, True], [True, False]))
        array([ True, False])
    """,
)


logical_or = binary("LogicalOr", "Computes the logical OR of x and y.")


logical_not = unary("LogicalNot", "Computes the logical NOT of x.")


is_nan = unary("IsNan", "Tests whether x is NaN.")


is_inf = unary("IsInf", "Tests whether x is infinite.")


is_finite = unary("IsFinite", "Tests whether x is neither NaN nor infinite.")


def logical_xor(x, y, name="LogicalXor"):
    """Computes the exclusive OR of two bool tensors.

    Args:
        x: A bool tensor.
        y: A bool tensor. The shapes of the two are broadcast.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A bool tensor of the broadcast shape.
    """
    return logical_and(logical_or(x, y), logical_not(logical_and(x, y)), name or "LogicalXor")


__all__ = with_names(globals())
