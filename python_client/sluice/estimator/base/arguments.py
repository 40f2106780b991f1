# SPDX-License-Identifier: Apache-2.0
"""Checks of arguments, and the arguments of input functions and model functions."""

import functools
import inspect

from ...training.session_hooks import SessionRunHook

_MODEL_ARGUMENTS = {"features", "labels", "mode", "params", "self", "config"}


def names_of(function):
    """The names of the arguments that a function can be given, a set of str: not those that a
    partial function has already, and none after `*`."""
    if isinstance(function, functools.partial):
        names = list(_positional(function.func))
        return set(names[len(function.args) :]) - set(function.keywords)
    return set(_positional(function))


def _positional(function):
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
            yield name


def check_model_fn(model_fn, params):
    """Checks the arguments of a model function. ValueError: they do not fit."""
    names = names_of(model_fn)
    if "features" not in names:
        raise ValueError(f"model_fn ({model_fn}) must include features argument.")
    if params is not None and "params" not in names:
        raise ValueError(
            f"model_fn ({model_fn}) does not include params argument, but params ({params}) is"
            " passed to Estimator."
        )
    if names - _MODEL_ARGUMENTS:
        raise ValueError(
            f"model_fn ({model_fn}) has following not expected args: "
            f"{sorted(names - _MODEL_ARGUMENTS)}"
        )


def checked(items, kind, text):
    """A list of the items. TypeError, which begins with the text: one is of another class."""
    items = list(items or ())
    for item in items:
        if not isinstance(item, kind):
            raise TypeError(f"{text}, given: {item}")
    return items


def checked_hooks(hooks):
    """A list of the hooks. TypeError: one is not a SessionRunHook."""
    return checked(hooks, SessionRunHook, "Hooks must be a SessionRunHook")
