# SPDX-License-Identifier: Apache-2.0
"""Strategies of one process: one device; several devices with equal copies of the variables."""

from ..graph.default_graph import colocate_with, device, get_default_graph
from ..graph.device_spec import DeviceSpec
from ..graph.keys import GraphKeys
from ..ops import array as arrays
from ..ops.functions.tracing import outermost
from ..ops.state.kinds import VariableSynchronization
from ..session.devices import list_logical_devices
from . import values
from .extended import StrategyExtended
from .reductions import CrossDeviceOps, ReductionToOneDevice
from .reductions import reduce_op as checked_op
from .strategy import Strategy
from .variables import MirroredVariable, SyncOnReadVariable, kind_of


def named(name):
    """A device name in its usual form; ValueError if it is none."""
    spec = DeviceSpec.from_string(name)
    if spec.device_type is None:
        raise ValueError(f'"{name}" names no device: "/cpu:0" and "/gpu:1" do')
    spec.replica, spec.task = spec.replica or 0, spec.task or 0
    spec.device_index = spec.device_index or 0
    return spec.to_string()


def local_devices():
    """The GPUs of this process, or its CPU devices if it has none."""
    found = list_logical_devices("GPU") or list_logical_devices("CPU")
    return [f"/device:{d.device_type}:{d.name.rpartition(':')[2]}" for d in found]


class OneDeviceStrategy(Strategy):
    """Runs everything on one device: to try programs with strategies.

    Args:
        device: The device, a str.

    Example:
        >>> strategy = sl.distribute.OneDeviceStrategy("/cpu:0")
        >>> strategy.num_replicas_in_sync
        1
    """

    def __init__(self, device):
        super().__init__(_OneDeviceExtended(self, [named(device)]))


class _OneDeviceExtended(StrategyExtended):
    def __init__(self, container_strategy, devices):
        super().__init__(container_strategy, devices)
        self.default_device = devices[0]


class MirroredStrategy(Strategy):
    """Trains on several devices of one task. Each has a copy of the variables, and applies the sum
    of all gradients.

    Args:
        devices: The devices, a list of str. None: all GPUs of this process, else its CPU devices.
        cross_device_ops: CrossDeviceOps that says how gradients are added up. None:
            ReductionToOneDevice().

    Raises:
        ValueError: A device is given twice.

    Example:
        >>> strategy = sl.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
        >>> with strategy.scope():
        ...     v = sl.Variable(2.0, name="v")
        ...     squares = strategy.run(lambda: v * v)
        ...     total = strategy.reduce(sl.distribute.ReduceOp.SUM, squares, axis=None)
        >>> with sl.Session(config=sl.ConfigProto(device_count={"CPU": 2})) as session:
        ...     session.run(v.initializer)
        ...     print(session.run(total))
        8.0
    """

    def __init__(self, devices=None, cross_device_ops=None):
        extended = MirroredExtended(self, devices, cross_device_ops)
        super().__init__(extended)


class MirroredExtended(StrategyExtended):
    """What libraries use of a MirroredStrategy.

    Args:
        container_strategy: The Strategy.
        devices: As of MirroredStrategy.
        cross_device_ops: As of MirroredStrategy.
    """

    def __init__(self, container_strategy, devices=None, cross_device_ops=None):
        devices = [named(d) for d in (devices or local_devices())]
        if len(set(devices)) != len(devices):
            raise ValueError(f"a device is given twice: {devices}")
        if not isinstance(cross_device_ops, (CrossDeviceOps, type(None))):
            raise TypeError(f"cross_device_ops must be CrossDeviceOps, not {cross_device_ops!r}")
        super().__init__(container_strategy, devices)
        self.default_device = self._devices[0]
        self._cross_device_ops = cross_device_ops or ReductionToOneDevice()

    def configure(self, session_config=None, cluster_spec=None, task_type=None, task_id=None):
        if session_config is None:
            return
        specs = [DeviceSpec.from_string(d) for d in self._devices]
        cpus = 1 + max((s.device_index for s in specs if s.device_type == "CPU"), default=0)
        if cpus > max(1, session_config.device_count["CPU"]):
            session_config.device_count["CPU"] = cpus

    def create_variable(self, next_creator, **kwargs):
        kwargs.pop("colocate_with", None)  # variables have all devices of the strategy
        synchronization, aggregation, trainable = kind_of(
            kwargs["name"], kwargs["synchronization"], kwargs["aggregation"], kwargs["trainable"]
        )
        trainable = trainable is None or bool(trainable)
        collections = kwargs.pop("collections")
        collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else list(collections)
        if trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
            collections.append(GraphKeys.TRAINABLE_VARIABLES)
        kwargs.update(collections=[], trainable=False)
        components = []
        for where in self._devices:
            with colocate_with(None, ignore_existing=True), device(where):
                components.append(self._create_component(next_creator, components, kwargs))
            components[-1].trainable = trainable
        kinds = VariableSynchronization
        kind = SyncOnReadVariable if synchronization == kinds.ON_READ else MirroredVariable
        made = kind(self._strategy, components, synchronization, aggregation)
        outermost(get_default_graph()).add_to_collections(collections, made)
        return made

    def _create_component(self, next_creator, before, kwargs):
        """Makes the next component of a variable; all begin with the value of the first."""
        if not before:
            return self.create_first(next_creator, kwargs)
        first = before[0]
        more = {
            "name": f"{first.op.name}/replica_{len(before)}/",
            "initial_value": lambda: arrays.identity(first.initial_value),
        }
        return next_creator(**{**kwargs, **more})

    def create_first(self, next_creator, kwargs):
        """Makes the first component of a variable.

        Args:
            next_creator: The function that makes it.
            kwargs: Its arguments, a dict.

        Returns:
            A Variable.
        """
        return next_creator(**kwargs)

    def _reduced(self, op, value, destinations):
        return self._cross_device_ops.reduce(op, value, destinations)

    def batch_reduce_to(self, reduce_op, value_destination_pairs, options=None):
        pairs = list(value_destination_pairs)
        if all(isinstance(value, values.PerReplica) for value, _ in pairs):
            return self._cross_device_ops.batch_reduce(checked_op(reduce_op), pairs)
        return super().batch_reduce_to(reduce_op, pairs, options)

    def broadcast_to(self, tensor, destinations):
        if isinstance(tensor, (int, float)):
            return tensor
        return self._cross_device_ops.broadcast(tensor, destinations)

    def read_var(self, v):
        if isinstance(v, SyncOnReadVariable):
            return v.read_value()
        return values.components(v)[0].read_value()
