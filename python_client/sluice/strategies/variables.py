# SPDX-License-Identifier: Apache-2.0
"""Variables that have a component for each replica, or for all replicas together."""

from .. import dtypes
from ..graph.default_graph import colocate_with, control_dependencies, device
from ..ops import array as arrays
from ..ops.control_flow.grouping import group
from ..ops.state.kinds import VariableAggregation, VariableSynchronization, copies_of
from ..ops.state.variables import Variable
from . import contexts
from .reductions import of_aggregation, total
from .values import DistributedValues, contain


class DistributedVariable(Variable):
    """A variable whose operations reach the component that the current line is about.

    In a replica this is the component of the replica, in update() the updated one, elsewhere the
    first. The name is that of the first component.

    Args:
        strategy: The Strategy that made it.
        components: The variables, resource variables, a list.
        synchronization: A constant of VariableSynchronization.
        aggregation: A constant of VariableAggregation: how values that replicas assign become one.
    """

    creators_apply = False  # a creator makes it

    def __init__(self, strategy, components, synchronization, aggregation):
        first = components[0]
        self._strategy, self.components = strategy, tuple(components)
        self._graph, self.dtype = first.graph, first.dtype
        self.trainable, self._is_resource = first.trainable, True
        self.constraint, self._save_slice_info, self._shape = first.constraint, None, None
        self.synchronization, self.aggregation = synchronization, aggregation
        self.initial_value = first.initial_value
        contain(self, components)
        with device(None), control_dependencies(None):
            self.initializer = first.initializer if len(components) == 1 else group(
                *(c.initializer for c in components), name=f"{first.op.name}/group_deps"
            )  # fmt: skip

    @property
    def values(self):
        """The components, a tuple."""
        return self.components

    @property
    def primary(self):
        """The first component."""
        return self.components[0]

    def get(self):
        """Returns the component that is meant here.

        Returns:
            A Variable.
        """
        number = contexts.component_number() if len(self.components) > 1 else None
        return self.components[number or 0]

    @property
    def distribute_strategy(self):
        """The Strategy that made it."""
        return self._strategy

    @property
    def handle(self):
        """The tensor of the resource."""
        return self.get().handle

    @property
    def _snapshot(self):
        return self.get()._snapshot

    @property
    def name(self):
        """The name of the first component, "<operation>:0"."""
        return self.primary.name

    @property
    def devices(self):
        """The devices of the components, a tuple of str."""
        return tuple(c.device for c in self.components)

    def value(self):
        return self.get().value()

    def read_value(self):
        return self.get().read_value()

    def load(self, value, session=None):
        for component in self.components:
            component.load(value, session)

    def _update(self, reference_op, resource_op, value, use_locking, name, read_value):
        def update(component, new):
            return component._update(
                reference_op, resource_op, new, use_locking, name, read_value=False
            )

        if contexts.is_updating():
            op = update(self.get(), value)
            return self._after([op], self.get()) if read_value else op
        if contexts.component_number() is not None:
            return self._update_in_replica(update, value, read_value)
        return self._update_in_all(update, value, read_value)

    def _update_in_all(self, update, value, read_value):
        """Updates every component: outside of replicas."""
        ops = self._strategy.extended.update(self, update, args=(value,), group=False)
        if not read_value:
            return ops[0] if len(ops) == 1 else group(*ops)
        return self._after(ops, self.primary)

    def _after(self, ops, component):
        with control_dependencies(ops):
            return _read(component)

    def _update_in_replica(self, update, value, read_value):
        """Updates every component with what the values of all replicas are together."""
        if self.aggregation == VariableAggregation.NONE:
            raise ValueError(
                f"You must specify an aggregation method to update a {type(self).__name__} in"
                " Replica Context. You can do so by passing an explicit value for argument"
                f" `aggregation` to tf.Variable(..). It is {self.name}."
            )

        def merged(strategy, value):
            extended = strategy.extended
            if self.aggregation == VariableAggregation.ONLY_FIRST_REPLICA:
                first = strategy.experimental_local_results(value)[0]
                value = extended.broadcast_to(first, self)
            else:
                value = extended.reduce_to(of_aggregation(self.aggregation), value, self)
            ops = extended.update(self, update, args=(value,), group=False)
            return ops[0] if len(ops) == 1 else group(*ops)

        op = contexts.get_replica_context().merge_call(merged, args=(value,))
        return self._after([op], self.get()) if read_value else op

    def __repr__(self):
        parts = "".join(f"\n  {i} {c.device}: {c!r}" for i, c in enumerate(self.components))
        return f"{type(self).__name__}:{{{parts}\n}}"


class MirroredVariable(DistributedVariable):
    """A variable with equal copies on the devices of all replicas."""


class AggregatingVariable(DistributedVariable):
    """A variable that all replicas share: it gets the aggregate of what they assign."""


class SyncOnReadVariable(DistributedVariable):
    """A variable of which each replica has its own: a read outside of replicas aggregates them."""

    differs_between_replicas = True

    def _in_replica(self):
        return contexts.component_number() is not None or not contexts.has_strategy()

    def saved_value(self):
        """Returns the aggregate of the components of this process, which checkpoints have.

        Returns:
            A tensor.
        """
        parts = [_read(c) for c in self.components]
        if self.aggregation in (VariableAggregation.NONE, VariableAggregation.ONLY_FIRST_REPLICA):
            return parts[0]
        return total(of_aggregation(self.aggregation), parts)

    def _aggregated(self):
        if self.aggregation in (VariableAggregation.NONE, VariableAggregation.ONLY_FIRST_REPLICA):
            return _read(self.primary)
        value = DistributedValues(_read(c) for c in self.components)
        with contexts.entered(self._strategy, None):
            return self._strategy.reduce(of_aggregation(self.aggregation), value, axis=None)

    def value(self):
        return super().value() if self._in_replica() else self._aggregated()

    def read_value(self):
        in_replica = contexts.component_number() is not None
        return super().read_value() if in_replica else self._aggregated()

    def _as_graph_element(self):
        return super()._as_graph_element() if self._in_replica() else self._aggregated()

    def _update(self, reference_op, resource_op, value, use_locking, name, read_value):
        more = use_locking, name, read_value
        if contexts.component_number() is not None:
            return self.get()._update(reference_op, resource_op, value, *more)
        if self.aggregation == VariableAggregation.SUM:
            if resource_op != "AssignVariableOp":
                method = "assign_sub" if resource_op == "AssignSubVariableOp" else "assign_add"
                raise ValueError(
                    f"SyncOnReadVariable does not support `{method}` in cross-replica context when"
                    " aggregation is set to `tf.VariableAggregation.SUM`."
                )
            value = _divided(value, self.dtype, len(self.components))
        return super()._update(reference_op, resource_op, value, *more)


def _read(component):
    """The value of a component, read where it is."""
    with colocate_with(None, ignore_existing=True):
        return component.read_value()


def _divided(value, dtype, count):
    value = arrays.cast(value, dtype)
    if dtype.is_floating or dtype.is_complex:
        return value / arrays.cast(count, dtype)
    return arrays.cast(arrays.cast(value, dtypes.float64) / count, dtype)


def kind_of(name, synchronization, aggregation, trainable, has_copies=True):
    """(synchronization, aggregation, trainable) of a variable as its arguments say.

    Raises:
        ValueError: The arguments are unknown, or a variable with copies is not synchronised.
    """
    kinds = VariableSynchronization
    synchronization, aggregation = copies_of(name, synchronization, aggregation)
    if synchronization == kinds.NONE and has_copies:
        raise ValueError(
            "`NONE` variable synchronization mode is not supported with `Mirrored` distribution"
            f" strategy. Please change the `synchronization` for variable: {name}"
        )
    if synchronization == kinds.ON_READ:
        trainable = bool(trainable)
    return synchronization, aggregation, trainable
