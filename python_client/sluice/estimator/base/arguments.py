# SPDX-License-Identifier: Apache-2.0
"""The arguments of input functions and model functions."""

import inspect

_MODEL_ARGUMENTS = {"features", "labels", "mode", "params", "self", "config"}


def names_of(function):
    """The names of the arguments of a function, a set of str."""
    return set(inspect.signature(function).parameters)


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
