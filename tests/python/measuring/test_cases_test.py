# SPDX-License-Identifier: Apache-2.0
"""sl.test: the base class of programs' tests, and numeric gradients."""

import os

import harness
import numpy as np
import sluice as sl


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
