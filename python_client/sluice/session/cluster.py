# SPDX-License-Identifier: Apache-2.0
"""Clusters, the servers that are their tasks, and where variables go."""

import json
import os
import weakref

from .. import _sluice, errors, messages
from ..graph.device_spec import DeviceSpec, merge
from ..messages import ClusterDef, ConfigProto, ServerDef


class ClusterSpec:
    """The tasks of a cluster and their addresses.

    Args:
        cluster: A dict: job -> list of "host:port", or dict of task number -> "host:port". Or a
            ClusterDef or ClusterSpec.

    Raises:
        TypeError: cluster is none of these.

    Example:
        >>> cluster = sl.train.ClusterSpec({"ps": ["a:1"], "worker": ["b:1", "c:1"]})
        >>> cluster.num_tasks("worker"), cluster.task_address("ps", 0)
        (2, 'a:1')
    """

    def __init__(self, cluster):
        self._jobs = {}
        if isinstance(cluster, ClusterSpec):
            cluster = cluster._jobs
        elif hasattr(cluster, "job"):
            jobs = messages.take(ClusterDef, cluster).job
            cluster = {job.name: dict(job.tasks) for job in jobs}
        if not isinstance(cluster, dict):
            raise TypeError(f"a cluster is a dict of jobs, or a ClusterDef, not {cluster!r}")
        for job, tasks in cluster.items():
            if not isinstance(tasks, (dict, list, tuple)):
                raise TypeError(
                    f'the tasks of job "{job}" must be a list or a dict of addresses, not {tasks!r}'
                )
            pairs = tasks.items() if isinstance(tasks, dict) else enumerate(tasks)
            self._jobs[job] = {int(i): _address(a) for i, a in pairs}

    def as_cluster_def(self):
        """Converts the cluster to a protocol message.

        Returns:
            A ClusterDef.
        """
        made = ClusterDef()
        for job in self.jobs:
            made.job.add(name=job).tasks.update(self._jobs[job])
        return made

    @property
    def jobs(self):
        """The names of the jobs, a sorted list of str."""
        return sorted(self._jobs)

    def as_dict(self):
        """Converts the cluster to a dict.

        Returns:
            A dict: job -> list of addresses, or dict of task number -> address if numbers are
            missing.
        """
        return {
            job: [t[i] for i in sorted(t)] if sorted(t) == list(range(len(t))) else dict(t)
            for job, t in self._jobs.items()
        }

    def _tasks(self, job):
        if job not in self._jobs:
            raise ValueError(f'the cluster has no job "{job}", only {self.jobs}')
        return self._jobs[job]

    def num_tasks(self, job_name):
        """Returns how many tasks a job has.

        Args:
            job_name: Name of the job, a str.

        Returns:
            An int.

        Raises:
            ValueError: There is no such job.
        """
        return len(self._tasks(job_name))

    def task_indices(self, job_name):
        """Returns the numbers of a job's tasks.

        Args:
            job_name: Name of the job, a str.

        Returns:
            A sorted list of ints.

        Raises:
            ValueError: There is no such job.
        """
        return sorted(self._tasks(job_name))

    def task_address(self, job_name, task_index):
        """Returns the address of a task.

        Args:
            job_name: Name of the job, a str.
            task_index: Number of the task, an int.

        Returns:
            A str "host:port".

        Raises:
            ValueError: There is no such task.
        """
        if task_index not in self._tasks(job_name):
            raise ValueError(f'job "{job_name}" has no task {task_index}')
        return self._tasks(job_name)[task_index]

    def job_tasks(self, job_name):
        """Returns the addresses of a job's tasks.

        Args:
            job_name: Name of the job, a str.

        Returns:
            A list of str, None where a number is missing.

        Raises:
            ValueError: There is no such job.
        """
        tasks = self._tasks(job_name)
        return [tasks.get(i) for i in range(max(tasks, default=-1) + 1)]

    def __bool__(self):
        return bool(self._jobs)

    __nonzero__ = __bool__

    def __hash__(self):
        return hash(tuple((j, tuple(sorted(self._jobs[j].items()))) for j in self.jobs))

    def __eq__(self, other):
        return isinstance(other, ClusterSpec) and self._jobs == other._jobs

    def __repr__(self):
        jobs = self.as_dict()
        return "ClusterSpec({" + ", ".join(f"{job!r}: {jobs[job]!r}" for job in sorted(jobs)) + "})"


def _address(value):
    if not isinstance(value, (str, bytes)):
        raise TypeError(f'a task\'s address is "host:port", not {value!r}')
    return value if isinstance(value, str) else value.decode()


def _check_task(cluster, job, index):
    """Of the classes of TensorFlow's errors."""
    if job not in cluster.jobs:
        raise errors.InternalError(f'the cluster has no job "{job}", only {cluster.jobs}')
    if index not in cluster.task_indices(job) and not isinstance(index, str):
        raise errors.InvalidArgumentError(
            f'job "{job}" has no task {index}, only {cluster.task_indices(job)}'
        )


_servers = weakref.WeakValueDictionary()  # target -> the Server of this process


def server_of(target):
    """The core of this process's Server with that target, or None."""
    server = _servers.get(target)
    return server._core if server is not None else None


def find_server(job, index):
    """The Server of this process that is a task of a cluster, or None."""
    for server in list(_servers.values()):
        if (server.server_def.job_name, server.server_def.task_index) == (job, index):
            return server
    return None


class Credentials:
    """The files with which a session or a server proves its identity, and checks that of others.

    A session without Credentials uses the files that SLUICE_TLS_CA, SLUICE_TLS_CERT, SLUICE_TLS_KEY
    and SLUICE_TOKEN_FILE name.

    Args:
        tls_ca: Certificate of the authority that signed the other side's certificate, a path. It
            turns TLS on.
        tls_cert: Own certificate, a path. A server requires it, and a session if servers ask for
            it.
        tls_key: Key of the own certificate, a path.
        token_file: File with the token of the cluster, a path.
    """

    def __init__(self, tls_ca="", tls_cert="", tls_key="", token_file=""):
        self.tls_ca, self.tls_cert, self.tls_key = tls_ca, tls_cert, tls_key
        self.token_file = token_file


def _credentials_of_environment():
    names = ("SLUICE_TLS_CA", "SLUICE_TLS_CERT", "SLUICE_TLS_KEY", "SLUICE_TOKEN_FILE")
    files = [os.environ.get(name, "") for name in names]
    return Credentials(*files) if any(files) else None


class Server:
    """A server: one task of a cluster in this process.

    It listens on loopback, unless bind_host says otherwise. Port 0 takes a free port.

    Args:
        server_or_cluster_def: A ServerDef, or what makes a ClusterSpec.
        job_name: Name of the task's job, a str. None: the only job.
        task_index: Number of the task, an int. None: the only task.
        protocol: "grpc". None: that of the ServerDef.
        config: A ConfigProto. None: that of the ServerDef. Its device_count, gpu_options and
            numbers of threads apply to the task.
        start: Whether it starts at once. A bool. False: start() does.
        bind_host: Address to listen on, a str. Beyond loopback it requires credentials with TLS and
            a token, or insecure. "": SLUICE_BIND_HOST of the environment, or loopback.
        insecure: Whether it may listen beyond loopback without credentials. A bool. With
            SLUICE_BIND_HOST, SLUICE_INSECURE=1 of the environment allows it too.
        credentials: Credentials. None: none; with SLUICE_BIND_HOST, the files that SLUICE_TLS_CA,
            SLUICE_TLS_CERT, SLUICE_TLS_KEY and SLUICE_TOKEN_FILE name.
        mutual_tls: Whether clients must show a certificate. A bool.
        deterministic: Whether a step gives the same values whenever it runs. A bool.

    Raises:
        ValueError: The protocol is another one, or which task it is is not said.
        errors.UnavailableError: The address cannot be used.
        errors.InvalidArgumentError: It may not listen there, or the job has no such task.
        errors.InternalError: The cluster has no such job.

    Example:
        >>> server = sl.distribute.Server.create_local_server()
        >>> with sl.Session(server.target) as session:
        ...     print(session.run(sl.constant(2) * 3))
        6
        >>> server.stop()
    """

    def __init__(self, server_or_cluster_def, job_name=None, task_index=None, protocol=None,
                 config=None, start=True, bind_host="", insecure=False, credentials=None,
                 mutual_tls=False, deterministic=False):  # fmt: skip
        cluster = server_or_cluster_def
        if hasattr(cluster, "cluster"):  # a ServerDef
            given = messages.take(ServerDef, cluster)
            cluster, protocol = given.cluster, protocol or given.protocol
            job_name = given.job_name if job_name is None else job_name
            task_index = given.task_index if task_index is None else task_index
            config = given.default_session_config if config is None else config
        if (protocol or "grpc") != "grpc":
            raise ValueError(f'the protocol "{protocol}" is not there: it is "grpc"')
        cluster = ClusterSpec(cluster)
        if job_name is None:
            if len(cluster.jobs) != 1:
                raise ValueError(f"job_name must be given: the cluster has {cluster.jobs}")
            job_name = cluster.jobs[0]
        if task_index is None:
            if cluster.num_tasks(job_name) != 1:
                raise ValueError(f'task_index must be given: job "{job_name}" has several tasks')
            task_index = cluster.task_indices(job_name)[0]
        _check_task(cluster, job_name, task_index)
        self._def = ServerDef(
            cluster=cluster.as_cluster_def(), job_name=job_name, task_index=task_index,
            protocol="grpc",
        )  # fmt: skip
        if config is not None:
            self._def.default_session_config.CopyFrom(messages.take(ConfigProto, config))
        self._core = None
        if not bind_host and os.environ.get("SLUICE_BIND_HOST"):  # programs of TensorFlow
            bind_host = os.environ["SLUICE_BIND_HOST"]
            insecure = insecure or os.environ.get("SLUICE_INSECURE") == "1"
            credentials = credentials or _credentials_of_environment()
        self._options = (bind_host, insecure, credentials, mutual_tls, deterministic)
        if start:
            self.start()

    def start(self):
        """Starts to listen.

        Raises:
            errors.UnavailableError: The address cannot be used.
        """
        if self._core is not None:
            return
        jobs = ClusterSpec(self._def.cluster)._jobs
        spec = json.dumps({j: {str(i): a for i, a in t.items()} for j, t in jobs.items()})
        config = self._def.default_session_config
        cpus = dict(config.device_count).get("CPU", 1)
        threads = config.inter_op_parallelism_threads, config.intra_op_parallelism_threads
        self._core = _sluice.Server(
            spec, self._def.job_name, self._def.task_index, cpus, *threads, *self._options,
            config.SerializeToString(),
        )  # fmt: skip
        _servers[self.target] = self

    @property
    def server_def(self):
        """Its description, a ServerDef."""
        return self._def

    @property
    def target(self):
        """The address that a Session connects to, a str "grpc://host:port"."""
        return self._core.target

    @property
    def port(self):
        """The port that the server listens on, an int."""
        return self._core.port

    def join(self):
        """Waits until the server stops."""
        self._core.join()

    def stop(self, grace=1.0):
        """Ends all calls and frees the port.

        Args:
            grace: Seconds until calls are ended by force, a float.
        """
        _servers.pop(self.target, None)
        self._core.stop(grace)

    @staticmethod
    def create_local_server(config=None, start=True):
        """Starts a server that is a cluster of one task.

        Args:
            config: A ConfigProto.
            start: Whether the server starts at once. A bool.

        Returns:
            A Server.
        """
        return Server({"local": ["localhost:0"]}, config=config, start=start)

    def __repr__(self):
        task = f"/job:{self._def.job_name}/task:{self._def.task_index}"
        at = "not started" if self._core is None else f"at {self.target}"
        return f"<sluice.Server {task} {at}>"


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
    """Makes a device function that puts variables on the ps tasks in turn.

    Args:
        ps_tasks: How many ps tasks there are, an int.
        ps_device: Device of the ps job, a str.
        worker_device: Device of everything else, a str.
        merge_devices: Whether devices of outer scopes are kept where they say more. A bool.
        cluster: A ClusterSpec, from which the number of ps tasks is taken. None: ps_tasks counts.
        ps_ops: Ops that are put on ps tasks, a list of str. None: those of variables.
        ps_strategy: A function that takes an Operation and returns the number of a ps task. None:
            in turn.

    Returns:
        A function for device(); None if there are no ps tasks.

    Raises:
        TypeError: ps_strategy cannot be called.

    Example:
        >>> with sl.device(sl.train.replica_device_setter(ps_tasks=2)):
        ...     v, w = sl.Variable(0), sl.Variable(0)
        >>> v.device, w.device
        ('/job:ps/task:0', '/job:ps/task:1')
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
