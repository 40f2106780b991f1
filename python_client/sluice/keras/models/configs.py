# SPDX-License-Identifier: Apache-2.0
"""What files say of models: their layers, and how they are trained."""

import json

import numpy as np

from ..base.serializing import CustomObjectScope, class_name, get_custom_objects
from ..engine.registry import deserialize
from ..fitting import descents, losses, metrics
from ..fitting.adapted import TFOptimizer

VERSION = {"keras_version": "2.2.4-tf", "backend": "tensorflow"}


def described(model):
    """The dict that a model's file has as "model_config".

    Raises:
        NotImplementedError: The model has no configuration.
    """
    try:
        config = model.get_config()
    except NotImplementedError:
        raise NotImplementedError(
            "Saving the model to HDF5 format requires the model to be a Functional model or a "
            "Sequential model. It does not work for subclassed models, because such models are "
            "defined via the body of a Python method, which isn't safely serializable. Consider "
            "using `save_weights`."
        ) from None
    return {"class_name": class_name(model), "config": config}


def as_json(value, **kwargs):
    """The text of a configuration."""
    return json.dumps(value, default=_plain, **kwargs)


def _plain(value):
    """Arrays and numbers of NumPy, dtypes, objects and functions as JSON has them."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "get_config"):
        return {"class_name": class_name(value), "config": value.get_config()}
    if hasattr(value, "as_list"):
        return value.as_list()
    if hasattr(value, "as_numpy_dtype"):
        return value.name
    if hasattr(value, "__name__"):
        return value.__name__
    raise TypeError(f"{value!r} cannot be in a configuration")


def model_from_config(config, custom_objects=None):
    """Makes the model that a dict of "class_name" and "config" describes.

    Args:
        config: The dict.
        custom_objects: A dict: name -> class or function, of the program. None: none.

    Returns:
        A Model.

    Raises:
        TypeError: It is a list.
        ValueError: A name is not known.
    """
    if isinstance(config, list):
        raise TypeError(
            "`model_from_config` expects a dictionary, not a list. Maybe you meant to use "
            "`Sequential.from_config(config)`?"
        )
    return deserialize(config, {**get_custom_objects(), **(custom_objects or {})})


def training_config(model):
    """How a compiled model is trained, as a dict for files. None: its optimizer is not one of
    Keras."""
    given = model.compile_arguments()
    if given is None or isinstance(model.optimizer, TFOptimizer):
        return None
    config = {
        key: given[key]
        for key in ("loss", "metrics", "weighted_metrics", "sample_weight_mode", "loss_weights")
    }
    config["optimizer_config"] = {
        "class_name": type(model.optimizer).__name__, "config": model.optimizer.get_config(),
    }  # fmt: skip
    return config


def compile_again(model, training, custom_objects=None):
    """Compiles a model as training_config() said.

    Args:
        model: The model.
        training: The dict.
        custom_objects: A dict: name -> class or function, of the program. None: none.
    """
    with CustomObjectScope(custom_objects or {}):
        optimizer = descents.deserialize(training["optimizer_config"], custom_objects)
        model.compile(
            optimizer, _made(training["loss"], losses.deserialize),
            _made(training.get("metrics"), metrics.deserialize),
            training.get("loss_weights"), training.get("sample_weight_mode"),
            _made(training.get("weighted_metrics"), metrics.deserialize),
        )  # fmt: skip


def _made(value, make):
    """The objects that dicts and names in a structure of lists and dicts stand for."""
    if isinstance(value, dict) and set(value) == {"class_name", "config"}:
        return make(value)
    if isinstance(value, dict):
        return {key: _made(part, make) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_made(part, make) for part in value]
    return value


def may(path):
    """Asks whether a file may be replaced.

    Args:
        path: Its path, a str.

    Returns:
        A bool.
    """
    answer = input(f"[WARNING] {path} already exists - overwrite? [y/n]")
    while answer.strip().lower() not in ("y", "n"):
        answer = input('Enter "y" (overwrite) or "n" (cancel).')
    return answer.strip().lower() == "y"
