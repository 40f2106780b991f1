# SPDX-License-Identifier: Apache-2.0
"""The programs of the training tests, as plain TensorFlow 1 graph code."""

import numpy as np
import tensorflow

tf = tensorflow.compat.v1


PS = "/job:ps/task:0"


def variable(name, value, use_resource):
    return tf.get_variable(name, initializer=tf.constant(value), use_resource=use_resource)


def init(rng, *shape):
    return rng.uniform(-0.3, 0.3, size=shape).astype(np.float32)


def mlp(rng, use_resource):
    x = tf.placeholder(tf.float32, [None, 16], name="x")
    y = tf.placeholder(tf.int64, [None], name="y")
    h = tf.nn.relu(
        tf.matmul(x, variable("w1", init(rng, 16, 32), use_resource))
        + variable("b1", init(rng, 32), use_resource)
    )
    logits = tf.matmul(h, variable("w2", init(rng, 32, 5), use_resource)) + variable(
        "b2", init(rng, 5), use_resource
    )
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))

    def feed(step):
        r = np.random.RandomState(step)
        return {x: r.uniform(-1, 1, (20, 16)).astype(np.float32), y: r.randint(0, 5, 20)}

    return loss, feed


def conv(rng, use_resource):
    x = tf.placeholder(tf.float32, [None, 8, 8, 1], name="x")
    y = tf.placeholder(tf.int64, [None], name="y")
    h = tf.nn.conv2d(
        x, variable("k1", init(rng, 3, 3, 1, 6), use_resource), strides=[1, 1, 1, 1], padding="SAME"
    )
    h = tf.nn.relu(tf.nn.bias_add(h, variable("c1", init(rng, 6), use_resource)))
    h = tf.nn.max_pool(h, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
    h = tf.nn.conv2d(
        h,
        variable("k2", init(rng, 3, 3, 6, 8), use_resource),
        strides=[1, 2, 2, 1],
        padding="VALID",
    )
    h = tf.reshape(tf.nn.relu(h), [-1, 8])
    logits = tf.matmul(h, variable("w", init(rng, 8, 5), use_resource)) + variable(
        "b", init(rng, 5), use_resource
    )
    one_hot = tf.one_hot(y, 5)
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=one_hot, logits=logits))

    def feed(step):
        r = np.random.RandomState(step)
        return {x: r.uniform(-1, 1, (12, 8, 8, 1)).astype(np.float32), y: r.randint(0, 5, 12)}

    return loss, feed


def lstm(rng, use_resource):
    """An LSTM by while_loop over TensorArrays: the loop's body reads variables of the ps."""
    steps, batch, width, units = 7, 6, 4, 8
    x = tf.placeholder(tf.float32, [steps, batch, width], name="x")
    y = tf.placeholder(tf.float32, [batch, 1], name="y")
    kernel = variable("kernel", init(rng, width + units, 4 * units), use_resource)
    bias = variable("bias", init(rng, 4 * units), use_resource)
    inputs = tf.TensorArray(tf.float32, size=steps).unstack(x)

    def read(value):
        # TensorFlow's placer refuses a loop that stacks a read it was asked to make on the worker.
        with tf.device(kernel.device if use_resource else None):
            return tf.identity(value)

    def body(t, c, h, outputs):
        gates = tf.matmul(tf.concat([inputs.read(t), h], 1), read(kernel)) + read(bias)
        i, j, f, o = tf.split(gates, 4, axis=1)
        c = c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
        h = tf.tanh(c) * tf.sigmoid(o)
        return t + 1, c, h, outputs.write(t, h)

    zeros = tf.zeros([batch, units])
    loop = tf.while_loop(
        lambda t, *unused: t < steps,
        body,
        [tf.constant(0), zeros, zeros, tf.TensorArray(tf.float32, size=steps)],
    )
    mean = tf.reduce_mean(loop[3].stack(), axis=0)
    prediction = tf.matmul(
        tf.concat([mean, loop[2]], 1), variable("w", init(rng, 2 * units, 1), use_resource)
    )
    loss = tf.reduce_mean(tf.square(prediction - y))

    def feed(step):
        r = np.random.RandomState(step)
        return {
            x: r.uniform(-1, 1, (steps, batch, width)).astype(np.float32),
            y: r.uniform(-1, 1, (batch, 1)).astype(np.float32),
        }

    return loss, feed


def embedding(rng, use_resource):
    ids = tf.placeholder(tf.int32, [None, 3], name="ids")
    y = tf.placeholder(tf.float32, [None], name="y")
    table = variable("table", init(rng, 50, 6), use_resource)
    w = variable("w", init(rng, 6, 1), use_resource)
    e = tf.reduce_sum(tf.nn.embedding_lookup(table, ids), axis=1)
    loss = tf.reduce_mean(tf.square(tf.reshape(tf.matmul(e, w), [-1]) - y))

    def feed(step):
        r = np.random.RandomState(step)
        return {ids: r.randint(0, 50, (10, 3)), y: r.uniform(-1, 1, 10).astype(np.float32)}

    return loss, feed


MODELS = {"mlp": mlp, "conv": conv, "lstm": lstm, "embedding": embedding}
OPTIMIZERS = {
    "sgd": lambda: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.05, 0.9),
    "adam": lambda: tf.train.AdamOptimizer(0.01),
}


def train(
    target,
    model,
    optimizer,
    use_resource,
    steps=50,
    worker="/job:worker/task:0",
    ps_device=PS,
    config=None,
):
    """The losses of `steps` steps of a model from fixed initial values, variables on the ps."""
    graph = tf.Graph()
    with graph.as_default():

        def place(op):
            return ps_device if op.type in ("VariableV2", "VarHandleOp") else worker

        with tf.device(place):
            loss, feed = MODELS[model](np.random.RandomState(7), use_resource)
            train_op = OPTIMIZERS[optimizer]().minimize(loss)
            start = tf.global_variables_initializer()
        with tf.Session(target, graph=graph, config=config) as session:
            session.run(start)
            return [float(session.run([loss, train_op], feed(step))[0]) for step in range(steps)]
