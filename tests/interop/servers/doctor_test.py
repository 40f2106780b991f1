# SPDX-License-Identifier: Apache-2.0
"""sluice doctor on clusters of real processes: the matrix of pairs, and who is named when ill."""

import json
import os
import re
import signal
import subprocess
import tempfile

import pytest

from interop.tools import cluster

pytestmark = pytest.mark.waits

COMMAND = os.path.join(cluster.BUILD, "sluice")
JOBS = {"ps": 1, "worker": 2}
PS, WORKER0, WORKER1 = "/job:ps/task:0", "/job:worker/task:0", "/job:worker/task:1"


def command(*arguments, **environment):
    """Status, what it printed; what it reports of its progress is left out."""
    done = subprocess.run(
        [COMMAND, *arguments], capture_output=True, timeout=120,
        env=dict(os.environ, **environment),
    )  # fmt: skip
    reports = re.compile(r"^sluice \w+: .*, \d+ s$\n", re.MULTILINE)
    return done.returncode, done.stdout.decode() + reports.sub("", done.stderr.decode())


def doctor(*arguments, **environment):
    return command("doctor", "--bytes=1M", "--seconds=0.06", *arguments, **environment)


def pairs_of(text):
    short = lambda name: name.replace("/replica:0", "")  # noqa: E731
    return {(short(p["from"]), short(p["to"])): p for p in json.loads(text)["pairs"]}


class Mixed(cluster.Cluster):
    """The ps takes gRPC only."""

    def options(self, job, task):
        return ["--transport=grpc"] if job == "ps" else self.extra


def test_healthy_tasks(checks):
    with Mixed(JOBS) as servers:
        spec = json.dumps(servers.spec)
        status, text = doctor("--cluster", spec, "--json")
        checks.check("all is well", status == 0, text)
        pairs = pairs_of(text)
        checks.check("every ordered pair is there", len(pairs) == 6, text)
        transports = {pair: row["transport"] for pair, row in pairs.items()}
        checks.check("the best transport", transports[WORKER0, WORKER1] == "shm", str(transports))
        checks.check("the one both have", transports[WORKER0, PS] == "grpc", str(transports))
        passed_over = pairs[WORKER0, PS]["passed_over"]
        why = {item["transport"]: item["why"] for item in passed_over}
        checks.check("why no better one", "configuration" in why.get("shm", ""), str(why))
        # Differences of two medians: on a busy machine they say nothing, and may be nothing.
        measured = all(
            p["null_step"] > 0 and p["one_way"] >= 0 and p["bytes_per_second"] > 0
            for p in pairs.values()
        )
        checks.check("measured", measured, text)
        status, table = doctor(servers.spec["worker"][1])  # a task knows the others
        rows = [line.split()[:3] for line in table.splitlines()]
        checks.check("as a table", status == 0 and [WORKER1, PS, "grpc"] in rows, table)
        checks.check("with the reasons", table.count("not shm:") == 2, table)
        checks.check("why no GPU", "\nno GPU: " in table or " has GPUs: " in table, table)
        checks.check("but for rare transports", "inproc" not in table, table)
        _, table = doctor(servers.spec["ps"][0], "--no-measure")
        checks.check("without measuring", "us" not in table.split(), table)


def test_ill_tasks(checks):
    with cluster.Cluster(JOBS) as servers:
        spec = json.dumps(servers.spec)
        servers.kill("worker", 1)
        status, text = doctor("--cluster", spec)
        dead = WORKER1 + " at " + servers.spec["worker"][1]
        refused = dead + " refuses the connection: nothing listens at port"
        checks.check("a dead task is named", status == 1 and refused in text, text)
        status, text = command("devices", "--cluster", spec)
        good = status == 1 and refused in text and WORKER0 + "/device:CPU:0" in text
        checks.check("the devices of the others are listed", good, text)
        status, text = doctor("--cluster", spec, "--json")
        pairs = pairs_of(text)
        bad = {pair for pair, row in pairs.items() if row["error"]}
        checks.check("its pairs only", bad == {p for p in pairs if WORKER1 in p}, text)
        servers.start("worker", 1)
        servers.await_start("worker", 1)
        servers.signal("worker", 1, signal.SIGSTOP)
        status, text = doctor("--cluster", spec, "--no-measure", "--timeout=2")
        frozen = dead + " accepts connections but does not answer"
        checks.check("a frozen task is named", status == 1 and frozen in text, text)


def test_strangers(checks):
    """Tasks of other clusters, and TensorFlow's."""
    with cluster.Cluster({"worker": 2}) as ours:
        with cluster.Cluster({"worker": 1}, kind="tensorflow") as theirs:
            first, second = ours.spec["worker"]
            spec = json.dumps({"worker": [first, second, theirs.spec["worker"][0]]})
            status, text = doctor("--cluster", spec, "--no-measure")
            named = theirs.spec["worker"][0] + " is a TensorFlow server" in text
            checks.check("TensorFlow's server", status == 1 and named, text)
            status, text = doctor(theirs.spec["worker"][0])
            checks.check("TensorFlow's server, asked alone", status == 1 and named, text)
            status, text = command("devices", theirs.spec["worker"][0])
            named = theirs.spec["worker"][0] + " is a TensorFlow server" in text
            checks.check("TensorFlow's devices", status == 1 and named, text)
        spec = json.dumps({"worker": [second, first]})
        status, text = doctor("--cluster", spec, "--no-measure")
        checks.check("another task", status == 1 and "is another task: /job:worker" in text, text)
    status, text = doctor("--cluster", "{nonsense")
    checks.check("no cluster", status == 2 and "this is not a cluster" in text, text)


def test_refused_options(checks):
    """Tasks that want a token."""
    with tempfile.NamedTemporaryFile("w", suffix=".token") as token:
        token.write("0123456789abcdef")
        token.flush()
        with cluster.Cluster({"worker": 2}, extra=["--token-file=" + token.name]) as servers:
            spec = json.dumps(servers.spec)
            status, text = doctor("--cluster", spec)
            named = WORKER0 in text and "token" in text
            checks.check("a task that refuses is named", status == 1 and named, text)
            status, text = doctor("--cluster", spec, SLUICE_TOKEN_FILE=token.name)
            checks.check("with the token", status == 0 and "shm" in text, text)


def test_encrypted_tasks(checks):
    """TLS on one side only."""
    with tempfile.TemporaryDirectory() as folder:
        make = os.path.join(cluster.TESTS, "make_certificates.sh")
        subprocess.check_call([make, folder])
        path = lambda name: os.path.join(folder, name)  # noqa: E731
        flags = ["--tls_ca=" + path("ca.pem"), "--tls_cert=" + path("task.pem")]
        flags.append("--tls_key=" + path("task.key"))
        with cluster.Cluster({"worker": 1}, extra=flags) as servers:
            address = servers.spec["worker"][0]
            status, text = doctor(address)
            good = status == 1 and address + " requires TLS" in text and "SLUICE_TLS_CA" in text
            checks.check("a server with TLS", good, text)
            status, text = command("devices", address, SLUICE_TLS_CA=path("ca.pem"))
            checks.check("with the authority", status == 0, text)
            status, text = doctor(address, SLUICE_TLS_CA=path("stranger_ca.pem"))
            good = status == 1 and "does not accept this command's TLS" in text
            checks.check("with another authority", good, text)
        with cluster.Cluster({"worker": 1}) as servers:
            address = servers.spec["worker"][0]
            status, text = doctor(address, SLUICE_TLS_CA=path("ca.pem"))
            checks.check("a server without TLS", status == 1 and "does not use TLS" in text, text)



