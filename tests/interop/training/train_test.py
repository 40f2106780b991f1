# SPDX-License-Identifier: Apache-2.0
"""Unmodified TensorFlow trains on our ps and two workers: its own servers' losses.

Every model with every optimizer and both kinds of variables, 50 steps from fixed initial values,
relative error 1e-4.
"""


import numpy as np
import pytest

from interop.programs.models import MODELS, OPTIMIZERS, tf, train

tf.disable_v2_behavior()


JOBS = {"ps": 1, "worker": 2}


@pytest.mark.parametrize("kind", ("ref", "resource"))
@pytest.mark.parametrize("optimizer", sorted(OPTIMIZERS))
@pytest.mark.parametrize("model", sorted(MODELS))
def test_training(ours, theirs, model, optimizer, kind):
    use_resource = kind == "resource"
    worker = "/job:worker/task:%d" % use_resource
    expected = train(theirs.target(), model, optimizer, use_resource, worker=worker)
    actual = train(ours.target(), model, optimizer, use_resource, worker=worker)
    np.testing.assert_allclose(actual, expected, rtol=1e-4)
    for cluster in (ours, theirs):
        tf.Session.reset(cluster.target())
