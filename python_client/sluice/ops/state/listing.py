# SPDX-License-Identifier: Apache-2.0
"""The variables of the graph."""

from ...graph.default_graph import get_collection
from ...graph.keys import GraphKeys


def global_variables(scope=None):
    """Returns the variables of the default graph that tasks share.

    Args:
        scope: A regular expression that names of variables must begin with. None: all.

    Returns:
        A list of variables.
    """
    return get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


def all_variables():
    """Returns the variables of the default graph that tasks share. Older form of
    global_variables().

    Returns:
        A list of variables.
    """
    return global_variables()


def model_variables(scope=None):
    """Returns the variables that a model requires to run.

    Args:
        scope: A regular expression that names of variables must begin with. None: all.

    Returns:
        A list of variables.
    """
    return get_collection(GraphKeys.MODEL_VARIABLES, scope)


def moving_average_variables(scope=None):
    """Returns the variables that have a moving average.

    Args:
        scope: A regular expression that names of variables must begin with. None: all.

    Returns:
        A list of variables.
    """
    return get_collection(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


def local_variables(scope=None):
    """Returns the variables of the default graph that belong to one task, such as counters.

    Args:
        scope: A regular expression that names of variables must begin with. None: all.

    Returns:
        A list of variables.
    """
    return get_collection(GraphKeys.LOCAL_VARIABLES, scope)


def trainable_variables(scope=None):
    """Returns the variables that optimizers change by default.

    Args:
        scope: A regular expression that names of variables must begin with. None: all.

    Returns:
        A list of variables.

    Example:
        >>> v, w = sl.Variable(1.0, name="v"), sl.Variable(2.0, trainable=False)
        >>> [variable.op.name for variable in sl.trainable_variables()]
        ['v']
    """
    return get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)
