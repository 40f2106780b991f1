# SPDX-License-Identifier: Apache-2.0
"""Runs a function for each worker of a cluster, in threads of this process or as one of its tasks.

A function finds the worker that runs it by get_current_worker_context().
"""

import copy
import json
import os
import threading

from ... import logging
from ...messages import ConfigProto
from ...session.cluster import Server
from ..coordinator import Coordinator
from .contexts import WorkerContext
from .tasks import normalize_cluster_spec

_of_thread = threading.local()


class CoordinatorMode:
    """Who calls the functions: a client of all tasks, or each task itself."""

    STANDALONE_CLIENT = "standalone_client"
    INDEPENDENT_WORKER = "independent_worker"


def run_standard_tensorflow_server(session_config=None):
    """Starts the server of the task that TF_CONFIG names.

    Args:
        session_config: A ConfigProto of the server, which changes. None: a new one.

    Returns:
        A Server.

    Raises:
        ValueError: TF_CONFIG lacks a part.
    """
    environment = json.loads(os.environ.get("TF_CONFIG") or "{}")
    if "cluster" not in environment:
        raise ValueError('"cluster" is not found in TF_CONFIG.')
    cluster = normalize_cluster_spec(environment["cluster"])
    if "task" not in environment:
        raise ValueError('"task" is not found in TF_CONFIG.')
    task = environment["task"]
    if "type" not in task:
        raise ValueError('"task_type" is not found in the `task` part of TF_CONFIG.')
    config = session_config or ConfigProto()
    if "chief" not in cluster.jobs and "worker" not in cluster.jobs:
        raise ValueError("You must have `chief` or `worker` jobs in the `cluster_spec`.")
    leader = "chief" if "chief" in cluster.jobs else "worker"
    config.experimental.collective_group_leader = f"/job:{leader}/replica:0/task:0"
    number = int(task.get("index", 0))
    return run_server(cluster, task["type"], number, config, environment.get("rpc_layer", "grpc"))


def run_server(cluster_spec=None, task_type=None, task_id=None, session_config=None,
               rpc_layer=None, environment=None):  # fmt: skip
    """Starts the server of a task; a thread starts one server, and gets it again.

    Args:
        cluster_spec: The ClusterSpec.
        task_type: The job of the task, a str.
        task_id: Its number, an int.
        session_config: A ConfigProto of the server.
        rpc_layer: The protocol, "grpc".
        environment: Accepted. It has no effect.

    Returns:
        A Server.

    Raises:
        AssertionError: The thread has started the server of another task.
    """
    del environment
    asked = cluster_spec, task_type, task_id, repr(session_config), rpc_layer
    started = getattr(_of_thread, "server", None)
    if started is not None:
        assert started[0] == asked, f"this thread runs the server of {started[0][1:3]}"
        return started[1]
    cluster = _cluster_of(cluster_spec, task_type)
    server = Server(cluster, task_type, task_id, protocol=rpc_layer, config=session_config)
    _of_thread.server = asked, server
    return server


def _cluster_of(cluster, job):
    """The tasks that a task talks to: an evaluator has a cluster of its own."""
    tasks = normalize_cluster_spec(cluster).as_dict()
    evaluators = tasks.pop("evaluator", None)
    return normalize_cluster_spec({job: evaluators} if job == "evaluator" else tasks)


class _Run:
    """The functions of a program and their strategies.

    Args:
        worker_fn: A function of a Strategy.
        strategy: The Strategy that workers get copies of.
        eval_fn: The function of an evaluator.
        eval_strategy: Its Strategy, or None.
        cluster: The ClusterSpec.
        config: A ConfigProto of sessions.
        rpc_layer: What is put in front of addresses.
    """

    def __init__(self, worker_fn, strategy, eval_fn, eval_strategy, cluster, config, rpc_layer):
        self.train, self.evaluate = (worker_fn, strategy), (eval_fn, eval_strategy)
        self.cluster, self.config, self.rpc_layer = cluster, config, rpc_layer

    def _given(self, job):
        return self.evaluate if job == "evaluator" else self.train

    def call(self, job=None, number=None, barrier=None, evaluates=False):
        """Calls the function of a task, and returns what it returned."""
        function, strategy = self.evaluate if evaluates else self._given(job)
        config, cluster = copy.deepcopy(self.config), self.cluster or None
        own = None if strategy is None else strategy.copied()
        if job == "evaluator":
            if own is not None:
                own.configure(config)
        else:
            assert own is not None, f"{function!r} needs a strategy"
            own.configure(config, cluster, job, number)
        with WorkerContext(own, cluster, job, number, config, self.rpc_layer, barrier):
            return function(own)

    def configure_server(self, job, number):
        """Lets the strategy of a task change the config."""
        if job == "evaluator":
            if self.evaluate[1] is not None:
                self.evaluate[1].configure(self.config)
        else:
            self.train[1].copied().configure(self.config, self.cluster, job, number)
        del self.config.device_filters[:]  # the server may serve other strategies, too

    def in_threads(self, coordinator):
        """Calls the function of each worker in a thread of its own."""
        tasks = self.cluster.as_dict()
        workers = [(j, n) for j in ("chief", "worker") for n in range(len(tasks.get(j, ())))]
        barrier = threading.Barrier(len(workers))
        threads = self.evaluator_thread(coordinator)
        threads += [_thread(coordinator, self.call, *task, barrier) for task in workers]
        coordinator.join(threads)

    def evaluator_thread(self, coordinator):
        """A list of the thread of the evaluator; empty without one."""
        if "evaluator" not in self.cluster.jobs:
            return []
        return [_thread(coordinator, self.call, "evaluator", 0)]


def _thread(coordinator, function, *args):
    def run():
        with coordinator.stop_on_exception():
            function(*args)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def run_distribute_coordinator(
    worker_fn, strategy, eval_fn=None, eval_strategy=None, mode=CoordinatorMode.STANDALONE_CLIENT,
    cluster_spec=None, task_type=None, task_id=None, session_config=None, rpc_layer="grpc",
):  # fmt: skip
    """Calls a function for the workers of a cluster.

    Without a cluster it is called once, then eval_fn. A standalone client calls it in a thread for
    each worker, or once if the strategy builds one graph for all. Its servers must run. As an
    independent worker the process is one task: it starts its server, and calls the function of the
    task, or serves.

    Args:
        worker_fn: A function of a Strategy.
        strategy: The Strategy that each worker gets a configured copy of.
        eval_fn: The function of the job "evaluator". None: worker_fn.
        eval_strategy: The Strategy of the job "evaluator". None: none.
        mode: A constant of CoordinatorMode.
        cluster_spec: A ClusterSpec, a ClusterDef or a dict. None: that of TF_CONFIG.
        task_type: The job of this task, a str. None: a client.
        task_id: Its number, an int.
        session_config: A ConfigProto. None: one with soft placement.
        rpc_layer: What is put in front of addresses.

    Returns:
        What worker_fn returned; None where threads called it, and without a cluster.

    Raises:
        ValueError: mode, the cluster or the task is unknown.
    """
    environment = json.loads(os.environ.get("TF_CONFIG") or "{}")
    if not cluster_spec:
        cluster_spec = environment.get("cluster", {})
        task = environment.get("task", {})
        if task:
            task_type, task_id = task.get("type", task_type), int(task.get("index", task_id))
    cluster = normalize_cluster_spec(cluster_spec) if cluster_spec else None
    rpc_layer = environment.get("rpc_layer", rpc_layer)
    config = session_config or ConfigProto(allow_soft_placement=True)
    if cluster:
        logging.info(
            "Running Distribute Coordinator with mode = %r, cluster_spec = %r, task_type = %r, "
            "task_id = %r, rpc_layer = %r",
            mode, cluster.as_dict(), task_type, task_id, rpc_layer,
        )  # fmt: skip
    else:
        logging.info("Running local Distribute Coordinator.")
    run = _Run(
        worker_fn, strategy, eval_fn or (cluster and worker_fn), eval_strategy, cluster, config,
        rpc_layer,
    )  # fmt: skip
    if not cluster:
        run.call()
        if eval_fn:
            run.call(evaluates=True)
        else:
            logging.warning("Skipped evaluation since `eval_fn` is not passed in.")
        return None
    if mode == CoordinatorMode.STANDALONE_CLIENT:
        return _as_client(run, task_type, task_id)
    if mode != CoordinatorMode.INDEPENDENT_WORKER:
        raise ValueError(f"Unexpected coordinator mode: {mode!r}")
    return _as_task(run, task_type, task_id)


def _as_client(run, job, number):
    if job not in ("client", None):
        run.configure_server(job, number)
        return run_server(run.cluster, job, number, run.config, run.rpc_layer).join()
    coordinator = Coordinator()
    if run.train[1].extended.experimental_between_graph:
        return run.in_threads(coordinator)
    threads = run.evaluator_thread(coordinator)
    result = run.call()
    if threads:
        coordinator.join(threads)
    return result


def _as_task(run, job, number):
    run.configure_server(job, number)
    server = run_server(run.cluster, job, number, run.config, run.rpc_layer)
    if job == "evaluator":
        return run.call(job, number)
    if job in ("chief", "worker"):
        if run.train[1].extended.experimental_between_graph:
            return run.call(job, number)
        if WorkerContext(run.train[1], run.cluster, job, number).is_chief:
            return run.call()
    elif job != "ps":
        raise ValueError(f"Unexpected task_type: {job!r}")
    return server.join()
