"""Clusters, the servers that are their tasks, and where variables go."""

import json
import weakref

from . import _sluice
from .device_spec import DeviceSpec, merge


class ClusterSpec:
    """The tasks of a cluster: job -> list of "host:port", or dict of task index -> "host:port"."""

    def __init__(self, cluster):
        if isinstance(cluster, ClusterSpec):
            cluster = cluster._jobs
        self._jobs = {}
        for job, tasks in cluster.items():
            pairs = tasks.items() if isinstance(tasks, dict) else enumerate(tasks)
            self._jobs[job] = {int(i): address for i, address in pairs}

    @property
    def jobs(self):
        return sorted(self._jobs)

    def as_dict(self):
        return {
            job: [t[i] for i in sorted(t)] if sorted(t) == list(range(len(t))) else dict(t)
            for job, t in self._jobs.items()
        }

    def _tasks(self, job):
        if job not in self._jobs:
            raise ValueError(f'the cluster has no job "{job}", only {self.jobs}')
        return self._jobs[job]

    def num_tasks(self, job):
        return len(self._tasks(job))

    def task_indices(self, job):
        return sorted(self._tasks(job))

    def task_address(self, job, index):
        return self._tasks(job)[index]

    def job_tasks(self, job):
        tasks = self._tasks(job)
        return [tasks.get(i) for i in range(max(tasks, default=-1) + 1)]

    def __bool__(self):
        return bool(self._jobs)

    def __eq__(self, other):
        return isinstance(other, ClusterSpec) and self._jobs == other._jobs


_servers = weakref.WeakValueDictionary()  # target -> the Server of this process


def server_of(target):
    """The core of this process's Server with that target, or None."""
    server = _servers.get(target)
    return server._core if server is not None else None


class Server:
    """One task of a cluster in this process; listens on loopback when it is made. Port 0 takes a
    free one.

    Raises errors.UnavailableError when the address cannot be bound.
    """

    def __init__(self, server_or_cluster_def, job_name=None, task_index=None, config=None,
                 bind_host="", insecure=False):  # fmt: skip
        cluster = ClusterSpec(server_or_cluster_def)
        if job_name is None:
            if len(cluster.jobs) != 1:
                raise ValueError(f"job_name must be given: the cluster has {cluster.jobs}")
            job_name = cluster.jobs[0]
        if task_index is None:
            if cluster.num_tasks(job_name) != 1:
                raise ValueError(f'task_index must be given: job "{job_name}" has several tasks')
            task_index = cluster.task_indices(job_name)[0]
        spec = json.dumps({j: {str(i): a for i, a in t.items()} for j, t in cluster._jobs.items()})
        devices = config.device_count.get("CPU", 1) if config else 1
        self._core = _sluice.Server(spec, job_name, task_index, devices, bind_host, insecure)
        _servers[self.target] = self

    @property
    def target(self):
        """What a Session is given: "grpc://localhost:port"."""
        return self._core.target

    @property
    def port(self):
        return self._core.port

    def join(self):
        """Returns once the server is stopped."""
        self._core.join()

    def stop(self, grace=1.0):
        """Ends every call, after `grace` seconds by force, and frees the port."""
        _servers.pop(self.target, None)
        self._core.stop(grace)

    @staticmethod
    def create_local_server(config=None):
        """A cluster of one task."""
        return Server({"local": ["localhost:0"]}, config=config)


_PS_OPS = (
    "Variable", "VariableV2", "AutoReloadVariable", "MutableHashTable", "MutableHashTableV2",
    "MutableHashTableOfTensors", "MutableHashTableOfTensorsV2", "MutableDenseHashTable",
    "MutableDenseHashTableV2", "VarHandleOp", "BoostedTreesEnsembleResourceHandleOp",
    "BoostedTreesQuantileStreamResourceHandleOp", "ResourceConditionalAccumulator",
)  # fmt: skip


def replica_device_setter(
    ps_tasks=0,
    ps_device="/job:ps",
    worker_device="/job:worker",
    merge_devices=True,
    cluster=None,
    ps_ops=None,
    ps_strategy=None,
):
    """A device function: variables go to the ps tasks in turn, everything else to `worker_device`.

    None (no effect) when there is no ps task.
    """
    if cluster is not None:
        job = DeviceSpec.from_string(ps_device).job
        cluster = ClusterSpec(cluster)
        ps_tasks = cluster.num_tasks(job) if job in cluster.jobs else 0
    if ps_tasks == 0:
        return None
    ps_ops = _PS_OPS if ps_ops is None else tuple(ps_ops)
    turn = [0]

    def round_robin(op):
        task = turn[0]
        turn[0] = (task + 1) % ps_tasks
        return task

    choose = ps_strategy or round_robin

    def place(op):
        if not merge_devices and op.device:
            return op.device
        if op.type not in ps_ops:
            return merge(op.device, worker_device)
        wanted = DeviceSpec.from_string(op.device)
        ps = DeviceSpec.from_string(ps_device)
        if ps.task is None and wanted.job in (None, ps.job):
            ps.task = choose(op)
        return wanted.merged_over(ps).to_string()

    return place
