# SPDX-License-Identifier: Apache-2.0
"""Checks of values when a step runs, and printed messages."""

from ... import dtypes
from ...graph.seeds import counted_as
from .. import raw_ops
from ..building import thin, with_names

check_numerics = thin(
    "CheckNumerics",
    "tensor message",
    """Fails if a tensor has NaN or infinity.

    Args:
        message: Text of the error, a str.

    Returns:
        A tensor with the value of `tensor`.

    Raises:
        errors.InvalidArgumentError: In run(): an element is NaN or infinite.
    """,
)


def Print(input_, data, message=None, first_n=None, summarize=None, name=None):  # noqa: N802
    """Returns a tensor, and lets the server print other tensors each time it runs.

    Args:
        input_: A tensor of any dtype.
        data: A list of tensors to print.
        message: Text before the tensors, a str. None: there is none.
        first_n: How many times to print, an int; None or -1: always.
        summarize: How many elements of each tensor a message shows, an int. None: 3.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor with the value of input_.
    """
    return raw_ops.Print(
        input=input_, data=list(data), message=message, first_n=first_n,
        summarize=3 if summarize is None else summarize, name=name,
    )  # fmt: skip


def _nodes_of_assert(data):
    """How many nodes TensorFlow makes, which decide later seeds: it makes each constant twice, and
    a conditional if not all is text or int32."""
    tensors = sum(hasattr(part, "graph") for part in data)
    around = 0 if all(map(_is_text_or_int32, data)) else 9 + tensors
    return 2 * (len(data) - tensors) + 1 + around


def _is_text_or_int32(value):
    if hasattr(value, "dtype"):
        return dtypes.as_dtype(value.dtype) in (dtypes.string, dtypes.int32)
    return isinstance(value, (str, bytes, int)) and not isinstance(value, bool)


def Assert(condition, data, summarize=None, name=None):  # noqa: N802
    """Adds an operation that fails if a condition does not hold.

    Args:
        condition: A bool scalar.
        data: A list of tensors that the error shows.
        summarize: How many elements of each tensor a message shows, an int. None: 3.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The Operation.

    Raises:
        errors.InvalidArgumentError: In run(): the condition is false.

    Example:
        >>> x = sl.constant(1)
        >>> with sl.control_dependencies([sl.Assert(x > 0, [x])]):
        ...     y = sl.identity(x)
        >>> sl.Session().run(y)
        1
    """
    with counted_as(_nodes_of_assert(data)):
        return raw_ops.Assert(
            condition=condition, data=list(data), summarize=3 if summarize is None else summarize,
            name=name,
        )  # fmt: skip


__all__ = with_names(globals())
