# SPDX-License-Identifier: Apache-2.0
"""sl.test: the base class of programs' tests, and numeric gradients."""

import os

import harness
import numpy as np
import sluice as sl
from sluice.python.framework import test_util


class Numbers(sl.test.TestCase):
    """A test case as programs write them."""

    def test_values(self):
        """Values, shapes and errors."""
        v = sl.Variable([1.0, 2.0])
        self.evaluate(v.initializer)
        self.assertAllEqual(v + 1.0, [2.0, 3.0])
        self.assertAllClose({"a": v * 0.1}, {"a": [0.1, 0.2]})
        self.assertShapeEqual(np.zeros([2]), v)
        self.assertNear(1.0, 1.01, 0.1)
        with self.session() as session, self.assertRaisesOpError("nan"):
            session.run(sl.check_numerics(sl.constant(np.nan), "nan"))
        self.assertTrue(os.path.isdir(self.get_temp_dir()))


class Arrays(sl.test.TestCase):
    """The assertions about whole arrays, each with values for which it holds and does not."""

    def test_arrays(self):
        """An assertion raises exactly for the second arguments."""
        a, f16 = sl.constant([1.0, 2.0]), np.float16([1.0, 2.0])
        proto, other = (sl.train.SaverDef(max_to_keep=n) for n in (3, 9))
        for check, good, bad in (
            (self.assertAllGreater, (a, 0), (a, 1)),
            (self.assertAllGreaterEqual, (a, 1), (a, 2)),
            (self.assertAllLess, (a, 3), (a, 2)),
            (self.assertAllLessEqual, (a, 2), (a, 1)),
            (self.assertAllInRange, (a, 1, 2), (a, 1, 2, True)),
            (self.assertAllInSet, (a, {1, 2, 3}), (a, {1})),
            (self.assertAllCloseAccordingToType, (f16, [1.0005, 2.0]), (a, [1.0005, 2.0])),
            (self.assertNotAllClose, (a, [1.0, 3.0]), (a, [1.0, 2.0])),
            (self.assertNotAllEqual, (a, [1.0, 3.0]), (a, [1.0, 2.0])),
            (self.assertArrayNear, ([1, 2], [1.1, 2], 0.2), ([1, 2], [1.3, 2], 0.2)),
            (self.assertNDArrayNear, (f16, f16, 0.1), (f16, f16 + 1, 0.1)),
            (self.assertDTypeEqual, (a, sl.float32), (f16, sl.float32)),
            (self.assertDeviceEqual, ("/cpu:0", "/device:CPU:0"), ("/cpu:0", "/cpu:1")),
            (self.assertProtoEquals, ("max_to_keep: 9", other), (proto, other)),
            (self.assertStartsWith, ("abc", "ab"), ("abc", "b")),
            (self.assertItemsEqual, ([1, 2], [2, 1]), ([1, 1], [1])),
            (self.assertLen, ("ab", 2), ("ab", 3)),
            (self.assertEmpty, ([],), ([1],)),
            (self.assertNotEmpty, ([1],), ([],)),
        ):
            check(*good)
            with self.assertRaises(AssertionError):
                check(*bad)


class Drawn(sl.test.TestCase):
    """Tests that draw numbers and reset the graph, as those of programs with Keras do."""

    drawn = []

    def setUp(self):
        super().setUp()
        sl.keras.backend.clear_session()

    def test_numbers(self):
        sl.reset_default_graph()
        sl.set_random_seed(1)
        self.drawn.append([np.random.rand(), *self.evaluate(sl.random_uniform([2]))])


class Seeded(sl.test.TestCase):
    """A test that draws numbers from the seed of the class."""

    def test_numbers(self):
        Drawn.drawn.append(list(self.evaluate(sl.random_uniform([2]))))


def test_cases_begin_with_the_same_seeds():
    Drawn.drawn.clear()
    with sl.Graph().as_default():
        for cls in (Drawn, Drawn, Seeded, Seeded):
            result = cls("test_numbers").run()
            assert result.wasSuccessful(), result.failures + result.errors
    assert Drawn.drawn[0] == Drawn.drawn[1]
    assert Drawn.drawn[2] == Drawn.drawn[3]
    assert len(Seeded("test_session").run().skipped) == 1


def test_a_case_runs():
    case = Numbers("test_values")
    result = case.run()
    assert result.wasSuccessful(), result.failures + result.errors
    harness.raises(AssertionError, lambda: case.assertAllClose(1.0, 1.1))


def test_gradients_by_differences():
    with sl.Graph().as_default(), sl.Session():
        x = sl.placeholder(sl.float64, [2, 2])
        y = sl.matmul(x, x)
        error = sl.test.compute_gradient_error(x, [2, 2], y, [2, 2])
        assert error < 1e-6, error
        exact, measured = sl.test.compute_gradient(x, [2, 2], 3 * x, [2, 2], np.ones([2, 2]))
    np.testing.assert_allclose(exact, 3 * np.eye(4))
    np.testing.assert_allclose(measured, exact, rtol=1e-6)


def test_what_there_is():
    assert not sl.test.is_built_with_rocm()
    assert bool(sl.test.gpu_device_name()) == sl.test.is_gpu_available()
    assert sl.version.VERSION == sl.VERSION == "1.15.0"
    with sl.Graph().as_default() as graph:
        sl.constant(1, name="a")
    definition = graph.as_graph_def()
    sl.test.assert_equal_graph_def(definition, definition)
    other = sl.GraphDef()
    harness.raises(AssertionError, lambda: sl.test.assert_equal_graph_def(definition, other))


def test_decorators_of_tensorflows_tests():
    @test_util.run_all_in_graph_and_eager_modes
    class Case(sl.test.TestCase):
        @test_util.run_v1_only("a reason")
        def test_in_a_session(self):
            self.assertIsNotNone(sl.get_default_session())

        @test_util.run_v2_only
        def test_of_another_version(self):
            self.fail("it runs")

        @test_util.skip_if(lambda: True)
        def test_left_out(self):
            self.fail("it runs")

        @test_util.disable_xla("a reason")
        @test_util.run_deprecated_v1
        def test_formats(self):
            self.assertEqual(test_util.NHWCToNCHW([1, 2, 3, 4]), [1, 4, 2, 3])
            images = test_util.NCHWToNHWC(sl.zeros([1, 4, 2, 3]))
            self.assertEqual(images.shape.as_list(), [1, 2, 3, 4])

    for name, skips in (
        ("test_in_a_session", 0), ("test_of_another_version", 1), ("test_left_out", 0),
        ("test_formats", 0),
    ):  # fmt: skip
        result = Case(name).run()
        assert result.wasSuccessful(), result.failures + result.errors
        assert len(result.skipped) == skips
