# SPDX-License-Identifier: Apache-2.0
"""Models that were saved, from HDF5 files and SavedModels, ours and TensorFlow's."""

import json
import os

from ...files import gfile
from ...files.files import open_file
from . import configs, exporting, hdf5, saved_graphs, weights
from .revived import RevivedModel, revive


def load_model(filepath, custom_objects=None, compile=True):
    """Makes the model that save_model() saved.

    Args:
        filepath: Path of the file or directory, a str; or an h5py.File.
        custom_objects: A dict: name -> class or function, of the program. None: none.
        compile: Whether the model is compiled. A bool.

    Returns:
        A Model.

    Raises:
        ImportError: h5py is not installed.
        OSError: The file does not exist, or the SavedModel has no layers.
        ValueError: It has no model, or a name is not known.
    """
    path = os.fspath(filepath) if isinstance(filepath, os.PathLike) else filepath
    if exporting.is_saved_model(path):
        return _read(path, custom_objects, compile)
    if isinstance(path, str) and not os.path.isfile(path):
        raise OSError(
            f"SavedModel file does not exist at: {path}/{{saved_model.pbtxt|saved_model.pb}}"
        )
    return hdf5.read_model(path, custom_objects, compile)


def load_from_saved_model(saved_model_path, custom_objects=None):
    """Makes the model that export_saved_model() saved. It is not compiled.

    Args:
        saved_model_path: The directory, a str.
        custom_objects: A dict: name -> class or function, of the program. None: none.

    Returns:
        A Model.

    Raises:
        OSError: The directory has no layers of a model.
        ValueError: A name is not known.
    """
    return _read(saved_model_path, custom_objects, False)


def _read(saved_model_path, custom_objects, compile):
    """The model of a SavedModel, compiled if it was and `compile` is True."""
    path = os.fspath(saved_model_path)
    described = _description(path)
    training = described.pop("training_config", None)
    model = _model_of(path, described, custom_objects)
    if compile and training is not None:
        configs.compile_again(model, training, custom_objects)
    if not isinstance(model, RevivedModel):
        weights.load_weights(model, os.path.join(path, exporting.VARIABLES))
    return model


def _description(path):
    """What a SavedModel says of the layers and of training, a dict. OSError: nothing."""
    text = os.path.join(path, exporting.JSON)
    if gfile.exists(text):
        with open_file(text, "rb") as file:
            return json.loads(file.read().decode())
    described = saved_graphs.metadata_of(path)
    if described is None:
        raise OSError(
            f"{path} has no {exporting.JSON} and no objects of Keras: only its graph can be "
            "loaded, by sluice.saved_model.load()"
        )
    return described


def _model_of(path, described, custom_objects):
    """The model with new variables, by its layers if it says them and their classes are known; else
    one that runs its graph."""
    has_graph = "weights" in described or not gfile.exists(os.path.join(path, exporting.JSON))
    if described.get("config") is not None:
        try:
            return configs.model_from_config(described, custom_objects)
        except ValueError:
            if not has_graph:
                raise
    graph = saved_graphs.read_graph(path, described.get("weights"))
    return revive(graph, described["class_name"])
