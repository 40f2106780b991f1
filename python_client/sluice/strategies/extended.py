# SPDX-License-Identifier: Apache-2.0
"""What libraries use of strategies: where variables are, how they are reduced and updated."""

import contextlib
import copy

from .. import math
from ..graph.convert import convert_to_tensor
from ..graph.default_graph import (
    colocate_with,
    control_dependencies,
    device,
    get_default_graph,
    name_scope,
)
from ..graph.elements import Operation, Tensor
from ..graph.state import state_of
from ..ops import array as arrays
from ..ops.control_flow import grouping
from ..ops.functions.tracing import outermost
from . import contexts, inputs, replicas, values
from .reductions import ReduceOp, devices_of, undistributed
from .reductions import reduce_op as _op


class StrategyExtended:
    """What libraries use of a strategy. This one has one replica, on one device.

    Args:
        container_strategy: The Strategy.
        devices: The devices of the replicas of this process, a list of str.
    """

    default_device = None  # of operations made in the scope
    first_replica = 0  # of this process among all
    target = None  # of sessions; None: this process alone
    experimental_between_graph = False  # whether each task builds a graph of its own
    in_cluster = False  # whether other tasks run the program too
    experimental_should_init = True
    should_checkpoint = True
    should_save_summary = True
    experimental_require_static_shapes = False
    each_worker_initializes = False  # a worker has variables of its own, which no chief initialises
    first_worker_counts = False  # a new session takes its values from broadcast_variables()

    def __init__(self, container_strategy, devices):
        self._strategy, self._devices = container_strategy, tuple(devices)

    def copied_for(self, strategy):
        """Makes a copy that belongs to another Strategy.

        Args:
            strategy: The Strategy.

        Returns:
            A StrategyExtended.
        """
        made = copy.copy(self)
        made._strategy = strategy
        return made

    def _container_strategy(self):
        return self._strategy

    @property
    def _num_replicas_in_sync(self):
        return len(self._devices)

    @property
    def worker_devices(self):
        """The devices of the replicas of this process, a tuple of str."""
        return self._devices

    @property
    def parameter_devices(self):
        """The devices of the variables, a tuple of str."""
        return self._devices

    def input_context(self):
        """Returns what an input function needs to know.

        Returns:
            An InputContext.
        """
        return inputs.InputContext(1, 0, self._num_replicas_in_sync)

    def local_part(self, tensor):
        """Returns the rows of a batch that are for this process.

        Args:
            tensor: A tensor with the batch along dimension 0.

        Returns:
            A tensor.
        """
        return tensor

    def rows_of_all(self, tensor):
        """Returns the rows of the batches of all processes.

        Args:
            tensor: The rows of this process, a tensor.

        Returns:
            A tensor.
        """
        return tensor

    def configure(self, session_config=None, cluster_spec=None, task_type=None, task_id=None):
        """Prepares a config for sessions: see Strategy.configure().

        Args:
            session_config: A ConfigProto, which changes. None: none.
            cluster_spec: A ClusterSpec.
            task_type: The job of this task, a str.
            task_id: The number of this task, an int.
        """

    def experimental_make_numpy_dataset(self, numpy_input, session=None):
        """Makes a data set of arrays: see Strategy.experimental_make_numpy_dataset().

        Args:
            numpy_input: Arrays.
            session: Accepted. It has no effect.

        Returns:
            A Dataset.
        """
        del session
        return inputs.of_arrays(numpy_input)

    # ---- variables

    def create_variable(self, next_creator, **kwargs):
        """Makes a variable of the strategy.

        Args:
            next_creator: A function that makes a variable, or the next creator.
            **kwargs: The arguments of Variable.

        Returns:
            A Variable.
        """
        with self._beside(kwargs.pop("colocate_with", None)):
            return next_creator(**kwargs)

    def _beside(self, variable):
        """The devices of a new variable: those of another one, or the strategy's own."""
        if variable is None:
            return device(self._devices[0])
        return colocate_with(values.components(variable)[0].op)

    @contextlib.contextmanager
    def colocate_vars_with(self, colocate_with_variable):
        """Puts variables that are made inside beside another one.

        Args:
            colocate_with_variable: The other variable.

        Returns:
            A context manager.

        Raises:
            ValueError: The other variable was not made in the scope of the strategy.
        """
        if getattr(colocate_with_variable, "strategy_of_scope", None) is not self._strategy:
            raise ValueError(
                "`colocate_vars_with` must only be passed a variable created in this"
                f" tf.distribute.Strategy.scope(), not: {colocate_with_variable!r}"
            )

        def create(next_creator, **kwargs):
            return next_creator(**{**kwargs, "colocate_with": colocate_with_variable})

        state = state_of(outermost(get_default_graph()))
        with state.within(creators=[*state.creators, create]):
            yield

    def variable_created_in_scope(self, v):
        """Tests whether a variable was made in the scope of the strategy.

        Args:
            v: The variable.

        Returns:
            A bool.
        """
        made_in = getattr(values.container_of(v), "strategy_of_scope", None)
        return self._strategy is (contexts.default_strategy() if made_in is None else made_in)

    def value_container(self, value):
        """Returns the distributed variable that a variable is a component of.

        Args:
            value: A variable.

        Returns:
            A Variable.
        """
        return values.container_of(value)

    def read_var(self, v):
        """Reads a variable outside of replicas.

        Args:
            v: The variable.

        Returns:
            A tensor.
        """
        return v.read_value()

    def non_slot_devices(self, var_list):
        """Returns where variables go that an optimizer keeps for several variables together.

        Args:
            var_list: The variables that are trained, a list.

        Returns:
            The devices, a tuple of str; of variables on one device, the variable beside which
            they go.
        """
        del var_list
        return self._devices

    # ---- replicas

    def call_for_each_replica(self, fn, args=(), kwargs=None):
        """Calls a function for each replica: see Strategy.experimental_run_v2().

        Args:
            fn: The function.
            args: Its arguments, a tuple.
            kwargs: Its arguments by name, a dict.

        Returns:
            What it returned.
        """
        return replicas.call_for_each(
            self._strategy, self._devices, fn, args, kwargs or {}, self.first_replica
        )

    def experimental_run_steps_on_iterator(self, fn, iterator, iterations=1,
                                           initial_loop_values=None):  # fmt: skip
        """Makes an operation that runs a function on several elements, one after the other.

        Args:
            fn: A function of an object with set_last_step_output(), and of an element.
            iterator: What make_dataset_iterator() returned.
            iterations: How many elements, an int.
            initial_loop_values: Accepted: values that the outputs would have without a step. They
                have no effect.

        Returns:
            An object with run_op, the Operation, and last_step_outputs, a dict.
        """
        del initial_loop_values
        context = inputs.StepsContext(self._strategy)
        last = []
        for _ in range(iterations):
            with control_dependencies(last):
                made = fn(context, iterator.get_next())
                last = [grouping.group(*(v for v in _flat(made) if isinstance(v, Operation) or
                                         hasattr(v, "op")))]  # fmt: skip
        context.run_op = last[0]
        outputs = context.last_step_outputs
        with control_dependencies(last):
            for name, output in outputs.items():
                outputs[name] = values.mapped(_copied, output)
        return context

    # ---- reductions

    def reduce_to(self, reduce_op, value, destinations, options=None):
        """Combines the components of a value.

        Args:
            reduce_op: ReduceOp.SUM or ReduceOp.MEAN.
            value: A PerReplica value, or one that all replicas share.
            destinations: Where the result goes: a variable, a device, a value.
            options: Accepted. It has no effect.

        Returns:
            A Mirrored value; for one destination a tensor.
        """
        del options
        op = _op(reduce_op)
        if getattr(value, "differs_between_replicas", False):
            value = values.PerReplica([v.read_value() for v in value.components])
        if len(self._devices) > 1 and not isinstance(value, values.PerReplica):
            if isinstance(value, values.Mirrored):
                return value
            return undistributed(op, value, len(self._devices))
        return self._reduced(op, value, destinations)

    def _reduced(self, op, value, destinations):
        del op, destinations
        return values.components(value)[0]

    def batch_reduce_to(self, reduce_op, value_destination_pairs, options=None):
        """Combines the components of several values: see reduce_to().

        Args:
            reduce_op: ReduceOp.SUM or ReduceOp.MEAN.
            value_destination_pairs: Pairs of a value and where its result goes, a list.
            options: Accepted. It has no effect.

        Returns:
            A list.
        """
        del options
        return [self.reduce_to(reduce_op, v, to) for v, to in value_destination_pairs]

    def broadcast_to(self, tensor, destinations):
        """Copies a tensor to devices.

        Args:
            tensor: The tensor; a number stays as it is.
            destinations: Where the copies go.

        Returns:
            A Mirrored value; for one destination a tensor.
        """
        del destinations
        return tensor

    def reduce_to_here(self, op, value):
        """Combines a value over all replicas.

        Args:
            op: ReduceOp.SUM or ReduceOp.MEAN.
            value: A PerReplica value.

        Returns:
            A tensor.
        """
        if isinstance(value, values.DistributedValues) and not isinstance(value, values.Mirrored):
            value = values.PerReplica(value.values)
        return values.components(self.reduce_to(op, value, self._devices[0]))[0]

    def reduce_along(self, op, value, axis):
        """Combines a value over all replicas and along a dimension.

        Args:
            op: ReduceOp.SUM or ReduceOp.MEAN.
            value: A PerReplica value.
            axis: The dimension, an int.

        Returns:
            A tensor.
        """
        sums, counts = [], []
        for part, where in zip(values.components(value), self._devices):
            with device(where):
                part = convert_to_tensor(part)
                sums.append(math.reduce_sum(part, axis))
                kind = sums[-1].dtype
                counts.append(arrays.cast(arrays.shape(part)[axis], kind))
        found = self.reduce_to_here(ReduceOp.SUM, _joined(sums))
        if op is ReduceOp.SUM:
            return found
        return found / self.reduce_to_here(ReduceOp.SUM, _joined(counts))

    # ---- updates

    def update(self, var, fn, args=(), kwargs=None, group=True):
        """Calls a function for each component of a variable, on its device.

        Args:
            var: The variable.
            fn: A function of a component and of the arguments.
            args: Its arguments, a tuple; of distributed values each component gets its part.
            kwargs: Its arguments by name, a dict.
            group: Whether what is returned waits for all. A bool. False: the values.

        Returns:
            What the function returned: a Mirrored value of tensors, which waits for all components,
            or one Operation. Without group: a tuple with an item for each component.
        """
        kwargs = kwargs or {}
        found = []
        for number, component in enumerate(values.components(var)):
            with contexts.entered(self._strategy, None), contexts.updating(number):
                with colocate_with(component.op, ignore_existing=True), device(component.device):
                    with name_scope(f"update_{number}"):
                        own = values.select_replica(number, args)
                        own_kwargs = values.select_replica(number, kwargs)
                        found.append(fn(component, *own, **own_kwargs))
        return _updated(found, group)

    def update_non_slot(self, colocate_with, fn, args=(), kwargs=None, group=True):
        """Calls a function where the variables of non_slot_devices() are.

        Args:
            colocate_with: What non_slot_devices() returned.
            fn: A function of the arguments.
            args: Its arguments, a tuple.
            kwargs: Its arguments by name, a dict.
            group: Whether what is returned waits for all. A bool. False: the values.

        Returns:
            What the function returned: see update().
        """

        if not isinstance(colocate_with, (str, tuple, list)):
            return self.update(colocate_with, lambda _, *a, **k: fn(*a, **k), args, kwargs, group)
        found = []
        for number, where in enumerate(devices_of(colocate_with)):
            with contexts.entered(self._strategy, None), contexts.updating(number):
                with device(where), name_scope(f"update_{number}"):
                    own = values.select_replica(number, args)
                    own_kwargs = values.select_replica(number, kwargs or {})
                    found.append(fn(*own, **own_kwargs))
        return _updated(found, group)


def _joined(parts):
    return parts[0] if len(parts) == 1 else values.PerReplica(parts)


def _flat(structure):
    if isinstance(structure, (list, tuple)):
        return [v for part in structure for v in _flat(part)]
    return list(values.components(structure))


def _copied(value):
    """A tensor, or the tensors of a distributed value, after what runs before."""
    if isinstance(value, values.DistributedValues):
        return type(value)([_copied(component) for component in value.values])
    with colocate_with(value.op, ignore_existing=True):
        return arrays.identity(value)


def _updated(found, group):
    """What update() returns of what its function returned for each component."""
    updated = values.regroup(found, values.Mirrored)
    return values.mapped(_waiting if group else values.components, updated)


def _waiting(updated):
    """What the updates of all components gave, when all of them are done."""
    if not isinstance(updated, values.DistributedValues):
        return updated
    done = grouping.group(*(v for v in updated.values if v is not None))
    if not all(isinstance(v, Tensor) for v in updated.values):
        return done
    copies = []
    for value in updated.values:
        with control_dependencies([done]), device(value.device):
            copies.append(arrays.identity(value))
    return values.Mirrored(copies)
