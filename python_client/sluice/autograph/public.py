# SPDX-License-Identifier: Apache-2.0
"""The public names of sluice.autograph."""

import ast
import functools
import inspect

from .. import modules
from .calls import disabled, operators_of
from .converting import convert, converted_tree
from .features import Feature, names_of, set_loop_options
from .source import NoSourceError


def do_not_convert(func=None):
    """Makes a function that AutoGraph does not convert, nor what it calls.

    Args:
        func: The function. None: a decorator is returned.

    Returns:
        A function with the same arguments and result.

    Example:
        >>> @sl.autograph.experimental.do_not_convert
        ... def half(x):
        ...     return x / 2 if isinstance(x, float) else x // 2
        >>> half(3.0)
        1.5
    """
    if func is None:
        return do_not_convert

    @functools.wraps(func)
    def unconverted(*args, **kwargs):
        with disabled():
            return func(*args, **kwargs)

    return unconverted


def to_graph(entity, recursive=True, arg_values=None, arg_types=None,
             experimental_optional_features=None):  # fmt: skip
    """Converts a function: its `if` and loops on tensors become operations.

    function() and the functions that take Python functions convert them by themselves.

    Args:
        entity: A Python function or method. Of a method the result takes the object first.
        recursive: Accepted. What the function calls is always converted.
        arg_values: Accepted. It has no effect.
        arg_types: Accepted. It has no effect.
        experimental_optional_features: A Feature, or several. None: none.

    Returns:
        A function.

    Raises:
        ValueError: The source of the function cannot be found, or it is not a function.

    Example:
        >>> def absolute(x):
        ...     if x < 0:
        ...         x = -x
        ...     return x
        >>> sl.Session().run(sl.autograph.to_graph(absolute)(sl.constant(-3)))
        3
    """
    del recursive, arg_values, arg_types
    with _as_value_error(entity):
        return convert(_function_of(entity), operators_of(experimental_optional_features))


def to_code(entity, recursive=True, arg_values=None, arg_types=None, indentation="  ",
            experimental_optional_features=None):  # fmt: skip
    """Returns the source of what to_graph() makes.

    Args:
        entity: A Python function or method.
        recursive: Accepted. It has no effect.
        arg_values: Accepted. It has no effect.
        arg_types: Accepted. It has no effect.
        indentation: Accepted. It has no effect.
        experimental_optional_features: A Feature, or several. None: none.

    Returns:
        A str.

    Raises:
        ValueError: The source of the function cannot be found, or it is not a function.
    """
    del recursive, arg_values, arg_types, indentation
    with _as_value_error(entity):
        tree = converted_tree(_function_of(entity), names_of(experimental_optional_features))
        return ast.unparse(tree) + "\n"


def set_verbosity(level, alsologtostdout=False):
    """Accepted. It has no effect: AutoGraph logs only warnings, which logging shows.

    Args:
        level: An int.
        alsologtostdout: A bool.
    """
    del level, alsologtostdout


def _function_of(entity):
    entity = inspect.unwrap(getattr(entity, "__func__", entity))
    if not inspect.isfunction(entity):
        raise NoSourceError("it is not a function")
    return entity


class _as_value_error:  # noqa: N801
    """Makes a ValueError of what a conversion raises."""

    def __init__(self, entity):
        self._entity = entity

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _):
        if kind is not None and issubclass(kind, (NoSourceError, SyntaxError)):
            raise ValueError(f"converting {self._entity!r}: {error}") from error


experimental = modules.make(
    "autograph.experimental",
    "Options of AutoGraph.",
    {"Feature": Feature, "do_not_convert": do_not_convert, "set_loop_options": set_loop_options},
)
