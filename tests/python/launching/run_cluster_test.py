# SPDX-License-Identifier: Apache-2.0
"""sluice run --ps P --workers W: what the tasks get, restarts, hosts, and the end of all."""

import json
import re
import stat

import pytest
from processes import PYTHON, run, start, wait_for_end

# Each task prints what it got. The one of rank 0 ends last.
SHOW = """
import json, os, sys, time
folder, tasks = sys.argv[1], int(sys.argv[2])
config = json.loads(os.environ["TF_CONFIG"])
names = ["SLUICE_" + name for name in ("RANK", "SIZE", "LOCAL_RANK", "CROSS_RANK", "HOST")]
print(json.dumps([config, [os.environ.get(n) for n in names]]), flush=True)
open(os.path.join(folder, "{type}{index}".format(**config["task"])), "w").close()
while os.environ.get("SLUICE_RANK") == "0" and len(os.listdir(folder)) < tasks:
    time.sleep(0.02)
"""
# Says its number and that of a process that it starts, and waits.
HANG = "sleep 600 & echo pids $$ $!; wait"
WAIT_FOR = "while [ ! -e {} ]; do sleep 0.1; done; exit 0"


def in_task(job, index, what):
    """A line of a shell for one task, which does not run the lines after it."""
    return f"""case "$TF_CONFIG" in *'"type": "{job}", "index": {index}'*) {what};; esac; """


def shown(output):
    """{name of the task: (TF_CONFIG, the rank variables)}."""
    lines = [re.fullmatch(r"\[(\w+:\d+)\] (.*)", line) for line in output.splitlines()]
    return {line[1]: json.loads(line[2]) for line in lines}


def pids_of(process, tasks):
    """The processes of tasks that run HANG."""
    lines = [process.stdout.readline() for _ in range(tasks)]
    assert all(re.fullmatch(r"\[\w+:\d\] pids \d+ \d+\n", line) for line in lines), lines
    return [int(number) for line in lines for number in line.split()[2:]]


def test_each_task_gets_tf_config_and_its_rank(tmp_path):
    done = run("--ps", "2", "--workers", "2", PYTHON, "-c", SHOW, str(tmp_path), "4")
    assert done.returncode == 0, done.stderr
    found = shown(done.stdout)
    assert {name: ranks for name, (_, ranks) in found.items() if name[0] == "w"} == {
        f"worker:{rank}": [str(rank), "2", str(2 + rank), "0", None] for rank in range(2)
    }
    clusters = [config["cluster"] for config, _ in found.values()]
    assert all(cluster == clusters[0] for cluster in clusters)
    assert {job: len(tasks) for job, tasks in clusters[0].items()} == {"ps": 2, "worker": 2}
    addresses = [address for tasks in clusters[0].values() for address in tasks]
    assert len(set(addresses)) == 4
    assert all(re.fullmatch(r"localhost:\d+", address) for address in addresses)
    for name, (config, _) in found.items():
        assert "{type}:{index}".format(**config["task"]) == name


def test_with_an_evaluator_the_first_is_the_chief(tmp_path):
    done = run("--workers", "2", "--evaluator", PYTHON, "-c", SHOW, str(tmp_path), "3")
    found = shown(done.stdout)
    assert done.returncode == 0 and set(found) == {"chief:0", "worker:0", "evaluator:0"}
    assert all(set(config["cluster"]) == {"chief", "worker"} for config, _ in found.values())
    ranks = {name: variables[0] for name, (_, variables) in found.items()}
    assert ranks == {"chief:0": "0", "worker:0": "1", "evaluator:0": None}


@pytest.mark.parametrize("others", [["--ps", "2"], ["--workers", "3", "--grace", "0.1"]])
def test_all_end_when_the_chief_has_ended(tmp_path, others):
    go = tmp_path / "go"
    chief = in_task("worker", 0, WAIT_FOR.format(go))
    process = start("--workers", "1", *others, "sh", "-c", chief + HANG)
    found = pids_of(process, 2)
    go.touch()
    _, errors = process.communicate(timeout=100)
    assert process.returncode == 0, errors
    wait_for_end(found)


def test_a_task_that_fails_is_started_again_as_often_as_told(tmp_path):
    # A line a start; the third start ends with success.
    for restarts, status in ((2, 0), (1, 137)):
        runs = tmp_path / f"runs{restarts}"
        worker = f"echo again >> {runs}; [ $(wc -l < {runs}) -gt 2 ] || kill -9 $$"
        done = run("--ps", "1", "--workers", "1", "--restarts", str(restarts), "sh", "-c",
                   in_task("ps", 0, "exec sleep 600") + worker)  # fmt: skip
        assert done.returncode == status, done.stderr
        assert len(runs.read_text().splitlines()) == restarts + 1
        assert re.search(r"task worker:0 \(process \d+\) was ended by SIGKILL; restart 1 of",
                         done.stderr)  # fmt: skip


def test_a_parameter_server_that_fails_ends_all():
    done = run("--ps", "1", "--workers", "1", "sh", "-c",
               in_task("ps", 0, "exit 3") + "sleep 600")  # fmt: skip
    assert done.returncode == 3
    assert re.search(r"task ps:0 \(process \d+\) exited with status 3; the others", done.stderr)


def test_all_end_when_the_launcher_is_killed():
    process = start("--ps", "1", "--workers", "1", "sh", "-c", HANG)
    found = pids_of(process, 2)
    process.kill()
    process.communicate(timeout=100)
    wait_for_end(found)


def test_a_file_that_is_not_executable_runs_with_this_python(tmp_path):
    program = tmp_path / "train.py"
    program.write_text("import sys; print(sys.executable, *sys.argv[1:])")
    done = run("--workers", "1", str(program), "--steps", "3")
    assert done.stdout == f"[worker:0] {PYTHON} --steps 3\n", done.stderr


@pytest.fixture
def hosts(tmp_path):
    """The options for this machine and another one, which a script plays that stands for ssh."""
    ssh = tmp_path / "ssh"
    ssh.write_text('#!/bin/sh\n[ "$1" = other.example ] || exit 9\nshift\nexec sh -c "$*"\n')
    ssh.chmod(ssh.stat().st_mode | stat.S_IXUSR)
    file = tmp_path / "hosts"
    file.write_text("# two hosts\nlocalhost slots=2\n\nother.example:1  # one more\n")
    return ["--hosts", str(file), "--ssh", str(ssh)]


def test_a_task_of_another_host(hosts, tmp_path):
    folder = tmp_path / "came"
    folder.mkdir()
    done = run(*hosts, "--ps", "1", "--workers", "2", "--port", "3333", PYTHON, "-c", SHOW,
               str(folder), "3")  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = shown(done.stdout)
    config, variables = found["worker:1"]
    assert config["cluster"]["worker"][1] == "other.example:3333"
    assert not re.match("localhost", config["cluster"]["ps"][0])
    assert variables == ["1", "2", "0", "1", "other.example"]
    assert found["worker:0"][1][:4] == ["0", "2", "1", "0"]


@pytest.mark.parametrize("how", ["interrupted", "killed"])
def test_tasks_of_other_hosts_end_with_the_launcher(hosts, how):
    process = start(*hosts, "--workers", "3", "sh", "-c", HANG)
    found = pids_of(process, 3)
    process.send_signal(2 if how == "interrupted" else 9)
    process.communicate(timeout=100)
    wait_for_end(found)


def test_a_failure_on_another_host(hosts):
    done = run(*hosts, "--workers", "3", "sh", "-c",
               in_task("worker", 2, "exit 4") + "sleep 600")  # fmt: skip
    assert done.returncode == 4
    assert re.search(r"task worker:2 \(process \d+\) exited with status 4", done.stderr)


def test_more_tasks_than_slots(hosts):
    done = run(*hosts, "--ps", "2", "--workers", "2", "sh", "-c", HANG)
    assert done.returncode == 2 and "4 processes are more than the 3 slots" in done.stderr
