# SPDX-License-Identifier: Apache-2.0
"""The kinds of variables, and which of them a new variable is."""

import enum

from ..docstrings import constants

_resources_by_default = [False]
_choice_of_scope = []  # one function at most: variable_scope.py registers it


def enable_resource_variables():
    """Makes resource variables the default kind."""
    _resources_by_default[0] = True


def disable_resource_variables():
    """Makes reference variables the default kind, as they are at first."""
    _resources_by_default[0] = False


def resource_variables_enabled():
    """Tests whether resource variables are the default kind.

    Returns:
        A bool.
    """
    return _resources_by_default[0]


def choose_kind_by(function):
    """Registers a function without arguments that returns the kind that the current scope chooses:
    True for resources, False for references, None for no choice."""
    _choice_of_scope.append(function)


def is_resource(use_resource):
    """Whether a new variable is a resource. Its own argument counts first, then the scope's, then
    the default."""
    if use_resource is None and _choice_of_scope:
        use_resource = _choice_of_scope[0]()
    return resource_variables_enabled() if use_resource is None else bool(use_resource)


@constants
class VariableSynchronization(enum.Enum):
    """When the copies of a variable of a strategy are made equal: ON_WRITE: always; ON_READ: a read
    aggregates them; AUTO: as the strategy likes.

    Args:
        value: The number of the constant, an int.
    """

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


@constants
class VariableAggregation(enum.Enum):
    """How the values that replicas of a strategy assign to a variable become one.

    Args:
        value: The number of the constant, an int.
    """

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
    ONLY_FIRST_TOWER = 3


def copies_of(name, synchronization, aggregation):
    """How the copies of a variable become one, of the arguments of Variable.

    Args:
        name: Name of the variable, a str.
        synchronization: A VariableSynchronization or its number. None: AUTO.
        aggregation: A VariableAggregation or its number. None: NONE.

    Returns:
        (VariableSynchronization, VariableAggregation).

    Raises:
        ValueError: One of them is unknown.
    """
    return (
        _constant("synchronization", VariableSynchronization, name, synchronization),
        _constant("aggregation", VariableAggregation, name, aggregation),
    )


def _constant(what, kinds, name, given):
    try:
        return kinds(0 if given is None else given)
    except ValueError:
        raise ValueError(f"Invalid variable {what} mode: {given} for variable: {name}") from None
