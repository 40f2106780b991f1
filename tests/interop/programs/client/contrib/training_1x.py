# SPDX-License-Identifier: Apache-2.0
"""contrib.layers: training steps, summaries, and layers of sequences and volumes."""

import numpy as np

from .._contrib import contrib_of

ONLY_1X = True


def _model(tf):
    x = tf.get_variable("x", initializer=np.float32([3.0, -4.0]))
    y = tf.get_variable("y", initializer=np.float32([1.0]))
    return x, y, tf.reduce_sum(x * [0.6, 0.8]) + tf.reduce_sum(2.0 * y)


def _decayed(tf):
    return lambda rate, step: tf.train.exponential_decay(rate, step, 1, 0.5)


def steps(tf):
    found = []
    for name, more in (
        ("SGD", {}), ("Adam", {}), ("Momentum", {}), ("RMSProp", {}), ("Adagrad", {}), ("Ftrl", {}),
        (tf.train.GradientDescentOptimizer, {"clip_gradients": 0.5}),
        (tf.train.GradientDescentOptimizer(0.5), {"gradient_multipliers": {"x:0": 3.0}}),
        (lambda rate: tf.train.GradientDescentOptimizer(rate * 2.0), {"summaries": []}),
        ("SGD", {"learning_rate_decay_fn": _decayed(tf), "name": "other"}),
        ("SGD", {"increment_global_step": False,
                 "summaries": ["loss", "gradients", "gradient_norm"]}),
        ("SGD", {"clip_gradients": lambda pairs: [(2.0 * g, v) for g, v in pairs]}),
    ):  # fmt: skip
        with tf.Graph().as_default():
            x, y, loss = _model(tf)
            step = tf.train.get_or_create_global_step()
            train = contrib_of(tf).layers.optimize_loss(loss, step, 0.1, name, **more)
            kept = tf.get_collection(tf.GraphKeys.SUMMARIES)
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                losses = [sess.run(train) for _ in range(2)]
                names = sorted(v.name for v in tf.global_variables())
                found.append([sess.run([x, y, step]), names, len(kept), len(losses)])
    return found


def updates_run_before(tf):
    x, _, loss = _model(tf)
    count = tf.get_variable("count", initializer=0.0, trainable=False)
    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, count.assign_add(1.0))
    train = contrib_of(tf).layers.optimize_loss(loss, None, 0.1, "SGD", variables=[x])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        return sess.run(tf.global_variables())


def mistakes(tf):
    found = []
    for arguments, more in (
        ((0.1, "Other"), {}), ((None, "SGD"), {}), ((1, "SGD"), {}), ((-0.1, "SGD"), {}),
        ((0.1, 3), {}), ((0.1, lambda rate: 3), {}), ((0.1, "SGD"), {"summaries": ["other"]}),
        ((0.1, "SGD"), {"clip_gradients": 1}), ((None, tf.train.AdamOptimizer), {}),
        ((0.1, "SGD"), {"learning_rate_decay_fn": _decayed(tf)}),
    ):  # fmt: skip
        with tf.Graph().as_default():
            _, _, loss = _model(tf)
            try:
                contrib_of(tf).layers.optimize_loss(loss, None, *arguments, **more)
                found.append(None)
            except Exception as error:
                found.append(type(error).__name__)
    return found


def summaries(tf):
    layers = contrib_of(tf).layers
    x, y, loss = _model(tf)
    tf.add_to_collection(tf.GraphKeys.ACTIVATIONS, tf.nn.relu6(x))
    made = [
        layers.summarize_tensor(x), layers.summarize_tensor(loss), layers.summarize_tensor(x > 0),
        layers.summarize_tensor(tf.constant(1.0), "tag"), *layers.summarize_activations(),
        *layers.summarize_collection(tf.GraphKeys.TRAINABLE_VARIABLES, "y"),
        *layers.summarize_tensors([y]),
    ]  # fmt: skip
    kept = tf.get_collection(tf.GraphKeys.SUMMARIES)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        read = [tf.Summary.FromString(one) for one in sess.run(kept)]
    tags = [value.tag for one in read for value in one.value]
    return [[one is None for one in made], tags]


def normalization(tf):
    layers, found = contrib_of(tf).layers, []
    x = tf.constant(np.cos(np.arange(2 * 3 * 2 * 4)).reshape(2, 3, 2, 4), tf.float32)
    found.append(layers.unit_norm(x, 1))
    found.append(layers.instance_norm(x))
    found.append(layers.instance_norm(x, data_format="NCHW", scale=False))
    found.append(layers.instance_norm(x, activation_fn=tf.nn.relu, center=False, scope="other",
                                      param_initializers={"gamma": tf.constant_initializer(2.0)}))
    found.append(layers.group_norm(x, groups=2))
    found.append(layers.group_norm(x, 3, channels_axis=1, reduction_axes=(2, 3), scale=False))
    names = [v.name for v in tf.global_variables()]
    outcomes = []
    for mistake in (
        lambda: layers.unit_norm(x, 4), lambda: layers.instance_norm(x, data_format="other"),
        lambda: layers.group_norm(x, 8), lambda: layers.group_norm(x, 3),
        lambda: layers.group_norm(x, 2, channels_axis=4),
        lambda: layers.group_norm(x, 2, reduction_axes=(-1,)),
    ):  # fmt: skip
        try:
            outcomes.append(mistake() is None)
        except Exception as error:
            outcomes.append(type(error).__name__)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [names, outcomes, sess.run(found)]


def sequences_and_volumes(tf):
    layers, found = contrib_of(tf).layers, []
    x = tf.constant(np.cos(np.arange(2 * 4 * 4 * 4 * 2)).reshape(2, 4, 4, 4, 2), tf.float32)
    with tf.variable_scope("m", initializer=tf.constant_initializer(0.1)):
        more = {"weights_initializer": tf.constant_initializer(0.1)}
        found.append(layers.conv3d(x, 3, 2, **more))
        found.append(layers.convolution1d(x[:, :, 0, 0], 3, 2, stride=2, **more))
        with contrib_of(tf).framework.arg_scope([layers.conv3d], padding="VALID"):
            found.append(layers.convolution3d(x, 3, 2, activation_fn=None, **more))
        found.append(layers.max_pool3d(x, 2))
        found.append(layers.avg_pool3d(x, [2, 2, 2], stride=1, padding="SAME"))
        found.append(layers.relu6(x[:, 0, 0, 0], 3, **more))
        found.append(layers.elu(x[:, 0, 0, 0], 3, scope="last", **more))
    names = [v.name for v in tf.global_variables()]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [names, sess.run(found)]
