# SPDX-License-Identifier: Apache-2.0
"""Stochastic dual coordinate ascent: the steps of the optimiser and what training ends with.

sdca_test.py
"""

import numpy as np
import pytest
import tensorflow

from interop.cases import sdca_cases
from interop.tools.op_nodes import Node, difference, op_def

tf = tensorflow.compat.v1
tf.disable_v2_behavior()

from tensorflow.python.ops import gen_sdca_ops  # noqa: E402, isort:skip

JOBS = {"worker": 1}
STEPS = list(sdca_cases.steps())


def results(target, case):
    """TensorFlow writes into what it is fed, so each run gets arrays of its own."""
    with tf.Graph().as_default():
        node = Node(case, "float32", 0)
        feeds = {key: np.array(value) for key, value in node.feeds.items()}
        with tf.Session(target) as session:
            return session.run(node.outputs, feeds)


@pytest.mark.parametrize("number", range(len(STEPS)))
def test_step(target, number):
    case = STEPS[number]
    if op_def(case.op) is None:
        pytest.skip("this TensorFlow lacks the op")
    assert difference(case, results(target, case), results("", case)) is None


def trained(target, loss, adaptive, passes=300):
    """The weights of a linear model after some passes over examples with features in common."""
    rng = np.random.RandomState(3)
    count, size = 40, 6
    rows = rng.randn(count, size).astype(np.float32)
    labels = rows.dot(rng.randn(size)) + 0.3 * rng.randn(count)
    if loss == "poisson_loss":
        labels = np.floor(np.exp(labels / 4))
    elif loss != "squared_loss":
        labels = labels > 0
    ids, groups = np.repeat(np.arange(count), 2), rng.randint(0, 3, size=(count, 1))
    features = np.concatenate([groups, groups + 3], axis=1).ravel()
    with tf.Graph().as_default():
        dense = tf.Variable(tf.zeros([size]), use_resource=False)
        sparse = tf.Variable(tf.zeros([6]), use_resource=False)
        state = tf.placeholder(tf.float32, [count, 4])
        step = gen_sdca_ops.sdca_optimizer(
            [tf.constant(ids, tf.int64)], [tf.constant(features, tf.int64)], [],
            [tf.constant(rows)], tf.ones([count]), tf.constant(labels, tf.float32),
            [tf.range(6, dtype=tf.int64)], [sparse], [dense], state, loss_type=loss,
            l1=0.5, l2=1.0, num_loss_partitions=1, num_inner_iterations=1, **adaptive,
        )  # fmt: skip
        add = [
            sparse.assign_add(step.out_delta_sparse_weights[0]),
            dense.assign_add(step.out_delta_dense_weights[0]),
        ]
        shrink = gen_sdca_ops.sdca_shrink_l1([sparse, dense], l1=0.5, l2=1.0)
        with tf.Session(target) as session:
            session.run(tf.global_variables_initializer())
            values = np.zeros((count, 4), np.float32)
            for _ in range(passes):
                values = np.array(
                    session.run([step.out_example_state_data, *add], {state: values})[0]
                )
            session.run(shrink)
            return np.concatenate(session.run([sparse, dense]))


@pytest.mark.parametrize("adaptive", (False, True))
@pytest.mark.parametrize("loss", sdca_cases.LOSSES)
def test_training_ends_with_the_same_model(target, loss, adaptive):
    names = [attr.name for attr in op_def("SdcaOptimizer").attr]
    attrs = {name: adaptive for name in names if name.startswith("adapt")}
    ours, theirs = trained(target, loss, attrs), trained("", loss, attrs)
    np.testing.assert_allclose(ours, theirs, atol=0.05)  # the order of examples is random
    assert np.any(theirs != 0)


@pytest.mark.skipif(tf.__version__[0] != "1", reason="tf.contrib is a part of 1.x")
def test_contrib_model(target):
    from tensorflow.contrib.linear_optimizer.python.ops.sdca_ops import SdcaModel
    from tensorflow.contrib.linear_optimizer.python.ops.sparse_feature_column import (
        SparseFeatureColumn,
    )

    def losses(target):
        with tf.Graph().as_default(), tf.container("contrib"):
            whole = lambda values: tf.constant(values, tf.int64)  # noqa: E731
            columns = [
                SparseFeatureColumn(whole([0, 1, 2, 3]), whole(ids), tf.ones([4]))
                for ids in ([0, 1, 0, 1], [1, 0, 0, 1])
            ]
            examples = dict(
                sparse_features=columns, dense_features=[], example_weights=[1.0, 2, 1, 0.5],
                example_labels=[0.0, 1, 0, 1], example_ids=["%d" % i for i in range(4)],
            )  # fmt: skip
            variables = dict(
                sparse_features_weights=[
                    tf.Variable(tf.zeros([2]), dtype=tf.float32) for _ in range(2)
                ],
                dense_features_weights=[],
            )
            options = dict(
                symmetric_l2_regularization=1, symmetric_l1_regularization=0.1,
                num_table_shards=1, loss_type="logistic_loss",
            )  # fmt: skip
            model = SdcaModel(examples, variables, options)
            loss, gap = model.regularized_loss(examples), model.approximate_duality_gap()
            train = model.minimize()
            with tf.Session(target) as session:
                session.run([tf.global_variables_initializer(), tf.tables_initializer()])
                for _ in range(40):
                    session.run(train)
                session.run(model.update_weights(train))
                return session.run([loss, gap, model.predictions(examples)])

    for ours, theirs in zip(losses(target), losses("")):
        np.testing.assert_allclose(ours, theirs, atol=2e-3)
