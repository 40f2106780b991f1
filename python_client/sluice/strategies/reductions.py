# SPDX-License-Identifier: Apache-2.0
"""How the values of replicas become one, and the classes that say between which devices."""

import enum

from .. import math
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import colocate_with, device
from ..graph.elements import IndexedSlices
from ..ops import array as arrays
from ..ops.docstrings import constants
from ..ops.state.kinds import VariableAggregation
from . import values


@constants
class ReduceOp(enum.Enum):
    """How the values of the replicas become one value: their sum or their mean.

    Args:
        value: "SUM" or "MEAN".
    """

    SUM = "SUM"
    MEAN = "MEAN"

    @staticmethod
    def from_variable_aggregation(aggregation):
        """Returns the ReduceOp of a VariableAggregation.

        Args:
            aggregation: VariableAggregation.SUM or VariableAggregation.MEAN.

        Returns:
            A ReduceOp.

        Raises:
            ValueError: It is another one.
        """
        ops = {VariableAggregation.SUM: ReduceOp.SUM, VariableAggregation.MEAN: ReduceOp.MEAN}
        if aggregation not in ops:
            raise ValueError(
                f"Could not convert from `tf.VariableAggregation` {aggregation} to"
                "`tf.distribute.ReduceOp` type"
            )
        return ops[aggregation]


of_aggregation = ReduceOp.from_variable_aggregation


def reduce_op(given):
    """The ReduceOp of an argument, which may be a str.

    Raises:
        ValueError: It is neither.
    """
    if isinstance(given, str):
        given = ReduceOp(given.upper())
    if not isinstance(given, ReduceOp):
        raise ValueError(f"the reduction must be ReduceOp.SUM or ReduceOp.MEAN, not {given!r}")
    return given


def total(op, parts):
    """Adds up tensors or IndexedSlices, on the current device; divides by their number for MEAN."""
    if all(isinstance(p, IndexedSlices) for p in parts):
        joined = parts[0] if len(parts) == 1 else IndexedSlices(
            arrays.concat([p.values for p in parts], 0),
            arrays.concat([p.indices for p in parts], 0), parts[0].dense_shape,
        )  # fmt: skip
        if op is ReduceOp.MEAN:
            scaled = joined.values / arrays.cast(len(parts), joined.values.dtype)
            joined = IndexedSlices(scaled, joined.indices, joined.dense_shape)
        return joined
    parts = [convert_to_tensor(p) for p in parts]
    found = parts[0] if len(parts) == 1 else math.add_n(parts)
    if op is ReduceOp.SUM:
        return found
    return found / arrays.cast(len(parts), found.dtype)


def undistributed(op, value, count):
    """The reduction of a value that is the same for all replicas.

    Raises:
        ValueError: It is no number that all replicas share.
    """
    if isinstance(value, (int, float)) and value == 0:
        return 0
    if op is ReduceOp.MEAN or count == 1:
        return value
    raise ValueError(
        f"A non-DistributedValues value {value} cannot be reduced with the given reduce op {op}."
    )


def copied(value, where):
    """A copy of a tensor or IndexedSlices on a device, or beside a variable."""
    with device(where) if isinstance(where, str) else colocate_with(where):
        if isinstance(value, IndexedSlices):
            shape = value.dense_shape
            return IndexedSlices(
                arrays.identity(value.values), arrays.identity(value.indices),
                None if shape is None else arrays.identity(shape),
            )  # fmt: skip
        return arrays.identity(value)


def devices_of(destinations):
    """The devices that a result goes to, a tuple of str.

    Args:
        destinations: A device, a list of devices, a variable or a distributed value.
    """
    if isinstance(destinations, str):
        return (destinations,)
    if isinstance(destinations, (list, tuple)):
        return tuple(destinations)
    return tuple(c.device for c in values.components(destinations))


class CrossDeviceOps:
    """Combines values of the devices of one task, and copies values to them.

    Derived classes may define the methods whose names end in _implementation, which the others
    call.
    """

    def reduce(self, reduce_op, per_replica_value, destinations):
        """Combines the components of a value.

        Args:
            reduce_op: A ReduceOp.
            per_replica_value: A PerReplica value, or a tensor that is the same for all replicas.
            destinations: Where the result goes: a device, a list of devices, a variable.

        Returns:
            A Mirrored value; for one destination a tensor.
        """
        return self.reduce_implementation(reduce_op, per_replica_value, destinations)

    def batch_reduce(self, reduce_op, value_destination_pairs):
        """Combines the components of several values.

        Args:
            reduce_op: A ReduceOp.
            value_destination_pairs: Pairs of a PerReplica value and where its result goes.

        Returns:
            A list of what reduce() returns.
        """
        return self.batch_reduce_implementation(reduce_op, value_destination_pairs)

    def broadcast(self, tensor, destinations):
        """Copies a tensor to devices.

        Args:
            tensor: The tensor.
            destinations: Where the copies go: a device, a list of devices, a variable.

        Returns:
            A Mirrored value; for one destination a tensor.
        """
        return self.broadcast_implementation(tensor, destinations)

    def reduce_implementation(self, reduce_op, per_replica_value, destinations):
        """Does what reduce() is asked for.

        Args:
            reduce_op: A ReduceOp.
            per_replica_value: A PerReplica value, or a tensor that is the same for all replicas.
            destinations: Where the result goes: a device, a list of devices, a variable.

        Returns:
            A Mirrored value; for one destination a tensor.
        """
        parts = [values.as_tensor(v) for v in values.components(per_replica_value)]
        result = self._total(reduce_op, parts, devices_of(destinations))
        return self.broadcast(result, destinations)

    def batch_reduce_implementation(self, reduce_op, value_destination_pairs):
        """Does what batch_reduce() is asked for.

        Args:
            reduce_op: A ReduceOp.
            value_destination_pairs: Pairs of a PerReplica value and where its result goes.

        Returns:
            A list of what reduce() returns.
        """
        return [self.reduce(reduce_op, value, to) for value, to in value_destination_pairs]

    def broadcast_implementation(self, tensor, destinations):
        """Does what broadcast() is asked for.

        Args:
            tensor: The tensor.
            destinations: Where the copies go: a device, a list of devices, a variable.

        Returns:
            A Mirrored value; for one destination a tensor.
        """
        to = devices_of(destinations)
        if len(to) == 1:
            return copied(tensor, to[0])
        return values.Mirrored(copied(tensor, d) for d in to)

    def _total(self, op, parts, to):
        """Adds up a list of tensors, one of each replica, near the devices `to`."""
        raise NotImplementedError(f"{type(self).__name__} does not say how values are added up")


class ReductionToOneDevice(CrossDeviceOps):
    """Adds values up on one device, and copies the result to the others.

    Args:
        reduce_to_device: The device, a str. None: the first destination.
        accumulation_fn: A function of a list of tensors that adds them up. None: add_n().
    """

    def __init__(self, reduce_to_device=None, accumulation_fn=None):
        self.reduce_to_device, self.accumulation_fn = reduce_to_device, accumulation_fn

    def _total(self, op, parts, to):
        with device(self.reduce_to_device or to[0]):
            if self.accumulation_fn is None or isinstance(parts[0], IndexedSlices):
                return total(op, parts)
            found = self.accumulation_fn(parts)
            return found if op is ReduceOp.SUM else found / arrays.cast(len(parts), found.dtype)


class HierarchicalCopyAllReduce(CrossDeviceOps):
    """Adds values up in pairs, each on a device of its own, and copies the result to all devices.

    Args:
        num_packs: Accepted. The runtime joins small transfers by itself.
    """

    _named = "HierarchicalCopy"

    def __init__(self, num_packs=1):
        if num_packs < 0:
            raise ValueError(
                f"{self._named} requires num_packs >= 0, but {num_packs} is specified"
            )

    def _total(self, op, parts, to):
        count, level = len(parts), list(parts)
        if isinstance(level[0], IndexedSlices):
            with device(to[0]):
                return total(op, level)
        while len(level) > 1:
            pairs = []
            for first in range(0, len(level), 2):
                with device(to[first % len(to)]):
                    pairs.append(total(ReduceOp.SUM, level[first : first + 2]))
            level = pairs
        with device(to[0]):
            if op is ReduceOp.SUM:
                return level[0]
            return level[0] / arrays.cast(count, level[0].dtype)


class NcclAllReduce(HierarchicalCopyAllReduce):
    """Reduces between the GPUs of a task. Without NCCL, values are added up in pairs.

    Args:
        num_packs: Accepted. The runtime joins small transfers by itself.
    """

    _named = "NCCL all-reduce"
