# SPDX-License-Identifier: Apache-2.0
"""The roles of the tasks of a cluster whose workers run the same program."""

from ...session.cluster import ClusterSpec
from . import contexts

_JOBS = ("chief", "worker", "evaluator", "ps")


def normalize_cluster_spec(cluster_spec):
    """Makes a ClusterSpec.

    Args:
        cluster_spec: A ClusterSpec, a ClusterDef or a dict.

    Raises:
        ValueError: It is something else.
    """
    if isinstance(cluster_spec, dict) or hasattr(cluster_spec, "SerializeToString"):
        return ClusterSpec(cluster_spec)
    if not isinstance(cluster_spec, ClusterSpec):
        raise ValueError(
            "`cluster_spec' should be dict or a `tf.train.ClusterSpec` or a `tf.train.ClusterDef` "
            "object"
        )
    return cluster_spec


def check_task(cluster_spec, task_type, task_id):
    """Checks that a cluster has a task.

    Args:
        cluster_spec: A ClusterSpec, a ClusterDef or a dict.
        task_type: The job of the task, a str.
        task_id: Its number, an int.

    Returns:
        The cluster, a dict: job -> addresses.

    Raises:
        ValueError: It has no such task, or several chiefs or evaluators.
    """
    if cluster_spec is None or task_type is None or task_id is None:
        raise ValueError("None of `cluster_spec`, `task_type`, and `task_id` should be `None`.")
    jobs = normalize_cluster_spec(cluster_spec).as_dict()
    if task_type not in _JOBS:
        raise ValueError(
            f'Unrecognized task_type: {task_type!r}, valid task types are: "chief", '
            '"worker", "evaluator" and "ps".'
        )
    if task_type not in jobs:
        raise ValueError(f"`task_type` {task_type!r} not found in cluster_spec.")
    for job in ("chief", "evaluator"):
        if len(jobs.get(job, ())) > 1:
            raise ValueError(f"There must be at most one '{job}' job.")
    if task_id >= len(jobs[task_type]):
        raise ValueError(f"The `task_id` {task_id} exceeds the maximum id of {task_type}.")
    return jobs


def is_chief(cluster_spec=None, task_type=None, task_id=None):
    """Whether a task is the chief, or the evaluator. In a worker context: whether its task is.

    Args:
        cluster_spec: A ClusterSpec, a ClusterDef or a dict.
        task_type: The job of the task, a str.
        task_id: Its number, an int.

    Returns:
        A bool.

    Raises:
        ValueError: The cluster has no such task.
    """
    context = contexts.get_current_worker_context()
    if context is not None:
        return context.is_chief
    jobs = check_task(cluster_spec, task_type, task_id)
    if task_type == "worker":
        return "chief" not in jobs and task_id == 0
    return task_type != "ps"


def collective_leader(cluster_spec, task_type, task_id):
    """Returns the task that leads the collective operations of a task.

    Args:
        cluster_spec: A ClusterSpec, a ClusterDef or a dict.
        task_type: The job of the task, a str.
        task_id: Its number, an int.

    Returns:
        A device name, a str; "" for an evaluator and without a cluster.

    Raises:
        ValueError: The cluster has no such task.
    """
    if not normalize_cluster_spec(cluster_spec):
        return ""
    jobs = check_task(cluster_spec, task_type, task_id)
    if task_type == "evaluator":
        return ""
    return f"/job:{'chief' if 'chief' in jobs else 'worker'}/replica:0/task:0"


def worker_count(cluster_spec, task_type):
    """Returns how many tasks train, or evaluate.

    Args:
        cluster_spec: A ClusterSpec, a ClusterDef or a dict.
        task_type: "chief" or "worker": those that train; "evaluator".

    Returns:
        An int.

    Raises:
        ValueError: It is another job, or one that the cluster has not.
    """
    jobs = check_task(cluster_spec, task_type, 0)
    if task_type == "ps":
        raise ValueError(f"Unexpected `task_type` {task_type!r}")
    counted = ("evaluator",) if task_type == "evaluator" else ("chief", "worker")
    return sum(len(jobs.get(job, ())) for job in counted)


def id_in_cluster(cluster_spec, task_type, task_id):
    """Returns the number of a task among those that train, or evaluate. The chief is the first.

    Args:
        cluster_spec: A ClusterSpec, a ClusterDef or a dict.
        task_type: "chief", "worker" or "evaluator".
        task_id: The number of the task in its job, an int.

    Returns:
        An int.

    Raises:
        ValueError: The cluster has no such task, or it is a parameter server.
    """
    jobs = check_task(cluster_spec, task_type, task_id)
    if task_type == "ps":
        raise ValueError(f"There is no id for task_type {task_type!r}")
    if task_type == "chief":
        return 0
    return task_id + (len(jobs.get("chief", ())) if task_type == "worker" else 0)


def should_save_checkpoint():
    """Whether the task of the worker context writes checkpoints. A bool."""
    return contexts.get_current_worker_context().should_checkpoint


def should_load_checkpoint():
    """Whether the task of the worker context initialises variables. A bool."""
    return contexts.get_current_worker_context().experimental_should_init


def wait_for_other_workers():
    """Waits until all workers of this process call it."""
    contexts.get_current_worker_context().wait_for_other_workers()


def has_worker_context():
    """Whether the program runs in a worker context. A bool."""
    return contexts.get_current_worker_context() is not None
