# SPDX-License-Identifier: Apache-2.0
"""How an estimator runs: directories, intervals, and which task this process is."""

import copy
import inspect
import json
import os

from ...messages import ConfigProto
from ...session.cluster import ClusterSpec
from .modes import TaskType

_DEFAULT = object()
_BOTH = "`save_checkpoints_steps` and `save_checkpoints_secs` cannot be both set."
_NOTE = "Note that these values may be coming from the TF_CONFIG environment variable."


class RunConfig:
    """How an estimator runs. The environment variable TF_CONFIG says which task of a cluster this
    process is: {"cluster": {job: addresses}, "task": {"type": job, "index": number}}.

    Args:
        model_dir: Directory of the model, a str. None: the estimator's.
        tf_random_seed: Seed of the graphs, an int. None: none.
        save_summary_steps: Steps between summaries, an int.
        save_checkpoints_steps: Steps between checkpoints, an int.
        save_checkpoints_secs: Seconds between checkpoints, a number. Default: 600, if
            save_checkpoints_steps is not given.
        session_config: A ConfigProto. None: the default one.
        keep_checkpoint_max: How many checkpoints stay, an int. 0 or None: all.
        keep_checkpoint_every_n_hours: A checkpoint of every so many hours stays too, a number.
        log_step_count_steps: Steps between logs of the loss and of steps per second, an int.
        train_distribute: A strategy of sluice.distribute for training. None: none.
        device_fn: A function that takes an Operation `op` and returns its device. None: variables
            go to the ps tasks, if there are any.
        protocol: "grpc", or None.
        eval_distribute: A strategy for evaluation. None: none.
        experimental_distribute: An object with the attributes train_distribute and eval_distribute,
            which may hold these strategies. None: none.
        experimental_max_worker_delay_secs: The most seconds that a worker waits before it starts,
            an int. None: 60.
        session_creation_timeout_secs: The most seconds that a worker waits for the chief.

    Raises:
        ValueError: An argument or TF_CONFIG is not possible.
        TypeError: "service" of TF_CONFIG is not a dict.

    Example:
        >>> config = sl.estimator.RunConfig(model_dir="/tmp/model", save_checkpoints_steps=100)
        >>> config.replace(tf_random_seed=1).save_checkpoints_secs is None, config.is_chief
        (True, True)
    """

    def __init__(self, model_dir=None, tf_random_seed=None, save_summary_steps=100,
                 save_checkpoints_steps=_DEFAULT, save_checkpoints_secs=_DEFAULT,
                 session_config=None, keep_checkpoint_max=5, keep_checkpoint_every_n_hours=10000,
                 log_step_count_steps=100, train_distribute=None, device_fn=None, protocol=None,
                 eval_distribute=None, experimental_distribute=None,
                 experimental_max_worker_delay_secs=None,
                 session_creation_timeout_secs=7200):  # fmt: skip
        steps, secs = save_checkpoints_steps, save_checkpoints_secs
        if steps is _DEFAULT and secs is _DEFAULT:
            steps, secs = None, 600
        steps, secs = (None if v is _DEFAULT else v for v in (steps, secs))
        if steps is not None and secs is not None:
            raise ValueError(_BOTH)
        environment = json.loads(os.environ.get("TF_CONFIG") or "{}")
        self._set(
            model_dir=_model_dir(environment, model_dir), tf_random_seed=tf_random_seed,
            save_summary_steps=save_summary_steps, save_checkpoints_steps=steps,
            save_checkpoints_secs=secs, session_config=session_config,
            keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            log_step_count_steps=log_step_count_steps, train_distribute=train_distribute,
            device_fn=device_fn, protocol=protocol, eval_distribute=eval_distribute,
            experimental_distribute=experimental_distribute,
            experimental_max_worker_delay_secs=experimental_max_worker_delay_secs,
            session_creation_timeout_secs=session_creation_timeout_secs,
        )  # fmt: skip
        self._become_task(environment)
        if session_config is None and self._cluster_spec:
            self._session_config = _distributed_session_config(self._task_type, self._task_id)

    def replace(self, **kwargs):
        """Returns a copy with other values.

        Args:
            **kwargs: Arguments of the class, by their names.

        Returns:
            A RunConfig.

        Raises:
            ValueError: A name or value is not possible.
        """
        made = copy.copy(self)
        for key in kwargs:
            if key not in _REPLACEABLE:
                raise ValueError(
                    f"Replacing {key} is not supported. Allowed properties are {_REPLACEABLE}."
                )
        steps, secs = (kwargs.get(f"save_checkpoints_{unit}") for unit in ("steps", "secs"))
        if steps is not None and secs is not None:
            raise ValueError(_BOTH)
        if steps is not None:
            made._save_checkpoints_secs = None
        if secs is not None:
            made._save_checkpoints_steps = None
        made._set(**kwargs)
        return made

    def _set(self, **values):
        for key, value in values.items():
            if value is not None and key in _CHECKS and not _CHECKS[key][0](value):
                raise ValueError(f"{key} {_CHECKS[key][1]}")
            setattr(self, "_" + key, value)
        both = values.get("experimental_distribute")
        for key in ("train_distribute", "eval_distribute"):
            strategy = getattr(both, key, None)
            if strategy is not None:
                if getattr(self, "_" + key) not in (None, strategy):
                    raise ValueError(f"{key} is in experimental_distribute, too")
                setattr(self, "_" + key, strategy)

    def __deepcopy__(self, memo):
        return copy.copy(self)

    # ---- the task of this process

    def _become_task(self, environment):
        self._service = environment.get("service")
        if self._service is not None and not isinstance(self._service, dict):
            raise TypeError(
                'If "service" is set in TF_CONFIG, it must be a dict. Given '
                f"{type(self._service)}"
            )
        self._cluster_spec = ClusterSpec(environment.get("cluster") or {})
        task = environment.get("task") or {}
        if not self._cluster_spec:
            self._become_only_task(environment, task)
            return
        jobs = self._cluster_spec.jobs
        chief = TaskType.MASTER if TaskType.MASTER in jobs else TaskType.CHIEF
        if chief == TaskType.MASTER and TaskType.CHIEF in jobs:
            raise ValueError(
                "If `master` node exists in `cluster`, job `chief` is not supported."
            )
        self._task_type, self._task_id = _checked_task(self._cluster_spec, task, chief)
        evaluates = self._task_type == TaskType.EVALUATOR
        if evaluates and chief == TaskType.MASTER:
            raise ValueError(
                "If `master` node exists in `cluster`, task_type `evaluator` is not supported."
            )
        self._is_chief = self._task_type == chief
        self._evaluation_master = (
            environment.get("eval_session_master", "")
            if evaluates or chief == TaskType.MASTER
            else ""
        )
        if evaluates:
            self._cluster_spec = ClusterSpec({})
            self._master, self._global_id_in_cluster = "", None
            self._num_ps_replicas = self._num_worker_replicas = 0
            return
        cluster = self._cluster_spec
        self._master = _master_of(cluster, self._task_type, self._task_id, environment)
        count = {job: cluster.num_tasks(job) for job in jobs}
        self._num_ps_replicas = count.get(TaskType.PS, 0)
        self._num_worker_replicas = count.get(TaskType.WORKER, 0) + count[chief]
        self._global_id_in_cluster = _global_id(count, chief, self._task_type, self._task_id)

    def _become_only_task(self, environment, task):
        self._task_type = task.get("type", TaskType.WORKER)
        self._task_id = int(task.get("index", 0))
        if self._task_type != TaskType.WORKER:
            raise ValueError('If "cluster" is not set in TF_CONFIG, task type must be WORKER.')
        if self._task_id != 0:
            raise ValueError('If "cluster" is not set in TF_CONFIG, task index must be 0.')
        self._master = environment.get("session_master", "")
        self._evaluation_master = environment.get("eval_session_master", "")
        self._is_chief, self._global_id_in_cluster = True, 0
        self._num_ps_replicas, self._num_worker_replicas = 0, 1


_REPLACEABLE = [n for n in inspect.signature(RunConfig.__init__).parameters if n != "self"]
_CHECKS = {
    "model_dir": (bool, "should be non-empty"),
    "save_summary_steps": (lambda v: v >= 0, "should be >= 0"),
    "save_checkpoints_steps": (lambda v: v >= 0, "should be >= 0"),
    "save_checkpoints_secs": (lambda v: v >= 0, "should be >= 0"),
    "session_config": (lambda v: isinstance(v, ConfigProto), "must be instance of ConfigProto"),
    "keep_checkpoint_max": (lambda v: v >= 0, "should be >= 0"),
    "keep_checkpoint_every_n_hours": (lambda v: v > 0, "should be > 0"),
    "log_step_count_steps": (lambda v: v > 0, "should be > 0"),
    "tf_random_seed": (lambda v: isinstance(v, int), "must be integer."),
    "experimental_max_worker_delay_secs": (
        lambda v: isinstance(v, int),
        "must be an integer if set.",
    ),
    "session_creation_timeout_secs": (lambda v: v > 0, "should be > 0"),
    "device_fn": (
        lambda v: callable(v) and list(inspect.signature(v).parameters) == ["op"],
        'must be callable with exactly one argument "op".',
    ),
    "protocol": (lambda v: v in ("grpc", "grpc+verbs"), "should be grpc or grpc+verbs"),
}
_PROPERTIES = {
    "cluster_spec": "The ClusterSpec; empty without a cluster.",
    "evaluation_master": "Address for sessions that evaluate, a str.",
    "is_chief": "Whether this task initialises the model and writes checkpoints. A bool.",
    "master": "Address for sessions that train, a str.",
    "num_ps_replicas": "How many ps tasks there are, an int.",
    "num_worker_replicas": "How many tasks train, an int.",
    "task_id": "Number of this task in its job, an int.",
    "task_type": "Job of this task, a str.",
    "global_id_in_cluster": "Number of this task among all, an int.",
    "service": '"service" of TF_CONFIG.',
    **{key: f"The {key} that was given, or its default." for key in _REPLACEABLE},
}
for _key, _doc in _PROPERTIES.items():
    if _key != "experimental_distribute":
        setattr(RunConfig, _key, property(lambda self, k="_" + _key: getattr(self, k), doc=_doc))


def _model_dir(environment, model_dir):
    model_dir = None if model_dir is None else os.fsdecode(model_dir)
    elsewhere = environment.get("model_dir")
    if elsewhere == "":
        raise ValueError("model_dir in TF_CONFIG should be non-empty.")
    if model_dir == "":
        raise ValueError("model_dir should be non-empty.")
    if elsewhere and model_dir and elsewhere != model_dir:
        raise ValueError(
            "`model_dir` provided in RunConfig construct, if set, must have the same value as the"
            f" model_dir in TF_CONFIG. model_dir: {model_dir}\n"
            f'TF_CONFIG["model_dir"]: {elsewhere}.\n'
        )
    return model_dir or elsewhere


def _checked_task(cluster, task, chief):
    if chief not in cluster.jobs:
        raise ValueError(f'If "cluster" is set in TF_CONFIG, it must have one "{chief}" node.')
    if cluster.num_tasks(chief) != 1:
        raise ValueError(f'The "cluster" in TF_CONFIG must have only one "{chief}" node.')
    job, index = task.get("type"), task.get("index")
    if not job:
        raise ValueError('If "cluster" is set in TF_CONFIG, task type must be set.')
    if index is None:
        raise ValueError('If "cluster" is set in TF_CONFIG, task index must be set.')
    index = int(index)
    if index < 0:
        raise ValueError("Task index must be non-negative number.")
    if job == TaskType.EVALUATOR:
        return job, index
    if job not in cluster.jobs:
        raise ValueError(
            f"{job} is not a valid task_type in the cluster_spec:\n{cluster}\n\n{_NOTE}"
        )
    if index not in cluster.task_indices(job):
        raise ValueError(
            f"{index} is not a valid task_id for task_type {job} in the cluster_spec:\n"
            f"{cluster}\n\n{_NOTE}"
        )
    return job, index


def _master_of(cluster, job, index, environment):
    if "session_master" in environment:
        return environment["session_master"]
    if len(cluster.jobs) == 1 and cluster.num_tasks(cluster.jobs[0]) == 1:
        return ""
    return "grpc://" + cluster.task_address(job, index)


def _global_id(count, chief, job, index):
    middle = sorted(j for j in count if j not in (chief, TaskType.PS))
    order = [chief, *middle, *([TaskType.PS] if TaskType.PS in count else [])]
    return sum(count[j] for j in order[: order.index(job)]) + index


def _distributed_session_config(job, index):
    """Sessions of a task see the ps tasks and their own: workers do not wait for each other."""
    seen = {
        TaskType.MASTER: ["/job:ps", "/job:master"],
        TaskType.CHIEF: ["/job:ps", "/job:chief"],
        TaskType.WORKER: ["/job:ps", f"/job:worker/task:{index}"],
        TaskType.PS: ["/job:ps", "/job:worker", "/job:chief", "/job:master"],
    }.get(job)
    if seen is None:
        return None
    made = default_session_config()
    made.device_filters.extend(seen)
    return made


def default_session_config():
    """Returns the ConfigProto of sessions of an Estimator that is given none."""
    made = ConfigProto(allow_soft_placement=True)
    # One pass of the optimizers: the graph of a task in a cluster is optimised for each session.
    made.graph_options.rewrite_options.meta_optimizer_iterations = 1
    return made
