# SPDX-License-Identifier: Apache-2.0
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


def test_gradient_descent():
    every(lambda: sl.train.GradientDescentOptimizer(0.1), lambda v, g, s, t: v - 0.1 * g)


def test_momentum():
    def update(v, g, s, t):
        # A row without a gradient keeps its moment; here it never had one.
        s["a"] = 0.9 * s.get("a", 0) + g
        return v - 0.1 * s["a"]

    every(lambda: sl.train.MomentumOptimizer(0.1, 0.9), update)


def test_adam():
    def update(v, g, s, t):
        s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
        s["v"] = 0.999 * s.get("v", 0) + 0.001 * g * g
        rate = 0.1 * np.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        return v - rate * s["m"] / (np.sqrt(s["v"]) + 1e-8)

    every(lambda: sl.train.AdamOptimizer(0.1), update)


def rows_only(make, update, **first):
    """As every(); rows without a gradient stay as they are, slots and all."""
    for resource in (False, True):
        for sparse in (False, True):
            start, found = steps(make, resource, sparse)
            v = start.astype(np.float64)
            state = {k: np.full(v.shape, float(x)) for k, x in first.items()}
            rows = [0, 2] if sparse else [0, 1, 2]
            for _ in range(3):
                g = gradient(v, sparse)
                here = {k: x[rows] for k, x in state.items()}
                v[rows] = update(v[rows], g[rows], here)
                for k, x in here.items():
                    state[k][rows] = x
            np.testing.assert_allclose(found, v, rtol=2e-5, err_msg=f"{resource} {sparse}")


def test_adagrad():
    def update(v, g, s):
        s["a"] += g * g
        return v - 0.1 * g / np.sqrt(s["a"])

    rows_only(lambda: sl.train.AdagradOptimizer(0.1), update, a=0.1)
    harness.raises(ValueError, lambda: sl.train.AdagradOptimizer(0.1, 0.0), "above 0")


def test_adadelta():
    def update(v, g, s):
        s["a"] = 0.9 * s["a"] + 0.1 * g * g
        step = np.sqrt(s["u"] + 1e-3) / np.sqrt(s["a"] + 1e-3) * g
        s["u"] = 0.9 * s["u"] + 0.1 * step * step
        return v - 0.5 * step

    rows_only(lambda: sl.train.AdadeltaOptimizer(0.5, 0.9, 1e-3), update, a=0, u=0)


def test_rmsprop():
    for centered in (False, True):

        def update(v, g, s, centered=centered):
            s["r"] = 0.8 * s["r"] + 0.2 * g * g
            s["g"] = 0.8 * s["g"] + 0.2 * g
            inside = s["r"] - s["g"] ** 2 * centered + 1e-3
            s["m"] = 0.5 * s["m"] + 0.1 * g / np.sqrt(inside)
            return v - s["m"]

        def make(centered=centered):
            return sl.train.RMSPropOptimizer(0.1, 0.8, 0.5, 1e-3, centered=centered)

        rows_only(make, update, r=1, g=0, m=0)


def test_ftrl():
    for shrinkage in (0.0, 0.25):

        def update(v, g, s, shrinkage=shrinkage):
            g2 = g + 2 * shrinkage * v
            new = s["a"] + g * g
            s["l"] = s["l"] + g2 - (np.sqrt(new) - np.sqrt(s["a"])) / 0.1 * v
            s["a"] = new
            shrunk = np.sign(s["l"]) * 0.05 - s["l"]
            return np.where(np.abs(s["l"]) > 0.05, shrunk / (np.sqrt(new) / 0.1 + 2 * 0.5), 0)

        def make(shrinkage=shrinkage):
            return sl.train.FtrlOptimizer(
                0.1, l1_regularization_strength=0.05, l2_regularization_strength=0.5,
                l2_shrinkage_regularization_strength=shrinkage,
            )  # fmt: skip

        rows_only(make, update, a=0.1, l=0)


def test_proximal_adagrad():
    def update(v, g, s):
        s["a"] += g * g
        rate = 0.1 / np.sqrt(s["a"])
        moved = v - rate * g
        kept = np.maximum(np.abs(moved) - rate * 0.05, 0)
        return np.sign(moved) * kept / (1 + 0.5 * rate)

    def make():
        return sl.train.ProximalAdagradOptimizer(
            0.1, l1_regularization_strength=0.05, l2_regularization_strength=0.5
        )

    rows_only(make, update, a=0.1)


def test_names_of_slots():
    with sl.Graph().as_default():
        v = sl.Variable([1.0, 2.0], name="v")
        optimizer = sl.train.RMSPropOptimizer(0.1, name="mine")
        optimizer.minimize(sl.reduce_sum(v * v))
        assert optimizer.get_name() == "mine" and optimizer.get_slot_names() == ["momentum", "rms"]
        assert optimizer.get_slot(v, "rms").op.name == "v/mine"
        assert len(optimizer.variables()) == 2
