# SPDX-License-Identifier: Apache-2.0
"""The base class of test cases, and the functions around it."""

import contextlib
import random
import re
import shutil
import socket
import tempfile
import unittest

import numpy as np

from .. import errors
from ..graph.convert import placeholder
from ..graph.default_graph import leave_graphs, reset_default_graph
from ..graph.defaults import get_default_session
from ..graph.seeds import set_random_seed
from ..nest import flatten
from ..ops.differentiate import gradients
from ..session.cluster import Server
from .sessions import SessionTestCase

_SEED = 87654321  # TensorFlow's: programs' tests compare numbers that are drawn from it
_folders = []


def get_temp_dir():
    """Returns a folder for files of tests.

    Returns:
        Its path, a str.
    """
    if not _folders:
        _folders.append(tempfile.mkdtemp())
        unittest.addModuleCleanup(_remove_folders)
    return _folders[0]


def _remove_folders():
    while _folders:
        shutil.rmtree(_folders.pop(), ignore_errors=True)


class TestCase(SessionTestCase):
    """A test case whose sessions, arrays and errors are compared by its methods. Each test begins
    with a new default graph, and with the same seeds: those of the graph, of NumPy and of Python.

    Args:
        methodName: Name of the test's method, a str.
    """

    def setUp(self):
        """Makes the graph of the test."""
        super().setUp()
        random.seed(_SEED)
        np.random.seed(_SEED)
        leave_graphs()
        reset_default_graph()
        set_random_seed(_SEED)
        if self.id().endswith(".test_session"):
            self.skipTest("a method of the class, not a test")

    def get_temp_dir(self):
        """Returns a folder for files of tests.

        Returns:
            Its path, a str.
        """
        return get_temp_dir()

    def _value(self, value):
        wanted = any(hasattr(leaf, "graph") for leaf in flatten(value))
        return self.evaluate(value) if wanted else value

    def assertAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None):  # noqa: N802
        """Checks that two structures of arrays are nearly equal.

        Args:
            a: Arrays, tensors or numbers in any structure.
            b: The same.
            rtol: Relative difference that is allowed, a float.
            atol: Absolute difference that is allowed, a float.
            msg: What is said if they differ, a str.

        Raises:
            AssertionError: They differ.
        """
        a, b = self._value(a), self._value(b)
        if isinstance(a, dict):
            self.assertEqual(sorted(a), sorted(b), msg)
            for key in a:
                self.assertAllClose(a[key], b[key], rtol, atol, msg or key)
            return
        if all(isinstance(rows, (list, tuple)) for rows in (a, b)):
            self.assertEqual(len(a), len(b), msg)
            for one, other in zip(a, b):
                self.assertAllClose(one, other, rtol, atol, msg)
            return
        self._check_shapes(a, b, msg)
        np.testing.assert_allclose(a, b, rtol, atol, err_msg=msg or "")

    def assertAllEqual(self, a, b, msg=None):  # noqa: N802
        """Checks that two arrays are equal.

        Args:
            a: An array, a tensor or a number.
            b: The same.
            msg: What is said if they differ, a str.

        Raises:
            AssertionError: They differ.
        """
        a, b = self._value(a), self._value(b)
        self._check_shapes(a, b, msg)
        np.testing.assert_array_equal(a, b, msg or "")

    def _check_shapes(self, a, b, msg):
        if np.shape(a) != np.shape(b):
            text = f"shape mismatch: expected {np.shape(a)} got {np.shape(b)}."
            self.fail(self._formatMessage(msg, text))

    def assertNear(self, f1, f2, err, msg=None):  # noqa: N802
        """Checks that two numbers are near each other.

        Args:
            f1: A number.
            f2: A number.
            err: The largest difference, a number.
            msg: What is said if they differ, a str.

        Raises:
            AssertionError: They differ.
        """
        if f1 != f2:  # infinities are near themselves
            self.assertLessEqual(abs(f1 - f2), err, msg)

    def assertShapeEqual(self, np_array, tf_tensor, msg=None):  # noqa: N802
        """Checks that an array has the shape of a tensor.

        Args:
            np_array: The array.
            tf_tensor: The tensor.
            msg: What is said if they differ, a str.

        Raises:
            AssertionError: They differ.
        """
        self.assertEqual(list(np_array.shape), tf_tensor.shape.as_list(), msg)

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(  # noqa: N802
        self, exception_type, expected_err_re_or_predicate
    ):
        """Checks that a with statement raises an error.

        Args:
            exception_type: Class of the error.
            expected_err_re_or_predicate: A regular expression that its text has; or a function of
                the error that returns whether it is the right one.

        Returns:
            A context manager.
        """
        wanted = expected_err_re_or_predicate
        try:
            yield
        except Exception as error:
            good = isinstance(error, exception_type) and (
                wanted(error) if callable(wanted) else re.search(wanted, str(error))
            )
            if not good:
                raise AssertionError(f"Exception of type {type(error)}: {error}") from error
        else:
            self.fail(f"{exception_type.__name__} not raised")

    def assertRaisesOpError(self, expected_err_re_or_predicate):  # noqa: N802
        """Checks that a with statement raises an OpError.

        Args:
            expected_err_re_or_predicate: A regular expression that its text has; or a function of
                the error that returns whether it is the right one.

        Returns:
            A context manager.
        """
        return self.assertRaisesWithPredicateMatch(errors.OpError, expected_err_re_or_predicate)


def main(argv=None):
    """Runs the tests of the program, and ends it.

    Args:
        argv: The command line, a list of str. None: that of the program.
    """
    unittest.main(argv=argv)


def compute_gradient(x, x_shape, y, y_shape, x_init_value=None, delta=1e-3, init_targets=None,
                     extra_feed_dict=None):  # fmt: skip
    """Computes how a tensor changes with another one: by gradients(), and by differences.

    Args:
        x: The tensor that changes, of floats.
        x_shape: Its shape, a list of ints.
        y: The tensor that depends on it.
        y_shape: Its shape, a list of ints.
        x_init_value: Where it is computed, an array. None: at random numbers.
        delta: By how much x changes, a float.
        init_targets: Operations that run first. None: none.
        extra_feed_dict: What else is fed, a dict.

    Returns:
        A tuple of two arrays [size of x, size of y].
    """
    session = get_default_session()
    if init_targets is not None:
        session.run(init_targets)
    random = np.random.random_sample(x_shape) if x_init_value is None else x_init_value
    at, feeds = np.array(random, float), dict(extra_feed_dict or {})
    weights = placeholder(y.dtype, y_shape)
    (slope,) = gradients(y, [x], [weights])
    size_x, size_y = int(np.prod(x_shape)), int(np.prod(y_shape))
    exact, measured = np.zeros([size_x, size_y]), np.zeros([size_x, size_y])
    for column in range(size_y):
        one = np.zeros(size_y)
        one[column] = 1
        feed = {x: at, weights: one.reshape(y_shape), **feeds}
        exact[:, column] = np.ravel(session.run(slope, feed))
    for row in range(size_x):
        step = np.zeros(size_x)
        step[row] = delta
        step = step.reshape(x_shape)
        high, low = (np.ravel(session.run(y, {x: at + s, **feeds})) for s in (step, -step))
        measured[row] = (high - low) / (2 * delta)
    return exact, measured


def compute_gradient_error(x, x_shape, y, y_shape, x_init_value=None, delta=1e-3,
                           init_targets=None, extra_feed_dict=None):  # fmt: skip
    """Computes the largest difference between the two results of compute_gradient().

    Args:
        x: The tensor that changes, of floats.
        x_shape: Its shape, a list of ints.
        y: The tensor that depends on it.
        y_shape: Its shape, a list of ints.
        x_init_value: Where it is computed, an array. None: at random numbers.
        delta: By how much x changes, a float.
        init_targets: Operations that run first. None: none.
        extra_feed_dict: What else is fed, a dict.

    Returns:
        A float.
    """
    exact, measured = compute_gradient(
        x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict
    )
    return np.max(np.abs(exact - measured), initial=0.0)


def create_local_cluster(num_workers, num_ps, protocol="grpc", worker_config=None,
                         ps_config=None):  # fmt: skip
    """Starts the servers of a cluster in this process.

    Args:
        num_workers: How many workers, an int.
        num_ps: How many ps tasks, an int.
        protocol: "grpc".
        worker_config: A ConfigProto of the workers. None: a default one.
        ps_config: A ConfigProto of the ps tasks. None: a default one.

    Returns:
        A tuple: the servers of the workers, and those of the ps tasks, lists.
    """
    sockets = [socket.socket() for _ in range(num_workers + num_ps)]
    for one in sockets:
        one.bind(("localhost", 0))
    addresses = [f"localhost:{one.getsockname()[1]}" for one in sockets]
    for one in sockets:
        one.close()
    cluster = {"worker": addresses[:num_workers], "ps": addresses[num_workers:]}
    cluster = {job: tasks for job, tasks in cluster.items() if tasks}
    return tuple(
        [Server(cluster, job, i, protocol, config) for i in range(len(cluster.get(job, ())))]
        for job, config in (("worker", worker_config), ("ps", ps_config))
    )


def assert_equal_graph_def(actual, expected, checkpoint_v2=False, hash_table_shared_name=False):
    """Checks that two graphs have the same nodes, in any order.

    Args:
        actual: A GraphDef.
        expected: A GraphDef.
        checkpoint_v2: Accepted. It has no effect.
        hash_table_shared_name: Accepted. It has no effect.

    Raises:
        AssertionError: They differ.
    """
    del checkpoint_v2, hash_table_shared_name
    nodes = [{node.name: node for node in graph.node} for graph in (actual, expected)]
    for name in sorted(set(nodes[0]) | set(nodes[1])):
        one, other = nodes[0].get(name), nodes[1].get(name)
        assert one == other, f"node {name} differs: {one} and {other}"


__all__ = """
    TestCase assert_equal_graph_def compute_gradient compute_gradient_error create_local_cluster
    get_temp_dir main
""".split()
