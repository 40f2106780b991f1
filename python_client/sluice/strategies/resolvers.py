# SPDX-License-Identifier: Apache-2.0
"""Cluster resolvers: which tasks there are, and which of them this process is."""

import json
import os

from ..session.cluster import ClusterSpec
from ..session.devices import list_physical_devices


def url(address, rpc_layer=None):
    """The target of a session: an address, with "grpc://" in front of it if a layer is given."""
    return f"{rpc_layer}://{address}" if rpc_layer else address


class ClusterResolver:
    """Finds the tasks of a cluster. Derived classes say how.

    Args:
        task_type: The job of this process, a str. None: it has none.
        task_id: The number of this process in its job, an int.
        rpc_layer: "grpc": what is put in front of addresses. None: nothing.
        environment: Accepted: a str that `environment` returns.
    """

    def __init__(self, task_type=None, task_id=None, rpc_layer=None, environment=""):
        self._task_type, self._task_id = task_type, task_id
        self._rpc_layer, self._environment = rpc_layer, environment

    def cluster_spec(self):
        """Finds the tasks.

        Returns:
            A ClusterSpec.

        Raises:
            NotImplementedError: The class does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say which tasks there are")

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        """Returns the target of sessions.

        Args:
            task_type: The job of the task to connect to. None: that of this process.
            task_id: Its number. None: that of this process.
            rpc_layer: What is put in front of the address. None: the resolver's own.

        Returns:
            A str; "" if no task is known.
        """
        job = self.task_type if task_type is None else task_type
        number = self.task_id if task_id is None else task_id
        if job is None or number is None:
            return ""
        return url(self.cluster_spec().task_address(job, number), rpc_layer or self.rpc_layer)

    def num_accelerators(self, task_type=None, task_id=None, config_proto=None):
        """Returns how many GPUs a task has.

        Args:
            task_type: The job of the task. None: that of this process.
            task_id: Its number. None: that of this process.
            config_proto: Accepted. It has no effect.

        Returns:
            A dict {"GPU": number}; {} if there is none.
        """
        del task_type, task_id, config_proto
        count = len(list_physical_devices("GPU"))
        return {"GPU": count} if count else {}

    @property
    def task_type(self):
        """The job of this process, a str or None."""
        return self._task_type

    @task_type.setter
    def task_type(self, value):
        self._task_type = value

    @property
    def task_id(self):
        """The number of this process in its job, an int or None."""
        return self._task_id

    @task_id.setter
    def task_id(self, value):
        self._task_id = value

    @property
    def rpc_layer(self):
        """What is put in front of addresses, a str or None."""
        return self._rpc_layer

    @rpc_layer.setter
    def rpc_layer(self, value):
        self._rpc_layer = value

    @property
    def environment(self):
        """Where the program runs, a str: what the constructor was given."""
        return self._environment


class SimpleClusterResolver(ClusterResolver):
    """Gives what it was given.

    Args:
        cluster_spec: A ClusterSpec.
        master: The target of sessions, a str.
        task_type: The job of this process, a str.
        task_id: The number of this process in its job, an int.
        environment: Accepted: a str that `environment` returns.
        num_accelerators: What num_accelerators() returns, a dict. None: {}.
        rpc_layer: "grpc": what is put in front of addresses. None: nothing.

    Raises:
        TypeError: cluster_spec is no ClusterSpec, or master is no str.
    """

    def __init__(self, cluster_spec, master="", task_type=None, task_id=None, environment="",
                 num_accelerators=None, rpc_layer=None):  # fmt: skip
        super().__init__(task_type, task_id, rpc_layer, environment)
        if not isinstance(cluster_spec, ClusterSpec):
            raise TypeError("cluster_spec must be a ClusterSpec.")
        if not isinstance(master, str):
            raise TypeError("master must be a string.")
        self._cluster_spec, self._master = cluster_spec, master
        self._num_accelerators = num_accelerators or {}

    def cluster_spec(self):
        return self._cluster_spec

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        if task_type is not None and task_id is not None:
            return super().master(task_type, task_id, rpc_layer)
        return url(self._master, rpc_layer or self._rpc_layer)

    def num_accelerators(self, task_type=None, task_id=None, config_proto=None):
        return self._num_accelerators


class TFConfigClusterResolver(ClusterResolver):
    """Reads the variable TF_CONFIG, whenever it is asked.

    TF_CONFIG is JSON: {"cluster": {job: [address, ...]}, "task": {"type": job, "index": number}}.

    Args:
        task_type: The job of this process, a str. None: that of TF_CONFIG.
        task_id: The number of this process, an int. None: that of TF_CONFIG.
        rpc_layer: "grpc": what is put in front of addresses. None: that of TF_CONFIG.
        environment: Accepted: a str that `environment` returns.
    """

    def __init__(self, task_type=None, task_id=None, rpc_layer=None, environment=None):
        super().__init__(task_type, task_id, rpc_layer, environment)

    @staticmethod
    def _value(key, default=None):
        text = os.environ.get("TF_CONFIG") or "{}"
        try:
            found = json.loads(text)
        except ValueError as error:
            raise ValueError(f"TF_CONFIG is not JSON: {error}: {text!r}") from None
        return found.get(key, default)

    @property
    def task_type(self):
        """The job of this process, a str or None."""
        if self._task_type is not None:
            return str(self._task_type)
        kind = self._value("task", {}).get("type")
        return None if kind is None else str(kind)

    @task_type.setter
    def task_type(self, value):
        self._task_type = value

    @property
    def task_id(self):
        """The number of this process in its job, an int or None."""
        number = self._task_id
        if number is None:
            number = self._value("task", {}).get("index")
        return None if number is None else int(number)

    @task_id.setter
    def task_id(self, value):
        self._task_id = value

    @property
    def rpc_layer(self):
        """What is put in front of addresses, a str or None."""
        return self._value("rpc_layer") if self._rpc_layer is None else self._rpc_layer

    @rpc_layer.setter
    def rpc_layer(self, value):
        self._rpc_layer = value

    def cluster_spec(self):
        return ClusterSpec(self._value("cluster", {}))

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        given = self._value("session_master")
        if given is not None:
            return given
        cluster = self.cluster_spec()
        if sum(cluster.num_tasks(job) for job in cluster.jobs) <= 1:
            return ""
        return super().master(task_type, task_id, rpc_layer)


class UnionResolver(ClusterResolver):
    """Joins the tasks of several resolvers. Everything else is that of the first one.

    Args:
        *args: The ClusterResolvers.
        **kwargs: task_type, task_id and rpc_layer, in place of those of the first one.

    Raises:
        ValueError: No resolver is given, or another argument.
        TypeError: An argument is no ClusterResolver.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*(kwargs.pop(k, None) for k in ("task_type", "task_id", "rpc_layer")))
        if kwargs:
            raise ValueError(f"Unexpected kwargs provided {kwargs!r}")
        if not args:
            raise ValueError("At least one ClusterResolver is required.")
        if not all(isinstance(resolver, ClusterResolver) for resolver in args):
            raise TypeError("All arguments must be a sub-class of `ClusterResolver.`")
        self._resolvers = args

    def cluster_spec(self):
        """Joins the tasks: lists follow each other; numbered tasks must have different numbers.

        Returns:
            A ClusterSpec.

        Raises:
            KeyError: Two resolvers have a task of the same number.
        """
        jobs = {}
        for resolver in self._resolvers:
            for job, tasks in resolver.cluster_spec().as_dict().items():
                jobs.setdefault(job, []).append(tasks)
        return ClusterSpec({job: _joined(parts) for job, parts in jobs.items()})

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        if task_type is not None and task_id is not None:
            address = self.cluster_spec().task_address(task_type, task_id)
            return url(address, rpc_layer or self._rpc_layer)
        return self._resolvers[0].master(rpc_layer=rpc_layer)

    def num_accelerators(self, task_type=None, task_id=None, config_proto=None):
        return self._resolvers[0].num_accelerators(task_type, task_id, config_proto)

    @property
    def task_type(self):
        """The job of this process, a str or None."""
        return self._resolvers[0].task_type if self._task_type is None else self._task_type

    @task_type.setter
    def task_type(self, value):
        self._task_type = value

    @property
    def task_id(self):
        """The number of this process in its job, an int or None."""
        return self._resolvers[0].task_id if self._task_id is None else self._task_id

    @task_id.setter
    def task_id(self, value):
        self._task_id = value

    @property
    def rpc_layer(self):
        """What is put in front of addresses, a str or None."""
        return self._resolvers[0].rpc_layer if self._rpc_layer is None else self._rpc_layer

    @rpc_layer.setter
    def rpc_layer(self, value):
        self._rpc_layer = value

    @property
    def environment(self):
        """Where the program runs, a str: what the first resolver says."""
        return self._resolvers[0].environment


def _joined(parts):
    if all(isinstance(part, list) for part in parts):
        return [address for part in parts for address in part]
    joined = {}
    for part in parts:
        part = dict(enumerate(part)) if isinstance(part, list) else part
        both = set(part) & set(joined)
        if both:
            raise KeyError(f"Duplicate keys detected when merging two ClusterSpecs: {both!r}")
        joined.update(part)
    return joined
