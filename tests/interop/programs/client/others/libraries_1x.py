# SPDX-License-Identifier: Apache-2.0
"""What libraries written for 1.x import, and how they call what the core calls differently."""

import functools
import importlib

ONLY_1X = True  # later TensorFlows have other places


def _module(tf, path):
    root = "tensorflow" if tf.__name__.startswith("tensorflow") else tf.__name__
    return importlib.import_module(f"{root}.{path}")


def names_of_sources(tf):
    found = []
    for path, name in (
        ("io.gfile", "GFile"),
        ("compat.v1.io.gfile", "exists"),
        ("python.data.ops.dataset_ops", "DatasetV1"),
        ("python.feature_column.feature_column", "_DenseColumn"),
        ("python.feature_column.feature_column_v2", "EmbeddingColumn"),
        ("python.keras.layers.advanced_activations", "LeakyReLU"),
        ("python.framework", "errors_impl"),
        ("python.ops.lookup_ops", "HashTable"),
        ("python.ops.lookup_ops", "index_table_from_file"),
        ("python.ops.variables", "RefVariable"),
        ("python.summary.summary_iterator", "summary_iterator"),
        ("python.training.queue_runner_impl", "start_queue_runners"),
        ("python.training.summary_io", "SummaryWriterCache"),
        ("python.util.all_util", "make_all"),
    ):
        found.append([path, hasattr(_module(tf, path), name)])
    errors, runners = _module(tf, "python.framework").errors_impl, _module(tf, "python.training")
    found.append(hasattr(errors, "OutOfRangeError"))
    found.append(hasattr(runners.queue_runner_impl, "QueueRunner"))
    column = tf.feature_column.numeric_column("x")
    dense = _module(tf, "python.feature_column.feature_column_v2").DenseColumn
    found.append(isinstance(column, dense))
    return found


class _Callable:
    def __call__(self, x, y):
        """Does nothing."""

    def method(self, z):
        """Does nothing."""


def names_of_arguments(tf):
    fn_args = _module(tf, "python.estimator.util").fn_args

    def function(a, b=2, *more, **others):
        del a, b, more, others

    return [
        fn_args(function), fn_args(_Callable()), fn_args(_Callable().method),
        fn_args(functools.partial(function, 1)), fn_args(functools.partial(function, b=1)),
    ]  # fmt: skip


def switched(tf):
    control = _module(tf, "python.ops.control_flow_ops")
    pred = tf.placeholder(tf.bool, [])
    no, yes = control.switch(tf.constant([1.0, 2.0]), pred)
    merged, index = control.merge([no * 10.0, yes + 1.0])
    with tf.Session() as session:
        return [session.run([merged, index], {pred: value}) for value in (True, False)]


def initializers_by_position(tf):
    """Initializers of programs call others with partition_info as the third argument."""
    found = []
    for one in (
        tf.random_uniform_initializer(1.0, 1.5, seed=1), tf.zeros_initializer(),
        tf.constant_initializer(3.0), tf.random_normal_initializer(seed=1),
        tf.truncated_normal_initializer(seed=1), tf.orthogonal_initializer(seed=1),
        tf.glorot_uniform_initializer(seed=1), tf.ones_initializer(),
    ):  # fmt: skip
        value = one([2, 2], tf.float32, None)
        found.append([value.dtype.name, value.shape.as_list()])
    return found


def sizes_of_scalars(tf):
    """A scalar is a shape of one dimension; a size of a state may be a float."""
    n = tf.placeholder(tf.int32, [])
    state = tf.nn.rnn_cell.GRUCell(8 / 2).zero_state(3, tf.float32)
    with tf.Session() as session:
        return [session.run([tf.ones(n), tf.zeros(n, tf.int32)], {n: 3}), state.shape.as_list()]
