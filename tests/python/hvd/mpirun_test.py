# SPDX-License-Identifier: Apache-2.0
"""sluice.hvd on ranks that Open MPI's mpirun starts, and on ranks that other launchers describe."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import BUILD, ROOT

MPIRUN = shutil.which("mpirun")
MNIST = os.path.join(ROOT, "examples", "horovod", "mnist.py")
SECONDS = 100

requires_mpirun = pytest.mark.skipif(
    MPIRUN is None, reason="mpirun is not installed (Debian: openmpi-bin)"
)

SUM = """
import sluice.hvd as hvd, sluice as sl
hvd.init()
total = hvd.allreduce(sl.constant([1.0 + hvd.rank()]), op=hvd.Sum)
with sl.Session(hvd.target(), config=hvd.config()) as session:
    value = session.run(total)[0]
print(f"rank {hvd.rank()} of {hvd.size()}, {hvd.local_rank()} of {hvd.local_size()} here: {value}")
"""


def python_path():
    return os.path.join(BUILD, "python")


def mpirun(size, *command):
    """(exit status, output) of ranks of a Python program."""
    done = subprocess.run(
        [MPIRUN, "--allow-run-as-root", "--oversubscribe", "-np", str(size),
         "-x", "PYTHONPATH", "--mca", "btl", "self,tcp", sys.executable, *command],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS,
        env=dict(os.environ, PYTHONPATH=python_path()), stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.returncode, done.stdout


@requires_mpirun
@pytest.mark.parametrize("size", [1, 3])
def test_ranks_of_mpirun(size):
    status, said = mpirun(size, "-c", SUM)
    assert status == 0, said
    total = size * (size + 1) / 2
    for rank in range(size):
        assert f"rank {rank} of {size}, {rank} of {size} here: {total}" in said, said


@requires_mpirun
def test_mnist_by_mpirun():
    status, said = mpirun(2, MNIST)
    assert status == 0, said
    losses = [float(text) for text in re.findall(r"^step \d+: loss (\S+)", said, re.M)]
    assert losses[-1] < 0.8 * losses[0], said


@requires_mpirun
def test_a_rank_of_mpirun_that_fails_ends_the_others():
    program = SUM + "import sys\nsys.exit(3) if hvd.rank() == 1 else session.close()\n"
    status, said = mpirun(2, "-c", program)
    assert status == 3, said


LAUNCHERS = {
    "mpiexec": {"PMI_RANK": "{rank}", "PMI_SIZE": "2", "MPI_LOCALRANKID": "{rank}",
                "MPI_LOCALNRANKS": "2"},
    "srun": {"SLURM_PROCID": "{rank}", "SLURM_STEP_NUM_TASKS": "2", "SLURM_LOCALID": "{rank}",
             "SLURM_NODEID": "0", "SLURM_STEP_TASKS_PER_NODE": "2", "SLURM_JOB_ID": "{job}"},
}  # fmt: skip


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_ranks_by_the_variables_of(launcher):
    """The variables alone: the launchers are not installed."""
    ranks = []
    for rank in range(2):
        given = {
            key: value.format(rank=rank, job=os.getpid())
            for key, value in LAUNCHERS[launcher].items()
        }
        ranks.append(
            subprocess.Popen(
                [sys.executable, "-c", SUM],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env=dict(os.environ, PYTHONPATH=python_path(), **given),
            )  # fmt: skip
        )
    for rank, process in enumerate(ranks):
        said, _ = process.communicate(timeout=SECONDS)
        assert process.returncode == 0, said
        assert f"rank {rank} of 2, {rank} of 2 here: 3.0" in said, said
