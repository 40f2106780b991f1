# SPDX-License-Identifier: Apache-2.0
"""The same program gives the same losses wherever its parts stand.

On three tasks, on two CPU devices of one task, and on two devices of the asynchronous double
(kernels run later, memory reads as poison until they have).
"""

import numpy as np
import pytest

from interop.programs.models import MODELS, tf, train
from interop.tools.cluster import Cluster

tf.disable_v2_behavior()

JOBS = {"ps": 1, "worker": 2}
TWO = {
    "ps_device": "/job:worker/task:0/device:CPU:1",
    "worker": "/job:worker/task:0/device:CPU:0",
}


@pytest.fixture(scope="module")
def two_devices():
    with Cluster({"worker": 1}, extra=["--cpu_devices", "2"]) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def asynchronous():
    extra = ["--cpu_devices", "2", "--asynchronous_devices"]
    with Cluster({"worker": 1}, extra=extra) as cluster:
        yield cluster


@pytest.mark.parametrize("kind", ("ref", "resource"))
@pytest.mark.parametrize("model", sorted(MODELS))
def test_placement(checks, ours, two_devices, asynchronous, model, kind):
    use_resource = kind == "resource"
    expected = train(ours.target(), model, "adam", use_resource, steps=20)
    for name, place in ("two devices", two_devices), ("asynchronous devices", asynchronous):
        actual = train(place.target(), model, "adam", use_resource, steps=20, **TWO)
        checks.run(name, lambda a=actual: np.testing.assert_allclose(a, expected, rtol=1e-5))
    for place in (ours, two_devices, asynchronous):
        tf.Session.reset(place.target())
