# SPDX-License-Identifier: Apache-2.0
"""TensorFlow's client trains on GPU:0 of a server whose CUDA runtime is the double.

The losses of 50 steps are those of the CPU within 1e-4, with all variables on the GPU and with
variables on a parameter server. Several GPUs of one task reduce by NCCL's double.
"""

import os

import numpy as np
import pytest
from tensorflow.python.ops import nccl_ops

from interop.programs import models
from interop.tools.cluster import BUILD, Cluster

SERVER = os.path.join(BUILD, "tests", "sluice-server-cuda-double")
GPU, CPU = "/job:worker/task:0/device:GPU:0", "/job:worker/task:0/device:CPU:0"

pytestmark = pytest.mark.skipif(
    not os.path.exists(SERVER), reason="the build has no CUDA: there is no server on the double"
)
models.tf.disable_v2_behavior()


def cluster_on_double(jobs, devices):
    os.environ["SLUICE_CUDA_DOUBLE"] = f"devices={devices},megabytes=512,seed=3,delay=20"
    try:
        return Cluster(jobs, program=SERVER)
    finally:
        del os.environ["SLUICE_CUDA_DOUBLE"]


@pytest.fixture(scope="module")
def on_double():
    with cluster_on_double({"ps": 1, "worker": 1}, devices=1) as cluster:
        yield cluster.target()


@pytest.fixture(scope="module")
def three_gpus():
    with cluster_on_double({"worker": 1}, devices=3) as cluster:
        yield cluster.target()


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


def gpu(i):
    return "/job:worker/replica:0/task:0/device:GPU:%d" % i


def values(count):
    """A tensor for each GPU, and as arrays."""
    arrays = [np.arange(4, dtype=np.float32) * (i + 1) - i for i in range(count)]
    tensors = []
    for i, array in enumerate(arrays):
        with models.tf.device(gpu(i)):
            tensors.append(models.tf.identity(array))
    return tensors, arrays


def run(target, fetches):
    with models.tf.Session(target) as session:
        return session.run(fetches)


def test_gpus_of_a_task_reduce_and_broadcast_by_nccl(three_gpus):
    tf = models.tf
    with tf.Graph().as_default():
        tensors, arrays = values(3)
        sums = nccl_ops.all_sum(tensors)
        most, product = nccl_ops.all_max(tensors[:2]), nccl_ops.all_prod(tensors[1:])
        with tf.device(gpu(1)):
            to_one = nccl_ops.reduce_sum(tensors)
        source = nccl_ops.broadcast(tensors[2])
        copies = []
        for i in range(3):
            with tf.device(gpu(i)):
                copies.append(source + 1)
        gradients = tf.gradients(sums, tensors, tensors, colocate_gradients_with_ops=True)
        found = run(three_gpus, (sums, most, product, to_one, copies, gradients))
    for result, expected in zip(
        found,
        (
            [sum(arrays)] * 3,
            [np.maximum(*arrays[:2])] * 2,
            [arrays[1] * arrays[2]] * 2,
            sum(arrays),
            [arrays[2] + 1] * 3,
            [sum(arrays)] * 3,
        ),
    ):
        np.testing.assert_array_equal(result, expected)


def test_nccl_in_a_branch_and_in_a_loop(three_gpus):
    tf = models.tf
    with tf.Graph().as_default():
        tensors, arrays = values(2)

        def reduced():
            first, second = nccl_ops.all_sum(tensors)
            source = nccl_ops.broadcast(first)
            with tf.device(gpu(1)):
                return source + second

        def turn(i, first, second):
            with tf.device(gpu(0)):
                first = first * 0.5
            with tf.device(gpu(1)):
                second = second * 0.5
            return [i + 1] + nccl_ops.all_sum([first, second])

        use_nccl = tf.placeholder_with_default(False, [])
        chosen = tf.cond(use_nccl, reduced, lambda: tf.identity(tensors[0]))
        looped = tf.while_loop(lambda i, *_: i < 3, turn, [0] + tensors)
        with tf.Session(three_gpus) as session:
            np.testing.assert_array_equal(session.run(chosen), arrays[0])
            np.testing.assert_array_equal(session.run(chosen, {use_nccl: True}), 2 * sum(arrays))
            found = session.run(looped)
    assert found[0] == 3
    np.testing.assert_array_equal(found[1:], [sum(arrays) / 2] * 2)


def test_a_mirrored_strategy_reduces_by_nccl(three_gpus):
    tf = models.tf
    with tf.Graph().as_default():
        strategy = tf.distribute.MirroredStrategy(
            [gpu(0), gpu(1)], cross_device_ops=tf.distribute.NcclAllReduce()
        )
        with strategy.scope():
            weight = tf.get_variable("w", initializer=2.0)

        def step():
            replica = tf.distribute.get_replica_context()
            number = tf.cast(replica.replica_id_in_sync_group, tf.float32)
            return replica.all_reduce(tf.distribute.ReduceOp.SUM, weight * (number + 1))

        runner = getattr(strategy, "experimental_run_v2", None) or strategy.run
        totals = strategy.experimental_local_results(runner(step))
        ops = {op.type for op in tf.get_default_graph().get_operations()}
        assert "NcclAllReduce" in ops
        with tf.Session(three_gpus) as session:
            session.run(tf.global_variables_initializer())
            assert session.run(totals) == (6.0, 6.0)
