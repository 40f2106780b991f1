# SPDX-License-Identifier: Apache-2.0
"""Clusters of real processes for the interop tests: ours (sluice-server) and TensorFlow's own."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

TESTS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("SLUICE_BUILD", os.path.join(os.path.dirname(TESTS), "build"))
SERVER = os.path.join(BUILD, "sluice-server")

TF_SERVER = """
import json, sys, os
import tensorflow as tf
tf = tf.compat.v1
spec, job, task, leader = json.loads(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
config = tf.ConfigProto()
config.experimental.collective_group_leader = leader
server = tf.train.Server(tf.train.ClusterSpec(spec), job_name=job, task_index=task, config=config)
print("listens", flush=True)
server.join()
"""


_handed_out, _ports_lock = set(), threading.Lock()


def free_ports(count):
    """Unused ports, below those of outgoing connections. A process gets each of them once."""
    found = []
    with _ports_lock:
        while len(found) < count:
            port = random.SystemRandom().randrange(10000, 32000)
            with socket.socket() as s:
                if port not in _handed_out and s.connect_ex(("127.0.0.1", port)) != 0:
                    found.append(port)
                    _handed_out.add(port)
    return found


def alive(pid):
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(pids, seconds=5.0):
    """Whether all these processes end within so many seconds."""
    deadline = time.time() + seconds
    while any(alive(pid) for pid in pids) and time.time() < deadline:
        time.sleep(0.05)
    return not any(alive(pid) for pid in pids)


class Cluster:
    """`jobs` is {"ps": 1, "worker": 2}: processes on loopback, ended by close().

    `extra` are options of our servers; `errors` is where their standard error goes. `program` runs
    in place of sluice-server. `leader` is the task that leads groups of collective operations:
    TensorFlow's servers must know it when they start, ours learn it from each session.
    """

    def __init__(
        self, jobs, kind="sluice", extra=(), errors=subprocess.DEVNULL, program=SERVER, leader=""
    ):
        ports = iter(free_ports(sum(jobs.values())))
        self.spec = {
            job: ["localhost:%d" % next(ports) for _ in range(n)] for job, n in sorted(jobs.items())
        }
        self.kind = kind
        self.extra = list(extra)
        self.errors = errors
        self.program = program
        self.leader = leader
        self.processes = {}
        try:
            for job, addresses in sorted(self.spec.items()):
                for task in range(len(addresses)):
                    self.start(job, task)
            for job, task in sorted(self.processes):
                self.await_start(job, task)
        except BaseException:
            self.close()
            raise

    def options(self, job, task):
        del job, task
        return self.extra

    def start(self, job, task):
        spec = json.dumps(self.spec)
        if self.kind == "sluice":
            command = [self.program, "--cluster", spec, "--job", job, "--task", str(task)]
            command += self.options(job, task)
        else:
            command = [sys.executable, "-c", TF_SERVER, spec, job, str(task), self.leader]
        errors = None if os.environ.get("SLUICE_TEST_VERBOSE") else self.errors
        self.processes[job, task] = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)

    def await_start(self, job, task):
        line = self.processes[job, task].stdout.readline().decode()
        if "listens" not in line:
            raise RuntimeError("%s %s:%d did not start: %r" % (self.kind, job, task, line))

    def target(self, job="worker", task=0):
        return "grpc://" + self.spec[job][task]

    def signal(self, job, task, number):
        self.processes[job, task].send_signal(number)

    def kill(self, job, task):
        self.processes[job, task].kill()
        self.processes[job, task].wait()

    def restart(self, job, task):
        self.kill(job, task)
        self.start(job, task)
        self.await_start(job, task)

    def close(self):
        for process in self.processes.values():
            process.send_signal(signal.SIGCONT)
            process.send_signal(signal.SIGTERM if self.kind == "sluice" else signal.SIGKILL)
        deadline = time.time() + 10
        for process in self.processes.values():
            while process.poll() is None and time.time() < deadline:
                time.sleep(0.02)
            if process.poll() is None:
                process.kill()
            process.wait()
            process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()


class Checks:
    """Counts checks; a failed one is printed with what was expected."""

    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.failures = []

    def check(self, name, condition, detail=""):
        if condition:
            self.passed += 1
        else:
            self._fail(f"{name} {detail}")

    def run(self, name, function):
        """A check that is a function: an exception fails it."""
        try:
            function()
            self.passed += 1
        except Exception as error:  # pylint: disable=broad-except
            self._fail(f"{name}: {type(error).__name__}: {str(error)[:600]}")

    def _fail(self, text):
        self.failed += 1
        self.failures.append(text)
        print("FAILED", text, flush=True)

    def finish(self):
        print("%d passed, %d failed" % (self.passed, self.failed))
        sys.exit(1 if self.failed or not self.passed else 0)
