# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of the positions of iterators."""

import os

from ..data.saving import SavedIterator
from ..graph.default_graph import get_collection
from .basic_hooks import SecondOrStepTimer
from .checkpoints.state import latest_checkpoint
from .global_step import global_step_read
from .saver import Saver
from .session_hooks import SessionRunArgs, SessionRunHook


class CheckpointInputPipelineHook(SessionRunHook):
    """Writes the positions of all iterators of the graph to checkpoints of their own. A training
    that is started again goes on with the element that would have come next.

    The checkpoints are in the folder of the model, at the times of those of the model: "input.ckpt"
    of one worker, "input_<task>_<index>.ckpt" of several. The file "checkpoint_input" names them.

    Args:
        estimator: The Estimator that trains.

    Example:
        >>> hook = sl.data.experimental.CheckpointInputPipelineHook(estimator)  # doctest: +SKIP
        >>> estimator.train(input_fn, hooks=[hook], steps=100)  # doctest: +SKIP
    """

    def __init__(self, estimator):
        config, prefix = estimator.config, "input"
        if config.num_worker_replicas > 1:
            prefix += f"_{config.task_type}_{config.task_id}"
        self._folder, self._list = estimator.model_dir, f"checkpoint_{prefix}"
        self._path = os.path.join(self._folder, f"{prefix}.ckpt")
        self._timer = SecondOrStepTimer(config.save_checkpoints_secs, config.save_checkpoints_steps)
        self._started = False

    def begin(self):
        self._step = global_step_read()
        if self._step is None:
            raise RuntimeError("Global step should be created to use CheckpointInputPipelineHook.")
        self._saver = Saver([SavedIterator(one) for one in get_collection("iterators")])

    def before_run(self, run_context):
        # Not in after_create_session(): there other hooks may not have initialised the iterators.
        if not self._started:
            self._started = True
            self._restore_or_save(run_context.session)
        return SessionRunArgs(self._step)

    def after_run(self, run_context, run_values):
        # The value of this run may have been read before the step was counted.
        if self._timer.should_trigger_for_step(run_values.results + 1):
            step = run_context.session.run(self._step)
            if self._timer.should_trigger_for_step(step):
                self._save(run_context.session, step)

    def end(self, session):
        step = session.run(self._step)
        if step != self._timer.last_triggered_step():
            self._save(session, step)

    def _restore_or_save(self, session):
        path = latest_checkpoint(self._folder, self._list)
        if path:
            self._saver.restore(session, path)
        else:
            self._save(session, session.run(self._step))

    def _save(self, session, step):
        self._timer.update_last_triggered_step(step)
        self._saver.save(session, self._path, int(step), self._list)
