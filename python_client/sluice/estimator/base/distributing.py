# SPDX-License-Identifier: Apache-2.0
"""Training and evaluation of an estimator's model by all replicas of a strategy.

The model function is called for each replica, with a batch of its own.
"""

from ...graph.default_graph import get_default_graph
from ...graph.state import state_of
from ...ops.control_flow.grouping import group
from ...strategies.reductions import ReduceOp
from ...strategies.strategy import loss_reduction
from ...strategies.values import PerReplica
from ...training.global_step import create_global_step, global_step_read
from ...training.metrics import mean
from ...training.scaffold import Scaffold
from ...training.session_hooks import SessionRunHook
from .modes import ModeKeys
from .spec import EstimatorSpec, checked_metrics


class _StartInput(SessionRunHook):
    """Starts the input of the replicas in each session."""

    def __init__(self, iterator):
        self._initializer = iterator.initialize()

    def after_create_session(self, session, coord):
        """Starts it."""
        session.run(self._initializer)


class _Made:
    """What a replica made. It is one value: regroup() does not look into it."""

    def __init__(self, spec):
        self.spec = spec


def trained(strategy, call_input_fn, call_model_fn, seed):
    """Makes the graph of a training: call it in the strategy's scope.

    Args:
        strategy: The Strategy.
        call_input_fn: The input function, as a function of the mode and of an InputContext.
        call_model_fn: The model function, as a function of features, labels and mode.
        seed: The seed of the graph, an int or None.

    Returns:
        (an EstimatorSpec of all replicas together, hooks of the input).
    """
    graph = get_default_graph()
    graph.seed = seed
    iterator, hooks = _input(strategy, call_input_fn, ModeKeys.TRAIN)
    create_global_step(graph)
    global_step_read(graph)
    specs = _specs(strategy, iterator, call_model_fn, ModeKeys.TRAIN)
    op = loss_reduction(strategy) if state_of(graph).is_loss_scaled else ReduceOp.SUM
    loss = strategy.reduce(op, _joined([s.loss for s in specs]), axis=None)
    train_op = strategy.group(_joined([s.train_op for s in specs]))
    first = specs[0]
    spec = EstimatorSpec(
        ModeKeys.TRAIN, loss=loss, train_op=train_op, training_hooks=first.training_hooks,
        training_chief_hooks=first.training_chief_hooks, scaffold=_scaffold(specs),
    )  # fmt: skip
    return spec, hooks


def measured(strategy, call_input_fn, call_model_fn):
    """Makes the graph of an evaluation: call it in the strategy's scope.

    Args:
        strategy: The Strategy.
        call_input_fn: As of trained().
        call_model_fn: As of trained().

    Returns:
        (a Scaffold, hooks, the metrics: a dict, name -> pair of value and update).
    """
    iterator, hooks = _input(strategy, call_input_fn, ModeKeys.EVAL)
    specs = _specs(strategy, iterator, call_model_fn, ModeKeys.EVAL)
    metrics = checked_metrics(specs[0])
    for key, (value, _) in metrics.items():
        updates = [u for s in specs for u in _flat(s.eval_metric_ops[key][1])]
        metrics[key] = value, group(*updates)
    losses = _joined([s.loss for s in specs])
    value, update = strategy.extended.call_for_each_replica(mean, args=(losses,))
    metrics["loss"] = strategy.experimental_local_results(value)[0], strategy.group(update)
    return _scaffold(specs), [*hooks, *specs[0].evaluation_hooks], metrics


def _flat(update):
    return list(update) if isinstance(update, (list, tuple)) else [update]


def _joined(parts):
    return parts[0] if len(parts) == 1 else PerReplica(parts)


def _input(strategy, call_input_fn, mode):
    iterator = strategy.make_input_fn_iterator(lambda context: call_input_fn(mode, context))
    return iterator, [_StartInput(iterator)]


def _specs(strategy, iterator, call_model_fn, mode):
    """The EstimatorSpec of each replica."""
    element, labels = iterator.get_next(), None
    if isinstance(element, (list, tuple)):
        if len(element) != 2:
            raise ValueError("input_fn should return (features, labels) as a len 2 tuple.")
        element, labels = element

    def of_replica(features, labels):
        return _Made(call_model_fn(features, labels, mode))

    made = strategy.extended.call_for_each_replica(of_replica, args=(element, labels))
    return [m.spec for m in strategy.experimental_local_results(made)]


def _scaffold(specs):
    """The parts that replicas gave: operations together, of other parts those of the first."""
    scaffolds = [s.scaffold for s in specs]

    def first(key):
        given = [getattr(s, key) for s in scaffolds if getattr(s, key) is not None]
        return given[0] if given else None

    def together(key):
        given = [getattr(s, key) for s in scaffolds if getattr(s, key) is not None]
        return group(*given) if given else None

    with_function = [s for s in scaffolds if s.init_fn is not None] or scaffolds
    return Scaffold(
        together("init_op"), first("init_feed_dict"), None, first("ready_op"),
        first("ready_for_local_init_op"), together("local_init_op"), first("summary_op"),
        first("saver"), with_function[0], first("local_init_feed_dict"),
    )  # fmt: skip
