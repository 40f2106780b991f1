# SPDX-License-Identifier: Apache-2.0
"""A choice between training and use, made when the graph is built where it can be."""

from numbers import Number

import numpy as np

from ..graph.convert import convert_to_tensor
from ..graph.static_values import static_value
from ..ops.functions.loops import case
from ..ops.functions.switch_cond import switch_cond
from ..ops.state.variables import Variable


def known(flag):
    """The value of a flag, a bool; None if it is known in a step only.

    Args:
        flag: A bool, an int, a bool scalar or a variable.
    """
    if isinstance(flag, Variable):
        return None
    if hasattr(flag, "graph"):
        value = static_value(flag)
        return None if value is None else bool(value)
    return bool(flag)


def chosen(flag, true_fn, false_fn):
    """What one of two functions returns: called now if the flag is known, else by switch_cond()."""
    value = known(flag)
    if value is None:
        return switch_cond(convert_to_tensor(flag), true_fn, false_fn)
    return true_fn() if value else false_fn()


def smart_constant_value(pred):
    """Returns the value of a condition, where it is known.

    Args:
        pred: A bool, 0, 1, a bool scalar or a variable.

    Returns:
        A bool, or None.

    Raises:
        TypeError: It is something else.
    """
    if not hasattr(pred, "graph") and not isinstance(pred, Number | np.bool_) or (
        isinstance(pred, Number) and pred not in (0, 1)
    ):
        raise TypeError(
            f"`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: {pred!r}"
        )
    return known(pred)


def smart_cond(pred, true_fn=None, false_fn=None, name=None):
    """Calls one function where the condition is known, else adds both as branches.

    Args:
        pred: A bool, 0, 1, or a bool scalar.
        true_fn: A function without arguments that returns tensors.
        false_fn: The same, for False.
        name: Accepted. It has no effect.

    Returns:
        What the functions return.

    Raises:
        TypeError: The condition is something else, or one of the others is not a function.
    """
    del name
    for what, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(function):
            raise TypeError(f"`{what}` must be callable.")
    smart_constant_value(pred)
    return chosen(pred, true_fn, false_fn)


def smart_case(pred_fn_pairs, default=None, exclusive=False, name="smart_case"):
    """Calls the function whose condition is known to be true, else adds all as branches.

    Args:
        pred_fn_pairs: Pairs of a bool scalar and a function, a list or dict.
        default: The function if no condition is true. None: none.
        exclusive: Whether a step fails if several are true. A bool.
        name: Name of the operation, a str.

    Returns:
        What the functions return.

    Raises:
        TypeError: A condition is neither a bool nor a tensor.
    """
    pairs = pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else list(pred_fn_pairs)
    left = []
    for pred, function in pairs:
        if not isinstance(pred, bool) and not hasattr(pred, "graph"):
            raise TypeError(f"pred must be Tensor or bool, got {pred!r}")
        value = known(pred)
        if value and not left:
            return function()
        if value is not False:
            left.append((convert_to_tensor(pred), function))
    if not left and default is not None:
        return default()
    return case(left, default, exclusive=exclusive, name=name)
