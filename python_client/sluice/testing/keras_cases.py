# SPDX-License-Identifier: Apache-2.0
"""Test cases of Keras that run once for each kind of model, and in each mode that there is."""

import contextlib
import functools
import itertools
import unittest
from collections.abc import Iterable

from .. import keras, nest
from .cases import TestCase as _TestCase
from .keras_models import experimental_run_tf_function_scope, model_type_scope, run_eagerly_scope

try:
    from absl.testing import parameterized
except ImportError:  # the decorators say so
    parameterized = None

_BASES = (_TestCase,) if parameterized is None else (_TestCase, parameterized.TestCase)


class TestCase(*_BASES):
    """A test case after which Keras has a new session.

    Args:
        methodName: Name of the test's method, a str.
    """

    def tearDown(self):
        """Forgets the layers and the session of the test."""
        keras.backend.clear_session()
        super().tearDown()


def run_with_all_model_types(test_or_class=None, exclude_models=None):
    """Makes a test of each kind of model: functional, subclass, sequential.

    Args:
        test_or_class: A test, or a class of them. None: a decorator is returned.
        exclude_models: Kinds that are left out, a str or a list of str.

    Returns:
        The tests.

    Raises:
        ImportError: absl.testing is not installed.
    """
    left_out = nest.flatten(exclude_models)
    kinds = [k for k in ("functional", "subclass", "sequential") if k not in left_out]
    return _decorator(test_or_class, kinds, lambda self, kind: [model_type_scope(kind)])


def run_all_keras_modes(test_or_class=None, config=None, always_skip_v1=False,
                        always_skip_eager=False):  # fmt: skip
    """Makes a test of each mode of Keras: there is only that with a session.

    Args:
        test_or_class: A test, or a class of them. None: a decorator is returned.
        config: The ConfigProto of the session. None: a default one.
        always_skip_v1: Whether tests with a session are skipped. A bool.
        always_skip_eager: Accepted. There is no eager execution.

    Returns:
        The tests.

    Raises:
        ImportError: absl.testing is not installed.
    """
    del always_skip_eager

    def scopes(self, mode):
        if always_skip_v1:
            self.skipTest("the test needs eager execution")
        return [
            run_eagerly_scope(False), experimental_run_tf_function_scope(False),
            self.test_session(use_gpu=True, config=config),
        ]  # fmt: skip

    return _decorator(test_or_class, ["v1_session"], scopes)


def _decorator(test_or_class, variants, scopes):
    """Makes a test for each variant, which runs in scopes(test case, variant)."""
    if parameterized is None:
        raise ImportError("tests of several variants need absl.testing: install absl-py")

    def of_method(method):
        @parameterized.named_parameters(*((f"_{v}", v) for v in variants))
        @functools.wraps(method)
        def run(self, variant, *args, **kwargs):
            with contextlib.ExitStack() as stack:
                for scope in scopes(self, variant):
                    stack.enter_context(scope)
                method(self, *args, **kwargs)

        return run

    def decorate(found):
        if isinstance(found, Iterable):  # tests that another decorator has made
            return itertools.chain.from_iterable(of_method(method) for method in found)
        if not isinstance(found, type):
            return of_method(found)
        tests = {
            name: of_method(value)
            for name, value in vars(found).items()
            if callable(value) and name.startswith(unittest.TestLoader.testMethodPrefix)
        }
        return type(found)(found.__name__, found.__bases__, {**vars(found), **tests})

    return decorate if test_or_class is None else decorate(test_or_class)


NAMES = {
    "TestCase": TestCase, "run_all_keras_modes": run_all_keras_modes,
    "run_with_all_model_types": run_with_all_model_types,
}  # fmt: skip
