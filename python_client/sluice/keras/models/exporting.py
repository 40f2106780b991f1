# SPDX-License-Identifier: Apache-2.0
"""Models as SavedModels.

The directory has the graph of predict() with a serving signature, and the variables as a checkpoint
of objects, which the graph restores by its keys. The file assets/saved_model.json has the layers,
and how the model is trained.
"""

import os

from ...files import gfile
from ...files.files import write_whole
from ...graph.graph import Graph
from ...saving import keys, loader
from ...saving.builder import Builder
from ...saving.signatures import predict_signature_def
from ...session.session import Session
from ...training.object_graph import ObjectGraph
from ...training.saver import Saver
from ..base import state
from ..base.serializing import class_name
from . import configs, saved_graphs, weights
from .called import for_any_batch

JSON = os.path.join(keys.ASSETS_DIRECTORY, "saved_model.json")
VARIABLES = os.path.join(keys.VARIABLES_DIRECTORY, keys.VARIABLES_FILENAME)


def export_saved_model(model, saved_model_path, custom_objects=None, as_text=False,
                       input_signature=None, serving_only=False):  # fmt: skip
    """Saves a model as a SavedModel: the graph of predict() with a serving signature, the
    variables, and unless serving_only the layers.

    Args:
        model: The model.
        saved_model_path: The directory, a str. It must be empty, or not exist.
        custom_objects: A dict: name -> class or function, of the program. None: none.
        as_text: Whether the graph's file has the text form. A bool.
        input_signature: Must be None: the inputs of the model are those of the signature.
        serving_only: Whether the layers are left out. A bool.

    Raises:
        AssertionError: The directory has files.
        NotImplementedError: The model is a class of the program, and not serving_only.
        ValueError: The model has no inputs or variables yet.
    """
    if input_signature is not None:
        raise NotImplementedError("input_signature is not there yet: the model's inputs are used")
    if not serving_only and not model.is_functional:
        if not model.outputs and hasattr(model, "add"):
            raise ValueError(
                "Weights for sequential model have not yet been created. Weights are created when "
                "the Model is first called on inputs or `build()` is called with an `input_shape`, "
                "or the first layer in the model has `input_shape` during construction."
            )
        raise NotImplementedError(
            "Subclassed models can only be exported for serving. Please set argument "
            "serving_only=True."
        )
    if not model.outputs:
        raise ValueError("the model has no inputs yet: call predict() or fit() first")
    described = None if serving_only else _described(model)
    _write(model, os.fspath(saved_model_path), described, custom_objects, as_text)


def save_model(model, path):
    """What Model.save() does with save_format="tf": export_saved_model() of a model of any kind.
    Its graph can take the place of classes that the program lacks when it loads the model.

    Args:
        model: The model. It has inputs.
        path: The directory, a str.
    """
    _write(model, path, _described(model), graph_is_described=True)


def _write(model, path, described, custom_objects=None, as_text=False, graph_is_described=False):
    """Writes the graph, the variables, and unless `described` is None what it says."""
    builder = Builder(path)
    if model.is_functional:
        values = model.get_weights()
        with Graph().as_default(), Session() as session:
            with state.learning_phase_scope(0):
                served = _copied(model, custom_objects)
            served.set_weights(values)
            _add(builder, served, session)
    else:
        served, session = model, state.get_session()
        with session.graph.as_default():
            _add(builder, served, session)
    weights.save_weights(model, os.path.join(path, VARIABLES), save_format="tf")
    if graph_is_described:
        described["weights"] = saved_graphs.weights_of(served)
    if described is not None:
        gfile.makedirs(os.path.join(path, keys.ASSETS_DIRECTORY))
        write_whole(os.path.join(path, JSON), configs.as_json(described).encode())
    builder.save(as_text)


def _copied(model, custom_objects):
    """A model with the same layers, in the default graph."""
    own = {type(part).__name__: type(part) for part in model.layers}
    described = {"class_name": class_name(model), "config": model.get_config()}
    return configs.model_from_config(described, {**own, **(custom_objects or {})})


def _described(model):
    """What the JSON file says: that of Model.to_json(), and how the model is trained."""
    described = {"class_name": class_name(model), **configs.VERSION}
    if model.is_functional:
        described["config"] = model.get_config()
    training = configs.training_config(model)
    return described if training is None else {**described, "training_config": training}


def _add(builder, model, session):
    inputs, outputs = for_any_batch(model)
    signature = predict_signature_def(
        dict(zip(model.input_names, inputs)), dict(zip(model.output_names, outputs))
    )
    builder.add_meta_graph_and_variables(
        session, [keys.SERVING], {keys.DEFAULT_SERVING_SIGNATURE_DEF_KEY: signature},
        saver=Saver(ObjectGraph(model).variables(), allow_empty=True),
    )  # fmt: skip


def is_saved_model(path):
    """Whether a path is the directory of a SavedModel."""
    return isinstance(path, (str, os.PathLike)) and gfile.isdir(path) and (
        loader.maybe_saved_model_directory(path)
    )  # fmt: skip


def remove(path):
    """Removes what a SavedModel has in its directory."""
    for name in (keys.VARIABLES_DIRECTORY, keys.ASSETS_DIRECTORY):
        if gfile.isdir(os.path.join(path, name)):
            gfile.rmtree(os.path.join(path, name))
    for name in (keys.SAVED_MODEL_FILENAME_PB, keys.SAVED_MODEL_FILENAME_PBTXT):
        if gfile.exists(os.path.join(path, name)):
            gfile.remove(os.path.join(path, name))
