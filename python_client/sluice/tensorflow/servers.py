# SPDX-License-Identifier: Apache-2.0
"""tf.train.Server, served by sluice-server."""

import json
import os
import socket

from .process import ServerProcess, StartError


def patch(server_lib, server_options):
    """Has the Server class of TensorFlow's module start ours.

    Args:
      server_lib: the module tensorflow.python.training.server_lib.
      server_options: a list of options for each sluice-server.
    """

    def initialize(self, server_or_cluster_def, job_name=None, task_index=None, protocol=None,
                   config=None, start=True):  # fmt: skip
        del start  # as there, the server listens when it is made; nothing is left for start()
        self._server_def = server_lib._make_server_def(
            server_or_cluster_def, job_name, task_index, protocol, config
        )
        self._server = start_task(self._server_def, server_options)

    def start(self):
        """Does nothing: the server has listened since it was made."""
        if self._server.status is not None:
            raise _errors().FailedPreconditionError(None, None, _ended(self))

    def join(self):
        """Blocks until stop() was called, or for ever.

        Raises:
          tf.errors.AbortedError: the server's process ended otherwise.
        """
        if not self._server.join():
            raise _errors().AbortedError(None, None, _ended(self))

    def stop(self, grace=1.0):
        """Ends the server (TensorFlow's cannot be ended).

        Args:
          grace: seconds that running calls have to end.
        """
        self._server.stop(grace)

    def target(self):
        """The address that a session connects to: "grpc://localhost:port"."""
        return self._server.target

    server_lib.Server.__init__ = initialize
    for method in (start, join, stop):
        setattr(server_lib.Server, method.__name__, method)
    server_lib.Server.target = property(target)
    # TensorFlow's would look for a server of its own to stop.
    server_lib.Server.__del__ = lambda self: None


def start_task(server_def, server_options):
    """Starts the server of a ServerDef.

    Args:
      server_def: a tf.train.ServerDef.
      server_options: more options of sluice-server, which win.

    Returns:
      A ServerProcess.

    Raises:
      tf.errors.OpError: why it did not start, of the class that TensorFlow has for it.
    """
    if server_def.protocol not in ("", "grpc"):
        text = f'the protocol "{server_def.protocol}" is not there: a Sluice server has "grpc"'
        raise _errors().NotFoundError(None, None, text)
    cluster = {
        job.name: {str(i): address for i, address in job.tasks.items()}
        for job in server_def.cluster.job
    }
    address = _address(cluster, server_def.job_name, server_def.task_index)
    options = [
        "--cluster=" + json.dumps(cluster),
        "--job=" + server_def.job_name,
        f"--task={server_def.task_index}",
        *config_options(server_def.default_session_config),
        *bind_options(address, server_options),
        *server_options,
    ]
    task = f"/job:{server_def.job_name}/task:{server_def.task_index}"
    try:
        return ServerProcess(options)
    except StartError as error:
        errors = _errors()
        kinds = {None: errors.NotFoundError, 2: errors.InvalidArgumentError}
        kind = kinds.get(error.status, errors.UnknownError)
        raise kind(None, None, f"the server of {task} does not start: {error}") from error


def _address(cluster, job, task):
    if job not in cluster:
        text = f'the cluster has no job "{job}", only {sorted(cluster)}'
        raise _errors().InternalError(None, None, text)
    if str(task) not in cluster[job]:
        text = f'job "{job}" of the cluster has no task {task}, only {sorted(cluster[job])}'
        raise _errors().InvalidArgumentError(None, None, text)
    return cluster[job][str(task)]


def config_options(config):
    """The options of sluice-server that do what the fields of a ConfigProto say."""
    made = []
    devices = dict(config.device_count).get("CPU", 1)
    if devices > 1:
        made.append(f"--cpu_devices={devices}")
    for name in ("inter", "intra"):
        threads = getattr(config, name + "_op_parallelism_threads")
        if threads:
            # Below 0: the thread that calls runs the ops, which is one thread.
            made.append(f"--{name}_op_threads={max(1, threads)}")
    return made + gpu_options(config)


def gpu_options(config):
    """The options of sluice-server for the GPUs that a ConfigProto describes."""
    made, gpus = [], config.gpu_options
    if gpus.visible_device_list:
        # TensorFlow runs without GPUs where the machine has none.
        made += [f"--gpus={gpus.visible_device_list}", "--gpus_optional"]
    if gpus.per_process_gpu_memory_fraction:
        made.append(f"--gpu_memory_fraction={gpus.per_process_gpu_memory_fraction}")
    if gpus.allow_growth:
        made.append("--gpu_allow_growth")
    if "GPU" in config.device_count:
        made.append(f"--max_gpus={config.device_count['GPU']}")
    return made


def bind_options(address, server_options):
    """The options by which a server is heard at its address in the cluster.

    A server of ours listens on loopback; TensorFlow's listens on all interfaces. The latter has to
    be asked for.

    Args:
      address: "host:port"; what is none is left to the server to refuse.
      server_options: the options that the user gave.

    Returns:
      A list of options.

    Raises:
      tf.errors.InvalidArgumentError: other machines could not reach the task.
    """
    named = {option.partition("=")[0].replace("-", "_").strip("_") for option in server_options}
    host = address.rpartition(":")[0]
    if not host or "bind" in named or _is_loopback(host):
        return []
    if "insecure" in named:
        return ["--bind=0.0.0.0"]
    text = (
        f'the address "{address}" is not one of this machine alone, and a Sluice server listens on'
        " loopback unless it is told otherwise: `python -m sluice.tensorflow --insecure PROGRAM`"
        " listens on all interfaces without encryption, as TensorFlow's server does; use"
        " localhost where all tasks run on one machine"
    )
    raise _errors().InvalidArgumentError(None, None, text)


def _is_loopback(host):
    """Whether a host is the one that a server without --bind listens on."""
    try:
        found = socket.getaddrinfo(host.strip("[]"), None)
    except OSError:
        return False
    return {entry[4][0] for entry in found} <= {"127.0.0.1", "::1"}


def _ended(server):
    made = server.server_def
    return (
        f"the server of /job:{made.job_name}/task:{made.task_index}, sluice-server, ended with"
        f" status {server._server.status} (program: process {os.getpid()})"
    )


def _errors():
    # Only once TensorFlow is imported: what it reads from the environment may still change.
    from tensorflow.python.framework import errors

    return errors
