# SPDX-License-Identifier: Apache-2.0
"""Values of variables, which the session of Keras holds."""

import weakref

import numpy as np

from ...graph.convert import placeholder
from ...graph.default_graph import name_scope
from .state import get_session

_assignments = weakref.WeakKeyDictionary()  # a variable -> (placeholder, operation)


def get_value(x):
    """Reads a variable.

    Args:
        x: The variable, or a tensor; anything else is its own value.

    Returns:
        An array.
    """
    return get_session((x,)).run(x) if hasattr(x, "graph") else x


def batch_get_value(tensors):
    """Reads variables in one step.

    Args:
        tensors: A list of variables.

    Returns:
        A list of arrays.
    """
    return get_session(tensors).run(list(tensors)) if tensors else []


def set_value(x, value):
    """Sets a variable.

    Args:
        x: The variable.
        value: An array of its shape.
    """
    batch_set_value([(x, value)])


def batch_set_value(tuples):
    """Sets variables in one step.

    Args:
        tuples: A list of pairs of a variable and an array.
    """
    if not tuples:
        return
    ops, feeds = [], {}
    for variable, value in tuples:
        given, op = _assignment(variable)
        ops.append(op)
        feeds[given] = np.asarray(value, variable.dtype.base_dtype.as_numpy_dtype)
    get_session().run(ops, feeds)


def _assignment(variable):
    if variable not in _assignments:
        with variable.graph.as_default(), name_scope(""):
            given = placeholder(variable.dtype, [None] * variable.shape.ndims)
            _assignments[variable] = given, variable.assign(given).op
    return _assignments[variable]
