# SPDX-License-Identifier: Apache-2.0
"""The base class of all strategies, and the strategy of programs without one."""

import contextlib
import copy

from ..autograph.calls import converted_inside
from ..graph.default_graph import device, get_default_graph
from ..graph.state import state_of
from ..messages import ConfigProto
from ..ops.control_flow import grouping
from ..ops.functions.tracing import outermost
from ..ops.nn.losses import Reduction
from ..ops.state.variable_scope import scopes_of, variable_scope
from ..session.devices import session_config
from . import contexts, inputs, looping, replicas, values  # noqa: F401
from .extended import StrategyExtended
from .reductions import ReduceOp
from .reductions import reduce_op as _op


class Strategy:
    """Distributes a computation over replicas.

    Args:
        extended: The StrategyExtended that says how.
    """

    def __init__(self, extended):
        self._extended = extended
        self._scale_loss_for_estimator = False

    @property
    def extended(self):
        """The StrategyExtended, with what libraries use."""
        return self._extended

    @property
    def num_replicas_in_sync(self):
        """How many replicas there are whose gradients are combined, an int."""
        return self._extended._num_replicas_in_sync

    # ---- scopes

    @contextlib.contextmanager
    def scope(self):
        """Makes this the current strategy: variables that are made inside are distributed.

        Returns:
            A context manager, whose value is the strategy.

        Raises:
            RuntimeError: The scope of another strategy is entered, or a replica runs.

        Example:
            >>> strategy = sl.distribute.OneDeviceStrategy("/cpu:0")
            >>> with strategy.scope():
            ...     print(sl.distribute.get_strategy() is strategy)
            True
        """
        contexts.require_cross_replica(self)
        if contexts.has_strategy():
            with contexts.entered(self, None):
                yield self
            return
        with contexts.entered(self, None), self.creating_variables():
            yield self

    @contextlib.contextmanager
    def creating_variables(self):
        """Makes variables that are made inside those of the strategy.

        Returns:
            A context manager.
        """
        state = state_of(outermost(get_default_graph()))
        extended = self._extended

        def create(next_creator, **kwargs):
            kwargs["use_resource"] = True
            made = extended.create_variable(next_creator, **kwargs)
            made.strategy_of_scope = self
            return made

        graph = outermost(get_default_graph())
        with state.within(creators=[*state.creators, create]), graph.as_default():
            scope = scopes_of(graph).scope
            getter = _checked_getter
            with variable_scope(
                scope, use_resource=True, custom_getter=getter, auxiliary_name_scope=False
            ), device(extended.default_device):
                yield

    @contextlib.contextmanager
    def colocate_vars_with(self, colocate_with_variable):
        """Puts variables that are made inside beside another one.

        Args:
            colocate_with_variable: The other variable.

        Returns:
            A context manager.
        """
        with self._extended.colocate_vars_with(colocate_with_variable):
            yield

    # ---- running

    def experimental_run_v2(self, fn, args=(), kwargs=None):
        """Calls a function for each replica. In a tf.function its control flow is converted too.

        Args:
            fn: The function.
            args: Its arguments, a tuple; of PerReplica values each replica gets its own.
            kwargs: Its arguments by name, a dict.

        Returns:
            What it returned, with PerReplica values where the replicas differ.
        """
        fn = converted_inside(fn)
        return self._extended.call_for_each_replica(fn, args=args, kwargs=kwargs)

    def run(self, fn, args=(), kwargs=None, options=None):
        """Calls a function for each replica: see experimental_run_v2().

        Args:
            fn: The function.
            args: Its arguments, a tuple.
            kwargs: Its arguments by name, a dict.
            options: Accepted. It has no effect.

        Returns:
            What it returned, with PerReplica values where the replicas differ.
        """
        del options
        return self.experimental_run_v2(fn, args, kwargs)

    def experimental_run(self, fn, input_iterator=None):
        """Calls a function for each replica, with the next element of an iterator.

        Args:
            fn: The function.
            input_iterator: What make_dataset_iterator() or make_input_fn_iterator() returned.

        Returns:
            What it returned, with PerReplica values where the replicas differ.
        """
        with self.scope():
            args = () if input_iterator is None else (input_iterator.get_next(),)
            return self.experimental_run_v2(fn, args=args)

    def reduce(self, reduce_op, value, axis=None):
        """Combines the values of the replicas.

        Args:
            reduce_op: ReduceOp.SUM or ReduceOp.MEAN.
            value: A PerReplica value, or what run() returned.
            axis: The dimension that is reduced too, an int. None: none.

        Returns:
            A tensor, or the structure of value with tensors.

        Raises:
            RuntimeError: It is called in a replica.
        """
        contexts.require_cross_replica(self)
        op = _op(reduce_op)
        if isinstance(value, (list, tuple)):
            return type(value)([self.reduce(op, v, axis) for v in value])
        if isinstance(value, dict):
            return {key: self.reduce(op, v, axis) for key, v in value.items()}
        if axis is not None:
            return self._extended.reduce_along(op, value, axis)
        return self._extended.reduce_to_here(op, value)

    def experimental_local_results(self, value):
        """Returns the components of a value.

        Args:
            value: A PerReplica value, or a value that all replicas share.

        Returns:
            A tuple with an item for each replica of this process.
        """
        if isinstance(value, (list, tuple)):
            columns = [self.experimental_local_results(v) for v in value]
            return tuple(type(value)(row) for row in zip(*columns))
        return tuple(values.components(value))

    def unwrap(self, value):
        """Returns the components of a value. Older name of experimental_local_results().

        Args:
            value: A PerReplica value.

        Returns:
            A tuple.
        """
        return self.experimental_local_results(value)

    def group(self, value, name=None):
        """Makes an operation that waits for all components of a value.

        Args:
            value: What experimental_run_v2() returned.
            name: Name of the operation, a str. None: a default name.

        Returns:
            An Operation.
        """
        found = [v for v in self.experimental_local_results(value) if v is not None]
        return grouping.group(*found, name=name or "group_deps")

    def scaled_loss(self, loss):
        """Returns the loss of a replica as optimizers use it.

        Args:
            loss: The loss, a scalar.

        Returns:
            A scalar: in an Estimator, whose losses are means, a part of the whole loss.
        """
        count, state = self.num_replicas_in_sync, state_of(get_default_graph())
        state.is_loss_scaled = count > 1 and loss_reduction(self) is ReduceOp.MEAN
        return loss * (1.0 / count) if state.is_loss_scaled else loss

    # ---- input

    def experimental_distribute_dataset(self, dataset, options=None):
        """Divides the batches of a data set between the replicas.

        Args:
            dataset: A Dataset of batches for all replicas together.
            options: Accepted. It has no effect.

        Returns:
            A DistributedDataset, whose iterator's get_next() returns PerReplica values.
        """
        del options
        return inputs.DistributedDataset(self._extended, dataset)

    def experimental_distribute_datasets_from_function(self, dataset_fn):
        """Takes a batch for each replica from a data set.

        Args:
            dataset_fn: A function of an InputContext that returns a Dataset of batches for one
                replica.

        Returns:
            A DistributedDataset, whose iterator's get_next() returns PerReplica values.
        """
        made = dataset_fn(self._extended.input_context())
        return inputs.DistributedDataset(self._extended, made, whole=False)

    distribute_datasets_from_function = experimental_distribute_datasets_from_function

    def make_dataset_iterator(self, dataset):
        """Makes an iterator over a data set whose batches are divided between the replicas.

        Args:
            dataset: A Dataset of batches for all replicas together.

        Returns:
            An iterator with initialize() and get_next().
        """
        return inputs.DistributedDataset(self._extended, dataset).make_initializable_iterator()

    def make_input_fn_iterator(
        self, input_fn, replication_mode=inputs.InputReplicationMode.PER_WORKER
    ):
        """Makes an iterator over what a function returns.

        Args:
            input_fn: A function of an InputContext that returns a Dataset of batches for one
                replica, or a function that returns the tensors of one.
            replication_mode: InputReplicationMode.PER_WORKER, the only one.

        Returns:
            An iterator with initialize() and get_next().

        Raises:
            ValueError: replication_mode is another one.
        """
        if replication_mode != inputs.InputReplicationMode.PER_WORKER:
            raise ValueError(f"Input replication mode not supported: {replication_mode!r}")
        return inputs.iterator_of_function(self._extended, input_fn)

    def experimental_make_numpy_dataset(self, numpy_input, session=None):
        """Makes a data set of arrays.

        Args:
            numpy_input: An array, or a nested structure of arrays of the same length.
            session: Accepted. The data set needs no initialisation.

        Returns:
            A Dataset with an element for each row.
        """
        return self._extended.experimental_make_numpy_dataset(numpy_input, session)

    # ---- sessions

    def configure(self, session_config=None, cluster_spec=None, task_type=None, task_id=None):
        """Prepares the strategy for a cluster, and a config for its sessions.

        Args:
            session_config: A ConfigProto, which changes. None: none.
            cluster_spec: A ClusterSpec. None: it stays.
            task_type: The job of this task, a str.
            task_id: The number of this task, an int.
        """
        self._extended.configure(session_config, cluster_spec, task_type, task_id)

    def update_config_proto(self, config_proto):
        """Returns a config for sessions that run the strategy's operations.

        Args:
            config_proto: A ConfigProto.

        Returns:
            A new ConfigProto.
        """
        made = ConfigProto()
        made.CopyFrom(config_proto)
        self._extended.configure(made, None, None, None)
        return made

    def session_config(self):
        """Returns a config for sessions of a program that gives none.

        Returns:
            A ConfigProto.
        """
        return self.update_config_proto(session_config() or ConfigProto())

    def copied(self):
        """Copies the strategy, so that the copy can be configured for another task.

        Returns:
            A Strategy.
        """
        made = copy.copy(self)
        made._extended = self._extended.copied_for(made)
        return made

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return f"<sluice.distribute.{type(self).__name__} of {self.num_replicas_in_sync} replicas>"


def _checked_getter(getter, *args, **kwargs):
    """The getter in a scope: what a strategy cannot make is refused."""
    if kwargs.get("partitioner") is not None:
        kwargs["partitioner"] = None  # as in TensorFlow: variables of strategies are whole
    return getter(*args, **kwargs)


def loss_reduction(strategy):
    """How the losses of the replicas are combined: see get_loss_reduction()."""
    last = state_of(get_default_graph()).loss_reduction
    means = strategy._scale_loss_for_estimator and last != Reduction.SUM
    return ReduceOp.MEAN if means else ReduceOp.SUM


@contextlib.contextmanager
def scaling_losses(strategy):
    """Lets optimizers of sluice.train divide losses that are means by the number of replicas, as an
    Estimator does."""
    strategy._scale_loss_for_estimator = True
    try:
        yield
    finally:
        strategy._scale_loss_for_estimator = False


class DefaultStrategy(Strategy):
    """The strategy outside of all scopes."""

    def __init__(self):
        super().__init__(_DefaultExtended(self, [""]))

    @contextlib.contextmanager
    def scope(self):
        """Changes nothing: this is the strategy where no other one's scope is entered.

        Returns:
            A context manager, whose value is the strategy.

        Raises:
            RuntimeError: The scope of another strategy is entered.
        """
        if contexts.has_strategy():
            raise RuntimeError("Must not nest tf.distribute.Strategy scopes.")
        yield self

    def experimental_distribute_dataset(self, dataset, options=None):
        """Returns the data set: there is one replica.

        Args:
            dataset: A Dataset.
            options: Accepted. It has no effect.

        Returns:
            The Dataset.
        """
        del options
        return dataset

    def experimental_distribute_datasets_from_function(self, dataset_fn):
        """Calls a function that makes a data set: there is one replica.

        Args:
            dataset_fn: A function of an InputContext that returns a Dataset.

        Returns:
            The Dataset.
        """
        return dataset_fn(inputs.InputContext())


class _DefaultExtended(StrategyExtended):
    def create_variable(self, next_creator, **kwargs):
        kwargs.pop("colocate_with", None)
        return next_creator(**kwargs)

    @contextlib.contextmanager
    def colocate_vars_with(self, colocate_with_variable):
        yield

    def non_slot_devices(self, var_list):
        return min(var_list, key=lambda v: v.name)

    def call_for_each_replica(self, fn, args=(), kwargs=None):
        return fn(*args, **(kwargs or {}))


def _register():
    strategy = DefaultStrategy()
    contexts.register_default(strategy, replicas.ReplicaContext(strategy, 0))


_register()
