# SPDX-License-Identifier: Apache-2.0
"""Conditionals and loops of the Python client: values, and gradients against differences."""

import gradients_test
import harness
import numpy as np
import sluice as sl


def test_conditionals():
    graph = sl.Graph()
    with graph.as_default():
        x = sl.placeholder(sl.float32, [2])
        y = sl.cond(x[0] > 0.0, lambda: x * 2.0, lambda: sl.constant([7.0, 8.0]))
        a, (b, c) = sl.cond(
            x[1] > 0.0,
            lambda: (x, [x + 1.0, sl.constant(1)]),
            lambda: (-x, [sl.cond(x[0] > 0.0, lambda: x, lambda: y), sl.constant(2)]),
        )
        assert y.shape == [2]
        with sl.Session() as session:
            for value in ([1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]):
                got = session.run([y, a, b, c], {x: value})
                v = np.array(value, np.float32)
                want_y = v * 2 if v[0] > 0 else np.array([7, 8], np.float32)
                other = [-v, v if v[0] > 0 else want_y, 2]
                want = [want_y, *([v, v + 1, 1] if v[1] > 0 else other)]
                for g, w in zip(got, want):
                    np.testing.assert_allclose(g, w)


def test_loops():
    graph = sl.Graph()
    with graph.as_default():
        n = sl.placeholder(sl.int32, [])
        i, s = sl.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s * 2.0), [0, 1.0])
        j = sl.while_loop(lambda j: j < 100, lambda j: j + 7, [n], maximum_iterations=3)
        _, nested = sl.while_loop(
            lambda i, t: i < n,
            lambda i, t: (
                i + 1,
                sl.while_loop(lambda k, u: k < i, lambda k, u: (k + 1, u + s), (0, t))[1],
            ),
            (0, 0.0),
        )
        with sl.Session() as session:
            for value in (0, 1, 4):
                got = session.run([i, s, j, nested], {n: value})
                pairs = value * (value - 1) / 2
                np.testing.assert_allclose(got, [value, 2.0**value, value + 21, pairs * 2**value])


def variables(use_resource):
    graph = sl.Graph()
    with graph.as_default():
        v = sl.Variable(3.0, use_resource=use_resource)
        _, y = sl.while_loop(lambda i, x: i < 4, lambda i, x: (i + 1, x * v), [0, 2.0])
        z = sl.cond(y > 0.0, lambda: y * v, lambda: y)
        grads = sl.gradients(z, [v])
        with sl.Session() as session:
            session.run(sl.global_variables_initializer())
            np.testing.assert_allclose(session.run([y, z]), [2 * 3.0**4, 2 * 3.0**5])
            np.testing.assert_allclose(session.run(grads), [10 * 3.0**4])


def test_reference_variables():
    variables(False)


def test_resource_variables():
    variables(True)


def test_gradients():
    def loop(x, w):
        def body(i, h):
            return i + 1, sl.tanh(sl.matmul(h, w)) + h * 0.1

        return sl.while_loop(lambda i, h: i < 3, body, [0, x])[1]

    def branches(x, y):
        total = sl.reduce_sum(x)
        return sl.cond(total > 0.0, lambda: sl.sin(x) * y, lambda: sl.exp(y) + x * x)

    def nested(x, y):
        def body(i, a):
            b = sl.cond(sl.equal(i % 2, 0), lambda: sl.sin(a) * y, lambda: a + sl.exp(a * 0.1))
            inner = sl.while_loop(lambda k, c: k < i, lambda k, c: (k + 1, c * x), [0, b])
            return i + 1, inner[1]

        return sl.while_loop(lambda i, a: i < 4, body, [0, x])[1]

    def in_branch(x, y):
        def yes():
            return sl.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a * y + x), [0, x])[1]

        return sl.cond(sl.reduce_sum(x) > -100.0, yes, lambda: x)

    for function, shapes in (
        (loop, ((2, 3), (3, 3))),
        (branches, ((3,), (3,))),
        (nested, ((2,), (2,))),
        (in_branch, ((2,), (2,))),
    ):
        gradients_test.check_case(function, *shapes)
        gradients_test.check_case(function, *shapes, low=-1.0, high=-0.2)


def test_second_derivatives():
    graph = sl.Graph()
    with graph.as_default():
        x = sl.placeholder(sl.float64, [])
        _, y = sl.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x), [0, x])
        (first,) = sl.gradients(y, [x])
        (second,) = sl.gradients(first, [x])
        with sl.Session() as session:
            np.testing.assert_allclose(session.run([first, second], {x: 2.0}), [32.0, 48.0])


def test_training():
    rng = np.random.RandomState(0)
    data = rng.normal(size=(4, 5, 2)).astype(np.float32)
    graph = sl.Graph()
    with graph.as_default():
        w = sl.Variable(sl.constant(rng.normal(size=(2, 2)) * 0.3, sl.float32))
        x = sl.constant(data)

        def step(t, h):
            return t + 1, sl.tanh(sl.matmul(h, w) + sl.gather(x, t))

        _, h = sl.while_loop(lambda t, h: t < 4, step, [0, sl.zeros([5, 2])])
        loss = sl.reduce_sum(sl.square(h - 0.3))
        train = sl.train.GradientDescentOptimizer(0.02).minimize(loss)
        with sl.Session() as session:
            session.run(sl.global_variables_initializer())
            losses = [session.run([loss, train])[0] for _ in range(15)]
    assert losses[-1] < losses[0] * 0.9, losses


def test_errors():
    graph = sl.Graph()
    with graph.as_default():
        x = sl.placeholder(sl.float32, [2])
        text = "same type: float32, int32"
        harness.raises(ValueError, lambda: sl.cond(x[0] > 0.0, lambda: x, lambda: 1), text)
        harness.raises(
            ValueError,
            lambda: sl.while_loop(lambda a: a[0] > 0.0, lambda a: sl.concat([a, a], 0), [x]),
            "shape_invariants",
        )
        harness.raises(
            ValueError, lambda: sl.while_loop(lambda a: a[0] > 0.0, lambda a: 1, [x]), "int32"
        )
        v = sl.Variable(sl.zeros([2, 2]), use_resource=True)  # read inside
        row = sl.while_loop(lambda a: a[0, 0] > 0.0, lambda a: sl.matmul(a, v), [sl.ones([3, 2])])
        assert row.shape == [3, 2]
        grown = sl.while_loop(
            lambda a: sl.size(a) < 8, lambda a: sl.concat([a, a], 0), [x], shape_invariants=[[None]]
        )
        with sl.Session() as session:
            assert session.run(grown, {x: [1.0, 2.0]}).shape == (8,)


def test_a_variable_of_a_branch_is_of_the_graph_around():
    with sl.Graph().as_default() as graph:
        x = sl.placeholder(sl.float32, [])
        value = sl.cond(x > 0.0, lambda: sl.Variable(2.0, name="inner"), lambda: 1.0)
        assert [v.name for v in sl.global_variables()] == ["inner:0"]
        assert sl.global_variables()[0].graph is graph
        with sl.Session() as session:
            session.run(sl.global_variables_initializer())
            assert [session.run(value, {x: v}) for v in (1.0, -1.0)] == [2.0, 1.0]


def test_a_conditional_waits_for_what_its_branches_wait_for():
    with sl.Graph().as_default() as graph:
        x = sl.placeholder(sl.float32, [])
        before = sl.identity(x, name="before")

        def branch():
            with sl.control_dependencies([before]):
                return sl.constant(1.0)

        made = sl.cond(x > 0, branch, branch)
        assert before.op in made.op.control_inputs
        with sl.Session(graph=graph) as session:
            assert session.run(made, {x: 2.0}) == 1.0
