# SPDX-License-Identifier: Apache-2.0
"""The names of 1.x's contrib that programs use most."""

import numpy as np

from . import modules, nest
from .contrib_parts import crf as _of_crf
from .contrib_parts import eager as _of_eager
from .contrib_parts import framework as _of_framework
from .contrib_parts import image as _of_image
from .contrib_parts import layers as _of_layers
from .contrib_parts import legacy_seq2seq as _of_legacy_seq2seq
from .contrib_parts import losses as _of_losses
from .contrib_parts import metrics as _of_metrics
from .contrib_parts import opt as _of_opt
from .contrib_parts import paths as _paths
from .contrib_parts import predictor as _of_predictor
from .contrib_parts import projector as _of_projector
from .contrib_parts import rnn as _of_rnn
from .contrib_parts import same as _same
from .contrib_parts import seq2seq as _of_seq2seq
from .contrib_parts import slim as _of_slim
from .contrib_parts import sparsemax as _of_sparsemax
from .contrib_parts import strategies as _of_strategies
from .contrib_parts import summary as _of_summary
from .contrib_parts import testing as _of_testing
from .contrib_parts import training as _of_training
from .contrib_parts.rnn import cudnn as _of_cudnn
from .data import experimental, older, pipes
from .estimator import tpu as of_tpus
from .estimator.canned import clustering, kmeans
from .feature_column import input_layers, sequences
from .graph.elements import attr_of
from .layers.contrib import functions, normalization, regularizers, scopes, structures
from .layers.contrib import initializers as of_weights
from .layers.contrib import variables as of_models
from .ops.data_flow.staging import MapStagingArea, StagingArea
from .ops.lookup import indexing, initializers, mutable, older_indexing, tables, vocabulary


class GreedyLoadBalancingStrategy:
    """A ps_strategy for replica_device_setter(): it chooses the task with the least load so far.

    Args:
        num_tasks: How many ps tasks there are, an int.
        load_fn: A function of an Operation that returns its load, a number.
    """

    def __init__(self, num_tasks, load_fn):
        self._load_fn, self._loads = load_fn, np.zeros(num_tasks)

    def __call__(self, op):
        task = int(np.argmin(self._loads))
        self._loads[task] += self._load_fn(op)
        return task


class RandomStrategy:
    """A ps_strategy for replica_device_setter(): it chooses a task at random.

    Args:
        num_ps_tasks: How many ps tasks there are, an int.
        seed: Seed of the choice, an int.
    """

    def __init__(self, num_ps_tasks, seed=0):
        self._count, self._random = num_ps_tasks, np.random.RandomState(seed)

    def __call__(self, op):
        return self._random.randint(self._count)


def byte_size_load_fn(op):
    """Returns the size of a variable.

    Args:
        op: The Operation of the variable.

    Returns:
        An int, bytes.

    Raises:
        ValueError: The shape is not known.
    """
    tensor = op.outputs[0]
    shape = attr_of(op, "shape")
    if shape is None or any(d < 0 for d in shape):
        raise ValueError(f"the shape of {op.name} is not known")
    dtype = op.get_attr("dtype") if tensor.dtype.name == "resource" else tensor.dtype
    return dtype.size * int(np.prod(shape, dtype=np.int64))


factorization = modules.make(
    "contrib.factorization",
    "Clusters of points: the graph and the estimator of k-means.",
    {
        "COSINE_DISTANCE": clustering.COSINE_DISTANCE,
        "KMEANS_PLUS_PLUS_INIT": clustering.PLUS_PLUS,
        "KMeans": clustering.KMeans,
        "KMeansClustering": kmeans.ContribKMeans,
        "RANDOM_INIT": clustering.RANDOM,
        "SQUARED_EUCLIDEAN_DISTANCE": clustering.SQUARED_EUCLIDEAN_DISTANCE,
    },
)
tpu = modules.make(
    "contrib.tpu",
    "Estimators written for TPUs, which run without them: those of estimator.tpu.",
    {name: getattr(of_tpus, name) for name in of_tpus.__all__},
)
staging = modules.make(
    "contrib.staging",
    "Staging areas: buffers of a task that hold tensors for a later step.",
    {"MapStagingArea": MapStagingArea, "StagingArea": StagingArea},
)
training = modules.make(
    "contrib.training",
    "Hyperparameters, and strategies by which replica_device_setter() chooses a variable's task.",
    {
        "GreedyLoadBalancingStrategy": GreedyLoadBalancingStrategy,
        "RandomStrategy": RandomStrategy,
        "byte_size_load_fn": byte_size_load_fn,
        **_of_training.NAMES,
    },
)
feature_column = modules.make(
    "contrib.feature_column",
    "Feature columns of sequences.",
    {name: getattr(sequences, name) for name in dir(sequences) if name.startswith("sequence_")},
)
modules.add(feature_column, "sequence_input_layer", input_layers)
data = modules.make(
    "contrib.data",
    "Functions of data sets: data.experimental, and some that only contrib has.",
    {
        "PipeModeDataset": pipes.PipeModeDataset,
        **{name: getattr(older, name) for name in older.NAMES},
        **{name: getattr(experimental, name) for name in """
            AUTOTUNE Counter CsvDataset Optional RandomDataset Reducer SqlDataset
            TFRecordWriter bucket_by_sequence_length choose_from_datasets
            copy_to_device dense_to_sparse_batch enumerate_dataset get_next_as_optional
            get_single_element group_by_reducer group_by_window ignore_errors
            make_batched_features_dataset make_csv_dataset make_saveable_from_iterator map_and_batch
            parallel_interleave parse_example_dataset prefetch_to_device rejection_resample
            sample_from_datasets scan shuffle_and_repeat unbatch unique
        """.split()},
    },
)  # fmt: skip
_FRAMEWORK = {
    **{name: getattr(scopes, name) for name in ("add_arg_scope", "arg_scope", "has_arg_scope")},
    "get_model_variables": of_models.get_model_variables,
    "get_variables": of_models.get_variables,
    "model_variable": of_models.model_variable,
}
_LAYERS = {
    **{name: getattr(functions, name) for name in """
        avg_pool2d bias_add conv2d conv2d_transpose convolution convolution2d
        convolution2d_transpose dropout embed_sequence flatten fully_connected max_pool2d
        one_hot_encoding repeat separable_conv2d separable_convolution2d softmax stack
    """.split()},
    **{name: getattr(regularizers, name) for name in """
        apply_regularization l1_l2_regularizer l1_regularizer l2_regularizer sum_regularizer
    """.split()},
    **{name: getattr(of_weights, name) for name in """
        variance_scaling_initializer xavier_initializer xavier_initializer_conv2d
    """.split()},
    "batch_norm": normalization.batch_norm,
    "layer_norm": normalization.layer_norm,
    "linear": functions.linear,
    "relu": functions.fully_connected,
    **_of_layers.NAMES,
}  # fmt: skip
_NEST = modules.make(
    "contrib.framework.nest",
    "Structures: lists, tuples and dictionaries of anything, nested.",
    {
        **{name: getattr(nest, name) for name in nest.__all__},
        **{name: getattr(structures, name) for name in structures.__all__},
        "is_sequence": nest.is_nested,
    },
)
framework = modules.make(
    "contrib.framework",
    "Default arguments of functions, variables, checkpoints and checks.",
    {**_FRAMEWORK, **_of_framework.NAMES, "nest": _NEST},
)
layers = modules.make(
    "contrib.layers", "Layers as functions, regularizers, initializers and training.", _LAYERS
)
slim = modules.make(
    "contrib.slim",
    "Slim models: layers as functions, and their default arguments.",
    {
        **_LAYERS, **_FRAMEWORK, **_of_framework.OF_SLIM, **_of_slim.NAMES, "layers": layers,
        "metrics": _of_metrics.module,
    },
)
lookup = modules.make(
    "contrib.lookup",
    "Lookup tables, and functions that make them of vocabularies.",
    {
        **{name: getattr(indexing, name) for name in indexing.__all__},
        **{name: getattr(older_indexing, name) for name in older_indexing.__all__},
        "KeyValueTensorInitializer": initializers.KeyValueTensorInitializer,
        "TableInitializerBase": initializers.TableContents,
        "TextFileIdTableInitializer": initializers.TextFileIdTableInitializer,
        "TextFileIndex": initializers.TextFileIndex,
        "TextFileInitializer": initializers.TextFileInitializer,
        "TextFileStringTableInitializer": initializers.TextFileStringTableInitializer,
        "FastHashSpec": vocabulary.FastHashSpec,
        "HashTable": tables.HashTable,
        "HasherSpec": vocabulary.HasherSpec,
        "IdTableWithHashBuckets": vocabulary.IdTableWithHashBuckets,
        "InitializableLookupTableBase": tables.FilledTable,
        "LookupInterface": tables.LookupTable,
        "MutableDenseHashTable": mutable.DenseHashTable,
        "MutableHashTable": mutable.MutableHashTable,
        "StrongHashSpec": vocabulary.StrongHashSpec,
    },
)
_MODULES = (
    _of_crf.module, _of_cudnn.module, _of_eager.module, _of_image.module, _of_legacy_seq2seq.module,
    _of_losses.module, _of_metrics.module, _of_opt.module, _of_predictor.module,
    _of_projector.module, _of_rnn.module, _of_seq2seq.module, _of_sparsemax.module,
    _of_strategies.module, _of_summary.module, _of_testing.module, *_same.MODULES, data,
    factorization, feature_column, framework, layers, lookup, slim, staging, tpu, training,
)  # fmt: skip
MODULES = (
    *_MODULES, *_of_projector.MODULES[1:], *_of_slim.MODULES, _of_losses.metric_learning, _NEST
)
_OF_CONTRIB = {name: m for m in _MODULES if "." not in (name := m.__name__.split(".", 2)[2])}
globals().update(_OF_CONTRIB)
__all__ = sorted(_OF_CONTRIB)
_paths.install(__name__)
