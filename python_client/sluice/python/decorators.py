# SPDX-License-Identifier: Apache-2.0
"""The functions of TensorFlow's util.tf_decorator, util.tf_inspect, util.tf_contextlib and
util.all_util."""

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


def remove_undocumented(*args, **kwargs):
    """Does nothing: modules keep their names.

    Args:
        *args: Accepted.
        **kwargs: Accepted.
    """
    del args, kwargs


OF_MODULES = {"remove_undocumented": remove_undocumented}
OF_DECORATORS = {"make_decorator": make_decorator, "unwrap": unwrap}
OF_INSPECT = {name: getattr(inspect, name) for name in """
    currentframe getcallargs getdoc getfile getfullargspec getmembers getmodule getmro getsource
    isclass isfunction isgenerator isgeneratorfunction ismethod ismodule isroutine signature stack
""".split()}  # fmt: skip
OF_INSPECT["getargspec"] = inspect.getfullargspec
OF_CONTEXTS = {"contextmanager": contextlib.contextmanager}
