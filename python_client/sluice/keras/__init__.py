# SPDX-License-Identifier: Apache-2.0
"""Keras as TensorFlow 1.15 has it: models of layers, trained in graphs."""

# ruff: noqa: F401

from .. import modules as _modules
from . import applications as _applications
from . import layers, models
from .base import activations as _activations
from .base import backend as _backend
from .base import cached_data as _cached_data
from .base import constraints as _constraints
from .base import enqueuers as _enqueuers
from .base import initializers as _initializers
from .base import policies as _policies
from .base import regularizers as _regularizers
from .base import sequence_data as _sequence_data
from .base import serializing as _serializing
from .base import tensors as _tensors
from .base import text_data as _text_data
from .base import utilities as _utilities
from .base.downloads import get_file as _get_file
from .base.hdf5_matrix import HDF5Matrix as _HDF5Matrix
from .base.sequences import Sequence as _Sequence
from .engine.input_layer import Input
from .fitting import board as _board
from .fitting import callbacks as _callbacks
from .fitting import checkpoints as _checkpoints
from .fitting import confusion as _confusion
from .fitting import descents as _descents
from .fitting import losses as _losses
from .fitting import metrics as _metrics
from .fitting import reports as _reports
from .fitting import scaled as _scaled
from .fitting import schedules as _schedules
from .fitting.progress import Progbar as _Progbar
from .image_data import changes as _changes
from .image_data import files as _files
from .image_data import generator as _generator
from .image_data import iterators as _iterators
from .layers import convolutional_recurrent as _convolutional_recurrent
from .layers import features as _of_columns
from .layers import recurrence as _recurrence
from .models import Model, Sequential
from .models import cloning as _cloning
from .models import estimating as _estimating
from .models import exporting as _exporting
from .models import loading as _loading
from .models import parallel as _parallel
from .models import picture as _picture
from .models import premade as _premade
from .models import wrappers as _wrappers

__version__ = "2.2.4-tf"  # of the Keras of TensorFlow 1.15


def _public(name, doc, *sources, **more):
    """The public module of the names of modules."""
    names = {key: getattr(source, key) for source in sources for key in source.__all__}
    return _modules.make(f"keras.{name}", doc, {**names, **more})


activations = _public("activations", "Functions of a layer's output.", _activations)
callbacks = _public(
    "callbacks",
    "What happens between the batches and epochs of fit().",
    _board,
    _callbacks,
    _checkpoints,
    _reports,
)
constraints = _public(
    "constraints", "Functions of a variable that optimizers apply after an update.", _constraints
)
initializers = _public("initializers", "Objects that make initial values.", _initializers)
losses = _public("losses", "Losses of a batch.", _losses)
metrics = _public("metrics", "What is measured over the batches of an epoch.", _metrics, _confusion)
_rates = _public(
    "optimizers.schedules", "Learning rates that fall with the number of updates.", _schedules
)
optimizers = _public("optimizers", "Optimizers of models.", _descents, schedules=_rates)
backend = _public(
    "backend", "Functions of tensors that custom layers use.", _backend, _tensors,
    rnn=_recurrence.rnn,
)  # fmt: skip
utils = _modules.make("keras.utils", "Objects by their names, sequences, functions of arrays.", {
    **{name: getattr(_serializing, name) for name in (
        "CustomObjectScope", "custom_object_scope", "deserialize_keras_object",
        "get_custom_objects", "serialize_keras_object",
    )},
    **{name: getattr(_enqueuers, name) for name in _enqueuers.__all__},
    "HDF5Matrix": _HDF5Matrix,
    "Progbar": _Progbar, "Sequence": _Sequence, "normalize": _utilities.normalize,
    "to_categorical": _utilities.to_categorical, "get_file": _get_file,
    "get_source_inputs": _cloning.get_source_inputs,
    "convert_all_kernels_in_model": _cloning.convert_all_kernels_in_model,
    "multi_gpu_model": _parallel.multi_gpu_model,
    "model_to_dot": _picture.model_to_dot, "plot_model": _picture.plot_model,
})  # fmt: skip
regularizers = _public("regularizers", "Functions of a variable that return a loss.", _regularizers)
_sets = {
    name: _modules.make(f"keras.datasets.{name}", "A set of data.", functions)
    for name, functions in _cached_data.SETS.items()
}
datasets = _modules.make("keras.datasets", "Well-known sets of data, in a cache of files.", _sets)
_sequence = _public("preprocessing.sequence", "Sequences of numbers as arrays.", _sequence_data)
_text = _public("preprocessing.text", "Texts as numbers.", _text_data)
_image = _public(
    "preprocessing.image", "Images as arrays, and batches of images that change at random.",
    _changes, _files, _generator, _iterators,
)  # fmt: skip
preprocessing = _modules.make(
    "keras.preprocessing", "Data before training.",
    {"image": _image, "sequence": _sequence, "text": _text},
)  # fmt: skip
_networks = {
    name: _modules.make(f"keras.applications.{name}", "Networks of images.", names)
    for name, names in _applications.NAMES.items()
}
applications = _modules.make(
    "keras.applications", "Well-known networks of images.",
    {**_applications.NETWORKS, **_networks},
)  # fmt: skip
estimator = _modules.make(
    "keras.estimator", "Models as estimators.",
    {"model_to_estimator": _estimating.model_to_estimator},
)  # fmt: skip
experimental = _modules.make("keras.experimental", "Names that Keras has not settled yet.", {
    **{schedule.__name__: schedule for schedule in _schedules.EXPERIMENTAL},
    **{name: getattr(_premade, name) for name in _premade.__all__},
    "SequenceFeatures": _of_columns.SequenceFeatures,
    "PeepholeLSTMCell": _convolutional_recurrent.PeepholeLSTMCell,
    "export_saved_model": _exporting.export_saved_model,
    "load_from_saved_model": _loading.load_from_saved_model,
    "terminate_keras_multiprocessing_pools": _enqueuers.terminate_keras_multiprocessing_pools,
})  # fmt: skip
_mixed_precision = _public(
    "mixed_precision.experimental", "Dtypes of layers, and optimizers for gradients of float16.",
    _scaled, _policies,
)  # fmt: skip
mixed_precision = _modules.make(
    "keras.mixed_precision", "Training with float16.", {"experimental": _mixed_precision}
)
_scikit_learn = _public(
    "wrappers.scikit_learn", "Models that scikit-learn sees as its own estimators.", _wrappers
)
wrappers = _modules.make(
    "keras.wrappers", "Models as other libraries have them.", {"scikit_learn": _scikit_learn}
)

MODULES = (
    activations, applications, *_networks.values(), backend, callbacks, constraints, datasets,
    *_sets.values(), estimator, experimental, initializers, layers, losses, metrics,
    mixed_precision, _mixed_precision, models, optimizers, _rates, preprocessing, _image,
    _sequence, _text, regularizers, utils, wrappers, _scikit_learn,
)  # fmt: skip
__all__ = """
    Input Model Sequential activations applications backend callbacks constraints datasets
    estimator experimental initializers layers losses metrics mixed_precision models optimizers
    preprocessing regularizers utils wrappers
""".split()
