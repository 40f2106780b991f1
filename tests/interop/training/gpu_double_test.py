# SPDX-License-Identifier: Apache-2.0
"""TensorFlow's client trains on GPU:0 of a server whose CUDA runtime is the double.

The losses of 50 steps are those of the CPU within 1e-4, with all variables on the GPU and with
variables on a parameter server.
"""

import os

import numpy as np
import pytest

from interop.programs import models
from interop.tools.cluster import BUILD, Cluster

SERVER = os.path.join(BUILD, "tests", "sluice-server-cuda-double")
GPU, CPU = "/job:worker/task:0/device:GPU:0", "/job:worker/task:0/device:CPU:0"

pytestmark = pytest.mark.skipif(
    not os.path.exists(SERVER), reason="the build has no CUDA: there is no server on the double"
)
models.tf.disable_v2_behavior()


@pytest.fixture(scope="module")
def on_double():
    os.environ["SLUICE_CUDA_DOUBLE"] = "devices=1,megabytes=512,seed=3,delay=20"
    with Cluster({"ps": 1, "worker": 1}, program=SERVER) as cluster:
        yield cluster.target()
    del os.environ["SLUICE_CUDA_DOUBLE"]


def losses(target, model, optimizer, use_resource, device, variables):
    models.tf.Session.reset(target)  # variables of another model may have the same names
    config = models.tf.ConfigProto(allow_soft_placement=True)
    return models.train(target, model, optimizer, use_resource, 50, device, variables, config)


@pytest.mark.parametrize("optimizer", sorted(models.OPTIMIZERS))
@pytest.mark.parametrize("model", sorted(models.MODELS))
def test_losses_are_those_of_the_cpu(on_double, model, optimizer):
    for use_resource in (False, True):
        expected = losses(on_double, model, optimizer, use_resource, CPU, CPU)
        for variables in (GPU, models.PS):
            actual = losses(on_double, model, optimizer, use_resource, GPU, variables)
            np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-4)
