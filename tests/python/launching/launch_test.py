# SPDX-License-Identifier: Apache-2.0
"""sluice launch and sluice join: the jobs they write, and tasks under mpirun and Kubernetes."""

import json
import os
import re
import shutil
import subprocess

import pytest
from conftest import ROOT
from processes import COMMAND, SECONDS
from sluice import cli
from sluice.launching.hosts import free_ports

MPIRUN = shutil.which("mpirun")


def launch(capsys, *arguments):
    """(exit status, what it prints), in this process."""
    status = cli.main(["launch", *arguments])
    printed = capsys.readouterr()
    return status, printed.out + printed.err


def test_a_job_of_slurm(capsys):
    status, text = launch(
        capsys, "slurm", "--dry_run", "--ps", "2", "--workers", "3", "--evaluator", "--cpus", "4",
        "--memory", "8G", "--time", "1:00:00", "python3", "train.py", "--name", "two words",
    )  # fmt: skip
    assert status == 0
    assert re.findall(r"^#SBATCH --(.*)", text, re.M) == [
        "job-name=sluice", "ntasks=6", "cpus-per-task=4", "mem-per-cpu=2048M", "time=1:00:00",
        "output=sluice-%j.log",
    ]  # fmt: skip
    assert text.endswith(
        "srun --label --kill-on-bad-exit=1 sluice join --ps=2 --workers=3 --evaluator python3"
        " train.py --name 'two words'\n"
    )
    assert subprocess.run(["bash", "-n"], input=text, text=True).returncode == 0


def test_a_line_of_mpirun(capsys):
    status, text = launch(capsys, "mpi", "--dry_run", "-np", "4", "-H", "a:2,b:2", "python3", "x")
    assert status == 0 and "export SLUICE_RENDEZVOUS=a:2222\n" in text
    assert re.search(r"^exec mpirun -np 4 .*--host a:2,b:2 .*python3 x$", text, re.M)


def test_objects_of_kubernetes(capsys):
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed (Debian: python3-yaml)")
    status, text = launch(
        capsys, "kubernetes", "--dry_run", "--name", "mnist", "--ps", "1", "--workers", "2",
        "--insecure", "--memory", "2Gi", "train.py", 'a "b"',
    )  # fmt: skip
    assert status == 0
    secret, service, job = yaml.safe_load_all(text)
    assert service["spec"]["clusterIP"] == "None"
    assert job["spec"]["completionMode"] == "Indexed" and job["spec"]["completions"] == 3
    pod = job["spec"]["template"]["spec"]
    assert pod["subdomain"] == service["metadata"]["name"] == "mnist"
    assert pod["containers"][0]["command"] == [
        "sluice", "join", "--ps=1", "--workers=2", "--addresses=mnist-{}.mnist:2222", "python3",
        "train.py", 'a "b"',
    ]  # fmt: skip
    assert len(secret["stringData"]["rendezvous"]) == 32


def test_the_compose_file_has_health_checks():
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed (Debian: python3-yaml)")
    with open(os.path.join(ROOT, "examples", "containers", "compose.yaml")) as file:
        services = yaml.safe_load(file)["services"]
    assert sorted(services) == ["task0", "task1", "task2"]
    for number, task in enumerate(services.values()):
        assert task["healthcheck"]["test"][:3] == ["CMD", "sluice", "devices"]
        assert task["environment"]["JOB_COMPLETION_INDEX"] == str(number)
        assert task["environment"]["SLUICE_INSECURE"] == "1"


@pytest.mark.parametrize(
    "arguments, text",
    [
        (["slurm", "train.py"], "give -np N for ranks, or"),
        (["kubernetes", "-np", "2", "train.py"], "--tls_secret NAME, or --insecure"),
        (["kubernetes", "-np", "2", "--insecure", "--name", "A_b", "x"], "small letters"),
        (["slurm", "-np", "2", "--memory", "lots", "x"], '"lots" must be a number'),
    ],
)
def test_wrong_options(capsys, arguments, text):
    status, said = launch(capsys, *arguments)
    assert status == 2 and text in said


# Shows its task; the first worker waits for a file, the parameter server for ever.
PROGRAM = """
echo "$TF_CONFIG"
case "$TF_CONFIG" in *'"type": "ps"'*) touch {folder}/ps; exec sleep 600;; esac
while [ ! -e {folder}/ps ]; do sleep 0.1; done
"""


def configs(output):
    """TF_CONFIG of each task, in order of its name."""
    found = [json.loads(text) for text in re.findall(r"\{.*\}", output)]
    return sorted(found, key=lambda config: sorted(config["task"].items(), key=str))


@pytest.mark.skipif(MPIRUN is None, reason="mpirun is not installed (Debian: openmpi-bin)")
def test_tasks_of_mpirun(tmp_path):
    done = subprocess.run(
        [MPIRUN, "--allow-run-as-root", "--oversubscribe", "-np", "2", "--mca", "btl", "self,tcp",
         COMMAND, "join", "--ps", "1", "--workers", "1", "sh", "-c",
         PROGRAM.format(folder=tmp_path)],
        capture_output=True, text=True, timeout=SECONDS, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = configs(done.stdout)
    assert len(found) == 2 and found[0]["cluster"] == found[1]["cluster"]
    assert {config["task"]["type"] for config in found} == {"ps", "worker"}


def test_tasks_of_a_job_of_kubernetes(tmp_path):
    """The variable that an indexed Job sets; the addresses are those of this machine."""
    (chief_port,) = free_ports(1)  # the one after that of the tasks
    words = ["join", "--ps", "1", "--workers", "1", f"--addresses=127.0.0.1{{}}:{chief_port - 1}",
             "sh", "-c", PROGRAM.format(folder=tmp_path)]  # fmt: skip
    processes = []
    for index in range(2):
        environment = dict(os.environ, JOB_COMPLETION_INDEX=str(index),
                           SLUICE_RENDEZVOUS_TOKEN="secret")  # fmt: skip
        processes.append(
            subprocess.Popen(
                [COMMAND, *words],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )  # fmt: skip
        )
    said = [process.communicate(timeout=SECONDS) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], said
    assert len(configs("".join(output for output, _ in said))) == 2
