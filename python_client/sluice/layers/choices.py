# SPDX-License-Identifier: Apache-2.0
"""A choice between training and use, made when the graph is built where it can be."""

from ..graph.convert import convert_to_tensor
from ..graph.static_values import static_value
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


def smart_cond(pred, true_fn=None, false_fn=None, name=None):
    """Calls one function where the condition is known, else adds both as branches.

    Args:
        pred: A bool, 0, 1, or a bool scalar.
        true_fn: A function without arguments that returns tensors.
        false_fn: The same, for False.
        name: Accepted. It has no effect.

    Returns:
        What the functions return.
    """
    del name
    return chosen(pred, true_fn, false_fn)
