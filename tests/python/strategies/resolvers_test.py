# SPDX-License-Identifier: Apache-2.0
"""Cluster resolvers of schedulers, and what is refused. Kubernetes' answers come from a server of
this process, as its API writes them."""

import http.server
import json
import threading
import types
import urllib.parse

import pytest
import sluice as sl
from sluice.strategies.schedulers import expand_hostlist

resolvers = sl.distribute.cluster_resolver


@pytest.fixture
def slurm(monkeypatch):
    def set_variables(**values):
        for name in ("PROCID", "NTASKS", "NTASKS_PER_NODE", "STEP_NUM_TASKS", "STEP_NODELIST",
                     "JOB_NODELIST", "STEP_TASKS_PER_NODE", "TASKS_PER_NODE"):  # fmt: skip
            monkeypatch.delenv("SLURM_" + name, raising=False)
        monkeypatch.delenv("OMPI_COMM_WORLD_RANK", raising=False)
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
        for name, value in values.items():
            monkeypatch.setenv("SLURM_" + name, value)

    return set_variables


def test_lists_of_nodes():
    assert expand_hostlist("n1") == ["n1"]
    assert expand_hostlist("n[1-3,07],m4") == ["n1", "n2", "n3", "n07", "m4"]
    assert expand_hostlist("r[1-2]n[08-10]") == [f"r{r}n{n}" for r in "12" for n in
                                                  ("08", "09", "10")]  # fmt: skip
    for wrong in ("n[1", "n[a-b]", "a,,b"):
        with pytest.raises(RuntimeError):
            expand_hostlist(wrong)


def test_slurm(slurm):
    slurm(PROCID="2", NTASKS="4", NTASKS_PER_NODE="2", STEP_NODELIST="t02n[13,41]")
    found = resolvers.SlurmClusterResolver({"worker": 3, "ps": 1}, port_base=8888)
    assert found.cluster_spec().as_dict() == {
        "ps": ["t02n13:8888"], "worker": ["t02n13:8889", "t02n41:8888", "t02n41:8889"],
    }  # fmt: skip
    assert found.get_task_info() == ("worker", 1)
    assert found.master() == "grpc://t02n41:8888"
    slurm(PROCID="0", NTASKS="5", STEP_TASKS_PER_NODE="2(x2),1", STEP_NODELIST="n[1-3]")
    found = resolvers.SlurmClusterResolver(port_base=10)
    assert found.cluster_spec().as_dict()["worker"] == ["n1:10", "n1:11", "n2:10", "n2:11", "n3:10"]


def test_gpus_of_slurm_tasks(slurm, monkeypatch):
    import os

    slurm(PROCID="1", NTASKS="2", NTASKS_PER_NODE="2", STEP_NODELIST="n1")
    found = resolvers.SlurmClusterResolver({"worker": 2}, gpus_per_node=4, gpus_per_task=2)
    found.cluster_spec()
    assert os.environ["CUDA_VISIBLE_DEVICES"] == "2,3"
    assert found.num_accelerators() == {"GPU": 2}
    with pytest.raises(RuntimeError, match="GPUs"):
        resolvers.SlurmClusterResolver({"worker": 2}, gpus_per_node=2, gpus_per_task=2)


def test_slurm_that_does_not_suit(slurm):
    slurm()
    with pytest.raises(RuntimeError, match="srun"):
        resolvers.SlurmClusterResolver()
    slurm(PROCID="0", NTASKS="4", NTASKS_PER_NODE="1", STEP_NODELIST="n[1-2]")
    with pytest.raises(RuntimeError, match="tasks"):
        resolvers.SlurmClusterResolver({"worker": 3})
    with pytest.raises(RuntimeError, match="hold 2 tasks"):
        resolvers.SlurmClusterResolver({"worker": 4}).cluster_spec()


def pod(name, phase, address):
    return {
        "metadata": {"name": name, "namespace": "default", "labels": {"job-name": "tf"}},
        "spec": {"containers": [{"name": "c", "image": "i"}]},
        "status": {"phase": phase, "podIP": address, "hostIP": "10.9.9.9"},
    }


class Kubernetes(http.server.BaseHTTPRequestHandler):
    """Lists pods as the API does, one a page."""

    pods = {}

    def do_GET(self):  # noqa: N802, the name that http.server calls
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path != "/api/v1/pods" or query["labelSelector"] not in self.pods:
            return self._answer(403, {"kind": "Status", "status": "Failure", "reason": "Forbidden"})
        found, at = self.pods[query["labelSelector"]], int(query.get("continue", 0))
        more = str(at + 1) if at + 1 < len(found) else ""
        self._answer(200, {
            "kind": "PodList", "apiVersion": "v1",
            "metadata": {"resourceVersion": "1", "continue": more}, "items": found[at : at + 1],
        })  # fmt: skip

    def _answer(self, status, content):
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def api():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Kubernetes)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_kubernetes(api):
    Kubernetes.pods = {
        "job-name=w": [pod("w-1", "Running", "10.0.0.2"), pod("w-0", "Running", "10.0.0.1")],
        "job-name=ps": [pod("ps-0", "Running", "10.0.0.3")],
        "job-name=late": [pod("late-0", "Pending", None)],
        "job-name=none": [],
    }
    make = resolvers.KubernetesClusterResolver
    found = make({"worker": ["job-name=w"], "ps": ["job-name=ps"]}, 2222, api_server=api)
    assert found.cluster_spec().as_dict() == {
        "worker": ["10.0.0.1:2222", "10.0.0.2:2222"], "ps": ["10.0.0.3:2222"],
    }  # fmt: skip
    assert found.master("worker", 1) == "grpc://10.0.0.2:2222"
    with pytest.raises(RuntimeError, match='"late-0" is not running; phase: "Pending"'):
        make({"worker": ["job-name=late"]}, api_server=api).cluster_spec()
    with pytest.raises(RuntimeError, match="403.*Forbidden"):
        make({"worker": ["job-name=other"]}, api_server=api).cluster_spec()
    assert (
        not make({"worker": ["job-name=none"]}, api_server=api).cluster_spec().job_tasks("worker")
    )


def test_kubernetes_by_a_client_of_the_program():
    def pod_object(name, address):
        meta, status = types.SimpleNamespace, types.SimpleNamespace
        return types.SimpleNamespace(
            metadata=meta(name=name), status=status(phase="Running", host_ip=address)
        )

    client = types.SimpleNamespace(list_pod_for_all_namespaces=lambda label_selector: (
        types.SimpleNamespace(items=[pod_object("b", "10.1.2.4"), pod_object("a", "10.1.2.3")])
    ))  # fmt: skip
    found = resolvers.KubernetesClusterResolver(override_client=client).cluster_spec()
    assert found.as_dict() == {"worker": ["10.1.2.3:8470", "10.1.2.4:8470"]}


def test_kubernetes_outside_of_a_pod(monkeypatch):
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    with pytest.raises(RuntimeError, match="KUBERNETES_SERVICE_HOST"):
        resolvers.KubernetesClusterResolver()
    dead = resolvers.KubernetesClusterResolver(api_server="http://127.0.0.1:1")
    with pytest.raises(RuntimeError, match="does not answer"):
        dead.cluster_spec()


def test_what_is_refused_names_what_to_use():
    for make, text in (
        (sl.distribute.TPUStrategy, "MirroredStrategy"),
        (sl.distribute.experimental.TPUStrategy, "MultiWorkerMirroredStrategy"),
        (resolvers.TPUClusterResolver, "TFConfigClusterResolver"),
        (resolvers.GCEClusterResolver, "SimpleClusterResolver"),
    ):
        with pytest.raises(NotImplementedError, match=text):
            make("x")
    with pytest.raises(AttributeError, match="MirroredStrategy"):
        sl.tpu.experimental.initialize_tpu_system()
