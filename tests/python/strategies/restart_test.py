# SPDX-License-Identifier: Apache-2.0
"""A worker or a ps is killed and started again: training resumes from the last checkpoint by
itself."""

import json
import os
import subprocess
import sys
import time

import numpy as np
import pytest
import restarted_task
import sluice as sl
from sluice.launching.hosts import free_ports

SECONDS = 240


class Tasks:
    """The tasks of a cluster, each a process."""

    def __init__(self, kind, folder, jobs):
        self._kind, self._folder, self.processes = kind, folder, {}
        ports = iter(free_ports(sum(jobs.values())))
        self._cluster = {
            job: [f"localhost:{next(ports)}" for _ in range(count)] for job, count in jobs.items()
        }
        for job, count in jobs.items():
            for number in range(count):
                self.start(job, number)

    def start(self, job, number):
        """Starts a task; its output goes to a file."""
        config = {"cluster": self._cluster, "task": {"type": job, "index": number}}
        with open(self.output(job, number), "ab") as file:
            self.processes[job, number] = subprocess.Popen(
                [sys.executable, restarted_task.__file__, self._kind, self._folder],
                stdout=file, stderr=file, env=dict(os.environ, TF_CONFIG=json.dumps(config)),
            )  # fmt: skip

    def output(self, job, number):
        return os.path.join(self._folder, f"{job}{number}.txt")

    def kill(self, job, number):
        self.processes[job, number].kill()
        self.processes[job, number].wait()

    def said(self, job, number):
        with open(self.output(job, number)) as file:
            return file.read()

    def end(self):
        for process in self.processes.values():
            process.kill()
            process.wait()


def wait_for(condition, tasks):
    """Waits until a condition holds; a task that failed ends the test."""
    deadline = time.monotonic() + SECONDS
    while not condition():
        failed = [task for task, p in tasks.processes.items() if p.poll() not in (None, 0, -9)]
        assert not failed, {task: tasks.said(*task) for task in failed}
        assert time.monotonic() < deadline, {task: tasks.said(*task) for task in tasks.processes}
        time.sleep(0.1)


def has_checkpoint(folder):
    latest = sl.train.latest_checkpoint(folder)
    return latest is not None and int(latest.rsplit("-", 1)[1]) >= 5


@pytest.mark.parametrize(
    ("kind", "jobs", "victim"),
    [("mirrored", {"worker": 2}, ("worker", 1)), ("ps", {"ps": 1, "worker": 2}, ("ps", 0))],
    ids=["worker", "ps"],
)
def test_training_resumes(kind, jobs, victim, tmp_path):
    folder = str(tmp_path)
    tasks = Tasks(kind, folder, jobs)
    try:
        wait_for(lambda: has_checkpoint(folder), tasks)
        tasks.kill(*victim)
        tasks.start(*victim)
        wait_for(lambda: "ended" in tasks.said("worker", 0), tasks)
    finally:
        tasks.end()
    latest = sl.train.latest_checkpoint(folder)
    assert int(latest.rsplit("-", 1)[1]) >= restarted_task.LAST, latest
    if kind == "mirrored":  # each step is that of one device on the whole batch
        with sl.Graph().as_default():
            alone = str(tmp_path / "alone")
            one = sl.distribute.OneDeviceStrategy("/cpu:0")
            restarted_task.trained(one, "", None, alone, True, 0)
        expected = sl.train.load_variable(sl.train.latest_checkpoint(alone), "w")
        np.testing.assert_allclose(sl.train.load_variable(latest, "w"), expected, 1e-4)
