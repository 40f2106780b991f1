# SPDX-License-Identifier: Apache-2.0
"""The public names of autograph.experimental that converted code is made by."""

import enum

from ..ops.docstrings import constants


@constants
class Feature(enum.Enum):
    """Optional features of AutoGraph.

    ALL turns all on. EQUALITY_OPERATORS: `==` and `!=` compare the values of tensors.
    BUILTIN_FUNCTIONS: print() of tensors prints their values in each run. NAME_SCOPES: operations
    of a function are in a name scope with its name. ASSERT_STATEMENTS is always on.
    AUTO_CONTROL_DEPS and LISTS are accepted and have no effect.

    Args:
        value: The name of the feature, a str.
    """

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls):
        """Returns all features.

        Returns:
            A tuple.
        """
        return tuple(cls.__members__.values())

    @classmethod
    def all_but(cls, exclude):
        """Returns all features except for some.

        Args:
            exclude: A Feature, or a list, tuple or set of them.

        Returns:
            A tuple.
        """
        excluded = exclude if isinstance(exclude, (list, tuple, set)) else (exclude,)
        return tuple(f for f in cls if f not in excluded and f is not cls.ALL)


def names_of(features):
    """The names of features, a frozenset: of a Feature, of several, or of None."""
    if features is None:
        return frozenset()
    return frozenset(f.value for f in ([features] if isinstance(features, Feature) else features))


def set_loop_options(
    parallel_iterations=None, back_prop=None, swap_memory=None, maximum_iterations=None
):
    """Sets options of the loop whose body calls it. Of a loop of Python it has no effect.

    The conversion reads the call: its arguments have names, and are those before the loop.

    Args:
        parallel_iterations: How many iterations may run at the same time, an int.
        back_prop: Accepted. It has no effect.
        swap_memory: Accepted. It has no effect.
        maximum_iterations: Accepted. It has no effect, as in TensorFlow 1.15.
    """


def trace(*args):
    """Prints values while the graph is built.

    Args:
        *args: The values.
    """
    print(*args)
