# SPDX-License-Identifier: Apache-2.0
"""Synchronous training: replicas' gradients are averaged before they are applied."""

import threading

from .. import dtypes
from ..graph.convert import constant
from ..graph.default_graph import (
    colocate_with,
    control_dependencies,
    device,
    get_default_graph,
    name_scope,
)
from ..graph.elements import IndexedSlices
from ..graph.keys import GraphKeys
from ..ops import array as arrays
from ..ops.control_flow.grouping import group, no_op
from ..ops.data_flow import accumulators
from ..ops.data_flow.queues import FIFOQueue
from ..ops.state.initializing import report_uninitialized_variables
from ..ops.state.variables import Variable
from .optimizer import Optimizer
from .queue_runner import QueueRunner
from .session_hooks import SessionRunHook

_LAST_UPDATE_SECS = 5  # that an update may take after training has stopped


class SyncReplicasOptimizer(Optimizer):
    """Averages the gradients of several replicas, and lets another optimizer apply the mean once
    for each step.

    Gradients of past steps are dropped. Replicas wait for tokens with the number of the step, which
    the chief's queue runner hands out.

    Args:
        opt: The optimizer that applies the mean.
        replicas_to_aggregate: How many gradients a step takes, an int.
        total_num_replicas: How many replicas there are, an int. None: as many.
        variable_averages: An ExponentialMovingAverage that is updated with every step. None: none.
        variables_to_average: Its variables, a list.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operations, a str.
    """

    def __init__(self, opt, replicas_to_aggregate, total_num_replicas=None, variable_averages=None,
                 variables_to_average=None, use_locking=False, name="sync_replicas"):  # fmt: skip
        super().__init__(use_locking, name)
        self._opt, self._replicas = opt, replicas_to_aggregate
        self._total = replicas_to_aggregate if total_num_replicas is None else total_num_replicas
        self._tokens_per_step = max(self._total, replicas_to_aggregate)
        self._averages, self._averaged = variable_averages, variables_to_average
        self._applied = False
        self._chief_runner = None
        self._accumulators = []

    def compute_gradients(self, *args, **kwargs):
        """Computes gradients as the other optimizer does.

        Args:
            *args: Arguments of its compute_gradients().
            **kwargs: Arguments of its compute_gradients() by name.

        Returns:
            A list of pairs (gradient, variable).
        """
        return self._opt.compute_gradients(*args, **kwargs)

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """Adds an operation that hands in gradients, and waits until the step is over.

        Args:
            grads_and_vars: A list of pairs (gradient, variable). A gradient that is None is left
                out.
            global_step: The variable that counts steps.
            name: Name of the operation, a str. None: a default name.

        Returns:
            The Operation.

        Raises:
            ValueError: There are no gradients, or no global_step.
        """
        grads_and_vars = list(grads_and_vars)
        if not grads_and_vars:
            raise ValueError("no gradients and variables were given")
        if global_step is None:
            raise ValueError("global_step must be given: it tells the steps apart")
        graph = get_default_graph()
        self._global_step = global_step
        self._make_local_step(graph, global_step)
        with name_scope(None, self._name):
            applied, means = [], []
            for grad, var in grads_and_vars:
                if grad is None:
                    means.append((None, var))
                    continue
                with device(var.device):
                    applied_one, mean = self._accumulate(grad, var)
                applied.append(applied_one)
                means.append((mean, var))
            train_op, sync_op = self._steps(applied, means, global_step, name)
        self._chief_runner = _ChiefRunner(self._dummy, [sync_op])
        graph.add_to_collection("ready_for_local_init_op", self._ready)
        collected = graph.get_collection_ref(GraphKeys.TRAIN_OP)
        if train_op not in collected:
            collected.append(train_op)
        self._applied = True
        return train_op

    def _make_local_step(self, graph, global_step):
        with control_dependencies(None):
            beside = no_op()
            with colocate_with(beside, ignore_existing=True):
                zero = constant(0, global_step.dtype)
                self._local_step = Variable(
                    zero, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES],
                    name="sync_rep_local_step",
                )  # fmt: skip
            self.local_step_init_op = self._local_step.assign(global_step).op
            self._ready = report_uninitialized_variables(
                graph.get_collection(GraphKeys.GLOBAL_VARIABLES)
            )
        self.ready_for_local_init_op = self._ready
        self.chief_init_op = self.local_step_init_op  # and the accumulators', below

    def _accumulate(self, grad, var):
        """(an operation that hands the gradient in, the mean of all)."""
        step = self._local_step.value()
        name = var.op.name + "/grad_accum"
        if isinstance(grad, IndexedSlices):
            sums = accumulators.SparseConditionalAccumulator(grad.dtype, [], shared_name=name)
            self._accumulators.append((sums, var.device))
            applied = sums.apply_indexed_slices_grad(grad, step)
            return applied, sums.take_indexed_slices_grad(self._replicas)
        sums = accumulators.ConditionalAccumulator(grad.dtype, var.shape, shared_name=name)
        self._accumulators.append((sums, var.device))
        return sums.apply_grad(grad, step), sums.take_grad(self._replicas)

    def _steps(self, applied, means, global_step, name):
        """(the operation of a replica's step, that of the chief's queue runner)."""
        with device(global_step.device), name_scope(""):
            update = self._opt.apply_gradients(means, global_step)
            queue = FIFOQueue(
                -1, [global_step.dtype], shapes=[[]], shared_name="sync_token_q",
                name="sync_token_q",
            )  # fmt: skip
            self._tokens = queue
            self._dummy = FIFOQueue(
                1, [dtypes.int32], shapes=[[]], name="dummy_queue", shared_name="dummy_queue"
            )
        with device(global_step.device):
            with control_dependencies(applied):
                token = queue.dequeue()
            train_op = self._local_step.assign(token, name=name, read_value=False)
            with control_dependencies([update]):
                tokens = arrays.fill([self._tokens_per_step], global_step.read_value())
                sync_op = queue.enqueue_many([tokens])
            if self._averages is not None:
                with control_dependencies([sync_op]), name_scope(""):
                    sync_op = self._averages.apply(self._averaged)
        inits = [self.local_step_init_op]
        for sums, on in self._accumulators:
            with device(on):
                inits.append(sums.set_global_step(global_step.value(), name="SetGlobalStep"))
        self.chief_init_op = group(*inits)
        return train_op, sync_op

    def _check_applied(self):
        if not self._applied:
            raise ValueError("Should be called after apply_gradients().")

    def get_chief_queue_runner(self):
        """Returns what the chief must run: it applies means and hands out tokens.

        Returns:
            A QueueRunner.

        Raises:
            ValueError: apply_gradients() was not called.
        """
        self._check_applied()
        return self._chief_runner

    def get_init_tokens_op(self, num_tokens=-1):
        """Adds an operation with which the chief hands out the first tokens.

        Args:
            num_tokens: How many, an int; -1: one for each replica of a step.

        Returns:
            The Operation.

        Raises:
            ValueError: The tokens are too few, or apply_gradients() was not called.
        """
        self._check_applied()
        needed = self._replicas - self._total
        num_tokens = self._replicas if num_tokens == -1 else num_tokens
        if num_tokens < needed:
            raise ValueError(f"at least {needed} tokens must be there to begin, not {num_tokens}")
        if num_tokens == 0:
            return no_op(name="no_init_tokens")
        with device(self._global_step.device), name_scope(""):
            tokens = arrays.fill([num_tokens], self._global_step.value())
            return self._tokens.enqueue_many([tokens])

    def get_slot(self, var, name):
        """Returns a variable that the other optimizer keeps.

        Args:
            var: The variable it belongs to.
            name: Name of the slot, a str.

        Returns:
            The variable; None if there is none.
        """
        return self._opt.get_slot(var, name)

    def get_slot_names(self):
        """Returns the names of the other optimizer's slots.

        Returns:
            A list of str.
        """
        return self._opt.get_slot_names()

    def variables(self):
        """Returns the variables that the other optimizer keeps.

        Returns:
            A list of variables.
        """
        return self._opt.variables()

    def make_session_run_hook(self, is_chief, num_tokens=-1):
        """Makes a hook that initialises, and on the chief runs the queue runner.

        Args:
            is_chief: Whether this task is the chief. A bool.
            num_tokens: As of get_init_tokens_op().

        Returns:
            A SessionRunHook.
        """
        return _SyncReplicasHook(self, is_chief, num_tokens)


class _ChiefRunner(QueueRunner):
    """Applies means and hands out tokens.

    At the end of training it often waits for gradients that never come. The coordinator gives it a
    moment to complete an update; then the end of the session ends it.
    """

    def create_threads(self, sess, coord=None, daemon=False, start=False):
        threads = super().create_threads(sess, coord, daemon, start)
        if coord is not None and threads:
            waits = threading.Thread(target=_join_after_stop, args=(coord, threads[0]), daemon=True)
            coord.register_thread(waits)
            waits.start()
        return threads

    def _is_awaited(self, thread):
        return False


def _join_after_stop(coord, thread):
    coord.wait_for_stop()
    thread.join(_LAST_UPDATE_SECS)


class _SyncReplicasHook(SessionRunHook):
    def __init__(self, optimizer, is_chief, num_tokens):
        self._optimizer, self._is_chief, self._num_tokens = optimizer, is_chief, num_tokens

    def begin(self):
        if not self._optimizer._applied:
            raise ValueError("apply_gradients() must be called before the session is made")
        self._runner = None
        if self._is_chief:
            self._init = self._optimizer.chief_init_op
            self._tokens = self._optimizer.get_init_tokens_op(self._num_tokens)
            self._runner = self._optimizer.get_chief_queue_runner()
        else:
            self._init = self._optimizer.local_step_init_op

    def after_create_session(self, session, coord):
        session.run(self._init)
        if self._is_chief:
            session.run(self._tokens)
            self._runner.create_threads(session, coord=coord, daemon=True, start=True)
