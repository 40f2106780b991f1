# SPDX-License-Identifier: Apache-2.0
"""Modules of contrib whose names are elsewhere too, and imports of contrib's own sources."""

import importlib

import numpy as np

from .._contrib import contrib_of
from .._outcomes import outcome

ONLY_1X = True


def _run(tf, *tensors):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [np.round(v, 3).tolist() for v in sess.run(list(tensors))]


def eager(tf):
    module = contrib_of(tf).eager
    v = module.Variable([1.0, 2.0], name="v")
    plain = tf.Variable([1.0], use_resource=False)
    found = [
        module.in_eager_mode(), module.executing_eagerly(), isinstance(v, module.Variable),
        isinstance(plain, module.Variable), v.handle.dtype.name, v.name,
    ]  # fmt: skip
    doubled = module.defun(lambda x: x * 2.0)
    with module.GradientTape() as tape:
        y = v * v
    return found, _run(tf, doubled(v), tape.gradient(y, v))


def functions(tf):
    contrib = contrib_of(tf)
    logits, labels = tf.constant([[1.0, 2.0]]), tf.constant([[0.0, 1.0]])
    found = [
        contrib.nn.deprecated_flipped_softmax_cross_entropy_with_logits(logits, labels),
        contrib.nn.deprecated_flipped_sigmoid_cross_entropy_with_logits(logits, labels),
        contrib.nn.deprecated_flipped_sparse_softmax_cross_entropy_with_logits(
            logits, tf.constant([1])
        ),
        contrib.nn.nth_element(tf.constant([[3.0, 1.0, 2.0]]), 1),
        contrib.stateless.stateless_random_uniform([3], seed=[1, 2]),
        contrib.signal.frame(tf.range(6.0), 4, 2),
    ]  # fmt: skip
    with contrib.compiler.jit.experimental_jit_scope():
        found.append(tf.constant(1.0) + 1.0)
    return _run(tf, *found)


def messages(tf):
    module = contrib_of(tf).util
    made = module.make_tensor_proto([[1.0, 2.0]])
    tf.add(tf.placeholder(tf.float32, [2], name="x"), 1.0)
    graph = tf.get_default_graph().as_graph_def()
    return [
        module.make_ndarray(made).tolist(), module.constant_value(tf.constant([3])).tolist(),
        "Placeholder" in module.ops_used_by_graph_def(graph),
        [op.name for op in module.stripped_op_list_for_graph(graph).op][-1],
    ]  # fmt: skip


def distribution_strategies(tf):
    module = contrib_of(tf).distribute
    strategy = module.OneDeviceStrategy("/cpu:0")
    mirrored = module.MirroredStrategy(["/device:CPU:0"])
    return [
        strategy.num_replicas_in_sync, mirrored.num_replicas_in_sync,
        module.has_distribution_strategy(), module.get_replica_context() is not None,
    ]  # fmt: skip


def sources(tf):
    root = contrib_of(tf).__name__.partition(".")[0]
    root = "tensorflow" if root.startswith("tensorflow") else root

    def module(name):
        return importlib.import_module(f"{root}.contrib.{name}")

    utils = module("layers.python.layers.utils")
    x = tf.constant([1.0], name="x")
    utils.collect_named_outputs("outputs", "scope/x", x)
    return [
        utils.two_element_tuple(3), utils.two_element_tuple([1, 2]),
        utils.n_positive_integers(2, 3),
        utils.last_dimension(tf.zeros([2, 5]).shape), utils.channel_dimension(
            tf.zeros([1, 4, 2, 2]).shape, "channels_first"
        ),
        list(utils.convert_collection_to_dict("outputs")),
        module("framework.python.ops").add_arg_scope is not None,
        module("layers.python.layers").initializers is not None,
        module("framework.python.ops.variables").model_variable is not None,
        module("training.python.training.hparam").HParams(a=1).a,
        module("eager.python.tfe").Variable is not None,
        outcome(lambda: module("layers.python.layers.no_such_module")),
    ]  # fmt: skip
