# SPDX-License-Identifier: Apache-2.0
"""Names that slim programs use: modules of slim, places of variables, losses in scopes."""

import importlib

import numpy as np

from interop.programs.client._contrib import contrib_of
from interop.programs.client._outcomes import outcome

ONLY_1X = True  # later TensorFlows do not have slim


def _module(tf, path):
    root = "tensorflow" if tf.__name__.startswith("tensorflow") else tf.__name__
    return importlib.import_module(f"{root}.{path}")


def modules_of_slim(tf):
    slim, found = contrib_of(tf).slim, []
    for path in (
        "initializers.xavier_initializer", "regularizers.l2_regularizer", "utils.last_dimension",
        "utils.convert_collection_to_dict", "normalization.instance_norm",
        "optimizers.optimize_loss", "layers.conv2d", "losses.add_loss", "learning.train",
    ):  # fmt: skip
        module, name = path.split(".")
        found.append([path, callable(getattr(getattr(slim, module), name))])
    summaries = contrib_of(tf).layers.summaries
    return [found, hasattr(summaries, "summarize_tensor")]


def nets_at_their_places(tf):
    found = []
    for module, name in (
        ("inception_v3", "inception_v3_arg_scope"), ("resnet_v1", "resnet_v1_50"),
        ("resnet_utils", "Block"), ("overfeat", "overfeat"), ("alexnet", "alexnet_v2"),
    ):  # fmt: skip
        found.append(hasattr(_module(tf, f"contrib.slim.python.slim.nets.{module}"), name))
    vgg = _module(tf, "contrib.slim.python.slim.nets.vgg")
    return [found, vgg.vgg_16 is _module(tf, "contrib.slim.nets").vgg.vgg_16]


def devices_of_variables(tf):
    chooser, found = contrib_of(tf).framework.VariableDeviceChooser, []
    for more in (
        {}, {"num_tasks": 2}, {"num_tasks": 2, "replica": 1},
        {"job_name": "worker", "num_tasks": 1}, {"device_type": "GPU", "device_index": 3},
        {"device_type": None, "device_index": None},
    ):  # fmt: skip
        choose = chooser(**more)
        found.append([choose(None) for _ in range(3)])
    variable = contrib_of(tf).framework.variable
    with contrib_of(tf).framework.arg_scope([variable], device=chooser(num_tasks=2)):
        found.append([variable(name, [2]).device for name in "abc"])
    return found


def losses_in_scopes(tf):
    losses, slim = contrib_of(tf).losses, contrib_of(tf).slim
    logits, labels = tf.constant([[1.0, 2.0, 0.5], [0.1, 3.0, 1.0]]), tf.constant([2, 1])
    weights = tf.placeholder(tf.float32, [None])
    columns = tf.placeholder(tf.float32, [None, 1])
    made = [
        losses.sparse_softmax_cross_entropy(logits, labels, weights),
        losses.sparse_softmax_cross_entropy(logits, labels, columns, scope="mine"),
        losses.softmax_cross_entropy(logits, tf.one_hot(labels, 3), label_smoothing=0.1),
        losses.sigmoid_cross_entropy(logits, tf.one_hot(labels, 3)),
        losses.log_loss(tf.sigmoid(logits), tf.one_hot(labels, 3)),
        losses.compute_weighted_loss(logits, 2.0),
    ]
    with slim.arg_scope([losses.add_loss], loss_collection=None):
        losses.absolute_difference(logits, logits * 2.0)
    collected = [loss.op.name for loss in losses.get_losses()]
    with tf.Session() as sess:
        values = sess.run(made, {weights: [2.0, 0.5], columns: [[1.0], [0.0]]})
    return [[loss.op.name for loss in made], collected, values]


def names_of_normalizations(tf):
    layers = contrib_of(tf).layers
    images = tf.constant(np.arange(36.0, dtype=np.float32).reshape(2, 3, 3, 2))
    made = [layers.instance_norm(images), layers.layer_norm(images)]
    utils = _module(tf, "contrib.layers.python.layers.utils")
    wrong = [
        outcome(utils.n_positive_integers, *args) for args in (("3", [1]), (0, [1]), (1, [2, 3]))
    ]
    variable = _module(tf, "python.ops.variables").VariableV1
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [[one.op.name for one in made], sess.run(made), wrong,
                isinstance(tf.Variable(1.0), variable)]  # fmt: skip
