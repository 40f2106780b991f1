# SPDX-License-Identifier: Apache-2.0
"""Models as text and in files."""

import json
import os

from ..base.serializing import class_name
from . import configs, exporting, hdf5
from .configs import model_from_config


def to_json(model, **kwargs):
    """What Model.to_json() returns."""
    return configs.as_json(_updated(model), **kwargs)


def _updated(model):
    return {"class_name": class_name(model), "config": model.get_config(), **configs.VERSION}


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


def _yaml():
    try:
        import yaml
    except ImportError:
        raise ImportError("YAML texts need the Python package PyYAML") from None
    return yaml


def to_yaml(model, **kwargs):
    """What Model.to_yaml() returns."""
    return _yaml().dump(json.loads(to_json(model)), **kwargs)


def model_from_yaml(yaml_string, custom_objects=None):
    """Makes the model that to_yaml() described, with new variables.

    Args:
        yaml_string: The text, a str.
        custom_objects: A dict: name -> class or function, of the program. None: none.

    Returns:
        A Model.

    Raises:
        ImportError: PyYAML is not installed.
        ValueError: A name is not known.
    """
    return model_from_config(_yaml().safe_load(yaml_string), custom_objects)


# ---- models


def save_model(model, filepath, overwrite=True, include_optimizer=True, save_format=None,
               signatures=None):  # fmt: skip
    """Saves a model: its layers, its variables, and how it is trained.

    Args:
        model: The model.
        filepath: Path of the file or directory, a str; or an h5py.File.
        overwrite: Whether a file that exists is replaced. A bool.
        include_optimizer: Whether the state of the optimizer is saved. A bool.
        save_format: "h5" or None: HDF5. "tf": a SavedModel.
        signatures: Must be None.

    Raises:
        ImportError: h5py is not installed.
        NotImplementedError: The model has no configuration, or signatures are given.
        ValueError: A SavedModel of a model without inputs yet.
    """
    if signatures is not None:
        raise NotImplementedError("signatures: a SavedModel of Keras has that of predict() only")
    path = filepath if not isinstance(filepath, os.PathLike) else os.fspath(filepath)
    if (save_format or "h5") == "tf":
        if not model.outputs:
            raise ValueError(
                f"Model {model} cannot be saved because the input shapes have not been set. "
                "Usually, input shapes are automatically determined from calling .fit() or "
                ".predict(). To manually set the shapes, call model._set_inputs(inputs)."
            )
        if exporting.is_saved_model(path):
            if not overwrite and not configs.may(path):
                return
            exporting.remove(path)
        exporting.save_model(model, path)
        return
    hdf5.write_model(model, path, overwrite, include_optimizer)
