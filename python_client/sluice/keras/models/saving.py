# SPDX-License-Identifier: Apache-2.0
"""Models as text and in files."""

import json

import numpy as np

from ..base.serializing import class_name, get_custom_objects
from ..engine.registry import deserialize

_VERSION = {"keras_version": "2.2.4-tf", "backend": "tensorflow"}


def to_json(model, **kwargs):
    """What Model.to_json() returns."""
    described = {"class_name": class_name(model), "config": model.get_config(), **_VERSION}
    return json.dumps(described, default=_plain, **kwargs)


def _plain(value):
    """Arrays and numbers of NumPy, dtypes and functions as JSON has them."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "__name__"):
        return value.__name__
    if hasattr(value, "as_list"):
        return value.as_list()
    raise TypeError(f"{value!r} cannot be in a configuration")


def model_from_json(json_string, custom_objects=None):
    """Makes the model that to_json() described, with new variables.

    Args:
        json_string: The text, a str.
        custom_objects: A dict: name -> class or function, of the program. None: none.

    Returns:
        A Model.

    Raises:
        ValueError: A name is not known.
    """
    return model_from_config(json.loads(json_string), custom_objects)


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
        raise TypeError("a configuration is a dict; a Sequential has its own from_config()")
    return deserialize(config, {**get_custom_objects(), **(custom_objects or {})})


def save_weights(model, filepath, overwrite=True, save_format=None):
    raise NotImplementedError("sluice.keras has no save_weights() yet: use train.Saver")


def load_weights(model, filepath, by_name=False):
    raise NotImplementedError("sluice.keras has no load_weights() yet: use train.Saver")


def save_model(model, filepath, overwrite=True, include_optimizer=True, save_format=None,
               signatures=None):  # fmt: skip
    raise NotImplementedError("sluice.keras has no save_model() yet: use to_json() and train.Saver")
