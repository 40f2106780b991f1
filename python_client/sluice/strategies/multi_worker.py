# SPDX-License-Identifier: Apache-2.0
"""MultiWorkerMirroredStrategy: each worker has copies of the variables and applies the sum of the
gradients of all workers."""

import enum

from ..graph.convert import convert_to_tensor
from ..graph.default_graph import device
from ..ops import array as arrays
from ..ops.control_flow.grouping import group
from ..ops.docstrings import constants
from ..ops.state.listing import global_variables
from ..session.cluster import ClusterSpec
from . import collectives, inputs, values
from .cluster import Place
from .mirrored import MirroredExtended, local_devices, named
from .reductions import ReduceOp, total
from .resolvers import TFConfigClusterResolver
from .strategy import Strategy


@constants
class CollectiveCommunication(enum.Enum):
    """How workers exchange values. The servers choose by size and transport: all mean the same.

    Args:
        value: "AUTO", "RING" or "NCCL".
    """

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


class CommunicationOptions:
    """How workers exchange values.

    Args:
        bytes_per_pack: Accepted. The servers join small values by themselves.
        timeout_seconds: Accepted. A worker that is gone is noticed by its connection.
        implementation: A CollectiveCommunication.
    """

    def __init__(self, bytes_per_pack=0, timeout_seconds=None,
                 implementation=CollectiveCommunication.AUTO):  # fmt: skip
        self.bytes_per_pack, self.timeout_seconds = bytes_per_pack, timeout_seconds
        self.implementation = implementation


class MultiWorkerMirroredStrategy(Strategy):
    """Trains on several workers, each with its devices. All apply the sum of all gradients.

    Each worker runs the program. Its sessions connect to its own server, which the program starts
    by Server, or which Keras starts.

    Args:
        communication: A CollectiveCommunication.
        cluster_resolver: A ClusterResolver. None: TF_CONFIG.
        communication_options: CommunicationOptions, in place of communication.

    Raises:
        ValueError: The cluster has ps tasks, or this process is none of its workers.
    """

    def __init__(self, communication=CollectiveCommunication.AUTO, cluster_resolver=None,
                 communication_options=None):  # fmt: skip
        if communication_options is not None:
            communication = communication_options.implementation
        if not isinstance(communication, CollectiveCommunication):
            raise ValueError(
                f"communication must be AUTO, RING or NCCL of CollectiveCommunication, not "
                f"{communication!r}"
            )
        resolver = cluster_resolver or TFConfigClusterResolver()
        super().__init__(MultiWorkerExtended(self, resolver))
        self.cluster_resolver = resolver


class MultiWorkerExtended(MirroredExtended):
    """What libraries use of a MultiWorkerMirroredStrategy.

    Args:
        container_strategy: The Strategy.
        resolver: The ClusterResolver.
    """

    experimental_between_graph = True

    def __init__(self, container_strategy, resolver):
        self._resolver = resolver
        self._place = Place.of_worker(resolver)
        super().__init__(container_strategy, self._local_devices())

    def _local_devices(self):
        place = self._place
        self.in_cluster = self.each_worker_initializes = place.is_cluster
        self.should_checkpoint = self.should_save_summary = place.rank == 0
        self._group = collectives.group_of(place.addresses, place.rank)
        found = local_devices()
        self.first_replica = place.rank * len(found)
        return [place.device + named(d)[len("/replica:0/task:0"):] for d in found] if (
            place.is_cluster
        ) else found  # fmt: skip

    @property
    def _num_replicas_in_sync(self):
        return len(self._devices) * self._group.size

    @property
    def target(self):
        """The target of sessions, a str; None: this process alone."""
        return self._place.target()

    def input_context(self):
        return inputs.InputContext(self._group.size, self._group.rank, self._num_replicas_in_sync)

    def local_part(self, tensor):
        return inputs.part_of(tensor, self._group.rank, self._group.size)

    @property
    def first_worker_counts(self):
        """Whether there is a first worker: a bool."""
        return self._group.size > 1

    def broadcast_variables(self):
        """Gives all workers the values of the first one.

        Returns:
            An Operation. All workers must run it.
        """
        ops = []
        for variable in global_variables():
            parts = values.components(variable)
            with device(parts[0].device):
                value = collectives.broadcast(parts[0].read_value(), self._group)
            for part in parts:
                with device(part.device):
                    ops.append(part.assign(value, read_value=False))
        return group(*ops)

    def rows_of_all(self, tensor):
        return collectives.rows_of_all(tensor, self._group)

    def create_first(self, next_creator, kwargs):
        """All workers begin with the value of the first one."""
        given, own = kwargs["initial_value"], []

        def value():
            made = given() if callable(given) else given
            own.append(convert_to_tensor(made, kwargs["dtype"]))
            return collectives.broadcast(own[0], self._group)

        if self._group.size == 1:
            return next_creator(**kwargs)
        variable = next_creator(**{**kwargs, "initial_value": value})
        # A step that reads it, as initialized_value() does, must not need the other workers.
        variable.initial_value = own[0]
        return variable

    def reduce_to(self, reduce_op, value, destinations, options=None):
        if self._group.size > 1 and isinstance(value, values.Mirrored):
            return value
        if self._group.size > 1 and isinstance(value, (int, float)) and (
            value == 0 or reduce_op is ReduceOp.MEAN
        ):  # fmt: skip
            return value
        return super().reduce_to(reduce_op, value, destinations, options)

    def batch_reduce_to(self, reduce_op, value_destination_pairs, options=None):
        if self._group.size == 1:
            return super().batch_reduce_to(reduce_op, value_destination_pairs, options)
        return [self.reduce_to(reduce_op, v, to) for v, to in value_destination_pairs]

    def _reduced(self, op, value, destinations):
        if self._group.size == 1:
            return super()._reduced(op, value, destinations)
        parts = [values.as_tensor(v) for v in values.components(value)]
        with device(self._devices[0]):
            found = collectives.total(total(ReduceOp.SUM, parts), self._group)
            if op is ReduceOp.MEAN:
                found = scaled_down(found, self._num_replicas_in_sync)
        return self._cross_device_ops.broadcast(found, destinations)

    def configure(self, session_config=None, cluster_spec=None, task_type=None, task_id=None):
        if cluster_spec is not None:
            self._place = Place.of_worker(ClusterSpec(cluster_spec), task_type, task_id)
            self._devices = tuple(named(d) for d in self._local_devices())
            self.default_device = self._devices[0]
        if session_config is None or not self._place.is_cluster:
            super().configure(session_config)
            return
        session_config.isolate_session_state = True
        del session_config.device_filters[:]
        session_config.device_filters.append(self._place.device.replace("/replica:0", ""))
        session_config.experimental.collective_group_leader = self._place.leader
        rewrites = session_config.graph_options.rewrite_options
        if not rewrites.scoped_allocator_optimization:
            rewrites.scoped_allocator_optimization = 1  # ON
            rewrites.scoped_allocator_opts.enable_op.append("CollectiveReduce")


def scaled_down(value, count):
    """A tensor or IndexedSlices divided by a number."""
    if hasattr(value, "indices"):
        values_ = value.values / arrays.cast(count, value.values.dtype)
        return type(value)(values_, value.indices, value.dense_shape)
    return value / arrays.cast(count, value.dtype)
