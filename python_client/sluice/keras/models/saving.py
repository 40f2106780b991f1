# SPDX-License-Identifier: Apache-2.0
"""Models as text and in files."""

import json
import os

from ...training.checkpoint_state import checkpoint_exists, update_checkpoint_state
from ...training.object_checkpoint import ObjectSaver, set_session_provider
from ..base.serializing import class_name
from ..base.state import get_session
from . import configs, hdf5
from .configs import model_from_config

set_session_provider(get_session)

_H5 = (".h5", ".keras", ".hdf5")


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


# ---- weights


def _is_h5(filepath, save_format):
    if save_format is None:
        return str(filepath).endswith(_H5)
    kind = str(save_format).lower().strip()
    if kind not in ("tensorflow", "tf", "hdf5", "h5", "keras"):
        raise ValueError(
            f'Unknown format "{save_format}". Was expecting one of {{"tf", "h5"}}.'
        )
    return kind not in ("tensorflow", "tf")


def save_weights(model, filepath, overwrite=True, save_format=None):
    """What Model.save_weights() does."""
    filepath = os.fspath(filepath)
    as_h5 = _is_h5(filepath, save_format)
    if not as_h5 and filepath.endswith(_H5):
        raise ValueError(
            'save_weights got save_format="tf"/"tensorflow", but the filepath '
            f'("{filepath}") looks like an HDF5 file.'
        )
    model.check_has_variables()
    exists = os.path.isfile(filepath if as_h5 else filepath + ".index")
    if not overwrite and exists and not configs.may(filepath):
        return
    if as_h5:
        with hdf5.module().File(filepath, "w") as file:
            hdf5.write_weights(file, model.layers)
        return
    _saver_of(model).save(filepath, get_session())
    update_checkpoint_state(os.path.dirname(filepath), filepath, save_relative_paths=True)


def _saver_of(model):
    if "_object_saver" not in vars(model):
        vars(model)["_object_saver"] = ObjectSaver(model)
    return vars(model)["_object_saver"]


def load_weights(model, filepath, by_name=False):
    """What Model.load_weights() does. Of a TensorFlow checkpoint it returns the status."""
    filepath = os.fspath(filepath)
    if not filepath.endswith(_H5) and checkpoint_exists(filepath):
        if by_name:
            raise NotImplementedError(
                "Weights may only be loaded based on topology into Models when loading TensorFlow-"
                "formatted weights (got by_name=True to load_weights)."
            )
        status = _saver_of(model).restore(filepath)
        status.assert_nontrivial_match()
        status.run_restore_ops(get_session())
        model.restore_later(status)
        return status
    h5py = hdf5.module()
    model.check_has_variables()
    with h5py.File(filepath, "r") as file:
        group = file["model_weights"] if "layer_names" not in file.attrs and (
            "model_weights" in file
        ) else file  # fmt: skip
        if by_name:
            hdf5.read_weights_by_name(group, model.layers)
        else:
            hdf5.read_weights(group, model.layers)
    return None


# ---- models


def save_model(model, filepath, overwrite=True, include_optimizer=True, save_format=None,
               signatures=None):  # fmt: skip
    """Saves a model: its layers, its variables, and how it is trained.

    Args:
        model: The model.
        filepath: Path of the file, a str; or an h5py.File.
        overwrite: Whether a file that exists is replaced. A bool.
        include_optimizer: Whether the state of the optimizer is saved. A bool.
        save_format: "h5" or None: HDF5.
        signatures: Must be None.

    Raises:
        ImportError: h5py is not installed.
        NotImplementedError: The model has no configuration, or the format is "tf".
    """
    if (save_format or "h5") == "tf" or signatures is not None:
        raise NotImplementedError(
            'save_format="tf" needs eager execution: use '
            "sluice.keras.experimental.export_saved_model()"
        )
    path = filepath if not isinstance(filepath, os.PathLike) else os.fspath(filepath)
    hdf5.write_model(model, path, overwrite, include_optimizer)


def load_model(filepath, custom_objects=None, compile=True):
    """Makes the model that save_model() saved.

    Args:
        filepath: Path of the file, a str; or an h5py.File.
        custom_objects: A dict: name -> class or function, of the program. None: none.
        compile: Whether the model is compiled. A bool.

    Returns:
        A Model.

    Raises:
        ImportError: h5py is not installed.
        OSError: There is no such file.
        ValueError: It has no model, or a name is not known.
    """
    path = os.fspath(filepath) if isinstance(filepath, os.PathLike) else filepath
    return hdf5.read_model(path, custom_objects, compile)
