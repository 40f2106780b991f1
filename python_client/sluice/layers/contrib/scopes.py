# SPDX-License-Identifier: Apache-2.0
"""Default arguments of functions, for all calls inside."""

import contextlib
import functools
import inspect
import threading

_state = threading.local()
_key = "_arg_scope_key"


def _stack():
    if not hasattr(_state, "stack"):
        _state.stack = [{}]
    return _state.stack


def add_arg_scope(func):
    """Lets arg_scope() set defaults of a function's arguments.

    Args:
        func: The function.

    Returns:
        The function.
    """

    @functools.wraps(func)
    def with_defaults(*args, **kwargs):
        return func(*args, **{**_stack()[-1].get(key, {}), **kwargs})

    key = f"{func.__module__}.{func.__qualname__}"
    setattr(with_defaults, _key, key)
    return with_defaults


def has_arg_scope(func):
    """Tests whether arg_scope() can set defaults of a function's arguments.

    Args:
        func: The function.

    Returns:
        A bool.
    """
    return hasattr(func, _key)


def current_arg_scope():
    """Returns all defaults that hold here.

    Returns:
        A dict, which arg_scope() takes.
    """
    return _stack()[-1]


def arg_scoped_arguments(func):
    """Lists the arguments of a function to which arg_scope() can give defaults.

    Args:
        func: A function that add_arg_scope() made.

    Returns:
        A tuple of str.
    """
    assert has_arg_scope(func)
    parameters = inspect.signature(func).parameters.values()
    return tuple(one.name for one in parameters if one.default is not one.empty)


@contextlib.contextmanager
def arg_scope(list_ops_or_scope, **kwargs):
    """Sets defaults of arguments for all calls inside.

    Args:
        list_ops_or_scope: A list of functions made by add_arg_scope(), or what an earlier
            arg_scope() gave.
        **kwargs: The defaults.

    Returns:
        A context manager, whose value are all defaults that hold.

    Raises:
        TypeError: list_ops_or_scope is neither.
        ValueError: A function was not made by add_arg_scope(), or there are arguments for what an
            earlier arg_scope() gave.

    Example:
        >>> layers = sl.contrib.layers
        >>> x = sl.placeholder(sl.float32, [None, 4])
        >>> with sl.contrib.framework.arg_scope([layers.fully_connected], activation_fn=None):
        ...     layers.fully_connected(x, 2).op.type
        'BiasAdd'
    """
    if isinstance(list_ops_or_scope, dict):
        if kwargs:
            raise ValueError("a scope that is entered again takes no further arguments")
        scope = dict(list_ops_or_scope)
    elif isinstance(list_ops_or_scope, (list, tuple)):
        scope = dict(_stack()[-1])
        for func in list_ops_or_scope:
            key = getattr(func, _key, None)
            if key is None:
                raise ValueError(f"{func!r} was not made by add_arg_scope()")
            scope[key] = {**scope.get(key, {}), **kwargs}
    else:
        raise TypeError(f"{list_ops_or_scope!r} is not a list of functions, nor a scope")
    _stack().append(scope)
    try:
        yield scope
    finally:
        _stack().pop()
