# SPDX-License-Identifier: Apache-2.0
"""Networks, optimizers and short programs of TensorFlow 1: answers equal to TensorFlow's servers'.

One graph each, run on TensorFlow's own servers and on ours: two parameter servers and a worker.
Losses are equal within 1e-4 (float32 sums in other orders), unless the model says otherwise.
"""

import tempfile

import numpy as np
import pytest
import tensorflow

from interop.programs import (
    big_models,
    corner_programs,
    long_runs,
    short_loops,
    whole_libraries,
)

tf = tensorflow.compat.v1
tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.FATAL)
TF1 = tensorflow.__version__.startswith("1.")

JOBS = {"ps": 2, "worker": 1}
LIMIT = tf.RunOptions(timeout_in_ms=60000)


def placed():
    return tf.device(tf.train.replica_device_setter(ps_tasks=2, worker_device="/job:worker/task:0"))


def flat(value):
    if isinstance(value, dict):
        value = [value[key] for key in sorted(value)]
    if isinstance(value, (list, tuple)):
        return [v for element in value for v in flat(element)]
    return [value]


def compare(actual, expected, rtol=1e-4, atol=1e-5):
    actual, expected = flat(actual), flat(expected)
    assert len(actual) == len(expected)
    for k, (a, e) in enumerate(zip(actual, expected)):
        a, e = np.asarray(a), np.asarray(e)
        assert a.dtype == e.dtype and a.shape == e.shape, (k, a.dtype, e.dtype, a.shape, e.shape)
        if e.dtype.kind in "fc":
            np.testing.assert_allclose(a, e, rtol=rtol, atol=atol, err_msg=f"value {k}")
        else:
            np.testing.assert_array_equal(a, e, err_msg=f"value {k}")


# ---- Networks.


def train(target, graph, network, step, start, steps):
    loss, more, feed = network
    tf.Session.reset(target)
    with tf.Session(target, graph=graph) as session:
        session.run(start)
        values = []
        for k in range(steps):
            # Apart: a step that trains changes the variables under whoever else reads them.
            values.append(session.run(more, feed(k), LIMIT))
            values.append(session.run([loss, step], feed(k), LIMIT)[0])
        return values


def trained(build, optimizer, targets, steps):
    """The values of a network's steps at each target."""
    graph = tf.Graph()
    with graph.as_default(), placed():
        tf.set_random_seed(5)
        network = build()
        step = optimizer().minimize(network[0])
        step = tf.group(step, *tf.get_collection(tf.GraphKeys.UPDATE_OPS))
        start = tf.global_variables_initializer()
    return [train(target, graph, network, step, start, steps) for target in targets]


def momentum():
    return tf.train.MomentumOptimizer(0.05, 0.9)


def slow():
    return tf.train.MomentumOptimizer(1e-3, 0.9)


# Fifty layers of batch normalisation make much of a last bit.
DEEP = {"resnet50": (slow, 1e-3)}


def check_network(name, ours, theirs):
    optimizer, rtol = DEEP.get(name, (momentum, 1e-4))
    expected, actual = trained(big_models.MODELS[name], optimizer, [theirs, ours], 3)
    compare(actual, expected, rtol)
    if name == "resnet50":
        # TensorFlow's CPU does not run the other layout.
        (actual,) = trained(big_models.resnet50_nchw, optimizer, [ours], 3)
        compare(actual, expected, rtol)


# ---- Optimizers.

OPTIMIZERS = {
    "sgd": lambda: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "nesterov": lambda: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "adam": lambda: tf.train.AdamOptimizer(0.05),
    "adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    "adagrad_da": lambda: tf.train.AdagradDAOptimizer(
        0.1,
        tf.train.get_or_create_global_step(),
        l1_regularization_strength=0.01,
        l2_regularization_strength=0.02,
    ),
    "adadelta": lambda: tf.train.AdadeltaOptimizer(1.0, 0.9, 1e-3),
    "rmsprop": lambda: tf.train.RMSPropOptimizer(0.02, momentum=0.5),
    "rmsprop_centered": lambda: tf.train.RMSPropOptimizer(0.02, centered=True),
    "ftrl": lambda: tf.train.FtrlOptimizer(
        0.1, l1_regularization_strength=0.01, l2_regularization_strength=0.01
    ),
    "ftrl_shrinkage": lambda: tf.train.FtrlOptimizer(
        0.1, l2_regularization_strength=0.01, l2_shrinkage_regularization_strength=0.1
    ),
    "proximal_sgd": lambda: tf.train.ProximalGradientDescentOptimizer(0.1, 0.01, 0.02),
    "proximal_adagrad": lambda: tf.train.ProximalAdagradOptimizer(
        0.1, l1_regularization_strength=0.01, l2_regularization_strength=0.02
    ),
}


def factorisation():
    """Dense weights and a table of which each step touches few rows, one of them twice."""
    with tf.variable_scope("m", initializer=tf.random_uniform_initializer(-0.5, 0.5, seed=3)):
        table = tf.get_variable("table", [9, 3])
        w = tf.get_variable("w", [3, 2])
        b = tf.get_variable("b", [2])
    ids = tf.placeholder(tf.int32, [5])
    x = tf.nn.embedding_lookup(table, ids)
    loss = tf.reduce_mean(tf.square(tf.tanh(tf.matmul(x, w)) + b - 0.3))
    return loss, [table, w, b], lambda step: {ids: [step % 9, 4, 4, (3 * step) % 9, 0]}


def check_optimizer(name, resource, ours, theirs):
    graph = tf.Graph()
    with graph.as_default(), placed():
        tf.set_random_seed(5)
        with tf.variable_scope("", use_resource=resource):
            loss, variables, feed = factorisation()
            optimizer = OPTIMIZERS[name]()
            gradients, _ = zip(*optimizer.compute_gradients(loss, variables))
            clipped, _ = tf.clip_by_global_norm(gradients, 1.0)
            counter = tf.train.get_or_create_global_step()
            step = optimizer.apply_gradients(zip(clipped, variables), global_step=counter)
            # Not in the step: which count a run of both would see is left open.
            averages = tf.train.ExponentialMovingAverage(0.9, counter)
            with tf.control_dependencies([averages.apply(variables)]):
                shadows = [averages.average(v).read_value() for v in variables]
        start = tf.global_variables_initializer()
    network = (loss, [variables, shadows, counter], feed)
    expected, actual = (train(t, graph, network, step, start, 6) for t in (theirs, ours))
    compare(actual, expected)


# ---- Short programs.


def run_program(target, graph, fetches, feeds, start):
    tf.Session.reset(target)
    with tf.Session(target, graph=graph) as session:
        session.run(start)
        return [session.run(fetches, feed, LIMIT) for feed in feeds]


def check_program(name, ours, theirs):
    graph = tf.Graph()
    with graph.as_default(), placed():
        tf.set_random_seed(5)
        fetches, feeds = SHORT[name]()
        start = [tf.global_variables_initializer(), tf.local_variables_initializer()]
    expected, actual = (run_program(t, graph, fetches, feeds, start) for t in (theirs, ours))
    compare(actual, expected, rtol=1e-3, atol=1e-4)


SHORT = {**short_loops.PROGRAMS, **corner_programs.PROGRAMS}
LONG_RUNS = {**long_runs.PROGRAMS, **(whole_libraries.PROGRAMS if TF1 else {})}


def check_long_run(name, ours, theirs):
    """A program that owns its sessions: it is given a target and an empty folder."""
    results = []
    for target in (theirs, ours):
        tf.Session.reset(target)
        with tempfile.TemporaryDirectory() as folder, tf.Graph().as_default():
            tf.set_random_seed(5)
            results.append(LONG_RUNS[name](target, folder))
    compare(results[1], results[0])


@pytest.mark.parametrize("name", big_models.MODELS)
def test_network(ours, theirs, name):
    check_network(name, ours.target(), theirs.target())


@pytest.mark.parametrize("kind", ("ref", "resource"))
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizer(ours, theirs, name, kind):
    check_optimizer(name, kind == "resource", ours.target(), theirs.target())


@pytest.mark.parametrize("name", SHORT)
def test_program(ours, theirs, name):
    check_program(name, ours.target(), theirs.target())


@pytest.mark.parametrize("name", LONG_RUNS)
def test_long_run(ours, theirs, name):
    check_long_run(name, ours.target(), theirs.target())
