# SPDX-License-Identifier: Apache-2.0
"""The jobs of sluice launch, by Slurm itself and by the schema of Kubernetes' API."""

import os
import re
import shutil
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SLUICE = os.path.join(os.environ["SLUICE_BUILD"], "sluice")
MONITORED = os.path.join(ROOT, "examples", "cluster", "monitored_training.py")


def launch(*arguments):
    return subprocess.check_output([SLUICE, "launch", *arguments], text=True)


@pytest.mark.parametrize(
    "options",
    [
        ["--ps", "1", "--workers", "2", "--insecure", "--cpus", "2", "--memory", "2Gi"],
        ["-np", "4", "--tls_secret", "tls", "--gpus", "1", "--namespace", "x", "--restarts", "3"],
    ],
)
def test_kubernetes_accepts_the_objects(options):
    schemas = pytest.importorskip("kubernetes_validate")
    yaml = pytest.importorskip("yaml")
    text = launch("kubernetes", "--dry_run", *options, "train.py", "--steps", "3")
    for thing in yaml.safe_load_all(text):
        schemas.validate(thing, "1.31", strict=True)
    with pytest.raises(schemas.ValidationError):
        schemas.validate({**thing, "spec": {**thing["spec"], "copies": 1}}, "1.31", strict=True)


def answers():
    """Whether Slurm runs here."""
    return bool(shutil.which("sbatch")) and subprocess.call(
        ["sinfo"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=30
    ) == 0  # fmt: skip


@pytest.mark.skipif(not answers(), reason="no Slurm: tools/one_node_slurm.sh starts one")
def test_slurm_trains(tmp_path):
    script = launch("slurm", "--dry_run", "--ps", "1", "--workers", "2", "--time", "10", MONITORED)
    path = tmp_path / "job.sh"
    path.write_text(script)
    environment = dict(os.environ, PATH=f"{os.environ['SLUICE_BUILD']}:{os.environ['PATH']}")
    subprocess.check_call(["sbatch", "--test-only", path], cwd=tmp_path, env=environment)
    status = subprocess.call(["sbatch", "-W", path], cwd=tmp_path, env=environment, timeout=200)
    (log,) = tmp_path.glob("sluice-*.log")
    said = log.read_text()
    assert status == 0, said
    assert float(re.findall(r"loss (\S+)", said)[-1]) < 0.01, said
    assert subprocess.check_output(["squeue", "-h"], text=True) == ""
