# SPDX-License-Identifier: Apache-2.0
"""Networks of TensorFlow 1's model collections, small in width: each as a graph that trains.

A model returns (loss, what else is fetched, the feed of a step); initial values come from seeded
initialisers, so that servers have to draw the same numbers.
"""

import numpy as np
import tensorflow

tf = tensorflow.compat.v1
TF1 = tensorflow.__version__.startswith("1.")

MODELS = {}


def model(build):
    MODELS[build.__name__] = build
    return build


def uniform(step, *shape):
    return np.random.RandomState(step).uniform(-1, 1, shape).astype(np.float32)


def integers(step, high, *shape):
    return np.random.RandomState(step + 100).randint(0, high, shape)


def classified(logits, labels):
    return tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    )


def dense(x, units, name, activation=None):
    with tf.variable_scope(name):
        kernel = tf.get_variable(
            "kernel", [int(x.shape[-1]), units], initializer=tf.glorot_uniform_initializer(seed=3)
        )
        bias = tf.get_variable("bias", [units], initializer=tf.zeros_initializer())
        y = tf.nn.bias_add(tf.matmul(x, kernel), bias)
        return activation(y) if activation else y


# ---- Images.


class Convolutions:
    """Layers on images in one layout; weights are alike in both."""

    def __init__(self, layout):
        self.layout = layout
        self.channels = layout.index("C")

    def along(self, size):
        return [1, 1, size, size] if self.layout == "NCHW" else [1, size, size, 1]

    def conv(self, x, filters, size, name, strides=1, padding="SAME"):
        kernel = tf.get_variable(
            name,
            [size, size, int(x.shape[self.channels]), filters],
            initializer=tf.variance_scaling_initializer(seed=11),
        )
        return tf.nn.conv2d(
            x, kernel, self.along(strides), padding, data_format=self.layout, name=name
        )

    def norm(self, x, name, gamma=1.0):
        """Batch normalisation in training; moving averages as slim keeps them."""
        width = [int(x.shape[self.channels])]
        with tf.variable_scope(name):
            gamma = tf.constant_initializer(gamma)
            scale = tf.get_variable("gamma", width, initializer=gamma)
            offset = tf.get_variable("beta", width, initializer=tf.zeros_initializer())
            y, mean, variance = tf.nn.fused_batch_norm(
                x, scale, offset, epsilon=1e-3, data_format=self.layout
            )
            for what, value in (("moving_mean", mean), ("moving_variance", variance)):
                moving = tf.get_variable(
                    what, width, trainable=False, initializer=tf.zeros_initializer()
                )
                with tf.colocate_with(moving):
                    update = tf.assign_sub(moving, (moving - value) * 0.1)
                tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, update)
        return y

    def bottleneck(self, x, width, strides, name):
        with tf.variable_scope(name):
            shortcut = x
            if strides > 1 or int(x.shape[self.channels]) != 4 * width:
                shortcut = self.norm(self.conv(x, 4 * width, 1, "shortcut", strides), "bn0")
            y = tf.nn.relu(self.norm(self.conv(x, width, 1, "conv1"), "bn1"))
            y = tf.nn.relu(self.norm(self.conv(y, width, 3, "conv2", strides), "bn2"))
            # Begins as little more than its shortcut: fifty layers that begin otherwise make
            # much of a last bit.
            y = self.norm(self.conv(y, 4 * width, 1, "conv3"), "bn3", gamma=0.1)
            return tf.nn.relu(y + shortcut)


def resnet(layout, blocks=(3, 4, 6, 3), width=4, size=32, batch=4):
    layers = Convolutions(layout)
    images = tf.placeholder(tf.float32, [batch, size, size, 3], name="images")
    labels = tf.placeholder(tf.int64, [batch], name="labels")
    x = tf.transpose(images, [0, 3, 1, 2]) if layout == "NCHW" else images
    x = tf.nn.relu(layers.norm(layers.conv(x, width, 7, "conv1", 2), "bn1"))
    x = tf.nn.max_pool(
        x, layers.along(3), layers.along(2), padding="SAME", data_format=layers.layout
    )
    for stage, count in enumerate(blocks):
        for block in range(count):
            strides = 2 if stage and not block else 1
            x = layers.bottleneck(x, width << stage, strides, f"stage{stage}_{block}")
    x = tf.reduce_mean(x, [2, 3] if layout == "NCHW" else [1, 2])
    loss = classified(dense(x, 10, "logits"), labels)
    decay = tf.add_n([tf.nn.l2_loss(v) for v in tf.trainable_variables() if "bn" not in v.name])

    def feed(step):
        return {
            images: uniform(step, batch, size, size, 3),
            labels: integers(step, 10, batch),
        }

    return loss + 1e-4 * decay, [], feed


@model
def resnet50():
    return resnet("NHWC")


def resnet50_nchw():
    """Of the same losses; no model of its own, for TensorFlow's CPU does not run it."""
    return resnet("NCHW")


@model
def inception():
    """Local response normalisation, parallel branches joined by concat, an auxiliary loss."""
    images = tf.placeholder(tf.float32, [4, 28, 28, 3], name="images")
    labels = tf.placeholder(tf.int64, [4], name="labels")
    layers = Convolutions("NHWC")

    def relu(x, filters, size, name, strides=1):
        bias = tf.get_variable(name + "_bias", [filters], initializer=tf.constant_initializer(0.1))
        return tf.nn.relu(tf.nn.bias_add(layers.conv(x, filters, size, name, strides), bias))

    def mixed(x, name):
        with tf.variable_scope(name):
            pool = tf.nn.max_pool(x, [1, 3, 3, 1], [1, 1, 1, 1], "SAME")
            tower = tf.nn.avg_pool(x, [1, 3, 3, 1], [1, 1, 1, 1], "SAME")
            return tf.concat(
                [
                    relu(x, 4, 1, "one"),
                    relu(relu(x, 4, 1, "three_reduce"), 6, 3, "three"),
                    relu(relu(x, 2, 1, "five_reduce"), 4, 5, "five"),
                    relu(pool, 3, 1, "pool"),
                    relu(tower, 3, 1, "average"),
                ],
                axis=3,
            )

    x = relu(images, 8, 5, "stem", 2)
    x = tf.nn.lrn(x, depth_radius=4, bias=1.0, alpha=0.001 / 9.0, beta=0.75)
    x = tf.nn.max_pool(x, [1, 3, 3, 1], [1, 2, 2, 1], "VALID")
    x = mixed(x, "mixed1")
    early = dense(
        tf.reshape(tf.nn.avg_pool(x, [1, 6, 6, 1], [1, 1, 1, 1], "VALID"), [4, -1]), 10, "aux"
    )
    x = tf.nn.lrn(mixed(x, "mixed2"), 4, bias=1.0, alpha=1e-4, beta=0.75)
    x = tf.reduce_mean(mixed(x, "mixed3"), [1, 2])
    x = tf.nn.dropout(x, keep_prob=0.7, seed=23)
    logits = dense(x, 10, "logits")
    top = tf.nn.in_top_k(logits, labels, 3)
    loss = classified(logits, labels) + 0.3 * classified(early, labels)

    def feed(step):
        return {images: uniform(step, 4, 28, 28, 3), labels: integers(step, 10, 4)}

    return loss, [tf.nn.softmax(logits), top], feed


@model
def separable():
    """A mobile net's depthwise convolutions, a dilated one, a transposed one: a segmentation."""
    images = tf.placeholder(tf.float32, [2, 16, 16, 3], name="images")
    labels = tf.placeholder(tf.int64, [2, 16, 16], name="labels")

    def weight(name, *shape):
        return tf.get_variable(name, shape, initializer=tf.truncated_normal_initializer(0, 0.2, 5))

    x = tf.nn.separable_conv2d(
        images, weight("d1", 3, 3, 3, 2), weight("p1", 1, 1, 6, 8), [1, 2, 2, 1], "SAME"
    )
    x = tf.nn.relu6(x)
    x = tf.nn.depthwise_conv2d(x, weight("d2", 3, 3, 8, 1), [1, 1, 1, 1], "SAME")
    x = tf.nn.elu(tf.nn.atrous_conv2d(x, weight("a", 3, 3, 8, 8), rate=2, padding="SAME"))
    mean, variance = tf.nn.moments(x, [0, 1, 2])
    x = tf.nn.batch_normalization(x, mean, variance, None, None, 1e-3)
    x = tf.nn.leaky_relu(x)
    x = tf.nn.conv2d_transpose(x, weight("t", 2, 2, 5, 8), [2, 16, 16, 5], [1, 2, 2, 1], "SAME")
    return (
        classified(x, labels),
        [tf.argmax(x, 3)],
        lambda step: {
            images: uniform(step, 2, 16, 16, 3),
            labels: integers(step, 5, 2, 16, 16),
        },
    )


@model
def autoencoder():
    """A variational one on NHWC images with its own noise; the gradients clipped by their norm."""
    images = tf.placeholder(tf.float32, [6, 64], name="images")
    h = dense(images, 16, "encoder", tf.nn.softplus)
    mean, log_variance = dense(h, 4, "mean"), dense(h, 4, "log_variance")
    z = mean + tf.exp(0.5 * log_variance) * tf.random_normal([6, 4], seed=8)
    logits = dense(dense(z, 16, "decoder", tf.nn.softsign), 64, "output")
    target = tf.sigmoid(images)
    rebuilt = tf.reduce_sum(
        tf.nn.sigmoid_cross_entropy_with_logits(labels=target, logits=logits), 1
    )
    divergence = -0.5 * tf.reduce_sum(
        1 + log_variance - tf.square(mean) - tf.exp(log_variance), reduction_indices=1
    )
    loss = tf.reduce_mean(rebuilt + divergence)
    return loss, [tf.nn.sigmoid(logits)], lambda step: {images: uniform(step, 6, 64)}


# ---- Words.


def words(step, batch, count):
    return integers(step, count, batch)


def skip_gram(kind, partitions=1, count=40, width=6, batch=8):
    inputs = tf.placeholder(tf.int32, [batch], name="inputs")
    labels = tf.placeholder(tf.int64, [batch, 1], name="labels")
    partitioner = tf.fixed_size_partitioner(partitions) if partitions > 1 else None
    with tf.variable_scope("words", partitioner=partitioner):
        table = tf.get_variable(
            "table", [count, width], initializer=tf.random_uniform_initializer(-1.0, 1.0, seed=2)
        )
        weights = tf.get_variable(
            "weights", [count, width], initializer=tf.truncated_normal_initializer(0, 0.4, seed=4)
        )
    biases = tf.get_variable("biases", [count], initializer=tf.zeros_initializer())
    embedded = tf.nn.embedding_lookup(table, inputs, partition_strategy="div")
    if kind == "nce":
        tf.set_random_seed(91)
        losses = tf.nn.nce_loss(weights, biases, labels, embedded, 5, count)
    elif kind == "sampled":
        sampler = tf.nn.learned_unigram_candidate_sampler(labels, 1, 6, True, count, seed=5)
        losses = tf.nn.sampled_softmax_loss(
            weights, biases, labels, embedded, 6, count, sampled_values=sampler
        )
    else:
        unigrams = [float(k % 7 + 1) for k in range(count)]
        sampler = tf.nn.fixed_unigram_candidate_sampler(
            labels, 1, 6, False, count, distortion=0.75, unigrams=unigrams, seed=6
        )
        losses = tf.nn.nce_loss(weights, biases, labels, embedded, 6, count, sampled_values=sampler)
    normed = tf.nn.l2_normalize(tf.concat(list(table), 0) if partitions > 1 else table, 1)
    near = tf.matmul(tf.nn.embedding_lookup(normed, [1, 5]), normed, transpose_b=True)
    return (
        tf.reduce_mean(losses),
        [tf.nn.top_k(near, 4)[0]],
        lambda step: {
            inputs: words(step, batch, count),
            labels: words(step + 1, batch, count).reshape([-1, 1]),
        },
    )


@model
def word2vec_nce():
    return skip_gram("nce")


@model
def word2vec_sampled_softmax():
    return skip_gram("sampled")


@model
def word2vec_partitioned():
    """Tables in three pieces over the parameter servers."""
    return skip_gram("unigram", 3)


def layer_norm(x, name):
    with tf.variable_scope(name):
        gain = tf.get_variable("gain", [int(x.shape[-1])], initializer=tf.ones_initializer())
        bias = tf.get_variable("bias", [int(x.shape[-1])], initializer=tf.zeros_initializer())
        mean, variance = tf.nn.moments(x, [-1], keep_dims=True)
        return gain * (x - mean) * tf.rsqrt(variance + 1e-6) + bias


def encoder(batch=3, length=6, width=8, heads=2, count=20):
    """An encoder's block: sinusoid positions, masked attention by einsum, dropout, tied softmax."""
    ids = tf.placeholder(tf.int32, [batch, length], name="ids")
    lengths = tf.placeholder(tf.int32, [batch], name="lengths")
    table = tf.get_variable(
        "table", [count, width], initializer=tf.random_normal_initializer(0, width**-0.5, seed=1)
    )
    angle = tf.expand_dims(tf.to_float(tf.range(length)), 1) * tf.exp(
        tf.to_float(tf.range(width // 2)) * -(np.log(10000.0) / (width // 2 - 1))
    )
    x = tf.gather(table, ids) * width**0.5 + tf.concat([tf.sin(angle), tf.cos(angle)], 1)
    x = tf.nn.dropout(x, keep_prob=0.9, seed=31)
    mask = tf.sequence_mask(lengths, length, dtype=tf.float32)
    shut = (1.0 - mask[:, tf.newaxis, tf.newaxis, :]) * -1e9

    def project(x, name):
        w = tf.get_variable(
            name,
            [width, heads, width // heads],
            initializer=tf.variance_scaling_initializer(1.0, "fan_avg", "uniform", seed=7),
        )
        return tf.einsum("btw,whd->bhtd", x, w)

    for layer in range(2):
        with tf.variable_scope("layer%d" % layer):
            y = layer_norm(x, "before")
            scores = tf.matmul(project(y, "q"), project(y, "k"), transpose_b=True)
            weights = tf.nn.softmax(scores * (width // heads) ** -0.5 + shut)
            weights = tf.nn.dropout(weights, keep_prob=0.8, seed=33)
            joined = tf.einsum("bhts,bhsd->bthd", weights, project(y, "v"))
            w = tf.get_variable("o", [heads, width // heads, width])
            x += tf.tensordot(joined, w, [[2, 3], [0, 1]])
            y = tf.reshape(layer_norm(x, "middle"), [-1, width])
            y = dense(dense(y, 4 * width, "wide", tf.nn.relu), width, "narrow")
            x += tf.reshape(y, [batch, length, width])
    logits = tf.einsum("btw,cw->btc", layer_norm(x, "last"), table)
    losses = tf.nn.softmax_cross_entropy_with_logits_v2(
        labels=tf.one_hot(tf.roll(ids, -1, 1), count, 0.9, 0.1 / (count - 1)), logits=logits
    )
    loss = tf.reduce_sum(losses * mask) / tf.reduce_sum(mask)
    return (
        loss,
        [],
        lambda step: {
            ids: integers(step, count, batch, length),
            lengths: 1 + integers(step + 9, length, batch),
        },
    )


@model
def transformer():
    return encoder()
