# SPDX-License-Identifier: Apache-2.0
"""Training of models whose variables a strategy distributes: each replica trains on a part of each
batch, and all apply the sum of the gradients.

What is fed is the batch of all replicas. The losses of all replicas count the same, also where the
last batch has parts of different sizes. Metrics see the outputs of all replicas together.
"""

import copy

import numpy as np

from ... import math, nest
from ...graph.default_graph import control_dependencies, name_scope
from ...graph.elements import Operation
from ...ops import array as arrays
from ...ops.control_flow.grouping import group
from ...strategies import contexts
from ...strategies.inputs import part_of
from ...strategies.reductions import ReduceOp
from ..base import state
from ..fitting.losses import Reduction
from . import compiling
from .distributed_copy import DistributedCopy


def strategy_of(model):
    """The Strategy that made the variables of a model; None if there is none."""
    owners = (getattr(v, "distribute_strategy", None) for v in model.weights)
    return next((owner for owner in owners if owner is not None), None)


def strategy_of_one_process(model):
    """The Strategy whose replicas share the batches of evaluate() and predict().

    Args:
        model: The Model.

    Returns:
        A Strategy. None: there is none, or each of several processes computes by itself, since
        not all of them may call evaluate().
    """
    strategy = strategy_of(model)
    if strategy is None or strategy.extended.in_cluster:
        return None
    return strategy


def common_random(model):
    """What orders examples of a model that several processes train: all of them the same way.

    Args:
        model: The Model.

    Returns:
        A RandomState; None: this process alone trains the model.
    """
    strategy = strategy_of(model)
    alone = strategy is None or not strategy.extended.in_cluster
    return None if alone else np.random.RandomState(0)


def require_made_in_scope(model):
    """Checks that the strategy whose scope is entered made the variables of a model.

    Args:
        model: The Model.

    Raises:
        ValueError: It did not.
    """
    if not contexts.has_strategy():
        return
    strategy = contexts.get_strategy()
    for variable in model.weights:
        if not strategy.extended.variable_created_in_scope(variable):
            raise ValueError(
                f"Variable ({variable!r}) was not created in the distribution strategy scope of "
                f"({strategy!r}). It is most likely due to not all layers or the model or "
                "optimizer being created outside the distribution strategy scope. Make the model "
                "and compile it in strategy.scope()."
            )


def distribute(model, strategy, arguments):
    """Lets the replicas of a strategy train a model that is made already.

    Args:
        model: The Model.
        strategy: The Strategy. None: none.
        arguments: The arguments of compile(), a dict.
    """
    DistributedCopy.forget(model)
    if strategy is None or strategy.num_replicas_in_sync == 1 or strategy_of(model) is not None:
        return
    DistributedCopy(model, strategy, arguments)


def in_replica(function):
    """Calls a function as the only replica of the current strategy, if it counts here.

    Args:
        function: A function without arguments, which makes operations.

    Returns:
        What it returned.
    """
    if contexts.get_replica_context() is not None:
        return function()
    return contexts.get_strategy().run(function)


def training(model, outputs, strategy):
    """Adds the operations of a step of training.

    Args:
        model: The Model, compiled.
        outputs: Its compiling.Outputs.
        strategy: The Strategy.

    Returns:
        (what a step returns: the loss, then metrics, a list of tensors; operations, a list).
    """
    with strategy.scope():
        return _Step(model, outputs, strategy).trained()


def predicted(model, strategy):
    """Adds the operations that compute the outputs, each replica those of a part of the batch.

    Args:
        model: The Model.
        strategy: The Strategy.

    Returns:
        The outputs of the batch of all replicas, a list of tensors.
    """
    with strategy.scope():
        step = _Step(model, [], strategy)
        return step.together(strategy.run(step.of_part))


def measured(model, outputs, strategy):
    """Adds the operations of a step of evaluate().

    Args:
        model: The Model, compiled.
        outputs: Its compiling.Outputs.
        strategy: The Strategy.

    Returns:
        What a step returns: the loss, then metrics, a list of tensors.
    """
    with strategy.scope():
        return _Step(model, outputs, strategy).measured()


class _Step:
    """A step of training in the making."""

    def __init__(self, model, outputs, strategy):
        self._model, self._outputs, self._strategy = model, outputs, strategy
        self._count = strategy.num_replicas_in_sync

    def trained(self):
        made, updates = self._strategy.run(self._train_part)
        return self._results(*made), [self._strategy.group(updates)]

    def measured(self):
        return self._results(*self._strategy.run(self._measure_part)[0])

    def _results(self, loss, losses, added, outputs):
        """What a step returns, of what the replicas have."""
        strategy = self._strategy
        loss = strategy.reduce(ReduceOp.SUM, loss, axis=None)
        tensors = self.together(outputs)
        with name_scope("joined"):
            joined = [
                _with(output, tensor=tensor, weights=output.weights)
                for output, tensor in zip(self._outputs, tensors)
            ]
            results = self._losses_of(losses) + compiling.measured(joined)
            return [loss, *results, *self._added(added)]

    def together(self, outputs):
        """The rows of all replicas, of a list of values that replicas have."""
        strategy, joined = self._strategy, []
        for output in outputs:
            parts = strategy.experimental_local_results(output)
            rows = arrays.concat(parts, 0) if parts[0].shape.ndims else arrays.stack(parts)
            joined.append(strategy.extended.rows_of_all(rows))
        return joined

    def _losses_of(self, losses):
        """The results of the losses of several outputs: the mean of those of all replicas."""
        measured = [o.loss_metric for o in self._outputs if o.loss_metric is not None]
        found = []
        for metric, loss in zip(measured, losses):
            mean = self._strategy.reduce(ReduceOp.MEAN, loss, axis=None)
            found.append(metric.after(metric.update_state(mean)))
        return found

    def _added(self, results):
        """The results of the metrics of layers, once all replicas have changed them."""
        local = self._strategy.experimental_local_results
        with control_dependencies([one for result in results for one in local(result)]):
            return [arrays.identity(m.result()) for m, _ in self._model.added_metrics()]

    def _part(self, tensor):
        """The rows of a tensor that this replica has."""
        if tensor is None:
            return None
        number = self._strategy.extended.first_replica + contexts.get_replica_context().number
        return part_of(tensor, number, self._count)

    def of_part(self):
        """The outputs of one replica."""
        return self._called([self._part(t) for t in self._model.inputs])

    def _called(self, inputs):
        model = self._model
        given = nest.pack_sequence_as(model.nested_inputs, inputs)
        more = {"training": state.learning_phase()} if model.takes("training") else {}
        return nest.flatten(model(given, **more))

    def _measure_part(self):
        """((loss, losses of outputs, results of added metrics, outputs), inputs) of one replica."""
        model, part = self._model, self._part
        inputs = [part(t) for t in model.inputs]
        found = self._called(inputs)
        added = [result for _, result in model.added_metrics()]
        outputs = [
            _with(o, tensor=tensor, target=part(o.target), weights=part(o.weights))
            for o, tensor in zip(self._outputs, found)
        ]
        return (*self._total(outputs, inputs), added, found), inputs

    def _train_part(self):
        """(what _measure_part() has first, operation) of one replica."""
        model = self._model
        made, inputs = self._measure_part()
        updates = model.optimizer.get_updates(params=model.compiled_weights(), loss=made[0])
        updates += [*model.get_updates_for(None), *model.get_updates_for(inputs)]
        ops = [u if isinstance(u, Operation) else u.op for u in updates]
        return made, group(*ops)

    def _total(self, outputs, inputs):
        """(the part of the loss that this replica has, the losses that outputs measure)."""
        model, share = self._model, 1.0 / self._count
        parts, measured = [], []
        for output in outputs:
            if output.loss is None:
                continue
            loss = output.total()
            if output.loss_metric is not None:
                measured.append(loss)
            if output.loss.reduction not in (Reduction.SUM, Reduction.NONE):
                loss = loss * share
            parts.append(output.weight * loss)
        more = [*model.get_losses_for(None), *model.get_losses_for(inputs)]
        parts += [loss * share for loss in more]
        return parts[0] if len(parts) == 1 else math.add_n(parts), measured


def _with(output, **changed):
    made = copy.copy(output)
    vars(made).update(changed)
    return made
