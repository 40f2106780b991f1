# SPDX-License-Identifier: Apache-2.0
"""How a session is begun: from a checkpoint, by init operations, or when the chief has done it."""

import time

import numpy as np

from .. import errors, logging
from ..graph.default_graph import get_default_graph
from ..session.session import Session
from .checkpoints.state import get_checkpoint_state


class SessionOpener:
    """Makes sessions whose model is initialised.

    Args:
        local_init_op: Operation that runs in every session. None: none.
        ready_op: A string vector with the names of what is not initialised. None: it is always
            ready.
        ready_for_local_init_op: The same, for local_init_op to run. None: it is always ready.
        graph: The Graph. None: the default graph.
        recovery_wait_secs: Seconds between checks, a float. The first checks come sooner.
        local_init_run_options: RunOptions of local_init_op.
        local_init_feed_dict: A dict: tensor -> value to feed to local_init_op.

    Raises:
        ValueError: ready_for_local_init_op is given without local_init_op.
    """

    def __init__(self, local_init_op=None, ready_op=None, ready_for_local_init_op=None, graph=None,
                 recovery_wait_secs=30, local_init_run_options=None,
                 local_init_feed_dict=None):  # fmt: skip
        if ready_for_local_init_op is not None and local_init_op is None:
            raise ValueError(
                "If you pass a ready_for_local_init_op you must also pass a local_init_op , "
                f"ready_for_local_init_op [{ready_for_local_init_op}]"
            )
        self._local_init_op, self._ready_op = local_init_op, ready_op
        self._ready_for_local = ready_for_local_init_op
        self._graph = graph or get_default_graph()
        self._wait_secs = recovery_wait_secs
        self._options, self._local_feeds = local_init_run_options, local_init_feed_dict

    def prepare_session(self, master, init_op=None, saver=None, checkpoint_dir=None,
                        checkpoint_filename_with_path=None, wait_for_checkpoint=False,
                        max_wait_secs=7200, config=None, init_feed_dict=None,
                        init_fn=None):  # fmt: skip
        """Makes a session and initialises the model: from a checkpoint, else by init_op and
        init_fn.

        Args:
            master: "" for this process, or "grpc://host:port" of a task.
            init_op: Operation that initialises the model. None: none.
            saver: The Saver that restores the model. None: none.
            checkpoint_dir: Directory of the checkpoints, a str. None: none.
            checkpoint_filename_with_path: Path of the checkpoint to restore, a str. None: the
                newest of checkpoint_dir.
            wait_for_checkpoint: Whether to wait until there is a checkpoint. A bool.
            max_wait_secs: The most seconds to wait, a float.
            config: A ConfigProto.
            init_feed_dict: A dict: tensor -> value to feed to init_op.
            init_fn: A function of the session that initialises the model too.

        Returns:
            A Session.

        Raises:
            RuntimeError: The model is not ready afterwards.
            ValueError: Both checkpoint_dir and checkpoint_filename_with_path are given.
        """
        sess, restored = self._restored(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint,
            max_wait_secs, config,
        )  # fmt: skip
        if not restored:
            if init_op is None and not init_fn and self._local_init_op is None:
                raise RuntimeError(
                    "Model is not initialized and no init_op or init_fn or local_init_op was given"
                )
            if init_op is not None:
                sess.run(init_op, feed_dict=init_feed_dict)
            if init_fn:
                init_fn(sess)
        missing = self._local_init(sess)
        if missing:
            raise RuntimeError(
                "Init operations did not make model ready for local_init.  Init op: "
                f"{_named(init_op)}, init fn: {init_fn}, error: {missing}"
            )
        missing = _missing(self._ready_op, sess)
        if missing:
            raise RuntimeError(
                f"Init operations did not make model ready.  Init op: {_named(init_op)}, init fn: "
                f"{init_fn}, local_init_op: {_named(self._local_init_op)}, error: {missing}"
            )
        return sess

    def recover_session(self, master, saver=None, checkpoint_dir=None,
                        checkpoint_filename_with_path=None, wait_for_checkpoint=False,
                        max_wait_secs=7200, config=None):  # fmt: skip
        """Makes a session, and restores the model if there is a checkpoint.

        Args:
            master: "" for this process, or "grpc://host:port" of a task.
            saver: The Saver that restores the model. None: none.
            checkpoint_dir: Directory of the checkpoints, a str. None: none.
            checkpoint_filename_with_path: Path of the checkpoint to restore, a str. None: the
                newest of checkpoint_dir.
            wait_for_checkpoint: Whether to wait until there is a checkpoint. A bool.
            max_wait_secs: The most seconds to wait, a float.
            config: A ConfigProto.

        Returns:
            A tuple: the Session, and whether it is ready.
        """
        sess, restored = self._restored(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint,
            max_wait_secs, config,
        )  # fmt: skip
        missing = self._local_init(sess)
        if not restored:
            return sess, False
        return sess, not missing and not _missing(self._ready_op, sess)

    def wait_for_session(self, master, config=None, max_wait_secs=float("inf")):
        """Makes a session when another task has initialised the model.

        Args:
            master: "" for this process, or "grpc://host:port" of a task.
            config: A ConfigProto.
            max_wait_secs: The most seconds to wait, a float.

        Returns:
            A Session.

        Raises:
            errors.DeadlineExceededError: It took longer than max_wait_secs.
        """
        deadline = time.monotonic() + (float("inf") if max_wait_secs is None else max_wait_secs)
        for seconds in self._waits():
            sess = Session(master, graph=self._graph, config=config)
            missing = self._local_init(sess) or _missing(self._ready_op, sess)
            if not missing:
                return sess
            logging.info("Waiting for model to be ready: %s", missing)
            sess.close()
            if time.monotonic() + seconds > deadline:
                raise errors.DeadlineExceededError(
                    f"Session was not ready after waiting {max_wait_secs} secs.: {missing}"
                )
            time.sleep(seconds)

    def _waits(self):
        """The seconds between checks. Often the chief needs only a moment more."""
        seconds = min(0.25, self._wait_secs)
        while True:
            yield seconds
            seconds = min(2 * seconds, self._wait_secs)

    def _restored(self, master, saver, folder, path, wait, max_wait_secs, config):
        if folder and path:
            raise ValueError(
                "Can not provide both checkpoint_dir and checkpoint_filename_with_path."
            )
        sess = Session(master, graph=self._graph, config=config)
        if saver is None or not (folder or path):
            return sess, False
        if path:
            saver.restore(sess, path)
            return sess, True
        deadline = time.monotonic() + max_wait_secs
        state = get_checkpoint_state(folder)
        while state is None:
            if not wait or time.monotonic() >= deadline:
                return sess, False
            time.sleep(self._wait_secs)
            state = get_checkpoint_state(folder)
        saver.restore(sess, state.model_checkpoint_path)
        saver.recover_last_checkpoints(state.all_model_checkpoint_paths)
        return sess, True

    def _local_init(self, sess):
        """Runs local_init_op where the session is ready for it; else what is missing."""
        if self._local_init_op is None:
            return None
        missing = _missing(self._ready_for_local, sess)
        if not missing:
            sess.run(self._local_init_op, feed_dict=self._local_feeds, options=self._options)
        return missing


def _missing(ready_op, sess):
    """The parts that the model lacks, as text; None: nothing."""
    if ready_op is None:
        return None
    try:
        value = sess.run(ready_op)
    except errors.FailedPreconditionError as e:
        if "uninitialized" not in str(e).lower():
            raise
        return str(e)
    if value is None or value.dtype == np.int32 or value.size == 0:
        return None
    names = ", ".join(n.decode() for n in np.ravel(value))
    return f"Variables not initialized: {names}"


def _named(op):
    return getattr(op, "name", op)


SessionManager = SessionOpener  # its name in 1.x
