# SPDX-License-Identifier: Apache-2.0
"""Strategies whose variables are in one place: on parameter servers, or on one device."""

import contextlib

from ..graph.default_graph import colocate_with, device, get_default_graph
from ..graph.keys import GraphKeys
from ..graph.state import state_of
from ..ops.functions.tracing import outermost
from ..session.cluster import ClusterSpec, replica_device_setter
from . import inputs, values
from .cluster import Place
from .extended import StrategyExtended
from .mirrored import local_devices, named
from .reductions import copied, devices_of, total
from .resolvers import TFConfigClusterResolver
from .strategy import Strategy
from .variables import AggregatingVariable, kind_of


class CentralStorageStrategy(Strategy):
    """Trains on several devices of one task. All use the same variables, which are on one device.

    Args:
        compute_devices: The devices of the replicas, a list of str. None: all GPUs, else the CPU.
        parameter_device: The device of the variables, a str. None: the CPU; with one GPU that one.
    """

    def __init__(self, compute_devices=None, parameter_device=None):
        devices = [named(d) for d in compute_devices or local_devices()]
        if parameter_device is None:
            parameter_device = devices[0] if len(devices) == 1 else "/cpu:0"
        super().__init__(SharedVariablesExtended(self, devices, parameter_device))


class ParameterServerStrategy(Strategy):
    """Trains on workers that each apply their gradients to variables on parameter servers, without
    waiting for each other. A worker with several devices adds up their gradients first.

    Each worker runs the program, with a session to its own server. Without a cluster all is in this
    process.

    Args:
        cluster_resolver: A ClusterResolver. None: TF_CONFIG.

    Raises:
        ValueError: The cluster has no ps tasks, or this process is none of its tasks.
    """

    def __init__(self, cluster_resolver=None):
        resolver = cluster_resolver or TFConfigClusterResolver()
        extended = ParameterServerExtended(self, resolver)
        super().__init__(extended)
        self.cluster_resolver = resolver


class SharedVariablesExtended(StrategyExtended):
    """What libraries use of strategies whose replicas share the variables.

    Args:
        container_strategy: The Strategy.
        devices: The devices of the replicas, a list of str.
        place: The device of variables, a str or a device function.
    """

    experimental_between_graph = True

    def __init__(self, container_strategy, devices, place):
        super().__init__(container_strategy, devices)
        self._place_of_variables = place

    @property
    def parameter_devices(self):
        return (self._place_of_variables,)

    def create_variable(self, next_creator, **kwargs):
        beside = kwargs.pop("colocate_with", None)
        synchronization, aggregation, trainable = kind_of(
            kwargs["name"], kwargs["synchronization"], kwargs["aggregation"], kwargs["trainable"],
            has_copies=False,
        )  # fmt: skip
        kwargs["trainable"] = trainable
        with self._beside(beside):
            if len(self._devices) == 1:
                return next_creator(**kwargs)
            trainable = trainable is None or bool(trainable)
            collections = kwargs["collections"]
            collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else [*collections]
            if trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
                collections.append(GraphKeys.TRAINABLE_VARIABLES)
            component = next_creator(**{**kwargs, "collections": [], "trainable": False})
        component.trainable = trainable
        made = AggregatingVariable(self._strategy, [component], synchronization, aggregation)
        outermost(get_default_graph()).add_to_collections(collections, made)
        return made

    def _beside(self, variable):
        """Where a new variable goes: beside another one, or where variables go."""
        if variable is not None:
            op = values.components(variable)[0].op
            return colocate_with(op, ignore_existing=True)
        stack = contextlib.ExitStack()
        if state_of(outermost(get_default_graph())).colocation:
            stack.enter_context(device(None))
        else:
            stack.enter_context(colocate_with(None, ignore_existing=True))
            stack.enter_context(device(self._place_of_variables))
        return stack

    def non_slot_devices(self, var_list):
        return min(var_list, key=lambda v: v.name)

    def _reduced(self, op, value, destinations):
        parts = [values.as_tensor(v) for v in values.components(value)]
        if len(parts) == 1:
            return parts[0]
        to = devices_of(destinations)[0]
        with device(to):
            return total(op, parts)

    def broadcast_to(self, tensor, destinations):
        if isinstance(tensor, (int, float)):
            return tensor
        return copied(tensor, devices_of(destinations)[0])


class ParameterServerExtended(SharedVariablesExtended):
    """What libraries use of a ParameterServerStrategy.

    Args:
        container_strategy: The Strategy.
        resolver: The ClusterResolver.
    """

    def __init__(self, container_strategy, resolver):
        self._strategy = container_strategy
        self._settle(Place.of_worker(resolver, ps_allowed=True))

    def _settle(self, place):
        self._place = place
        found = [named(d) for d in local_devices()]
        if not place.is_cluster:
            at = found[0].replace("/replica:0/task:0", "") if len(found) == 1 else "/device:CPU:0"
            super().__init__(self._strategy, found, at)
            return
        cluster = place.cluster
        if "ps" not in cluster.jobs:
            raise ValueError("The cluster spec needs to have `ps` jobs.")
        devices = [place.device + d[len("/replica:0/task:0"):] for d in found]  # fmt: skip
        task = f"/job:{place.job}/task:{place.number}"
        setter = replica_device_setter(
            ps_tasks=cluster.num_tasks("ps"), worker_device=task, cluster=cluster
        )
        super().__init__(self._strategy, devices, setter)
        self.default_device = task
        self._is_chief = place.rank == 0
        self.should_checkpoint = self.should_save_summary = self._is_chief
        self.in_cluster = True
        self.experimental_should_init = self._is_chief

    @property
    def target(self):
        """The target of sessions, a str; None: this process alone."""
        return self._place.target()

    @property
    def parameter_devices(self):
        if not self._place.is_cluster:
            return super().parameter_devices
        count = self._place.cluster.num_tasks("ps")
        return tuple(f"/job:ps/task:{i}" for i in range(count))

    def input_context(self):
        count = max(1, len(self._place.tasks))
        return inputs.InputContext(count, self._place.rank, self._num_replicas_in_sync)

    def configure(self, session_config=None, cluster_spec=None, task_type=None, task_id=None):
        if cluster_spec is not None:
            cluster = ClusterSpec(cluster_spec)
            self._settle(Place.of_worker(cluster, task_type, task_id, ps_allowed=True))
        if session_config is None or not self._place.is_cluster:
            return
        session_config.isolate_session_state = False
        del session_config.device_filters[:]
        if self._place.job != "ps":
            task = f"/job:{self._place.job}/task:{self._place.number}"
            session_config.device_filters.extend([task, "/job:ps"])
