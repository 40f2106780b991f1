# SPDX-License-Identifier: Apache-2.0
"""Estimators of TensorFlow 1.15 that read records: trained, evaluated and asked on a server.

Each is given a server and an empty folder, and returns what it computed.
"""

import os

import numpy as np
import tensorflow as tf
from tensorflow.core.kernels.boosted_trees import boosted_trees_pb2

from interop.programs.input_programs import JOBS, census, initial, rows, wide_and_deep_columns
from interop.programs.whole_libraries import on_server, predictions

PROGRAMS = {}


def program(build):
    PROGRAMS[build.__name__] = build
    return build


class Losses(tf.train.SessionRunHook):
    """Keeps the loss of each step."""

    def __init__(self):
        self.found = []

    def begin(self):
        (self._loss,) = tf.get_collection(tf.GraphKeys.LOSSES)[-1:]

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self._loss)

    def after_run(self, run_context, run_values):
        self.found.append(run_values.results)


def nodes(serialized):
    """The trees in the variable of an ensemble, as numbers."""
    ensemble = boosted_trees_pb2.TreeEnsemble.FromString(serialized)
    found = list(ensemble.tree_weights)
    for node in (node for tree in ensemble.trees for node in tree.nodes):
        split = node.bucketized_split
        ids = [split.feature_id, split.threshold, split.left_id, split.right_id]
        found += [*ids, node.metadata.gain, node.leaf.scalar]
    return np.float32(found)


def used(target, folder, make, calls=(6,)):
    """Trained by calls that end at these steps, evaluated, asked; and its variables."""
    path = census(folder)
    estimator = make(os.path.join(folder, "model"), on_server(target))
    losses = Losses()
    for last in calls:
        estimator.train(lambda: rows(path), max_steps=last, hooks=[losses])
        tf.Session.reset(target)
    measured = estimator.evaluate(lambda: rows(path, epochs=1, shuffle=False))
    tf.Session.reset(target)
    answers = predictions(estimator, lambda: rows(path, epochs=1, shuffle=False))
    tf.Session.reset(target)
    values = {n: estimator.get_variable_value(n) for n in estimator.get_variable_names()}
    for name in [n for n in values if n.endswith("_serialized")]:
        values[name] = nodes(values[name])
    return losses.found, measured, answers, values


@program
def linear_classifier(target, folder):
    wide, _ = wide_and_deep_columns()
    return used(
        target,
        folder,
        lambda path, config: tf.estimator.LinearClassifier(wide[2:], path, config=config),
        calls=(4, 7),  # the second goes on from the checkpoint of the first
    )


@program
def dnn_classifier(target, folder):
    _, deep = wide_and_deep_columns()
    return used(
        target,
        folder,
        lambda path, config: tf.estimator.DNNClassifier(
            [8, 4],
            deep,
            path,
            optimizer=tf.train.ProximalAdagradOptimizer(0.1, l1_regularization_strength=0.001),
            batch_norm=True,
            config=config,
        ),
    )


@program
def dnn_linear_combined_classifier(target, folder):
    wide, deep = wide_and_deep_columns()
    return used(
        target,
        folder,
        lambda path, config: tf.estimator.DNNLinearCombinedClassifier(
            path,
            linear_feature_columns=wide,
            dnn_feature_columns=deep,
            dnn_hidden_units=[8, 4],
            dnn_dropout=None,
            config=config,
        ),
    )


@program
def words_shared_by_columns(target, folder):
    """An embedding that two columns share, under a model of one's own."""
    columns = tf.feature_column

    def model(features, labels, mode):
        job = columns.categorical_column_with_vocabulary_list("job", JOBS)
        town = columns.categorical_column_with_hash_bucket("town", 9)
        shared = columns.shared_embedding_columns(
            [town, columns.categorical_column_with_hash_bucket("hobbies", 9)],
            3,
            initializer=initial(2),
        )
        net = columns.input_layer(features, [*shared, columns.indicator_column(job)])
        logits = tf.layers.dense(net, 1, kernel_initializer=initial(5))
        head = tf.contrib.estimator.binary_classification_head()
        return head.create_estimator_spec(
            features, mode, logits, labels, tf.train.FtrlOptimizer(0.1)
        )

    return used(target, folder, lambda path, config: tf.estimator.Estimator(model, path, config))


@program
def boosted_trees_classifier(target, folder):
    columns = tf.feature_column
    features = [
        columns.bucketized_column(columns.numeric_column("age"), [25.0, 35.0, 45.0, 60.0]),
        columns.indicator_column(columns.categorical_column_with_vocabulary_list("job", JOBS)),
    ]
    return used(
        target,
        folder,
        lambda path, config: tf.estimator.BoostedTreesClassifier(
            features, n_batches_per_layer=2, model_dir=path, n_trees=3, max_depth=2, config=config
        ),
    )
