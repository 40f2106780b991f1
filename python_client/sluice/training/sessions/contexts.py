# SPDX-License-Identifier: Apache-2.0
"""The worker that runs a function of a program: see distribute_coordinator.py."""

import copy
import threading

from ...messages import ConfigProto
from .creators import ChiefSessionCreator, WorkerSessionCreator

_of_thread = threading.local()


def get_current_worker_context():
    """Returns the WorkerContext of this thread; None: there is none."""
    return getattr(_of_thread, "current", None)


class WorkerContext:
    """The worker that runs a function. Its properties say which task it is.

    Inside of `with` it is the one that get_current_worker_context() returns.

    Args:
        strategy: The Strategy of the worker. None: none.
        cluster_spec: A ClusterSpec. None: there is no cluster.
        task_type: The job of the worker, a str. None: it makes operations of all workers.
        task_id: The number of the worker in its job, an int.
        session_config: A ConfigProto of sessions.
        rpc_layer: What is put in front of the address, "grpc". Empty: nothing.
        worker_barrier: A threading.Barrier of all workers of this process.
    """

    def __init__(self, strategy, cluster_spec, task_type, task_id, session_config=None,
                 rpc_layer="grpc", worker_barrier=None):  # fmt: skip
        self.strategy, self.task_type, self.task_id = strategy, task_type, task_id
        self._cluster, self._config, self._barrier = cluster_spec, session_config, worker_barrier
        jobs = cluster_spec.as_dict() if cluster_spec else {}
        self.num_workers = sum(len(jobs.get(job, ())) for job in ("chief", "worker"))
        self.is_chief = (
            not jobs
            or task_type in ("chief", "evaluator", None)
            or ("chief" not in jobs and (task_type, task_id) == ("worker", 0))
        )
        self.master_target = ""
        if jobs:
            job = task_type or ("chief" if "chief" in jobs else "worker")
            address = cluster_spec.task_address(job, task_id or 0 if task_type else 0)
            self.master_target = f"{rpc_layer}://{address}" if rpc_layer else address

    def __enter__(self):
        if get_current_worker_context() is not None:
            at = f"[cluster_spec: {self._cluster!r}, task_type: {self.task_type!r}, task_id: " \
                 f"{self.task_id!r}]" if self._cluster else "[local]"  # fmt: skip
            raise ValueError(f"You cannot run distribute coordinator in a `worker_fn`.\t{at}")
        _of_thread.current = self
        return self

    def __exit__(self, *_):
        _of_thread.current = None

    def wait_for_other_workers(self):
        """Waits until all workers of this process call it."""
        if self._barrier is not None:
            self._barrier.wait()

    def config_with(self, config=None):
        """Returns a config for sessions.

        Args:
            config: A ConfigProto, to which that of the worker is added. None: that of the worker.

        Returns:
            A ConfigProto.
        """
        if config is None:
            return self._config
        made = ConfigProto()
        made.CopyFrom(config)
        if self._config is not None:
            made.MergeFrom(self._config)
        return made

    def session_creator(self, scaffold=None, config=None, checkpoint_dir=None,
                        checkpoint_filename_with_path=None, max_wait_secs=7200):  # fmt: skip
        """Makes what opens sessions of this worker.

        Args:
            scaffold: A Scaffold. None: a default one.
            config: A ConfigProto, to which that of the worker is added.
            checkpoint_dir: Directory of the checkpoints, a str.
            checkpoint_filename_with_path: Path of a checkpoint, a str.
            max_wait_secs: The most seconds that a worker waits for the chief, a float.

        Returns:
            A SessionCreator: of the chief, if the worker initialises variables.
        """
        config = self.config_with(config)
        if self.strategy is None or self.experimental_should_init:
            return ChiefSessionCreator(
                scaffold, self.master_target, config, checkpoint_dir, checkpoint_filename_with_path
            )
        return WorkerSessionCreator(scaffold, self.master_target, config, max_wait_secs)

    @property
    def session_config(self):
        """A copy of the ConfigProto of sessions; None: none was given."""
        return copy.deepcopy(self._config)

    @property
    def cluster_spec(self):
        """A copy of the ClusterSpec; None: there is no cluster."""
        return copy.deepcopy(self._cluster)

    @property
    def has_barrier(self):
        """Whether wait_for_other_workers() waits. A bool."""
        return self._barrier is not None

    @property
    def distributed_mode(self):
        """Whether the worker trains in a cluster. A bool."""
        return bool(self._cluster) and self.task_type != "evaluator"

    @property
    def experimental_should_init(self):
        """Whether the worker initialises variables. A bool."""
        return self.strategy.extended.experimental_should_init

    @property
    def should_checkpoint(self):
        """Whether the worker writes checkpoints. A bool."""
        return self.strategy.extended.should_checkpoint

    @property
    def should_save_summary(self):
        """Whether the worker writes summaries. A bool."""
        return self.strategy.extended.should_save_summary
