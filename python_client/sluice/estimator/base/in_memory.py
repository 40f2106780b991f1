# SPDX-License-Identifier: Apache-2.0
"""Evaluations within a training, with the variables that it has, without checkpoints."""

from ...graph.convert import placeholder
from ...graph.default_graph import get_default_graph
from ...graph.graph import Graph
from ...graph.keys import GraphKeys
from ...ops.control_flow.grouping import group
from ...ops.state.updates import assign
from ...training.basic_hooks import SecondOrStepTimer
from ...training.scaffold import Scaffold
from ...training.session_hooks import SessionRunHook
from .arguments import checked_hooks


class InMemoryEvaluatorHook(SessionRunHook):
    """Evaluates an estimator at the start of its training, at intervals, and at the end.

    Args:
        estimator: The Estimator. It trains in one process.
        input_fn: The input function: see Estimator.evaluate().
        steps: How many steps an evaluation has, an int. None: until the input ends.
        hooks: SessionRunHooks of the evaluations, a list.
        name: Name of the evaluation, a str. None: none.
        every_n_iter: Steps of the training between evaluations, an int.

    Raises:
        ValueError: every_n_iter is not above 0, or the training has several tasks.
    """

    def __init__(self, estimator, input_fn, steps=None, hooks=None, name=None, every_n_iter=100):
        if every_n_iter is None or every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        config = estimator.config
        if config.num_ps_replicas > 0 or config.num_worker_replicas > 1:
            raise ValueError("InMemoryEvaluator supports only single machine (aka Local) setting.")
        self._estimator, self._input_fn = estimator, input_fn
        self._folder = estimator.eval_dir(name)
        self._hooks = checked_hooks(hooks)
        self._hooks += estimator._convert_eval_steps_to_hooks(steps)
        self._timer = SecondOrStepTimer(every_steps=every_n_iter)

    def begin(self):
        """Makes the graph of the evaluations."""
        self._timer.reset()
        self._count, self._graph = 0, Graph()
        with self._graph.as_default():
            self._evaluation = self._estimator._evaluate_build_graph(
                self._input_fn, self._hooks, None
            )
            scaffold = self._evaluation[0]
            if scaffold.saver is not None or scaffold.init_fn is not None:
                raise ValueError("InMemoryEvaluator does not support custom saver or init_fn")
            variables = self._graph.get_collection(GraphKeys.GLOBAL_VARIABLES)
            self._fed = {v.name: placeholder(v.dtype) for v in variables}
            self._assigns = {v.name: assign(v, self._fed[v.name]) for v in variables}

    def after_create_session(self, session, coord):
        """Evaluates what the training begins with.

        Args:
            session: The session.
            coord: The Coordinator.
        """
        graph = get_default_graph()
        if graph.get_collection(GraphKeys.SAVEABLE_OBJECTS):
            raise ValueError("InMemoryEvaluator evaluates models of global variables only")
        trained = graph.get_collection(GraphKeys.GLOBAL_VARIABLES)
        self._trained = {v.name: v for v in trained if v.name in self._fed}
        with self._graph.as_default():
            self._take_over = group(*(self._assigns[name] for name in self._trained))
        self._evaluate(session)

    def after_run(self, run_context, run_values):
        """Evaluates if it is due.

        Args:
            run_context: The SessionRunContext of the run.
            run_values: The SessionRunValues of the run.
        """
        self._count += 1
        if self._timer.should_trigger_for_step(self._count):
            self._evaluate(run_context.session)

    def end(self, session):
        """Evaluates the result.

        Args:
            session: The session.
        """
        self._evaluate(session)

    def _evaluate(self, session):
        values = session.run(self._trained)
        feeds = {self._fed[name]: value for name, value in values.items()}
        scaffold, update, metrics, hooks = self._evaluation
        scaffold = Scaffold(
            init_fn=lambda _, evaluation: evaluation.run(self._take_over, feeds),
            copy_from_scaffold=scaffold,
        )
        with self._graph.as_default():
            self._estimator._evaluate_run(None, scaffold, update, metrics, hooks, self._folder)
        self._timer.update_last_triggered_step(self._count)
