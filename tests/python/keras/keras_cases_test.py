# SPDX-License-Identifier: Apache-2.0
"""Tests of Keras that run for each kind of model: decorators of keras_parameterized."""

import unittest

import sluice as sl
from absl.testing import parameterized
from sluice.python.keras import keras_parameterized, testing_utils


def run(case):
    """Runs the tests of a class. Returns why tests were skipped, a sorted list."""
    found = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(found)
    assert not found.errors + found.failures, found.errors + found.failures
    return sorted(reason for _, reason in found.skipped)


def test_all_tests_of_a_class_run_in_sessions():
    ran = []

    @keras_parameterized.run_all_keras_modes
    class Tests(keras_parameterized.TestCase):
        def test_session_is_open(self):
            ran.append((testing_utils.should_run_eagerly(), sl.get_default_session() is not None))

        def helper(self):
            raise AssertionError("this is not a test")

    run(Tests)
    assert ran == [(False, True)]


def test_there_is_a_test_of_each_kind():
    ran = []

    class Tests(keras_parameterized.TestCase):
        @keras_parameterized.run_with_all_model_types
        @keras_parameterized.run_all_keras_modes
        def test_of_each_kind(self):
            ran.append(testing_utils.get_model_type())

        @keras_parameterized.run_with_all_model_types(exclude_models="sequential")
        @parameterized.named_parameters(("_one", 1), ("_two", 2))
        def test_of_parameters(self, number):
            ran.append(f"{number} {testing_utils.get_model_type()}")

    run(Tests)
    assert sorted(ran) == [
        "1 functional", "1 subclass", "2 functional", "2 subclass", "functional", "sequential",
        "subclass",
    ]  # fmt: skip


def test_without_sessions_there_is_no_mode():
    class Tests(keras_parameterized.TestCase):
        @keras_parameterized.run_all_keras_modes(always_skip_v1=True)
        def test_eagerly(self):
            raise AssertionError("there is no such mode")

    assert "the test needs eager execution" in run(Tests)
