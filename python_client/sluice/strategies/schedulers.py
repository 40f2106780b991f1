# SPDX-License-Identifier: Apache-2.0
"""Cluster resolvers that ask a scheduler: Slurm, Kubernetes."""

import json
import os
import re
import ssl
import urllib.error
import urllib.parse
import urllib.request

from ..session.cluster import ClusterSpec
from .resolvers import ClusterResolver

_SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"
_SECONDS = 30  # for an answer of the Kubernetes API
_PODS_AT_ONCE = 500


class SlurmClusterResolver(ClusterResolver):
    """Finds the tasks of a Slurm job in its variables: tasks fill the nodes one after the other.

    Args:
        jobs: A dict: name of a job -> number of its tasks. Jobs take ranks in the order of their
            names. None: {"worker": number of tasks of the Slurm job}.
        port_base: Port of the first task of a node, an int; the next ones follow.
        gpus_per_node: How many GPUs a node has, an int. None: as Slurm says, else 0.
        gpus_per_task: How many of them a task gets, an int. None: an equal part.
        tasks_per_node: How many tasks a node has, an int. None: as Slurm says.
        auto_set_gpu: Whether CUDA_VISIBLE_DEVICES is set to the GPUs of this task. A bool.
        rpc_layer: "grpc": what is put in front of addresses. None: nothing.

    Raises:
        RuntimeError: This is not a Slurm job, or the numbers contradict each other.
    """

    def __init__(self, jobs=None, port_base=8888, gpus_per_node=None, gpus_per_task=None,
                 tasks_per_node=None, auto_set_gpu=True, rpc_layer="grpc"):  # fmt: skip
        super().__init__(rpc_layer=rpc_layer)
        self._rank = _number("OMPI_COMM_WORLD_RANK", "SLURM_PROCID")
        count = _number("OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS")
        if self._rank is None or count is None:
            raise RuntimeError(
                "SLURM_PROCID and SLURM_NTASKS are not set: start the program by srun"
            )
        self._jobs = dict(sorted((jobs or {"worker": count}).items()))
        if sum(self._jobs.values()) != count:
            raise RuntimeError("Requested more tasks then assigned tasks.")
        self._port_base = port_base
        self._per_node = _tasks_per_node(tasks_per_node)
        if self._per_node is None:
            raise RuntimeError("Neither `tasks_per_node` or SLURM_NTASKS_PER_NODE is set.")
        gpus = _gpus_of_node() if gpus_per_node is None else gpus_per_node
        most = max(self._per_node) if isinstance(self._per_node, list) else self._per_node
        each = gpus // most if gpus_per_task is None else gpus_per_task
        if most * each > gpus:
            raise RuntimeError("Requested more GPUs per node then available.")
        self._gpus, self._gpus_each, self._auto_set_gpu = gpus, each, auto_set_gpu

    def cluster_spec(self):
        """Finds the tasks, and which of them this process is.

        Returns:
            A ClusterSpec.

        Raises:
            RuntimeError: The nodes hold fewer tasks than the job has.
        """
        nodes = expand_hostlist(
            os.environ.get("SLURM_STEP_NODELIST") or os.environ.get("SLURM_JOB_NODELIST", "")
        )
        counts = self._per_node
        counts = counts if isinstance(counts, list) else [counts] * len(nodes)
        places = [(node, i) for node, count in zip(nodes, counts) for i in range(count)]
        if len(places) < sum(self._jobs.values()):
            raise RuntimeError(
                f"{len(nodes)} nodes hold {len(places)} tasks, the job has "
                f"{sum(self._jobs.values())}"
            )
        addresses = [f"{node}:{self._port_base + i}" for node, i in places]
        found, first = {}, 0
        for job, count in self._jobs.items():
            found[job] = addresses[first : first + count]
            if first <= self._rank < first + count:
                self.task_type, self.task_id = job, self._rank - first
            first += count
        if self._auto_set_gpu and self._gpus_each:
            begin = places[self._rank][1] * self._gpus_each
            own = range(begin, begin + self._gpus_each)
            os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, own))
        return ClusterSpec(found)

    def get_task_info(self):
        """Returns which task this process is; known after cluster_spec().

        Returns:
            A pair of the job, a str, and the number, an int.
        """
        return self.task_type, self.task_id

    def master(self, task_type=None, task_id=None, rpc_layer=None):
        if self.task_type is None:
            self.cluster_spec()
        return super().master(task_type, task_id, rpc_layer)

    def num_accelerators(self, task_type=None, task_id=None, config_proto=None):
        del task_type, task_id, config_proto
        return {"GPU": self._gpus_each} if self._gpus_each else {}


def _number(*names):
    """The first of several variables that is a number, else None."""
    found = (os.environ.get(name, "") for name in names)
    return next((int(text) for text in found if text.isdigit()), None)


def _tasks_per_node(given):
    """How many tasks each node has: an int, or a list of ints as "2(x3),1" says; None: unknown."""
    if given is not None:
        return int(given)
    for name in ("SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE"):
        text = os.environ.get(name)
        if text:
            parts = [re.fullmatch(r"(\d+)(?:\(x(\d+)\))?", part) for part in text.split(",")]
            if not all(parts):
                raise RuntimeError(f"{name}={text!r} is not understood")
            return [int(p.group(1)) for p in parts for _ in range(int(p.group(2) or 1))]
    return _number("SLURM_NTASKS_PER_NODE")


def _gpus_of_node():
    devices = os.environ.get("CUDA_VISIBLE_DEVICES") or os.environ.get("SLURM_STEP_GPUS") or ""
    return len([d for d in devices.split(",") if d.strip()])


def expand_hostlist(text):
    """The nodes that a list of Slurm names.

    Args:
        text: The list, a str such as "n[1-3,07],m4".

    Returns:
        A list of str.

    Raises:
        RuntimeError: The text is not such a list.
    """
    found, at = [], 0
    for match in re.finditer(r"((?:[^,\[\]]|\[[^\]]*\])+)(?:,|$)", text):
        if match.start() != at:
            break
        at = match.end()
        found += _expanded(match.group(1))
    if at != len(text):
        raise RuntimeError(f"{text!r} is not a list of nodes")
    return found


def _expanded(name):
    match = re.search(r"\[([^\]]*)\]", name)
    if match is None:
        return [name]
    found = []
    for part in match.group(1).split(","):
        first, _, last = part.partition("-")
        if not first.isdigit() or (last and not last.isdigit()):
            raise RuntimeError(f"{name!r} is not a list of nodes")
        for number in range(int(first), int(last or first) + 1):
            made = f"{number:0{len(first)}d}"
            found += _expanded(name[: match.start()] + made + name[match.end() :])
    return found


class KubernetesClusterResolver(ClusterResolver):
    """Finds the pods of a cluster by their labels.

    Args:
        job_to_label_mapping: A dict: name of a job -> a list of label selectors. None:
            {"worker": ["job-name=tensorflow"]}.
        tf_server_port: Port of the tasks, an int.
        rpc_layer: "grpc": what is put in front of addresses. None: nothing.
        override_client: A CoreV1Api of the package kubernetes. None: the API is asked directly.
        api_server: URL of the API, such as "http://localhost:8001" of `kubectl proxy`. None: that
            of the pod's service account.

    Raises:
        RuntimeError: No API is known.
    """

    def __init__(self, job_to_label_mapping=None, tf_server_port=8470, rpc_layer="grpc",
                 override_client=None, api_server=None):  # fmt: skip
        super().__init__(rpc_layer=rpc_layer)
        self._selectors = job_to_label_mapping or {"worker": ["job-name=tensorflow"]}
        self._port, self._client = tf_server_port, override_client
        self._api = None if override_client is not None else _Api(api_server)

    def cluster_spec(self):
        """Asks for the pods.

        Returns:
            A ClusterSpec with the pods sorted by name.

        Raises:
            RuntimeError: A pod is not running, or the API does not answer.
        """
        jobs = {}
        for job, selectors in self._selectors.items():
            jobs[job] = []
            for selector in selectors:
                for name, phase, address in sorted(self._pods(selector)):
                    if phase != "Running":
                        raise RuntimeError(f'Pod "{name}" is not running; phase: "{phase}"')
                    jobs[job].append(f"{address}:{self._port}")
        return ClusterSpec(jobs)

    def _pods(self, selector):
        """Triples (name, phase, address)."""
        if self._api is not None:
            return self._api.pods(selector)
        found = self._client.list_pod_for_all_namespaces(label_selector=selector).items
        return [(p.metadata.name, p.status.phase, p.status.host_ip) for p in found]


class _Api:
    """The REST API of Kubernetes."""

    def __init__(self, address):
        self._headers, self._tls = {"Accept": "application/json"}, None
        if address is None:
            host = os.environ.get("KUBERNETES_SERVICE_HOST")
            if not host:
                raise RuntimeError(
                    "this is not a pod of Kubernetes (KUBERNETES_SERVICE_HOST is not set): give "
                    "api_server, such as the URL of `kubectl proxy`, or override_client"
                )
            address = f"https://{host}:{os.environ.get('KUBERNETES_SERVICE_PORT', '443')}"
            with open(f"{_SERVICE_ACCOUNT}/token") as file:
                self._headers["Authorization"] = f"Bearer {file.read().strip()}"
            self._tls = ssl.create_default_context(cafile=f"{_SERVICE_ACCOUNT}/ca.crt")
        self._address = address.rstrip("/")

    def pods(self, selector):
        found, following = [], None
        while following != "":
            query = {"labelSelector": selector, "limit": _PODS_AT_ONCE}
            if following:
                query["continue"] = following
            answer = self._get(f"/api/v1/pods?{urllib.parse.urlencode(query)}")
            for pod in answer.get("items") or []:
                status = pod.get("status", {})
                address = status.get("podIP") or status.get("hostIP")
                found.append((pod["metadata"]["name"], status.get("phase"), address))
            following = answer.get("metadata", {}).get("continue") or ""
        return found

    def _get(self, path):
        request = urllib.request.Request(self._address + path, headers=self._headers)
        try:
            with urllib.request.urlopen(request, timeout=_SECONDS, context=self._tls) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            text = error.read().decode("utf-8", "replace")[:500]
            raise RuntimeError(f"Kubernetes refused {path}: {error.code}: {text}") from error
        except (OSError, ValueError) as error:
            raise RuntimeError(f"Kubernetes at {self._address} does not answer: {error}") from error
