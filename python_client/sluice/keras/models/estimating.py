# SPDX-License-Identifier: Apache-2.0
"""Models of Keras as estimators."""

import os

from ...estimator.base.estimator import Estimator
from ...estimator.base.export_outputs import PredictOutput
from ...estimator.base.modes import ModeKeys
from ...estimator.base.spec import EstimatorSpec
from ...files import gfile
from ...graph.graph import Graph
from ...ops.control_flow.grouping import group
from ...ops.state.initializing import global_variables_initializer
from ...session.session import Session
from ...training.checkpoints.state import latest_checkpoint
from ...training.global_step import create_global_step, get_or_create_global_step
from ...training.object_checkpoint import ObjectSaver
from ...training.saver import Saver
from ...training.scaffold import Scaffold
from ..base import state
from ..base.serializing import CustomObjectScope
from ..fitting.adapted import TFOptimizer
from .cloning import clone_model
from .loading import load_model

_SERVING = "serving_default"


def model_to_estimator(keras_model=None, keras_model_path=None, custom_objects=None,
                       model_dir=None, config=None, checkpoint_format="saver"):  # fmt: skip
    """Makes an estimator that trains copies of a compiled model.

    Features are a tensor, or a dict: name of an input -> tensor. Labels are a tensor, or a dict:
    name of an output -> tensor. Predictions are a dict: name of an output -> tensor. The variables
    begin with the values of the model.

    Args:
        keras_model: The model. None: that of keras_model_path.
        keras_model_path: Path of a model that save() wrote, a str. None: keras_model is given.
        custom_objects: A dict: name -> class or function, of the program. None: none.
        model_dir: Directory of checkpoints and summaries, a str. None: that of config, else a
            temporary one.
        config: A RunConfig. None: a default one.
        checkpoint_format: "saver": checkpoints by names of variables. "checkpoint": by objects, as
            save_weights() of the model writes them. None: "saver".

    Returns:
        An Estimator.

    Raises:
        ValueError: None or both of the models are given, the model is not compiled, or its class
            defines call(); checkpoint_format is another one.
    """
    if checkpoint_format not in (None, "saver", "checkpoint"):
        raise ValueError(
            f'Checkpoint format must be one of "checkpoint" or "saver". Got {checkpoint_format}'
        )
    if keras_model is None and keras_model_path is None:
        raise ValueError("Either `keras_model` or `keras_model_path` needs to be provided.")
    if keras_model is not None and keras_model_path is not None:
        raise ValueError(
            "Please specity either `keras_model` or `keras_model_path`, but not both."
        )
    if keras_model is None:
        keras_model = load_model(keras_model_path, custom_objects)
    if not keras_model.optimizer:
        raise ValueError(
            "The given keras model has not been compiled yet. Please compile the model with "
            "`model.compile()` before calling `model_to_estimator()`."
        )

    optimizer = _maker_of(keras_model.optimizer)

    def model_fn(features, labels, mode):
        model = _built(keras_model, optimizer, custom_objects, mode, features, labels)
        predictions = dict(zip(model.output_names, model.outputs))
        loss = metrics = train_op = None
        if mode != ModeKeys.PREDICT:
            loss, metrics = model.total_loss, {metric.name: metric for metric in model.metrics}
        if mode == ModeKeys.TRAIN:
            train_op = group(*model.make_updates())
        exported = {_SERVING: PredictOutput(predictions)}
        scaffold = None
        if checkpoint_format == "checkpoint":
            scaffold = Scaffold(saver=ObjectSaver(_Trained(model)).frozen(sharded=True))
        return EstimatorSpec(
            mode, predictions, loss, train_op, metrics, exported, scaffold=scaffold
        )

    config = Estimator(model_fn, model_dir, config).config
    begin = _first_checkpoint(keras_model, optimizer, custom_objects, config)
    return Estimator(model_fn, config=config, warm_start_from=begin)


class _Trained:
    """A model and the global step, as checkpoints by objects have them."""

    def __init__(self, model):
        self._model = model

    def checkpoint_children(self):
        """The parts of the model, and the global step."""
        step = get_or_create_global_step()
        return [*self._model.checkpoint_children(), ("estimator_global_step", step)]


def _built(model, optimizer, custom_objects, mode, features=None, labels=None):
    """A compiled copy of a model in the default graph, of tensors in place of placeholders."""
    inputs = _in_order(features, model.input_names, "inputs")
    targets = _in_order(labels, model.output_names, "outputs")
    state.set_learning_phase(int(mode == ModeKeys.TRAIN))
    with CustomObjectScope(custom_objects or {}):
        copy = clone_model(model, inputs)
        if mode == ModeKeys.PREDICT:
            return copy
        given = dict(model.compile_arguments())
        given["target_tensors"] = targets
        for key in ("metrics", "weighted_metrics"):
            given[key] = _anew(given[key])
        copy.compile(optimizer(), **given)
    return copy


def _in_order(given, names, what):
    """Tensors in the order of names; None for None."""
    if given is None:
        return None
    if not isinstance(given, dict):
        return list(given) if isinstance(given, (list, tuple)) else [given]
    lacking = sorted(set(names) - set(given))
    if lacking:
        raise ValueError(
            f"the input function gives no {lacking[0]!r}, one of the {what} {list(names)} of the "
            f"model of Keras; it gives {sorted(given)}"
        )
    return [given[name] for name in names]


def _anew(metrics):
    """The same metrics without what they measured so far."""
    if isinstance(metrics, dict):
        return {name: _anew(of_output) for name, of_output in metrics.items()}
    if isinstance(metrics, (list, tuple)):
        return [_anew(metric) for metric in metrics]
    is_metric = hasattr(metrics, "get_config") and hasattr(metrics, "update_state")
    return type(metrics).from_config(metrics.get_config()) if is_metric else metrics


def _maker_of(optimizer):
    """A function that makes the same optimizer without variables; it counts steps by the global
    step. The numbers of one that has variables are read here, in the graph of its model."""
    of_keras = not isinstance(optimizer, TFOptimizer)
    config = optimizer.get_config() if of_keras else None

    def make():
        copy = type(optimizer).from_config(config) if of_keras else TFOptimizer(optimizer.optimizer)
        copy.iterations = get_or_create_global_step()
        return copy

    return make


def _first_checkpoint(model, optimizer, custom_objects, config):
    """The path of a checkpoint of the values that training begins with."""
    folder = os.path.join(config.model_dir, "keras")
    path = latest_checkpoint(folder)
    if path:
        return path
    with model.outputs[0].graph.as_default():
        values = model.get_weights() if state.are_initialized(model.weights) else None
    gfile.makedirs(folder)
    with Graph().as_default() as graph:
        graph.seed = config.tf_random_seed
        create_global_step(graph)
        copy = _built(model, optimizer, custom_objects, ModeKeys.TRAIN)
        copy.make_updates()
        with Session(config=config.session_config) as session:
            session.run(global_variables_initializer())
            if values is not None:
                copy.set_weights(values)
            return Saver().save(session, os.path.join(folder, "keras_model.ckpt"))
