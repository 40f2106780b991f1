# SPDX-License-Identifier: Apache-2.0
"""Fits a line to points by gradient descent."""

import numpy as np
import sluice as sl

rng = np.random.RandomState(0)
points = rng.uniform(-1, 1, [200, 1]).astype(np.float32)
values = 3 * points + 2 + rng.normal(0, 0.01, points.shape).astype(np.float32)

x = sl.placeholder(sl.float32, [None, 1], name="x")
y = sl.placeholder(sl.float32, [None, 1], name="y")
slope = sl.Variable([[0.0]], name="slope")
offset = sl.Variable([0.0], name="offset")
loss = sl.reduce_mean(sl.square(sl.matmul(x, slope) + offset - y))
train = sl.train.GradientDescentOptimizer(0.3).minimize(loss)

with sl.Session() as session:
    session.run(sl.global_variables_initializer())
    for step in range(101):
        _, error = session.run([train, loss], {x: points, y: values})
        if step % 25 == 0:
            print(f"step {step:3d}  loss {error:.6f}")
    found = session.run([slope, offset])

print(f"y = {found[0][0, 0]:.3f} x + {found[1][0]:.3f}")
assert abs(found[0][0, 0] - 3) < 0.01 and abs(found[1][0] - 2) < 0.01
