# SPDX-License-Identifier: Apache-2.0
"""k-means by batches: TensorFlow's own counts depend on the order of its threads."""

import numpy as np
import pytest
import sluice as sl

DRAWN = np.random.RandomState(3)
FIRST = np.array([[0.5, 0.5], [6, 0], [0, 7]])
POINTS = (np.array([[0, 0], [8, 1], [1, 9]])[DRAWN.randint(0, 3, 30)] + DRAWN.randn(30, 2)).astype(
    np.float32
)


def moved(steps_per_iteration, steps):
    """The centres after steps of mini-batch k-means (Sculley, 2010)."""
    known, moving, counts = FIRST.copy(), FIRST.copy(), np.full(3, 0 if steps_per_iteration else 1)
    left = steps_per_iteration
    for step in range(steps):
        batch = POINTS[6 * step % 30 :][:6].astype(float)
        near = ((batch[:, None] - known) ** 2).sum(-1).argmin(1)
        if steps_per_iteration and left <= 0:
            left, known, counts = steps_per_iteration - 1, moving.copy(), np.zeros(3, int)
        else:
            left -= 1
        for k in set(near.tolist()):
            own = batch[near == k]
            moving[k] += (own.sum(0) - len(own) * moving[k]) / (counts[k] + len(own))
            counts[k] += len(own)
        known = known if steps_per_iteration else moving.copy()
    return known


@pytest.mark.parametrize("steps_per_iteration", (1, 3))
def test_centres_move_by_batches(steps_per_iteration):
    def input_fn():
        return sl.data.Dataset.from_tensor_slices(POINTS).repeat().batch(6)

    model = sl.estimator.experimental.KMeans(
        3, initial_clusters=FIRST.astype(np.float32),
        mini_batch_steps_per_iteration=steps_per_iteration,
    )  # fmt: skip
    model.train(input_fn, steps=8)
    wanted = moved(0 if steps_per_iteration == 1 else steps_per_iteration, 8)
    np.testing.assert_allclose(model.cluster_centers(), wanted, rtol=1e-4, atol=1e-5)
