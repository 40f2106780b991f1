# SPDX-License-Identifier: Apache-2.0
"""What programs use of TensorFlow's sources for clusters, strategies and their devices."""

from .. import distribute
from ..contrib_parts import strategies as of_contrib
from ..graph.default_graph import get_default_graph
from ..graph.device_spec import DeviceSpec
from ..graph.placement import apply_device
from ..graph.state import state_of
from ..strategies import contexts, inputs, mirrored, multi_worker, values, variables
from ..strategies.parameter_server import ParameterServerExtended
from ..strategies.resolvers import UnionResolver, url
from ..strategies.strategy import DefaultStrategy
from ..training.sessions import distribute_coordinator as coordinator
from ..training.sessions import tasks
from ..training.sessions.contexts import WorkerContext, get_current_worker_context


def canonicalize(d, default=None):
    """Completes a device name.

    Args:
        d: The name, a str.
        default: A device name with parts that d lacks. None: none.

    Returns:
        A str; what both lack is replica 0, task 0 and the first CPU.
    """
    found = DeviceSpec.from_string(d)
    if default:
        found = found.merged_over(DeviceSpec.from_string(default))
    first = DeviceSpec(replica=0, task=0, device_type="CPU", device_index=0)
    return found.merged_over(first).to_string()


class _Placed:
    """What device functions are given in place of an operation."""

    type = name = device = ""
    _id = 0

    @property
    def _core(self):
        return self

    def set_device(self, number, name):
        """Keeps the device."""
        del number
        self.device = name


def current_device():
    """Returns the device of operations that are made now, a str; "" if none is set."""
    placed = _Placed()
    apply_device(state_of(get_default_graph()), placed)
    return placed.device


def resolve(d):
    """Completes a device name by that of operations that are made now: see canonicalize().

    Args:
        d: The name, a str.

    Returns:
        A str.
    """
    return canonicalize(d, default=current_device())


def get_host_for_device(device):
    """Returns the first CPU of the task that has a device.

    Args:
        device: A device name, a str.

    Returns:
        A str.
    """
    spec = DeviceSpec.from_string(device)
    return spec.replace(device_type="CPU", device_index=0).to_string()


def local_devices_from_num_gpus(num_gpus):
    """Returns the first GPUs of a task.

    Args:
        num_gpus: How many, an int.

    Returns:
        A tuple of str; without GPUs the first CPU.
    """
    return tuple(f"/device:GPU:{i}" for i in range(num_gpus)) or ("/device:CPU:0",)


def all_local_devices(num_gpus=None):
    """Returns the devices of this task that replicas use.

    Args:
        num_gpus: How many GPUs, an int. None: all.

    Returns:
        A tuple of str; without GPUs the CPU devices.
    """
    return tuple(mirrored.local_devices()) if num_gpus is None else (
        local_devices_from_num_gpus(num_gpus)
    )  # fmt: skip


def _is_distributed(value):
    return isinstance(value, variables.DistributedVariable)


_PUBLIC_STRATEGIES = {
    "mirrored_strategy": {
        "MirroredExtended": mirrored.MirroredExtended,
        "MirroredStrategy": distribute.MirroredStrategy,
        "MirroredStrategyV1": distribute.MirroredStrategy,
        "all_local_devices": all_local_devices,
    },
    "one_device_strategy": {
        "OneDeviceStrategy": distribute.OneDeviceStrategy,
        "OneDeviceStrategyV1": distribute.OneDeviceStrategy,
    },
    "parameter_server_strategy": {
        "ParameterServerStrategy": distribute.ParameterServerStrategy,
        "ParameterServerStrategyExtended": ParameterServerExtended,
        "ParameterServerStrategyV1": distribute.ParameterServerStrategy,
    },
    "central_storage_strategy": {
        "CentralStorageStrategy": distribute.experimental.CentralStorageStrategy,
        "CentralStorageStrategyV1": distribute.experimental.CentralStorageStrategy,
    },
    "tpu_strategy": {
        "TPUStrategy": distribute.TPUStrategy,
        "TPUStrategyV1": distribute.TPUStrategy,
    },
    "collective_all_reduce_strategy": {
        "CollectiveAllReduceExtended": multi_worker.MultiWorkerExtended,
        "CollectiveAllReduceStrategy": distribute.MultiWorkerMirroredStrategy,
        "CollectiveAllReduceStrategyV1": distribute.MultiWorkerMirroredStrategy,
    },
}
_TASKS = {name: getattr(tasks, name) for name in """
    collective_leader has_worker_context id_in_cluster is_chief normalize_cluster_spec
    should_load_checkpoint should_save_checkpoint wait_for_other_workers worker_count
""".split()}  # fmt: skip
NAMES = {
    **{f"distribute.{module}": names for module, names in _PUBLIC_STRATEGIES.items()},
    "distribute.cluster_resolver": {"UnionClusterResolver": UnionResolver},
    "distribute.cluster_resolver.cluster_resolver": {
        "UnionClusterResolver": UnionResolver, "format_master_url": url,
    },
    "distribute.cross_device_ops": {
        "AllReduceCrossDeviceOps": of_contrib.AllReduceCrossDeviceOps,
        "CollectiveCommunication": multi_worker.CollectiveCommunication,
    },
    "distribute.device_util": {
        "canonicalize": canonicalize, "current": current_device,
        "get_host_for_device": get_host_for_device,
        "local_devices_from_num_gpus": local_devices_from_num_gpus, "resolve": resolve,
    },
    "distribute.distribute_coordinator": {
        "CoordinatorMode": coordinator.CoordinatorMode, "_WorkerContext": WorkerContext,
        "_run_std_server": coordinator.run_server,
        "run_distribute_coordinator": coordinator.run_distribute_coordinator,
        "run_standard_tensorflow_server": coordinator.run_standard_tensorflow_server,
    },
    "distribute.distribute_coordinator_context": {
        "get_current_worker_context": get_current_worker_context,
    },
    "distribute.distribute_lib": {
        "_DefaultDistributionStrategy": DefaultStrategy,
        "StrategyExtendedV1": distribute.StrategyExtended,
        "StrategyExtendedV2": distribute.StrategyExtended, "StrategyV1": distribute.Strategy,
        "UpdateContext": of_contrib.UpdateContext,
        "get_update_device": contexts.component_number,
    },
    "distribute.distribution_strategy_context": {
        "_get_default_strategy": contexts.default_strategy,
        "get_strategy_and_replica_context": lambda: (
            contexts.get_strategy(), contexts.get_replica_context()
        ),
    },
    "distribute.input_lib": {"MultiStepContext": inputs.StepsContext},
    "distribute.multi_worker_util": {"_validate_cluster_spec": tasks.check_task, **_TASKS},
    "distribute.values": {
        "AggregatingVariable": variables.AggregatingVariable,
        "DistributedVariable": variables.DistributedVariable, "Mirrored": values.Mirrored,
        "MirroredVariable": variables.MirroredVariable, "PerReplica": values.PerReplica,
        "SyncOnReadVariable": variables.SyncOnReadVariable,
        "is_distributed_variable": _is_distributed, "regroup": values.regroup,
        "select_replica": values.select_replica, "value_container": values.container_of,
    },
}  # fmt: skip
