# SPDX-License-Identifier: Apache-2.0
"""A cluster of server processes that a test kills, stops, continues, restarts and cuts apart."""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TESTS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, TESTS)

from interop.tools.cluster import SERVER, free_ports  # noqa: E402
from links import Link  # noqa: E402

START_SECONDS = 30

# Kills the servers that are left when the test ends in any way. A stopped server does not see the
# end of its parent. A line is "+pid" or "-pid".
REAPER = """
import os, signal, sys
pids = set()
for line in sys.stdin:
    (pids.add if line[0] == "+" else pids.discard)(int(line[1:]))
for pid in pids:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
"""


class Reaper:
    def __init__(self):
        self._process = subprocess.Popen(
            [sys.executable, "-c", REAPER], stdin=subprocess.PIPE, text=True, start_new_session=True
        )

    def watch(self, pid):
        self._say(f"+{pid}")

    def forget(self, pid):
        self._say(f"-{pid}")

    def _say(self, line):
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()


_reaper = []


def reaper():
    """The one of this process."""
    if not _reaper:
        _reaper.append(Reaper())
    return _reaper[0]


def name_of(task):
    return f"/job:worker/replica:0/task:{task}"


class CollectiveCluster:
    """Servers /job:worker/task:0.. on loopback, each a process group of its own.

    With `links`, the connections between servers go through proxies. Only the transport grpc does:
    the others make connections of their own.
    """

    def __init__(self, tasks, transport="auto", links=False):
        self.transport = transport
        self.folder = tempfile.mkdtemp(prefix="sluice-faults-")
        self._ports = free_ports(tasks)
        self.links = {}
        if links:
            pairs = [(a, b) for a in range(tasks) for b in range(tasks) if a != b]
            # Ports below those of outgoing connections, which would take them while a link is cut.
            ports = iter(free_ports(len(pairs)))
            self.links = {(a, b): Link(next(ports), self._ports[b]) for a, b in pairs}
        self.processes = [None] * tasks
        self.killed = set()
        try:
            for task in range(tasks):
                self._start(task)
            for task in range(tasks):
                self._await_start(task)
        except BaseException:
            self.close()
            raise

    def __len__(self):
        return len(self.processes)

    def target(self, task):
        return f"grpc://localhost:{self._ports[task]}"

    def addresses(self, task):
        """The addresses of a task: its own, and those of the proxies before it."""
        ports = [self._ports[task]] + [
            link.port for (_, to), link in self.links.items() if to == task
        ]
        return [f"localhost:{port}" for port in ports]

    def _spec_for(self, task):
        ports = [
            self.links[task, to].port if (task, to) in self.links else port
            for to, port in enumerate(self._ports)
        ]
        return json.dumps({"worker": [f"localhost:{port}" for port in ports]})

    def log_path(self, task):
        return os.path.join(self.folder, f"task{task}.log")

    def _start(self, task):
        command = [
            SERVER,
            "--cluster",
            self._spec_for(task),
            "--job",
            "worker",
            "--task",
            str(task),
        ]
        command += [f"--transport={self.transport}"]
        with open(self.log_path(task), "ab") as log:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                start_new_session=True,
            )  # fmt: skip
        reaper().watch(process.pid)
        self.processes[task] = process
        self.killed.discard(task)

    def _await_start(self, task):
        process, said = self.processes[task], b""
        end = time.monotonic() + START_SECONDS
        while b"\n" not in said:
            ready, _, _ = select.select([process.stdout], [], [], max(0, end - time.monotonic()))
            part = os.read(process.stdout.fileno(), 4096) if ready else b""
            if not part:
                raise RuntimeError(f"{name_of(task)} did not start: {said!r}\n{self.log(task)}")
            said += part
        if b"listens" not in said:
            raise RuntimeError(f"{name_of(task)} did not start: {said!r}\n{self.log(task)}")

    def kill(self, task):
        self.killed.add(task)
        process = self.processes[task]
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)
        reaper().forget(process.pid)
        process.stdout.close()

    def stop(self, task):
        os.killpg(self.processes[task].pid, signal.SIGSTOP)

    def resume(self, task):
        os.killpg(self.processes[task].pid, signal.SIGCONT)

    def restart(self, task):
        """After kill()."""
        self._start(task)
        self._await_start(task)

    def crashed(self):
        """What ended without kill(): a line for each."""
        return [
            f"{name_of(task)} ended with status {process.returncode}"
            for task, process in enumerate(self.processes)
            if task not in self.killed and process.poll() is not None
        ]

    def log(self, task, begin=0):
        with open(self.log_path(task), "rb") as file:
            file.seek(begin)
            return file.read().decode(errors="replace")

    def log_sizes(self):
        return [os.path.getsize(self.log_path(task)) for task in range(len(self))]

    def resident_mb(self):
        """Resident memory of each server in MB."""
        found = []
        for process in self.processes:
            with open(f"/proc/{process.pid}/statm") as file:
                found.append(int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6)
        return found

    def close(self):
        for task, process in enumerate(self.processes):
            if process is not None and task not in self.killed:
                self.kill(task)
        for link in self.links.values():
            link.close()
        shutil.rmtree(self.folder, ignore_errors=True)
