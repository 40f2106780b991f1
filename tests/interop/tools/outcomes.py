# SPDX-License-Identifier: Apache-2.0
"""The outcome of a program: its values or its error, and whether two are the same."""

import numpy as np

from interop.programs.models import tf


def outcome(function, *arguments):
    """The value, or the class of the error and whether it names the culprit."""
    try:
        return function(*arguments)
    except tf.errors.OpError as error:
        return type(error)
    except Exception as error:  # pylint: disable=broad-except
        return f"{type(error).__name__}: {str(error)[:300]}"


def same(a, b):
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, (type, str)) or isinstance(b, (type, str)):
        return a == b
    return np.array_equal(a, b)


class Program:
    """A graph over two tasks, and a session on it."""

    def __init__(self, target, config=None):
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.a = tf.placeholder(tf.float32, [], name="a")
            self.b = tf.placeholder(tf.float32, [], name="b")
            self.c = tf.placeholder(tf.float32, [], name="c")
            with tf.device("/job:ps/task:0"):
                self.r1 = tf.add(self.a, self.b, name="r1")
                self.v = tf.get_variable("v", initializer=0.0, use_resource=False)
                self.bump = tf.assign_add(self.v, 1.0)
                self.checked = tf.debugging.check_numerics(self.a, "bad", name="checked")
            with tf.device("/job:worker/task:1"):
                self.r2 = tf.multiply(self.r1, self.c, name="r2")
                self.constant = tf.constant(17.0, name="constant")
            self.start = tf.global_variables_initializer()
        self.session = tf.Session(target, graph=self.graph, config=config)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.session.close()
