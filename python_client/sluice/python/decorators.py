# SPDX-License-Identifier: Apache-2.0
"""The functions of TensorFlow's util.tf_decorator, util.tf_inspect and util.tf_contextlib."""

import contextlib
import functools
import inspect


def make_decorator(target, decorator_func, *args, **kwargs):
    """Makes a function look like the one that it stands for.

    Args:
        target: The function that it stands for.
        decorator_func: The function.
        *args: Accepted: names and texts of the decorator.
        **kwargs: The same.

    Returns:
        The function, which inspect.unwrap() leads to the target.
    """
    del args, kwargs
    return functools.update_wrapper(decorator_func, target)


def unwrap(maybe_tf_decorator):
    """Finds the function behind decorators.

    Args:
        maybe_tf_decorator: A function.

    Returns:
        A pair of the decorators, a list that is empty here, and the function.
    """
    return [], inspect.unwrap(maybe_tf_decorator)


def getfullargspec(func):
    """Returns the names and defaults of a function's arguments.

    Args:
        func: The function; of a decorated one, those of the function behind.

    Returns:
        An inspect.FullArgSpec.
    """
    stop = lambda decorated: hasattr(decorated, "__signature__")  # noqa: E731
    return inspect.getfullargspec(inspect.unwrap(func, stop=stop))


def fn_args(fn):
    """Returns the names of a function's arguments, without `self` and those that are bound.

    Args:
        fn: A function, a method, a functools.partial(), or an object that can be called.

    Returns:
        A tuple of str.
    """
    if isinstance(fn, functools.partial):
        names = fn_args(fn.func)[len(fn.args) :]
        return tuple(name for name in names if name not in fn.keywords)
    if not (inspect.isfunction(fn) or inspect.ismethod(fn)) and callable(fn):
        fn = fn.__call__
    found = inspect.getfullargspec(inspect.unwrap(fn)).args
    return tuple(found[1:] if inspect.ismethod(fn) else found)


OF_DECORATORS = {"make_decorator": make_decorator, "unwrap": unwrap}
OF_INSPECT = {name: getattr(inspect, name) for name in """
    currentframe getcallargs getdoc getfile getmembers getmodule getmro getsource
    isclass isfunction isgenerator isgeneratorfunction ismethod ismodule isroutine signature stack
""".split()}  # fmt: skip
OF_INSPECT.update(getargspec=getfullargspec, getfullargspec=getfullargspec)
OF_CONTEXTS = {"contextmanager": contextlib.contextmanager}
