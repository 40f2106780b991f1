# SPDX-License-Identifier: Apache-2.0
"""The place of this process in a cluster, as strategies need it."""

from ..session.cluster import ClusterSpec, Server, find_server


class Place:
    """The place of this process among the tasks that run the program.

    Args:
        cluster: The ClusterSpec; an empty one: this process alone.
        job: The job of this process, a str.
        number: Its number in the job, an int.
        tasks: Pairs (job, number) of the tasks that have replicas, the first one first.
    """

    def __init__(self, cluster, job, number, tasks):
        self.cluster, self.job, self.number, self.tasks = cluster, job, number, tasks
        self.is_cluster = bool(tasks)
        self.rank = tasks.index((job, number)) if tasks else 0
        self.addresses = [cluster.task_address(*task) for task in tasks] or [""]
        self.device = f"/job:{job}/replica:0/task:{number}" if tasks else ""
        self.leader = "/job:{}/replica:0/task:{}".format(*tasks[0]) if tasks else ""
        self._server = None

    @staticmethod
    def of_worker(resolver, job=None, number=None, ps_allowed=False):
        """The place of a task of the jobs "chief" (or "master") and "worker".

        Args:
            resolver: A ClusterResolver, or a ClusterSpec with job and number.
            job: The job of this process.
            number: Its number.
            ps_allowed: Whether the cluster may have ps tasks.

        Raises:
            ValueError: The cluster has ps tasks, or this process is none of its workers.
        """
        if isinstance(resolver, ClusterSpec):
            cluster = resolver
        else:
            cluster = resolver.cluster_spec()
            job, number = resolver.task_type, resolver.task_id
        if not cluster:
            return Place(cluster, None, None, [])
        if "ps" in cluster.jobs and not ps_allowed:
            raise ValueError("the cluster has ps tasks: ParameterServerStrategy uses them")
        jobs = [j for j in ("chief", "master", "worker") if j in cluster.jobs]
        tasks = [(j, n) for j in jobs for n in cluster.task_indices(j)]
        if job is None or number is None:
            raise ValueError('task_type and task_id must be given: TF_CONFIG lacks its part "task"')
        if job not in cluster.jobs or (job, number) not in tasks and job != "ps":
            raise ValueError(f"task {number} of the job {job!r} is none of the workers: {cluster}")
        if job == "ps":
            tasks = [(job, number), *tasks]
        return Place(cluster, job, number, tasks)

    def target(self):
        """The target of sessions: the server of this task, which is started if it is not there."""
        if not self.is_cluster:
            return None
        found = find_server(self.job, self.number)
        if found is None:
            found = self._server = Server(self.cluster, self.job, self.number)
        return found.target
