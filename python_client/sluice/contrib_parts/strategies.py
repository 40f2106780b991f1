# SPDX-License-Identifier: Apache-2.0
"""The strategies of contrib.distribute: they are given numbers of GPUs, not devices."""

import collections

from .. import distribute, modules
from ..strategies import contexts, steps
from ..training.sessions import distribute_coordinator


def _devices(devices, num_gpus, num_gpus_per_worker):
    count = num_gpus_per_worker if num_gpus is None else num_gpus
    if devices is not None or count is None:
        return devices
    return [f"/device:GPU:{i}" for i in range(count)] or ["/device:CPU:0"]


class MirroredStrategy(distribute.MirroredStrategy):
    """Trains on several devices of one task: see distribute.MirroredStrategy.

    Args:
        devices: The devices, a list of str. None: those that the numbers say.
        num_gpus: How many GPUs, an int. None: num_gpus_per_worker.
        num_gpus_per_worker: How many GPUs, an int. None: all.
        cross_device_ops: How gradients are added up, a CrossDeviceOps. None: the default.
        auto_shard_dataset: Accepted. It has no effect.
        cross_tower_ops: The older name of cross_device_ops.
    """

    def __init__(self, devices=None, num_gpus=None, num_gpus_per_worker=None,
                 cross_device_ops=None, auto_shard_dataset=False,
                 cross_tower_ops=None):  # fmt: skip
        del auto_shard_dataset
        found = _devices(devices, num_gpus, num_gpus_per_worker)
        super().__init__(found, cross_device_ops or cross_tower_ops)


class CollectiveAllReduceStrategy(distribute.MultiWorkerMirroredStrategy):
    """Trains on several tasks: see distribute.experimental.MultiWorkerMirroredStrategy.

    Args:
        num_gpus_per_worker: Accepted: the devices of a task are those that it has.
        communication: How gradients travel, a CollectiveCommunication. None: the default.
    """

    def __init__(self, num_gpus_per_worker=0, communication=None):
        del num_gpus_per_worker
        super().__init__(*(() if communication is None else (communication,)))


class ParameterServerStrategy(distribute.ParameterServerStrategy):
    """Trains on workers and parameter servers: see distribute.experimental.

    Args:
        num_gpus_per_worker: Accepted: the devices of a task are those that it has.
    """

    def __init__(self, num_gpus_per_worker=0):
        del num_gpus_per_worker
        super().__init__()


class AllReduceCrossDeviceOps(distribute.HierarchicalCopyAllReduce):
    """Reduces between the devices of a task: values are added up in pairs.

    Args:
        all_reduce_alg: Accepted: "nccl" or "hierarchical_copy".
        num_packs: Accepted. The runtime joins small transfers by itself.
        agg_small_grads_max_bytes: Accepted, as num_packs.
        agg_small_grads_max_group: Accepted, as num_packs.
    """

    def __init__(self, all_reduce_alg="nccl", num_packs=1, agg_small_grads_max_bytes=0,
                 agg_small_grads_max_group=10):  # fmt: skip
        del all_reduce_alg, agg_small_grads_max_bytes, agg_small_grads_max_group
        super().__init__(max(num_packs, 0))


class MultiWorkerAllReduce(AllReduceCrossDeviceOps):
    """Reduces between the devices of several tasks of one graph.

    Args:
        worker_devices: Accepted: the devices are those of the values.
        num_gpus_per_worker: Accepted, as worker_devices.
        all_reduce_spec: Accepted. It has no effect.
        num_packs: Accepted. The runtime joins small transfers by itself.
        agg_small_grads_max_bytes: Accepted, as num_packs.
        agg_small_grads_max_group: Accepted, as num_packs.
    """

    def __init__(self, worker_devices, num_gpus_per_worker, all_reduce_spec=None, num_packs=0,
                 agg_small_grads_max_bytes=0, agg_small_grads_max_group=10):  # fmt: skip
        del worker_devices, num_gpus_per_worker, all_reduce_spec
        super().__init__("nccl", num_packs, agg_small_grads_max_bytes, agg_small_grads_max_group)


class DistributeConfig(
    collections.namedtuple(
        "DistributeConfig",
        "train_distribute eval_distribute remote_cluster",
        defaults=(None, None, None),
    )
):
    """How an Estimator is distributed: experimental_distribute of RunConfig.

    Args:
        train_distribute: The Strategy of the training.
        eval_distribute: The Strategy of the evaluation. None: none.
        remote_cluster: A ClusterSpec of servers that a client connects to. None: none.
    """


class UpdateContext:
    """Inside of `with`, operations update a component of distributed variables.

    Args:
        number: The number of the component, an int.
    """

    def __init__(self, number):
        self._number, self._entered = number, None

    def __enter__(self):
        self._entered = contexts.updating(self._number)
        self._entered.__enter__()

    def __exit__(self, *error):
        self._entered.__exit__(*error)


def require_replica_context(replica_ctx):
    """Checks that a ReplicaContext is that of this thread.

    Args:
        replica_ctx: The ReplicaContext.

    Raises:
        RuntimeError: It is not, or there is none.
    """
    now = contexts.get_replica_context()
    if now is None:
        raise RuntimeError("Need to be inside `call_for_each_replica()`")
    if now is not replica_ctx:
        raise RuntimeError("Mismatching ReplicaContext.")


def get_cross_replica_context():
    """Returns the Strategy outside of replicas.

    Returns:
        A Strategy; None in a replica.
    """
    return contexts.get_strategy() if contexts.in_cross_replica_context() else None


module = modules.make("contrib.distribute", "Strategies under the names of contrib.", {
    **{name: getattr(distribute, name) for name in """
        CrossDeviceOps OneDeviceStrategy ReplicaContext TPUStrategy get_loss_reduction
        get_replica_context get_strategy has_strategy in_cross_replica_context
    """.split()},
    "AllReduceCrossDeviceOps": AllReduceCrossDeviceOps,
    "CollectiveAllReduceStrategy": CollectiveAllReduceStrategy,
    "DistributeConfig": DistributeConfig,
    "DistributionStrategy": distribute.Strategy,
    "MirroredStrategy": MirroredStrategy,
    "Monitor": steps.Monitor,
    "MultiWorkerAllReduce": MultiWorkerAllReduce,
    "ParameterServerStrategy": ParameterServerStrategy,
    "StandardInputStep": steps.StandardInputStep,
    "StandardSingleLossStep": steps.StandardSingleLossStep,
    "Step": steps.Step,
    "UpdateContext": UpdateContext,
    "get_cross_replica_context": get_cross_replica_context,
    "get_distribution_strategy": contexts.get_strategy,
    "has_distribution_strategy": contexts.has_strategy,
    "require_replica_context": require_replica_context,
    "run_standard_tensorflow_server": distribute_coordinator.run_standard_tensorflow_server,
})  # fmt: skip
