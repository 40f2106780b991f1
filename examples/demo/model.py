# SPDX-License-Identifier: Apache-2.0
"""The demo's network: two convolutions and two dense layers on 8 x 8 images of digits."""

import numpy as np
import sluice as sl

CLASSES = 10


def load_digits():
    """Returns (train images, train labels), (test images, test labels): the 1,797 UCI digits, with
    every fifth for the test."""
    from sklearn import datasets

    digits = datasets.load_digits()
    images = (digits.images / 16.0).astype(np.float32)[..., np.newaxis]
    labels = digits.target.astype(np.int64)
    order = np.random.RandomState(0).permutation(len(labels))
    images, labels = images[order], labels[order]
    test = np.arange(len(labels)) % 5 == 0
    return (images[~test], labels[~test]), (images[test], labels[test])


class Network:
    """The variables of the network, and its parts as functions of images."""

    def __init__(self):
        self.filter1 = _weights("conv1/filter", [3, 3, 1, 16], seed=1)
        self.bias1 = sl.Variable(sl.zeros([16]), name="conv1/bias")
        self.filter2 = _weights("conv2/filter", [3, 3, 16, 32], seed=2)
        self.bias2 = sl.Variable(sl.zeros([32]), name="conv2/bias")
        self.hidden = _weights("dense/weights", [4 * 4 * 32, 64], seed=3)
        self.hidden_bias = sl.Variable(sl.zeros([64]), name="dense/bias")
        self.output = _weights("output/weights", [64, CLASSES], seed=4)
        self.output_bias = sl.Variable(sl.zeros([CLASSES]), name="output/bias")

    def logits(self, images):
        x = sl.nn.relu(sl.nn.bias_add(sl.nn.conv2d(images, self.filter1, 1, "SAME"), self.bias1))
        x = sl.nn.relu(sl.nn.bias_add(sl.nn.conv2d(x, self.filter2, 1, "SAME"), self.bias2))
        x = sl.reshape(sl.nn.max_pool(x, 2, 2, "VALID"), [-1, 4 * 4 * 32])
        x = sl.nn.relu(sl.nn.bias_add(sl.matmul(x, self.hidden), self.hidden_bias))
        return sl.nn.bias_add(sl.matmul(x, self.output), self.output_bias)

    def loss(self, images, labels):
        losses = sl.nn.sparse_softmax_cross_entropy_with_logits(
            labels=labels, logits=self.logits(images)
        )
        return sl.reduce_mean(losses)

    def accuracy(self, images, labels):
        right = sl.equal(sl.argmax(self.logits(images), 1), labels)
        return sl.reduce_mean(sl.cast(right, sl.float32))


def _weights(name, shape, seed):
    initial = sl.he_normal_initializer(seed)
    return sl.Variable(lambda: initial(shape), name=name)


def inputs(name):
    """Placeholders for images and labels."""
    with sl.name_scope(name):
        images = sl.placeholder(sl.float32, [None, 8, 8, 1], name="images")
        return images, sl.placeholder(sl.int64, [None], name="labels")


def batches(images, labels, size, seed):
    """Yields batches without end, in a new order in each epoch."""
    order = np.random.RandomState(seed)
    while True:
        shuffled = order.permutation(len(labels))
        for at in range(0, len(labels) - size + 1, size):
            rows = shuffled[at : at + size]
            yield images[rows], labels[rows]
