"""Optimizers do what their formulas say, dense and sparse, with both kinds of variables."""

import harness
import numpy as np
import sluice as sl


def steps(make, resource, sparse, count=3):
    """The variable after `count` steps on the loss 0.5 sum((rows of v)^2) from fixed values."""
    start = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], np.float32)
    with sl.Graph().as_default():
        v = sl.Variable(start, use_resource=resource)
        rows = sl.gather(v, [0, 2, 0]) if sparse else v
        loss = 0.5 * sl.reduce_sum(sl.square(rows))
        step = sl.train.get_or_create_global_step()
        train = make().minimize(loss, global_step=step)
        with sl.Session() as session:
            session.run(sl.global_variables_initializer())
            for _ in range(count):
                session.run(train)
            assert session.run(step) == count
            return start, session.run(v)


def gradient(v, sparse):
    return v * np.array([[2.0], [0.0], [1.0]]) if sparse else v


def every(make, update):
    for resource in (False, True):
        for sparse in (False, True):
            start, found = steps(make, resource, sparse)
            v, state = start.astype(np.float64), {}
            for t in range(1, 4):
                v = update(v, gradient(v, sparse), state, t)
            np.testing.assert_allclose(found, v, rtol=2e-5, err_msg=f"{resource} {sparse}")


def check_gradient_descent():
    every(lambda: sl.train.GradientDescentOptimizer(0.1), lambda v, g, s, t: v - 0.1 * g)


def check_momentum():
    def update(v, g, s, t):
        # A row without a gradient keeps its moment; here it never had one.
        s["a"] = 0.9 * s.get("a", 0) + g
        return v - 0.1 * s["a"]

    every(lambda: sl.train.MomentumOptimizer(0.1, 0.9), update)


def check_adam():
    def update(v, g, s, t):
        s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
        s["v"] = 0.999 * s.get("v", 0) + 0.001 * g * g
        rate = 0.1 * np.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        return v - rate * s["m"] / (np.sqrt(s["v"]) + 1e-8)

    every(lambda: sl.train.AdamOptimizer(0.1), update)


if __name__ == "__main__":
    harness.run(dict(globals()))
