# SPDX-License-Identifier: Apache-2.0
"""What makes sessions for training: of the chief, and of other workers."""

from ..scaffold import Scaffold, session_manager_of


class SessionCreator:
    """Makes the sessions of a MonitoredSession."""

    def create_session(self):
        """Makes a session.

        Returns:
            A Session.
        """
        raise NotImplementedError


class ChiefSessionCreator(SessionCreator):
    """Makes sessions that restore the model from a checkpoint, or initialise it.

    Args:
        scaffold: The Scaffold. None: a default one.
        master: "" for this process, or "grpc://host:port" of a task.
        config: A ConfigProto.
        checkpoint_dir: Directory of the checkpoints, a str. None: none.
        checkpoint_filename_with_path: Path of the checkpoint to restore. None: the newest of
            checkpoint_dir.
    """

    def __init__(self, scaffold=None, master="", config=None, checkpoint_dir=None,
                 checkpoint_filename_with_path=None):  # fmt: skip
        self._scaffold = scaffold or Scaffold()
        self._master, self._config = master, config
        self._dir, self._path = checkpoint_dir, checkpoint_filename_with_path
        self._manager = None

    def create_session(self):
        """Makes a session.

        Returns:
            A Session.
        """
        self._scaffold.finalize()
        self._manager = self._manager or session_manager_of(self._scaffold)
        return self._manager.prepare_session(
            self._master, saver=self._scaffold.saver, checkpoint_dir=self._dir,
            checkpoint_filename_with_path=self._path, config=self._config,
            init_op=self._scaffold.init_op, init_feed_dict=self._scaffold.init_feed_dict,
            init_fn=self._scaffold.init_fn,
        )  # fmt: skip


class WorkerSessionCreator(SessionCreator):
    """Makes sessions that wait until the chief has initialised the model.

    Args:
        scaffold: The Scaffold. None: a default one.
        master: "" for this process, or "grpc://host:port" of a task.
        config: A ConfigProto.
        max_wait_secs: The most seconds to wait for the chief, a float.
    """

    def __init__(self, scaffold=None, master="", config=None, max_wait_secs=30 * 60):
        self._scaffold = scaffold or Scaffold()
        self._master, self._config, self._max_wait_secs = master, config, max_wait_secs
        self._manager = None

    def create_session(self):
        """Makes a session.

        Returns:
            A Session.
        """
        self._scaffold.finalize()
        self._manager = self._manager or session_manager_of(self._scaffold)
        return self._manager.wait_for_session(
            self._master, config=self._config, max_wait_secs=self._max_wait_secs
        )
