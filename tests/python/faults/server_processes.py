# SPDX-License-Identifier: Apache-2.0
"""Server processes that a test kills, stops, continues, restarts and cuts apart."""

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

from faults.held import resident_mb  # noqa: E402
from faults.links import Link  # noqa: E402
from interop.tools.cluster import SERVER, free_ports  # noqa: E402

START_SECONDS = 30
STARTS = 3  # attempts, if another process takes a port that was free
CLIENT = -1  # in place of a task: the test

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


class ServerProcesses:
    """Servers of the jobs {"ps": 1, ...} on loopback, each a process group of its own.

    All are of one session: Linux may schedule each session as one, and a busy server would wait for
    its turn behind the others whenever a step comes.

    A task is a number: jobs are in order of their names. With `links`, the connections between
    servers, and those of the test to a server, go through proxies (except those of shm).
    """

    def __init__(self, jobs, transport="auto", links=False, options=(), launch=list):
        self.transport = transport
        self.tasks = [(job, task) for job in sorted(jobs) for task in range(jobs[job])]
        self._options = list(options)
        self._launch = launch  # a server's command -> what is executed
        for attempt in range(1, STARTS + 1):
            try:
                self._open(links)
                break
            except BaseException as error:
                self.close()
                if "Address already in use" not in str(error) or attempt == STARTS:
                    raise

    def _open(self, links):
        self.folder = tempfile.mkdtemp(prefix="sluice-faults-")
        self.processes = [None] * len(self)
        self.killed = set()
        self.links = {}  # (from, to) -> Link; from CLIENT too
        self._ports = free_ports(len(self.tasks))
        if links:
            self.links = {
                (a, b): Link(f"127.{a + 1 if a != CLIENT else 9}.{b + 1}.1", self._ports[b])
                for a in [*range(len(self)), CLIENT]
                for b in range(len(self))
                if a != b
            }
        for task in range(len(self)):
            self._start(task)
        for task in range(len(self)):
            self._await_start(task)

    def __len__(self):
        return len(self.tasks)

    def name(self, task):
        return "/job:%s/replica:0/task:%d" % self.tasks[task]

    def target(self, task):
        return f"grpc://{self._address(CLIENT, task)}"

    def addresses(self, task):
        """The addresses of a task: its own, and those of the links to it."""
        links = [link.address for (_, to), link in self.links.items() if to == task]
        return [f"localhost:{self._ports[task]}", *links]

    def _address(self, task, to):
        link = self.links.get((task, to))
        return link.address if link else f"localhost:{self._ports[to]}"

    def _spec_for(self, task):
        spec = {}
        for to, (job, _) in enumerate(self.tasks):
            spec.setdefault(job, []).append(self._address(task, to))
        return json.dumps(spec)

    def log_path(self, task):
        return os.path.join(self.folder, f"task{task}.log")

    def _start(self, task):
        job, index = self.tasks[task]
        command = [
            os.path.abspath(SERVER),
            "--cluster",
            self._spec_for(task),
            "--job",
            job,
            "--task",
            str(index),
        ]
        command += [f"--transport={self.transport}", *self._options]
        command = self._launch(command)
        with open(self.log_path(task), "ab") as log:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                process_group=0, cwd=self.folder, env={**os.environ, "TMPDIR": self.folder},
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
                raise RuntimeError(f"{self.name(task)} did not start: {said!r}\n{self.log(task)}")
            said += part
        if b"listens" not in said:
            raise RuntimeError(f"{self.name(task)} did not start: {said!r}\n{self.log(task)}")

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
            f"{self.name(task)} ended with status {process.returncode}"
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
        return [resident_mb(process.pid) for process in self.processes]

    def files(self):
        """What the servers left in their working and temporary folder, without the logs."""
        logs = {os.path.basename(self.log_path(task)) for task in range(len(self))}
        return sorted(set(os.listdir(self.folder)) - logs)

    def close(self):
        for task, process in enumerate(self.processes):
            if process is not None and task not in self.killed:
                self.kill(task)
        for link in self.links.values():
            link.close()
        shutil.rmtree(self.folder, ignore_errors=True)
