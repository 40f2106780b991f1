# SPDX-License-Identifier: Apache-2.0
"""Layers of 1.x's contrib: names, values, training, collections, default arguments."""

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True


def _contrib(tf):
    """contrib itself: the module compat.v1 does not have it."""
    if hasattr(tf, "contrib"):
        return tf.contrib
    import tensorflow

    return tensorflow.contrib


def _initializer(tf):
    def initial(shape, dtype=None, partition_info=None):
        size = int(np.prod([int(d) for d in shape]))
        return tf.constant(np.sin(np.arange(size)).reshape(shape).astype(np.float32) * 0.5)

    return initial


def _data(*shape):
    return np.cos(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def _collected(tf, *more):
    keys = ["GLOBAL_VARIABLES", "TRAINABLE_VARIABLES", "MODEL_VARIABLES",
            "REGULARIZATION_LOSSES", "UPDATE_OPS"]  # fmt: skip
    keys = [getattr(tf.GraphKeys, key) for key in keys]
    return {key: [item.name for item in tf.get_collection(key)] for key in [*keys, *more]}


def _names(tf):
    """(name, op) of the nodes without those that initialise."""
    nodes = tf.get_default_graph().as_graph_def().node
    return sorted([n.name, n.op] for n in nodes if "/Initializer/" not in n.name)


def _trained(tf, y, feed, steps=3):
    loss = tf.add_n([tf.reduce_mean(tf.square(y - 0.5)), *tf.losses.get_regularization_losses()])
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    found = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(steps):
            found.append(sess.run([y, loss], feed))
            sess.run(train, feed)
        return [found, sess.run(tf.global_variables())]


def a_fully_connected_net(tf):
    layers = _contrib(tf).layers
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    more = {"weights_initializer": _initializer(tf)}
    y = layers.fully_connected(
        x, 4, weights_regularizer=layers.l2_regularizer(0.1), variables_collections=["mine"],
        outputs_collections=["ends"], **more,
    )  # fmt: skip
    y = layers.fully_connected(y, 3, scope="second", biases_initializer=None, **more)
    y = layers.linear(y, 2, **more)
    names, collected = _names(tf), _collected(tf, "mine", "ends")
    aliases = tf.get_collection("ends")[0].aliases
    return [names, collected, aliases, _trained(tf, y, {x: _data(4, 3)})]


def a_slim_net(tf):
    slim = _contrib(tf).slim
    x = tf.placeholder(tf.float32, [None, 8, 8, 2], name="x")
    params = {"is_training": True, "decay": 0.5}
    with slim.arg_scope(
        [slim.conv2d, slim.fully_connected], weights_initializer=_initializer(tf),
        weights_regularizer=slim.l2_regularizer(0.01),
    ), slim.arg_scope(
        [slim.conv2d], normalizer_fn=slim.batch_norm, normalizer_params=params
    ) as inner:  # fmt: skip
        with tf.variable_scope("net"):
            y = slim.conv2d(x, 3, [3, 3], scope="conv1")
            y = slim.max_pool2d(y, [2, 2], scope="pool1")
            y = slim.conv2d(y, 4, 3, stride=2, padding="VALID", activation_fn=None)
            y = slim.flatten(y)
            y = slim.dropout(y, 0.5, is_training=False)
            y = slim.fully_connected(y, 2, activation_fn=None, scope="logits")
    with slim.arg_scope(inner), tf.variable_scope("net", reuse=True):
        slim.conv2d(x, 3, 3, normalizer_params={"is_training": False}, scope="conv1")
    collected = _collected(tf)
    names = [v.name for v in slim.get_model_variables("net/conv1")]
    names += [v.name for v in slim.get_variables(suffix="weights")]
    return [collected, names, _trained(tf, y, {x: _data(2, 8, 8, 2)})]


def batch_norms(tf):
    layers, found = _contrib(tf).layers, []
    for i, more in enumerate(
        [
            {},
            {"scale": True, "updates_collections": None},
            {"fused": False, "scale": True},
            {"fused": False, "updates_collections": None},
            {"updates_collections": "mine", "activation_fn": tf.nn.relu},
            {"center": False, "param_initializers": {"moving_mean": tf.ones_initializer()}},
            {"is_training": False, "scale": True},
        ]
    ):
        for shape in ([4, 3], [4, 2, 2, 3]):
            with tf.Graph().as_default():
                x = tf.placeholder(tf.float32, [None, *shape[1:]], name="x")
                y = layers.batch_norm(x, decay=0.9, **more)
                collected = _collected(tf, "mine")
                if i == 4:
                    for item in tf.get_collection("mine"):
                        tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, item)
                w = tf.get_variable("w", shape[-1:], initializer=tf.ones_initializer())
                found.append([i, collected, _trained(tf, y * w, {x: _data(*shape)})])
    return found


def batch_norm_by_a_flag(tf):
    layers, found = _contrib(tf).layers, []
    for collection in (tf.GraphKeys.UPDATE_OPS, None):
        with tf.Graph().as_default():
            x = tf.placeholder(tf.float32, [None, 3], name="x")
            flag = tf.placeholder(tf.bool, [])
            y = layers.batch_norm(
                x, decay=0.5, scale=True, is_training=flag, updates_collections=collection
            )
            updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                for value in (True, False, True):
                    feed = {x: _data(4, 3), flag: value}
                    found.append(sess.run(y, feed))
                    sess.run(updates, feed)
                    found.append(sess.run(tf.global_variables()))
    return found


def other_layers(tf):
    layers = _contrib(tf).layers
    init = _initializer(tf)
    x = tf.constant(_data(2, 6, 6, 3))
    found = [
        layers.conv2d_transpose(x, 2, 3, stride=2, weights_initializer=init),
        layers.separable_conv2d(x, 4, 3, 2, weights_initializer=init),
        layers.convolution(tf.constant(_data(2, 6, 3)), 4, 3, weights_initializer=init),
        layers.avg_pool2d(x, 2),
        layers.max_pool2d(x, 3, stride=1, padding="SAME"),
        layers.layer_norm(x, begin_norm_axis=2),
        layers.bias_add(x, initializer=tf.ones_initializer()),
        layers.one_hot_encoding([1, 0, 2], 3),
        layers.softmax(x),
        layers.stack(x[:, 0, 0], layers.fully_connected, [4, 2], weights_initializer=init),
        layers.repeat(x, 2, layers.conv2d, 3, 3, weights_initializer=init, scope="conv"),
        layers.embed_sequence([[1, 0], [2, 1]], 3, 2, initializer=init),
        layers.embed_sequence([[1, 1]], 3, 2, unique=True, initializer=init, scope="unique"),
    ]
    collected = _collected(tf)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return [sess.run(found), [f.op.name for f in found], collected]


def regularizers(tf):
    layers = _contrib(tf).layers
    w = tf.get_variable("w", [2, 3], initializer=_initializer(tf))
    made = [
        layers.l1_regularizer(0.5)(w),
        layers.l2_regularizer(0.5)(w),
        layers.l1_l2_regularizer(0.1, 0.2)(w),
        layers.l1_l2_regularizer(0.0, 0.2)(w),
        layers.sum_regularizer([layers.l1_regularizer(1.0), None])(w),
        layers.apply_regularization(layers.l2_regularizer(1.0), [w, w]),
    ]
    nothing = [layers.l1_regularizer(0.0)(w), layers.sum_regularizer([])]
    with tf.Session() as sess:
        sess.run(w.initializer)
        return [sess.run(made), [m.op.name for m in made], nothing, _collected(tf)]


def initializers(tf):
    """Their ranges: numbers follow from seeds that differ."""
    layers, found = _contrib(tf).layers, []
    for made in (
        layers.xavier_initializer(),
        layers.xavier_initializer(uniform=False),
        layers.variance_scaling_initializer(),
        layers.variance_scaling_initializer(3.0, "FAN_OUT", uniform=True),
    ):
        value = made([40, 60])
        nodes = sorted(n.op for n in tf.get_default_graph().as_graph_def().node)
        with tf.Session() as sess:
            drawn = sess.run(value)
        found.append([drawn.shape, round(float(drawn.std()), 1), len(nodes)])
    return found


def wrong_calls(tf):
    layers, slim = _contrib(tf).layers, _contrib(tf).slim
    x = tf.placeholder(tf.float32, [None, 4, 4, 3])
    calls = [
        lambda: layers.fully_connected(tf.zeros([2, 3]), 2.5),
        lambda: layers.conv2d(tf.zeros([2, 3]), 2, 3),
        lambda: layers.conv2d(x, 2, 3, data_format="CHWN"),
        lambda: layers.max_pool2d(x, 2, data_format="x"),
        lambda: layers.l2_regularizer(1),
        lambda: layers.l2_regularizer(-1.0),
        lambda: layers.variance_scaling_initializer(mode="x"),
        lambda: layers.variance_scaling_initializer(dtype=tf.int32),
        lambda: layers.apply_regularization(layers.l2_regularizer(1.0), []),
        lambda: layers.embed_sequence([[1]]),
        lambda: layers.stack(x, layers.conv2d, 3),
        lambda: layers.batch_norm(tf.placeholder(tf.float32)),
        lambda: layers.layer_norm(x, begin_norm_axis=7),
        lambda: slim.arg_scope([tf.nn.relu], name="x").__enter__(),
        lambda: slim.arg_scope(tf.nn.relu).__enter__(),
        lambda: slim.arg_scope({}, a=1).__enter__(),
    ]
    return [outcome(call) for call in calls]


def depthwise_layers(tf):
    """Separable convolutions that do not mix the channels."""
    slim, found = _contrib(tf).slim, []
    for more in (
        {"depth_multiplier": 2, "stride": 2, "weights_regularizer": slim.l2_regularizer(0.1)},
        {"normalizer_fn": slim.batch_norm, "rate": 2, "scope": "mine"},
        {"padding": "VALID", "activation_fn": None, "biases_initializer": None, "rate": [1, 2]},
        {"biases_regularizer": slim.l2_regularizer(0.1), "outputs_collections": "ends",
         "variables_collections": {"weights": ["kernels"]}},
    ):  # fmt: skip
        with tf.Graph().as_default():
            x = tf.placeholder(tf.float32, [None, 8, 8, 3], name="x")
            y = slim.separable_conv2d(x, None, [3, 3], weights_initializer=_initializer(tf), **more)
            collected = _collected(tf, "ends", "kernels")
            found.append([collected, _trained(tf, y, {x: _data(2, 8, 8, 3)})])
    return found
