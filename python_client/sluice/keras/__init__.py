# SPDX-License-Identifier: Apache-2.0
"""Keras as TensorFlow 1.15 has it: models of layers, trained in graphs."""

# ruff: noqa: F401

from .. import modules as _modules
from . import layers, models
from .base import activations as _activations
from .base import backend as _backend
from .base import constraints as _constraints
from .base import initializers as _initializers
from .base import regularizers as _regularizers
from .base import serializing as _serializing
from .base import utilities as _utilities
from .base.sequences import Sequence as _Sequence
from .engine.input_layer import Input
from .fitting import callbacks as _callbacks
from .fitting import descents as _descents
from .fitting import losses as _losses
from .fitting import metrics as _metrics
from .fitting import schedules as _schedules
from .fitting.progress import Progbar as _Progbar
from .models import Model, Sequential


def _public(name, doc, source, **more):
    """The public module of a module's names."""
    names = {key: getattr(source, key) for key in source.__all__}
    return _modules.make(f"keras.{name}", doc, {**names, **more})


activations = _public("activations", "Functions of a layer's output.", _activations)
callbacks = _public(
    "callbacks", "What happens between the batches and epochs of fit().", _callbacks
)
constraints = _public(
    "constraints", "Functions of a variable that optimizers apply after an update.", _constraints
)
initializers = _public("initializers", "Objects that make initial values.", _initializers)
losses = _public("losses", "Losses of a batch.", _losses)
metrics = _public("metrics", "What is measured over the batches of an epoch.", _metrics)
_rates = _public(
    "optimizers.schedules", "Learning rates that fall with the number of updates.", _schedules
)
optimizers = _public("optimizers", "Optimizers of models.", _descents, schedules=_rates)
backend = _public("backend", "Functions of tensors that custom layers use.", _backend)
utils = _modules.make("keras.utils", "Objects by their names, sequences, functions of arrays.", {
    **{name: getattr(_serializing, name) for name in (
        "CustomObjectScope", "custom_object_scope", "deserialize_keras_object",
        "get_custom_objects", "serialize_keras_object",
    )},
    "Progbar": _Progbar, "Sequence": _Sequence, "normalize": _utilities.normalize,
    "to_categorical": _utilities.to_categorical,
})  # fmt: skip
regularizers = _public("regularizers", "Functions of a variable that return a loss.", _regularizers)

MODULES = (
    activations, backend, callbacks, constraints, initializers, layers, losses, metrics, models,
    optimizers, _rates, regularizers, utils,
)  # fmt: skip
__all__ = """
    Input Model Sequential activations backend callbacks constraints initializers layers losses
    metrics models optimizers regularizers utils
""".split()
