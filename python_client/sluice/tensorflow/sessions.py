# SPDX-License-Identifier: Apache-2.0
"""Sessions without a target, served by a task of ours beside the program."""

import functools
import os
import threading
import weakref

from .process import before_end
from .servers import config_options, start_task

_local_tasks = {}  # (process, options) -> ServerProcess
_lock = threading.Lock()
_opened = weakref.WeakSet()


def patch(session_lib, server_options):
    """Has sessions of TensorFlow's module that name no target run on our servers.

    Args:
      session_lib: the module tensorflow.python.client.session.
      server_options: a list of options for each sluice-server.
    """
    original = session_lib.BaseSession.__init__

    @functools.wraps(original)
    def initialize(self, target="", graph=None, config=None):
        if not target:
            chosen = session_lib.context.context().config if config is None else config
            if isinstance(chosen, session_lib.config_pb2.ConfigProto):
                target, config = local_task(chosen, server_options), local_config(chosen)
        original(self, target, graph, config)
        _opened.add(self)

    session_lib.BaseSession.__init__ = initialize
    before_end(close_all)


def local_config(config):
    """A ConfigProto for a session that shares its task with others of the process.

    Args:
      config: the ConfigProto that the program gave.

    Returns:
      A copy, with which the session's variables are its own, as those of a local session are. A
      server refuses pools of threads of a session's own; the task has those that were asked for.
    """
    made = type(config)()
    made.CopyFrom(config)
    made.isolate_session_state = True
    made.use_per_session_threads = False
    made.ClearField("session_inter_op_thread_pool")
    return made


def local_task(config, server_options):
    """The target of this process's own task with the devices and threads of a ConfigProto.

    Args:
      config: a ConfigProto.
      server_options: more options of sluice-server.

    Returns:
      "grpc://localhost:port".

    Raises:
      tf.errors.OpError: the server did not start.
    """
    key = (os.getpid(), *config_options(config))
    with _lock:
        if key not in _local_tasks or _local_tasks[key].status is not None:
            _local_tasks[key] = start_task(_local_def(config), server_options)
        return _local_tasks[key].target


def _local_def(config):
    from tensorflow.core.protobuf import tensorflow_server_pb2

    # The name that the devices of a local session have.
    made = tensorflow_server_pb2.ServerDef(job_name="localhost", task_index=0, protocol="grpc")
    made.cluster.job.add(name="localhost").tasks[0] = "localhost:0"
    made.default_session_config.CopyFrom(config)
    return made


def close_all():
    """Closes the sessions that are left: one whose server has gone would wait for it."""
    for session in list(_opened):
        try:
            session.close()
        except Exception:  # whatever the program has done with it
            pass
