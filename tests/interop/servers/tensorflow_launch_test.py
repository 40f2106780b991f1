# SPDX-License-Identifier: Apache-2.0
"""Programs that start TensorFlow's servers, unedited, through `python -m sluice.tensorflow`.

The programs are in programs/launched/, written as people write them, and run as real processes.
A program passes if every process ends well and prints what it should, if servers of ours ran
its steps, and if no server is left.

With SLUICE_PLAIN_TENSORFLOW=1 they run on TensorFlow's own servers.
"""

import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import pytest

from interop.tools.batch import Batch
from interop.tools.cluster import BUILD, SERVER, TESTS, free_ports, gone

pytestmark = pytest.mark.waits

FOLDER = os.path.join(TESTS, "interop", "programs", "launched")
PLAIN = bool(os.environ.get("SLUICE_PLAIN_TENSORFLOW"))
ONE_X = sys.version_info < (3, 8)  # TensorFlow 1.15's last Python is 3.7
SECONDS = 150

WRAPPER = """#!/bin/sh
echo $$ "$@" >> {folder}/started
exec {server} "$@" 2>> {folder}/servers.log
"""


class Program:
    """A program of the folder: `jobs` says which tasks it has, {} a single process without.

    `prints` are regular expressions: job -> what each of its processes must print; numbers in
    groups must be below `below`. `ends` are jobs whose processes end by themselves; the others, and
    the tasks `serving`, are ended as by hand. `again`: arguments of a second run, and what its
    first worker must print. `one_x`: for TensorFlow 1.15 only.
    """

    def __init__(self, name, jobs, prints, ends=("worker",), extra=(), below=None, serving=(),
                 again=None, one_x=False):  # fmt: skip
        self.name, self.jobs, self.prints, self.ends = name, jobs, prints, ends
        self.extra, self.below, self.one_x = list(extra), below, one_x
        self.serving, self.again = serving, again

    def awaited(self, job, task):
        """Whether a task ends by itself."""
        return (job in self.ends or not job) and (job, task) not in self.serving


CLUSTER = {"ps": 1, "worker": 2}
PROGRAMS = [
    Program("async_mlp", CLUSTER,
            {"worker": r"worker \d: \d+ steps, loss \S+ to (\S+), accuracy 0.9|worker \d: \d+ "
                       r"steps, loss \S+ to (\S+), accuracy 1"},
            extra=["--logdir={logdir}"], below=0.4),
    Program("sync_replicas", CLUSTER,
            {"worker": r"worker \d: loss (\S+), w \[ ?1\. +-2\. +0\.5 +3\. *\]"}, below=0.01),
    Program("supervised", CLUSTER, {"worker": r"worker \d: step \d+, loss (\S+)"},
            extra=["--logdir={logdir}"], below=0.01),
    Program("in_graph", CLUSTER, {"worker": r"client: 2 towers, loss (\S+)"}, below=0.01,
            serving=[("worker", 1)]),
    Program("word2vec", {"ps": 2, "worker": 2},
            {"worker": r"loss \S+ to (\S+) in 2 pieces"}, below=3.5),
    Program("input_queues", CLUSTER,
            {"worker": r"worker \d: 45 batches, loss \S+ to (\S+)"}, below=0.3,
            extra=["--logdir={logdir}"]),
    Program("restart", {"ps": 1, "worker": 1},
            {"worker": r"from 0 to 25, total 25\nlatest checkpoint \S+model.ckpt-25"},
            extra=["--logdir={logdir}", "--until=25"],
            again=(["--logdir={logdir}", "--until=40"], r"from 25 to 40, total 40\n")),
    Program("done_queues", CLUSTER,
            {"worker": r"worker \d: slope [67]\.\d+", "ps": r"ps \d: ends"},
            ends=("worker", "ps")),
    Program("local_sessions", {},
            {"": r"loss 0\.1\d+\nuninitialized at first\nrestored: True\nanother shape: 0\.5\n"
                 r"two devices: \(6\.0, 2, True\)"}),
    Program("servers_in_one_process", {},
            {"": r"local 2 CPUs hello\nshared 10 10\nrefused: UnknownError\n"
                 r"no such job: InternalError"}),
    Program("estimator_cluster", {"chief": 1, "ps": 1, "worker": 1, "evaluator": 1},
            {"evaluator": r"accuracy 0\.[89]\d+ at step 20\d", "chief": "task chief ends",
             "worker": "task worker ends"},
            ends=("chief", "worker", "evaluator"), one_x=True),
    Program("estimator_local", {},
            {"": r"accuracy 0\.9\d+ at step 150\npredicted \[0, 1, 2\]"}, one_x=True),
]  # fmt: skip


class Run:
    """The processes of one program, their folder and their servers' log."""

    def __init__(self, program):
        self.program = program
        self.folder = tempfile.mkdtemp(prefix="sluice-" + program.name)
        self.wrapper = os.path.join(self.folder, "server")
        with open(self.wrapper, "w") as out:
            out.write(WRAPPER.format(folder=self.folder, server=os.path.abspath(SERVER)))
        os.chmod(self.wrapper, 0o755)
        jobs = {job: n for job, n in program.jobs.items() if job != "evaluator"}
        ports = iter(free_ports(sum(jobs.values())))
        self.hosts = {job: [f"localhost:{next(ports)}" for _ in range(n)]
                      for job, n in jobs.items()}  # fmt: skip
        self.processes = {}

    def start(self, job, task, extra=()):
        command = [sys.executable]
        command += [] if PLAIN else ["-m", "sluice.tensorflow"]
        command.append(os.path.join(FOLDER, self.program.name + ".py"))
        env = dict(os.environ, SLUICE_SERVER=self.wrapper, SLUICE_LOG_LEVEL="info")
        env["PYTHONPATH"] = os.path.join(BUILD, "python")
        env.pop("TF_CONFIG", None)
        if "chief" in self.hosts:
            env["TF_CONFIG"] = json.dumps(
                {"cluster": self.hosts, "task": {"type": job, "index": task}}
            )
            command.append(os.path.join(self.folder, "model"))
        elif job:
            command += [f"--{j}_hosts=" + ",".join(h) for j, h in self.hosts.items()]
            command += ["--job_name=" + job, "--task_index=%d" % task]
        for argument in extra or self.program.extra:
            command.append(argument.format(logdir=self.folder))
        with open(self.path(job, task, "out"), "wb") as out:
            with open(self.path(job, task, "err"), "wb") as err:
                process = subprocess.Popen(command, env=env, stdout=out, stderr=err)
        self.processes[job, task] = process

    def path(self, job, task, kind):
        return os.path.join(self.folder, "%s-%d.%s" % (job, task, kind))

    def text(self, path):
        if not os.path.exists(path):
            return ""
        with open(path, errors="replace") as text:
            return text.read()

    def output(self, job, task):
        return self.text(self.path(job, task, "out"))

    def started(self):
        """The command lines of the servers of ours, after their processes."""
        return self.text(os.path.join(self.folder, "started")).splitlines()

    def start_all(self, extra=()):
        """Starts all tasks: the first of ps, chief and worker, and the others once it has its
        server. A worker that comes before the chief has initialized the variables would look
        again after 30 s."""
        tasks = [(job, task) for job, n in sorted(self.program.jobs.items()) for task in range(n)]
        later = [t for t in tasks if t == ("worker", 1) or t[0] == "evaluator"
                 or t == ("worker", 0) and "chief" in self.hosts]  # fmt: skip
        for job, task in tasks or [("", 0)]:
            if (job, task) not in later:
                self.start(job, task, extra)
        first = "--job=chief" if "chief" in self.hosts else "--job=worker --task=0"
        deadline = time.time() + SECONDS / 3
        while later and not PLAIN and time.time() < deadline:
            if any(first in line for line in self.started()):
                break
            time.sleep(0.05)
        for job, task in later:
            self.start(job, task, extra)

    def wait(self):
        """The tasks that did not end, or ended badly; ends those that go on for ever."""
        deadline = time.time() + SECONDS
        wrong = []
        for (job, task), process in sorted(self.processes.items()):
            if not self.program.awaited(job, task):
                continue
            try:
                status = process.wait(max(1, deadline - time.time()))
            except subprocess.TimeoutExpired:
                status = "did not end"
            if status != 0:
                wrong.append("%s:%d: %s" % (job, task, status))
        for process in self.processes.values():
            if process.poll() is None:
                process.terminate()
        for process in self.processes.values():
            process.wait()
        return wrong

    def servers(self):
        """The processes of the servers of ours."""
        return [int(line.split()[0]) for line in self.started()]

    def log(self):
        return self.text(os.path.join(self.folder, "servers.log"))


def judge(program, run, wrong):
    """The error of a run, in words."""
    found = list(wrong)
    for (job, task) in sorted(run.processes):
        wanted = program.prints.get(job)
        if wanted is None or not program.awaited(job, task):
            continue
        match = re.search(wanted, run.output(job, task))
        if match is None:
            found.append("%s:%d printed something else" % (job, task))
        for number in match.groups() if match else ():
            if number is not None and program.below and not float(number) < program.below:
                found.append("%s:%d: %s is not below %s" % (job, task, number, program.below))
    if not gone(run.servers()):
        found.append("servers are left")
    if PLAIN:
        return found
    least = sum(program.jobs.values()) if program.jobs else 1
    if len(run.servers()) < least:
        found.append("%d servers of ours, not %d" % (len(run.servers()), least))
    if program.jobs and "sends tensors by" not in run.log():
        found.append("no tensor went from one server of ours to another")
    return found


def run_program(program):
    run = Run(program)
    began = time.time()
    run.start_all()
    found = judge(program, run, run.wait())
    if program.again and not found:
        arguments, wanted = program.again
        run.start_all(arguments)
        found = run.wait()
        if not re.search(wanted, run.output("worker", 0)):
            found.append("the second run printed something else")
    report = ""
    if found:
        for job, task in sorted(run.processes):
            error = run.text(run.path(job, task, "err"))[-3000:]
            report += "\n--- %s:%d\n%s%s" % (job, task, error, run.output(job, task)[-1000:])
        report += "\n--- servers\n" + run.log()[-2000:]
    shutil.rmtree(run.folder, ignore_errors=True)
    return program, "; ".join(found) + report, time.time() - began


def names():
    return [program.name for program in PROGRAMS if ONE_X or not program.one_x]


def run_all(chosen, results):
    """Two at a time: most of a process's life is the import of TensorFlow."""
    programs = [program for program in PROGRAMS if program.name in chosen]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for program, wrong, seconds in pool.map(run_program, programs):
            print("%-24s %5.1f s" % (program.name, seconds), flush=True)
            results[program.name].check(program.name, not wrong, wrong)


LAUNCHED = Batch(names, run_all)
