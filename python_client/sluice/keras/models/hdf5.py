# SPDX-License-Identifier: Apache-2.0
"""Weights and models in HDF5 files, in the layout of Keras. They are read and written by h5py.

A group for each layer has the attribute "weight_names" and a data set for each variable. The file
of a model also has the attributes "model_config" and "training_config", and a group
"optimizer_weights".
"""

import json
import os

import numpy as np

from ... import logging
from ..base import values
from . import configs

_VERSION, _BACKEND = b"2.2.4-tf", b"tensorflow"
_LIMIT = 64512  # bytes of one attribute


def module():
    """The module h5py. ImportError: it is not installed."""
    try:
        import h5py
    except ImportError:
        raise ImportError("HDF5 files need the Python package h5py") from None
    return h5py


def keep_list(group, name, items):
    """Writes a list of bytes as an attribute, or as several if it is long."""
    items = [np.bytes_(item) for item in items]
    long = [item for item in items if len(item) > _LIMIT]
    if long:
        raise RuntimeError(f"names are too long for an HDF5 file: {long[0][:100]!r}")
    array, parts = np.asarray(items), 1
    while items and any(part.nbytes > _LIMIT for part in np.array_split(array, parts)):
        parts += 1
    if parts == 1:
        group.attrs[name] = items
        return
    for number, part in enumerate(np.array_split(array, parts)):
        group.attrs[f"{name}{number}"] = part


def list_of(group, name):
    """The list of str that keep_list() wrote."""
    if name in group.attrs:
        found = list(group.attrs[name])
    else:
        found, number = [], 0
        while f"{name}{number}" in group.attrs:
            found += list(group.attrs[f"{name}{number}"])
            number += 1
    return [_text(item) for item in found]


def _text(value):
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


def _variables_of(layer):
    """The variables of a layer in the order of files: those that are trained come first."""
    return layer.trainable_weights + layer.non_trainable_weights


# ---- weights


def _write_variables(group, variables, names):
    found = values.batch_get_value(variables)
    keep_list(group, "weight_names", [name.encode() for name in names])
    for name, value in zip(names, found):
        value = np.asarray(value)
        group.create_dataset(name, value.shape, dtype=value.dtype)[...] = value


def write_weights(group, layers):
    """Writes the variables of layers.

    Args:
        group: The file or group.
        layers: The layers, a list.
    """
    keep_list(group, "layer_names", [layer.name.encode() for layer in layers])
    group.attrs["backend"], group.attrs["keras_version"] = _BACKEND, _VERSION
    for layer in sorted(layers, key=lambda layer: layer.name):
        variables = _variables_of(layer)
        own = group.create_group(layer.name)
        _write_variables(own, variables, [v.name for v in variables])


def _arrays_of(group):
    return [np.asarray(group[name]) for name in list_of(group, "weight_names")]


def read_weights(group, layers):
    """Sets the variables of layers, which stand in the order of the file.

    Args:
        group: The file or group.
        layers: The layers, a list.

    Raises:
        ValueError: The file does not fit the layers.
    """
    layers = [layer for layer in layers if _variables_of(layer)]
    names = [n for n in list_of(group, "layer_names") if list_of(group[n], "weight_names")]
    if len(names) != len(layers):
        raise ValueError(
            f"You are trying to load a weight file containing {len(names)} layers into a model "
            f"with {len(layers)} layers."
        )
    pairs = []
    for number, (name, layer) in enumerate(zip(names, layers)):
        variables, arrays = _variables_of(layer), _arrays_of(group[name])
        if len(variables) != len(arrays):
            raise ValueError(
                f'Layer #{number} (named "{layer.name}" in the current model) was found to '
                f"correspond to layer {name} in the save file. However the new layer {layer.name} "
                f"expects {len(variables)} weights, but the saved weights have {len(arrays)} "
                "elements."
            )
        pairs += zip(variables, arrays)
    _assign(pairs)


def read_weights_by_name(group, layers, skip_mismatch=False):
    """Sets the variables of the layers whose names the file has.

    Args:
        group: The file or group.
        layers: The layers, a list.
        skip_mismatch: Whether layers that do not fit are left alone. A bool.

    Raises:
        ValueError: A layer does not fit.
    """
    pairs = []
    for number, name in enumerate(list_of(group, "layer_names")):
        for layer in layers:
            if layer.name != name:
                continue
            variables, arrays = _variables_of(layer), _arrays_of(group[name])
            fits = len(variables) == len(arrays) and all(
                tuple(v.shape.as_list()) == a.shape for v, a in zip(variables, arrays)
            )
            if not fits and skip_mismatch:
                continue
            if len(variables) != len(arrays):
                raise ValueError(
                    f'Layer #{number} (named "{layer.name}") expects {len(variables)} weight(s), '
                    f"but the saved weights have {len(arrays)} element(s)."
                )
            for variable, array in zip(variables, arrays):
                if tuple(variable.shape.as_list()) != array.shape:
                    raise ValueError(
                        f'Layer #{number} (named "{layer.name}"), weight {variable} has shape '
                        f"{tuple(variable.shape.as_list())}, but the saved weight has shape "
                        f"{array.shape}."
                    )
            pairs += zip(variables, arrays)
    _assign(pairs)


def _assign(pairs):
    for variable, array in pairs:
        shape = tuple(variable.shape.as_list())
        if shape != array.shape:
            raise ValueError(
                f"Cannot assign to variable {variable.name} of shape {shape} a saved value of "
                f"shape {array.shape}"
            )
    values.batch_set_value(pairs)


# ---- models


def write_model(model, filepath, overwrite=True, include_optimizer=True):
    """Writes the layers, the variables, and how the model is trained.

    Args:
        model: The model.
        filepath: Path of the file, a str; or an h5py.File.
        overwrite: Whether a file that exists is replaced. A bool.
        include_optimizer: Whether the optimizer is saved. A bool.

    Raises:
        NotImplementedError: The model has no configuration.
    """
    h5py = module()
    described = configs.described(model)
    is_open = isinstance(filepath, h5py.Group)
    if not is_open and not overwrite and os.path.isfile(filepath) and not configs.may(filepath):
        return
    file = filepath if is_open else h5py.File(filepath, "w")
    try:
        file.attrs["keras_version"], file.attrs["backend"] = _VERSION, _BACKEND
        file.attrs["model_config"] = configs.as_json(described).encode()
        write_weights(file.create_group("model_weights"), model.layers)
        training = configs.training_config(model) if include_optimizer else None
        if training is not None:
            file.attrs["training_config"] = configs.as_json(training).encode()
            weights = model.optimizer.weights
            if weights:
                _write_variables(file.create_group("optimizer_weights"), weights, _unlike(weights))
        file.flush()
    finally:
        if not is_open:
            file.close()


def _unlike(variables):
    names = [v.name for v in variables]
    return [f"param_{i}" if names.count(n) > 1 else n for i, n in enumerate(names)]


def _restore_optimizer(model, group):
    """Sets the variables of the optimizer, which the function of a training step makes."""
    if not model.is_functional:
        logging.warning(
            "Sequential models without an `input_shape` passed to the first layer cannot reload "
            "their optimizer state. As a result, your model is starting with a freshly initialized "
            "optimizer."
        )
        return
    model.train_function()
    try:
        model.optimizer.set_weights(_arrays_of(group))
    except ValueError:
        logging.warning(
            "Error in loading the saved optimizer state. As a result, your model is starting with "
            "a freshly initialized optimizer."
        )


def read_model(filepath, custom_objects=None, compile=True):
    """Makes the model that write_model() wrote.

    Args:
        filepath: Path of the file, a str; or an h5py.File.
        custom_objects: A dict: name -> class or function, of the program. None: none.
        compile: Whether the model is compiled. A bool.

    Returns:
        A Model.

    Raises:
        ValueError: The file has no model.
    """
    h5py = module()
    is_open = isinstance(filepath, h5py.Group)
    file = filepath if is_open else h5py.File(filepath, "r")
    try:
        if "model_config" not in file.attrs:
            raise ValueError("No model found in config file.")
        model = configs.model_from_config(
            json.loads(_text(file.attrs["model_config"])), custom_objects
        )
        read_weights(file["model_weights"], model.layers)
        if compile and "training_config" in file.attrs:
            training = json.loads(_text(file.attrs["training_config"]))
            configs.compile_again(model, training, custom_objects)
            if "optimizer_weights" in file:
                _restore_optimizer(model, file["optimizer_weights"])
        return model
    finally:
        if not is_open:
            file.close()
