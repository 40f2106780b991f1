# SPDX-License-Identifier: Apache-2.0
"""Nets and optimizers whose training is compared, the same text for our client and TensorFlow's.

A net is a function of (tf, resource) that gives (loss, updates, feeds): the loss, operations that a
step runs besides, and a function of the step's number that gives its feeds. Initial values come
from NumPy, so that both clients begin alike. resource: the kind of its variables.
"""

import numpy as np

STEPS = 50

# Default arguments, and a learning rate where one is required.
OPTIMIZERS = {
    "GradientDescent": lambda t, step: t.GradientDescentOptimizer(0.1),
    "Momentum": lambda t, step: t.MomentumOptimizer(0.02, 0.9),
    "Adam": lambda t, step: t.AdamOptimizer(),
    "Adagrad": lambda t, step: t.AdagradOptimizer(0.1),
    "Adadelta": lambda t, step: t.AdadeltaOptimizer(),
    "RMSProp": lambda t, step: t.RMSPropOptimizer(0.001),
    "Ftrl": lambda t, step: t.FtrlOptimizer(0.1),
    "ProximalAdagrad": lambda t, step: t.ProximalAdagradOptimizer(0.1),
    "ProximalGradientDescent": lambda t, step: t.ProximalGradientDescentOptimizer(0.1),
    "AdagradDA": lambda t, step: t.AdagradDAOptimizer(0.1, step),
}


class _Values:
    """Draws initial values; the same ones for every net of one name."""

    def __init__(self, tf, resource, seed):
        self.tf, self.resource = tf, resource
        self.draws = np.random.RandomState(seed)

    def weight(self, name, *shape):
        scale = (2.0 / shape[0]) ** 0.5
        value = (self.draws.randn(*shape) * scale).astype(np.float32)
        return self.tf.get_variable(name, initializer=value, use_resource=self.resource)

    def bias(self, name, size, value=0.0, trainable=True):
        filled = np.full(size, value, np.float32)
        return self.tf.get_variable(
            name, initializer=filled, use_resource=self.resource, trainable=trainable
        )


def perceptron(tf, resource, seed=1):
    """784-256-256-10 with softmax cross entropy."""
    values = _Values(tf, resource, seed)
    x = tf.placeholder(tf.float32, [32, 784], name="x")
    labels = tf.placeholder(tf.int64, [32], name="labels")
    hidden = x
    for i, (inputs, outputs) in enumerate([(784, 256), (256, 256)]):
        weight = values.weight("w%d" % i, inputs, outputs)
        hidden = tf.nn.relu(tf.matmul(hidden, weight) + values.bias("b%d" % i, outputs))
    logits = tf.matmul(hidden, values.weight("w2", 256, 10)) + values.bias("b2", 10)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)

    def feeds(step):
        draws = np.random.RandomState(step % 10)
        classes = draws.randint(0, 10, 32)
        images = draws.rand(32, 784) * 0.2
        images[np.arange(32), classes * 7] += 3.0
        return {x: images.astype(np.float32), labels: classes}

    return tf.reduce_mean(losses), [], feeds


def mixed(tf, resource, seed=2):
    """An embedding, an input that two layers share, a tied weight, batch norm, and a loop."""
    values = _Values(tf, resource, seed)
    x = tf.placeholder(tf.float32, [16, 12], name="x")
    ids = tf.placeholder(tf.int32, [16], name="ids")
    labels = tf.placeholder(tf.float32, [16, 4], name="labels")
    rows = tf.nn.embedding_lookup(values.weight("table", 30, 12), ids)
    shared = tf.concat([x, rows], 1)
    left = tf.tanh(tf.matmul(shared, values.weight("left", 24, 16)) + values.bias("b_left", 16))
    # No bias: behind it the gradient would be rounding noise, which Adam makes large.
    right, updates = _normalized(tf, values, tf.matmul(shared, values.weight("right", 24, 16)))
    tied = values.weight("tied", 16, 16)
    state = tf.matmul(left, tied) + tf.matmul(right, tied)
    inner, bias = values.weight("inner", 16, 16) * 0.5, values.bias("b_inner", 16)
    _, state = tf.while_loop(
        lambda i, _: i < 4,
        lambda i, h: (i + 1, tf.tanh(tf.matmul(h, inner) + right + bias)),
        [tf.constant(0), tf.tanh(state)],
    )
    out = tf.matmul(state, values.weight("out", 16, 4)) + values.bias("b_out", 4)
    losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=out)

    def feeds(step):
        draws = np.random.RandomState(100 + step % 10)
        numbers = draws.randn(16, 12).astype(np.float32)
        return {
            x: numbers, ids: draws.randint(0, 30, 16),
            labels: (numbers[:, :4] > 0).astype(np.float32),
        }  # fmt: skip

    return tf.reduce_mean(losses), updates, feeds


def _normalized(tf, values, x):
    """Batch normalisation, and the updates of its moving moments."""
    mean, variance = tf.nn.moments(x, [0])
    moving = [values.bias("mean", 16, 0.0, False), values.bias("variance", 16, 1.0, False)]
    updates = [
        tf.assign_sub(old, (old - new) * 0.1).op for old, new in zip(moving, (mean, variance))
    ]
    scale, offset = values.bias("gamma", 16, 1.0), values.bias("beta", 16)
    return tf.nn.batch_normalization(x, mean, variance, offset, scale, 1e-3), updates


NETS = {"perceptron": perceptron, "mixed": mixed}


def losses(tf, net, optimizer, resource, target="", device=None):
    """The losses of STEPS steps, then the sum of each variable's absolute values at the end."""
    with tf.Graph().as_default(), tf.device(device):
        loss, updates, feeds = NETS[net](tf, resource)
        step = tf.train.get_or_create_global_step()
        train = OPTIMIZERS[optimizer](tf.train, step).minimize(loss, global_step=step)
        sums = [tf.reduce_sum(tf.abs(v)) for v in tf.trainable_variables()]
        init = tf.global_variables_initializer()
        with tf.Session(target) as session:
            session.run(init)
            found = [session.run([loss, train, *updates], feeds(i))[0] for i in range(STEPS)]
            return [float(v) for v in found + session.run(sums)] + [int(session.run(step))]
